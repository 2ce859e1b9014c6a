"""Types that `isinstance` and `match` name."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import pytest

from symcrete.inputs.infer.asked_kinds import filled, list_of, matched, named_kinds


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
