"""Functions as source text: by the name that their module has for them, and by no other."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from symcrete.inputs.literal import NoLiteral, imports_of, literal


def named(x: int) -> int:
    return x


HIDDEN: list[Callable[..., Any]] = []


def _kept_and_wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    HIDDEN.append(function)

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


@_kept_and_wrapped
def wrapped(x: int) -> int:
    return x


def test_a_function_of_a_module_is_written_by_its_name_and_imported() -> None:
    assert literal({"a": named}) == '{"a": named}'
    assert imports_of({"a": named}) == {(__name__, "named")}


def test_a_function_behind_a_wrapper_of_its_name_has_no_text() -> None:
    with pytest.raises(NoLiteral):
        literal(HIDDEN[0])


def test_functions_without_a_name_in_a_module_have_no_text() -> None:
    def inner() -> None: ...

    for each in (inner, lambda: 0):
        with pytest.raises(NoLiteral):
            literal(each)
