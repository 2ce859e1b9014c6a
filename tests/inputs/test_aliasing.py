"""Parts of an input may be one object: drawn, made without terms, made with them, and written."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.setup import taken_apart
from symcrete.inputs.shapes import heap
from symcrete.inputs.shapes.aliasing import SharedShape, repeated_keys
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.inputs.shapes.objects import InstanceShape, Part
from symcrete.inputs.shapes.shape import IntShape, LaterShape
from symcrete.program.source.sites import SiteTable
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.instances import objects
from symcrete.values.build.variables import tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.recording import Recording
from symcrete.values.vocabulary.vocabulary import LISTED, use


@dataclass
class Node:
    value: int
    next: Node | None = None


@dataclass
class Holder:
    items: list[int] = field(default_factory=list)


def rows_and_row(rows: list[list[int]], row: list[int]) -> bool:
    return rows[0] is row


def held(holder: Holder, items: list[int]) -> bool:
    return holder.items is items


def linked(head: Node) -> bool:
    return head.next is head


def alone(xs: list[int]) -> None:
    xs.append(1)


def apart(a: list[int], b: list[int]) -> int:
    return len(a) + len(b)


def built(arguments: Arguments, given: Assignment) -> dict[str, Any]:
    """The arguments with their terms, as a run has them."""
    use(LISTED)
    former = recording.activate(Recording(SiteTable()))
    try:
        return {p.name: tracked_input(p.shape, p.name, given) for p in arguments.parameters}
    finally:
        recording.activate(former)


def evaluated(arguments: Arguments, given: Assignment) -> dict[str, Any]:
    """The arguments as a test would have them."""
    written = arguments.written(given)
    setup, args = taken_apart({label: each.text for label, each in written.items()})
    scope: dict[str, Any] = {}
    for each in written.values():
        for module, name in each.imports:
            scope[name] = getattr(importlib.import_module(module), name)
    for statement in setup:
        exec(statement, scope)
    return {label: eval(text, scope) for label, text in args.items()}


WAYS = [Arguments.plain, built, evaluated]


@pytest.mark.parametrize("make", WAYS)
def test_a_parameter_is_an_element_of_another(make: Any) -> None:
    arguments = arguments_of(rows_and_row, {}, "rows_and_row")
    given = {"len(rows)": 2, "len(rows[0])": 1, "rows[0][0]": 5, "row is rows[0]": True}

    made = make(arguments, given)

    assert made["row"] is made["rows"][0]
    assert made["rows"][1] is not made["rows"][0]
    assert made["row"] == [5]


@pytest.mark.parametrize("make", WAYS)
def test_rows_are_one_list(make: Any) -> None:
    arguments = arguments_of(rows_and_row, {}, "rows_and_row")

    made = make(arguments, {"len(rows)": 2, "rows[1] is rows[0]": True})

    assert made["rows"][1] is made["rows"][0]
    assert made["row"] is not made["rows"][0]


@pytest.mark.parametrize("make", WAYS)
def test_a_parameter_is_a_field_of_another(make: Any) -> None:
    arguments = arguments_of(held, {}, "held")

    made = make(arguments, {"items is holder.items": True})

    assert made["items"] is made["holder"].items


@pytest.mark.parametrize("make", WAYS)
def test_an_object_refers_back_to_itself(make: Any) -> None:
    made = make(arguments_of(linked, {}, "linked"), {"head.next is head": True})

    assert made["head"].next is made["head"]


@pytest.mark.parametrize("make", WAYS)
def test_an_object_refers_back_to_the_one_around_it(make: Any) -> None:
    given = {"head.next??": 1, "head.next.next is head": True, "head.next.value": 7}

    head = make(arguments_of(linked, {}, "linked"), given)["head"]

    assert head.next is not head
    assert head.next.value == 7
    assert head.next.next is head


def test_draws_have_one_object_twice_now_and_then() -> None:
    arguments, random = arguments_of(rows_and_row, {}, "rows_and_row"), Random(1)

    drawn = [arguments.plain(arguments.sample(Pool(), random)) for _ in range(100)]

    same = [any(row is each["row"] for row in each["rows"]) for each in drawn]
    assert 0 < sum(same) < 50


@pytest.mark.parametrize("function", [alone, apart])
def test_nothing_is_shared_where_it_cannot_be_or_nobody_would_notice(function: Any) -> None:
    arguments = arguments_of(function, {}, function.__name__)

    assert not any(isinstance(each.shape, SharedShape) for each in arguments.parameters)


def test_keys_that_occur_once_are_not_repeated() -> None:
    once, twice = SharedShape(IntShape(), "once"), SharedShape(IntShape(), "twice")

    assert repeated_keys([once, twice, twice]) == {"twice"}


def test_classes_that_all_hold_each_other_are_gone_through_once_or_twice() -> None:
    kinds = [type(f"Kind{number}", (), {}) for number in range(40)]
    shapes: list[SharedShape] = []
    later = [LaterShape(functools.partial(shapes.__getitem__, i)) for i in range(len(kinds))]
    parts = tuple([Part("other", each) for each in later])
    shapes += [SharedShape(InstanceShape(kind, lambda: parts), kind) for kind in kinds]

    assert repeated_keys([shapes[0]]) == set(kinds)


def test_each_decision_is_a_branch_and_only_the_first_few_objects_are_offered() -> None:
    use(LISTED)
    arguments = arguments_of(rows_and_row, {}, "rows_and_row")
    record = Recording(SiteTable())
    former = recording.activate(record)
    given: Assignment = {"len(rows)": 6}
    try:
        for parameter in arguments.parameters:
            tracked_input(parameter.shape, parameter.name, given)
        offered = objects().candidates(arguments.parameters[1].shape.key)  # type: ignore[attr-defined]
    finally:
        recording.activate(former)

    decisions = [name for name in given if " is " in name]
    assert offered == ["rows[0]", "rows[1]", "rows[2]"]
    assert len(decisions) == len(set(decisions)) == 0 + 1 + 2 + 3 * 4
    assert any("more may be one" in what for _, _, what in record.losses)


def test_a_holder_that_keeps_the_attribute_elsewhere_cannot_refer_back() -> None:
    class Closed:
        __slots__ = ("next",)

        def __init__(self) -> None:
            self.next = 3

    with pytest.raises(AssumptionFailed):
        heap.set_back(Closed(), "next", object())


def test_a_part_made_outside_of_an_input_is_one_of_its_own() -> None:
    shape = SharedShape(IntShape(), "key")

    assert shape.plain("b", {"b is a": True, "b": 3}) == 3
