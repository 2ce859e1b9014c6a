"""Functions of Python's library that a function calls are explored with it where that decides."""

from __future__ import annotations

from pathlib import Path

import symcrete
from symcrete.program.source.library_calls import library_modules
from symcrete.program.source.target import targets_of

PROGRAM = """\
import calendar
import math
import statistics as numbers
from textwrap import dedent
import xml.sax
import os.path

def leap(year: int) -> bool:
    return calendar.isleap(year)

def by_hand(year: int) -> bool:
    return year % (400 if year % 100 == 0 else 4) == 0

def several(text: str) -> float:
    return numbers.mean([len(dedent(text)), math.sqrt(2), xml.sax.parse(text)])

def other(text: str) -> str:
    return os.path.basename(text) + str(numbers)
"""


def test_modules_are_named_by_the_functions_of_theirs_that_are_called(tmp_path: Path) -> None:
    file = tmp_path / "years.py"
    file.write_text(PROGRAM)
    by_scope = {each.scope: each for each in targets_of(str(file))}

    assert library_modules([by_scope["leap"], by_scope["by_hand"]]) == ("calendar",)
    assert library_modules([by_scope["several"]]) == ("statistics", "textwrap")
    assert library_modules([by_scope["other"]]) == ()


def test_what_a_function_of_the_library_does_is_part_of_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "years.py"
    file.write_text(PROGRAM)

    found = symcrete.diff(f"{file}::leap", f"{file}::by_hand", budget="30s")

    assert found.verdict == "same", found.reason
