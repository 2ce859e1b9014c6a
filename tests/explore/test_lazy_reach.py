"""`reach --lazy`: the calls on the way to a line are expanded only where the line needs it."""

from __future__ import annotations

from pathlib import Path

import pytest

import symcrete
from symcrete.explore.reach.reached import Reached

PROGRAM = """
Word = tuple[int, int, int, int, int, int, int, int]


def strcmp(text: Word, word: str) -> int:
    i = 0
    while i < len(word):
        if text[i] != ord(word[i]):
            return text[i] - ord(word[i])  # different
        i += 1
    return text[i]


def which(first: Word, second: Word) -> int:
    if strcmp(first, "begin") == 0:
        if strcmp(second, "while") == 0:
            return 1
        if strcmp(second, "repeat") == 0:
            if first[6] == 77:
                return 2  # deep
    return 0
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "words.py"
    file.write_text(PROGRAM)
    return file


def line_of(mark: str) -> int:
    return next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if mark in line)


@pytest.mark.parametrize("lazy", [True, "strcmp"])
def test_a_line_behind_three_calls_is_reached(lazy, program: Path):
    found = symcrete.reach(f"{program}:{line_of('# deep')}", lazy=lazy, budget=20.0)

    assert isinstance(found, Reached)
    assert found.args["first"].startswith("(98, 101, 103, 105, 110, 0, 77")
    assert found.args["second"].startswith("(114, 101, 112, 101, 97, 116, 0")


def test_a_line_that_only_a_callee_has_is_reached_too(program: Path):
    target = f"{program}:{line_of('# different')}"

    found = symcrete.reach(target, lazy=True, budget=20.0)

    assert isinstance(found, Reached)
