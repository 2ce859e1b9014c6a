"""What a call does to its interpreter is told in words, and undone."""

from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path

import pytest

from symcrete.run.harm import Interpreter


def test_a_call_that_does_nothing_harms_nothing() -> None:
    interpreter = Interpreter()

    assert interpreter.harm() == ""
    assert interpreter.moved(restoring=True) == []


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


def test_folder_and_environment_are_told_and_restored_if_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(os.getcwd())
    monkeypatch.setenv("SYMCRETE_HARM", "0")
    interpreter, folder = Interpreter(), os.getcwd()
    os.chdir(tmp_path)
    os.environ["SYMCRETE_HARM"] = "1"

    first = interpreter.moved(restoring=True)

    assert first == ["the current folder", "os.environ"]
    assert (os.getcwd(), os.environ["SYMCRETE_HARM"]) == (folder, "0")


def test_what_is_not_restored_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter = Interpreter()
    monkeypatch.setenv("SYMCRETE_HARM", "1")

    assert interpreter.moved(restoring=False) == ["os.environ"]
    assert interpreter.moved(restoring=False) == []
