"""One program whose goal can be brought about, and what may be said of it."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import symcrete
from symcrete import Reached, Undecided, Unreachable
from symcrete.cli import main

GOAL = "# goal"
BUDGET = "2s"  # most programs need a tenth of it; a busy machine may need all


@dataclass(frozen=True, slots=True)
class Case:
    """A program all of whose branches can be taken, or whose marked line can be executed.

    `row` is the row of the table of wrong answers; 0 for a further program of the same kind.
    `must` is what has to come out; without it, open is enough.
    """

    row: int
    name: str
    program: str
    function: str = "f"
    must: bool = False
    types: str = ""
    because: str = ""  # what the reason has to name where the answer is open

    def __str__(self) -> str:
        return f"{self.row}-{self.name}" if self.row else self.name

    def written(self, folder: Path) -> Path:
        """The program as a file."""
        file = folder / "program.py"
        file.write_text(self.text, encoding="utf-8")
        return file

    @property
    def text(self) -> str:
        return dedent(self.program).lstrip()

    @property
    def goal_line(self) -> int:
        """The number of the line that is marked."""
        return 1 + next(i for i, line in enumerate(self.text.splitlines()) if GOAL in line)


def covered(case: Case, folder: Path, **options: object) -> symcrete.Report:
    """What `symcrete cover` says of the case's function."""
    target = f"{case.written(folder)}::{case.function}"
    return symcrete.cover(target, **_options(case, options))


def reached(case: Case, folder: Path, **options: object) -> Reached | Undecided | Unreachable:
    """What `symcrete reach` says of the marked line."""
    return symcrete.reach(f"{case.written(folder)}:{case.goal_line}", **_options(case, options))


def _options(case: Case, given: dict[str, object]) -> dict[str, Any]:
    types = {"types": case.types} if case.types else {}
    return {"budget": BUDGET, **types, **given}


def asked(*arguments: str) -> dict[str, Any]:
    """What the command line prints as JSON."""
    printed, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
        main([*arguments, "--json", "--budget", BUDGET])
    assert printed.getvalue(), told.getvalue()
    found: dict[str, Any] = json.loads(printed.getvalue())
    return found
