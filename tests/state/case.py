"""One program whose goal can be brought about, and what may be said of it."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.truth.asking import Engine, Verdict

from symcrete.cli import main
from symcrete.explore.findings import TargetReport
from symcrete.sandbox.driver.births import Zygotes

GOAL = "# goal"
SECONDS = 4.0  # most programs need a tenth of it; a busy machine may need all
BUDGET = f"{SECONDS}s"


@dataclass(frozen=True, slots=True)
class Case:
    """A program all of whose branches can be taken, or whose marked line can be executed.

    `row` is the row of the table of wrong answers; 0 for a further program of the same kind.
    It has to be covered or reached, unless it may stay open for a reason that holds the text `open`.
    """

    row: int
    name: str
    program: str
    function: str = "f"
    open: str | None = None

    def __str__(self) -> str:
        return f"{self.row}-{self.name}" if self.row else self.name

    def written(self, folder: Path, name: str = "program.py") -> Path:
        """The program as a file."""
        file = folder / name
        file.write_text(self.text, encoding="utf-8")
        return file

    def may_be_open(self, reason: str) -> bool:
        """Whether this is why it may stay open."""
        return self.open is not None and bool(reason) and self.open in reason

    @property
    def text(self) -> str:
        return dedent(self.program).lstrip()

    @property
    def goal_line(self) -> int:
        """The number of the line that is marked."""
        return 1 + next(i for i, line in enumerate(self.text.splitlines()) if GOAL in line)


def covered(case: Case, folder: Path) -> TargetReport:
    """What `cover` says of the case's function, in this process: that takes a tenth of the time."""
    engine = Engine(folder, SECONDS)
    return engine.covered(engine.written(case.text), case.function)


def covered_and_replayed(case: Case, folder: Path, zygotes: Zygotes) -> TargetReport:
    """What `symcrete cover` says of the case's function, from workers of its own."""
    engine = Engine(folder, SECONDS, zygotes)
    return engine.covered_and_replayed(case.written(folder), case.function)


def reached(case: Case, folder: Path) -> Verdict:
    """What `symcrete reach` says of the marked line."""
    return Engine(folder, SECONDS).reached_and_replayed(case.written(folder), case.goal_line)


def asked(*arguments: str) -> dict[str, Any]:
    """What the command line prints as JSON."""
    printed, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
        main([*arguments, "--json", "--budget", BUDGET])
    assert printed.getvalue(), told.getvalue()
    found: dict[str, Any] = json.loads(printed.getvalue())
    return found
