"""Functions that closures hold are found, each once."""

from __future__ import annotations

from pathlib import Path

from tests.explore.exploring import assert_covers_all, explore

from symcrete.explore.proof import closures

RECURSIVE = """
def repeated(function):
    def again(n: int) -> int:
        return again(n - 1) if n > 3 else function(n)
    return again

@repeated
def f(n: int) -> int:
    return 1 if n > 0 else 0
"""


def made() -> object:
    def outer() -> object:
        return inner

    def inner() -> object:
        return outer

    return outer


def test_functions_that_hold_each_other_are_found_once() -> None:
    function = made()

    found = [each.__name__ for _, each in closures._held("f", function)]

    assert found == ["outer", "inner"]


def test_a_decorator_whose_wrapper_calls_itself_is_explored(tmp_path: Path) -> None:
    assert_covers_all(explore(RECURSIVE, tmp_path))
