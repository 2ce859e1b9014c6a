"""What a call does to its interpreter is told in words, and undone."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path

import pytest

from symcrete.run.untouched.harm import Interpreter


def test_a_call_that_does_nothing_harms_nothing() -> None:
    interpreter = Interpreter()

    assert interpreter.harm() == ""
    assert interpreter.moved() == []


def test_a_replaced_built_in_is_named_and_put_back() -> None:
    interpreter, ordinary = Interpreter(), builtins.len
    builtins.len = lambda items: 7

    harm = interpreter.harm()

    assert harm == "replaces len for everybody"
    assert builtins.len is ordinary


def test_a_built_in_that_was_added_is_harm_too() -> None:
    interpreter = Interpreter()
    builtins.of_nobody = 1  # type: ignore[attr-defined]

    assert interpreter.harm() == "replaces built-in functions for everybody"
    assert not hasattr(builtins, "of_nobody")


@pytest.mark.parametrize("gone", [True, False], ids=["removed", "set to None"])
def test_a_module_that_was_blocked_can_be_imported_again(gone: bool) -> None:
    import colorsys

    interpreter = Interpreter()
    sys.modules["colorsys"] = None  # type: ignore[assignment]
    [sys.modules.pop("colorsys") for _ in range(gone)]

    harm = interpreter.harm()

    assert harm == "makes colorsys impossible to import"
    assert sys.modules["colorsys"] is colorsys


def test_the_recursion_limit_is_put_back_silently() -> None:
    interpreter, limit = Interpreter(), sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 500)

    assert interpreter.harm() == ""
    assert sys.getrecursionlimit() == limit


def test_another_folder_and_another_environment_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreter = Interpreter()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYMCRETE_HARM", "1")

    assert interpreter.moved() == ["the current folder", "os.environ"]
