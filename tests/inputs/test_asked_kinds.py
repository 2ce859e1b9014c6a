"""Types that `isinstance` and `match` name."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import pstats
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

import pytest

from symcrete.inputs.infer.asked_kinds import (
    another_kind,
    any_of,
    asked_of_class,
    asked_through,
    asking_places,
    filled,
    is_enum,
    list_of,
    matched,
    named_kinds,
    together,
)
from symcrete.inputs.infer.something import Named, Something


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("int", [int]),
        ("(str, bytes)", [str, bytes]),
        ("list", [list[int]]),
        ("int | str", [int, str]),
        ("nobody_knows", []),
    ],
)
def test_isinstance_names_types(text: str, kinds: list[Any]) -> None:
    node = ast.parse(text, mode="eval").body

    assert named_kinds(node, vars(builtins)) == kinds


@pytest.mark.parametrize(
    ("pattern", "kinds"),
    [("'a'", [str]), ("None", [None]), ("True", [bool]), ("[1, 2]", [list[int]]), ("_", [])],
)
def test_patterns_take_types(pattern: str, kinds: list[Any]) -> None:
    (statement,) = ast.parse(f"match x:\n    case {pattern}: pass").body
    assert isinstance(statement, ast.Match)

    assert matched(statement.cases[0].pattern, {}) == kinds


def test_a_bare_container_is_of_numbers() -> None:
    assert filled(list) == list[int]
    assert list_of(str) == list[str]


def safely(kinds: Any, value: Any) -> bool:
    try:
        return isinstance(value, kinds)
    except TypeError:
        return False


def call(text: str) -> ast.Call:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    return node


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("issubclass(x, int)", [type]),
        ("issubclass(int, x)", [type]),
        ("isinstance(y, x)", [type]),
        ("isinstance(x, y)", []),
        ("len(x)", []),
    ],
)
def test_some_calls_take_only_classes(text: str, kinds: list[Any]) -> None:
    assert asked_of_class(call(text), "x", vars(builtins)) == kinds


def test_fields_are_those_of_a_dataclass_or_its_object() -> None:
    names = {"dataclasses": dataclasses, "__name__": "nothing_is_here"}

    kinds = asked_of_class(call("dataclasses.fields(x)"), "x", names)

    assert type[pstats.FunctionProfile] in kinds
    assert pstats.FunctionProfile in kinds


def test_a_function_that_is_given_the_classes_asks_for_them() -> None:
    names = {**vars(builtins), "safely": safely}

    assert asked_through(call("safely((str, bytes), x)"), "x", names) == [str, bytes]
    assert asked_through(call("safely(x, str)"), "x", names) == []
    assert asking_places(safely, "isinstance") == (1, 0)
    assert asking_places(safely, "issubclass") is None
    assert asking_places(print, "isinstance") is None


def test_one_type_more_is_tried_where_all_are_asked_for() -> None:
    assert another_kind([str], {str: None}) == [int]
    assert another_kind([str, int], {str: None}) == []
    assert another_kind([str, None], {str: None}) == [int]


def test_a_type_that_no_question_fits_is_found_beside_classes_derived_from_those_asked_for() -> (
    None
):
    asked = dict.fromkeys([Mapping, Sequence, str])

    assert another_kind([Mapping, Sequence, str, list], asked) == [int]
    assert another_kind([Mapping, Sequence, str, set], asked) == []


def test_a_type_that_no_question_fits_is_found_beside_lists_and_callables() -> None:
    assert another_kind([list[int]], {list[int]: None}) == [str]
    assert another_kind([Callable[..., int]], {Callable[..., int]: None}) == [str]


def test_an_element_may_be_of_each_type_that_is_asked_for() -> None:
    assert any_of([str], {}) is str
    assert any_of([str], {str: None, dict[int, int]: None}) == str | dict[int, int] | int
    assert any_of([str], {str: None}) is str
    assert any_of([str], {Named(int, "builtins", "int"): None}) is str


def test_a_stand_in_and_none_stay_among_the_types_of_an_element() -> None:
    classes = [type(name, (), {}) for name in "ABCDE"]

    made = any_of([*classes, Something, None], {classes[4]: None})

    assert get_args(made) == (*[classes[each] for each in (0, 4, 1, 2)], Something, type(None))


def test_rows_of_objects_hold_the_objects_of_all_of_them() -> None:
    class One: ...

    class Other: ...

    rows = [list[One | Something], Iterator[Other | Something], list[int], str]
    each = One | Other | Something

    assert together(rows) == [list[each], Iterator[each], str]
    assert together([list[int], Iterator[str]]) == [list[int], Iterator[str]]


def test_enumerations_are_known() -> None:
    assert is_enum([enum.Enum])
    assert not is_enum([int])
