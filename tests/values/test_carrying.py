"""A term is found wherever a reference leads to it; a handler that waits is noticed."""

import ctypes
import functools
import itertools
from typing import Any

import pytest
from tests.values.running import run, tracked

from symcrete.terms.term import Sort, var
from symcrete.values.tracking.carrying import MOST_OBJECTS, carries
from symcrete.values.tracking.followed import (
    drops_terms,
    is_followed,
    keeps_attribute,
    rewritten_files,
)
from symcrete.values.tracking.handlers import may_be_caught
from symcrete.values.tracking.numeric import concolic_int

N = concolic_int(3, var("n", Sort.INT))


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value

    def method(self) -> Any:
        return self.value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def closing_over(value: Any) -> Any:
    return lambda: value


def having(value: Any) -> Any:
    def function(default: Any = value) -> Any:
        return default

    return function


PLACES = {
    "itself": N,
    "list": [1, [2, [3, [4, [5, [N]]]]]],
    "dict": {"a": {"b": N}},
    "attribute": Holder(N),
    "slot": Slotted(N),
    "slice": slice(0, N),
    "closure": closing_over(N),
    "closure of a closure": closing_over(closing_over(N)),
    "default": having(N),
    "bound method": Holder(N).method,
    "bound built-in": [N].count,
    "partial": functools.partial(max, N),
    "iterator": iter([1]),
    "chain": itertools.chain([1], [N]),
}


@pytest.mark.parametrize("value", PLACES.values(), ids=list(PLACES))
def test_a_term_is_found_in(value: Any) -> None:
    assert carries([value])


@pytest.mark.parametrize(
    "value", [1, "a", [1, {"a": (2, 3)}], Holder([1]), closing_over(1), slice(1, 2), Holder, len]
)
def test_none_is_found_in_what_holds_none(value: Any) -> None:
    assert not carries([value])


def test_what_refers_to_too_much_counts_as_carrying() -> None:
    assert carries([[[each] for each in range(MOST_OBJECTS + 10)]])


def test_only_code_that_is_not_followed_drops_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own:
        def __mul__(self, other: object) -> object:
            return other

    assert drops_terms(Own, "__mul__")

    monkeypatch.setattr(f"{is_followed.__module__}.rewritten_files", {__file__})

    assert not drops_terms(Own, "__mul__")
    assert not drops_terms(int, "__mul__")


def test_a_power_with_an_operand_of_code_that_is_not_followed_notes_what_is_lost() -> None:
    class Own:
        def __rpow__(self, other: Any) -> bool:
            return bool(int(other) > 1)

        __pow__ = __rpow__

    with run() as record:
        results = [tracked(float, 2.5)[0] ** Own(), Own() ** tracked(float, 2.5)[0]]
        decided = tracked(int, 2)[0] ** Own()

    assert results == [True, True]
    assert decided
    assert record.losses
    assert record.events


def test_an_error_may_be_caught_inside_a_try_only() -> None:
    rewritten_files.add(__file__)
    try:
        inside = may_be_caught()
    finally:
        rewritten_files.discard(__file__)
    outside = may_be_caught()

    assert inside
    assert not outside


def test_attributes_that_c_code_keeps_are_told_from_those_that_python_keeps() -> None:
    class Slotted:
        __slots__ = ("part",)

    class Field(ctypes.Structure):
        _fields_ = (("number", ctypes.c_int),)

    class Open:
        @property
        def shown(self) -> int:
            return 1

    assert keeps_attribute(Slotted, "part")
    assert keeps_attribute(Open, "anything")
    assert keeps_attribute(Open, "shown")
    assert keeps_attribute(Open, "__class__")
    assert not keeps_attribute(Field, "number")
