"""Cover a whole module given as text, and run the tests that are written for it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from symcrete.explore.findings import Report, TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.report.tests.kept import Wanted, keep_tests
from symcrete.sandbox.driver import driver


@dataclass(frozen=True)
class Covered:
    """What was found, the test file, and what pytest says of it."""

    targets: dict[str, TargetReport]  # by scope
    text: str
    passes: bool
    said: str

    def open(self) -> list[tuple[str, str]]:
        return [(s, each.text) for s, t in self.targets.items() for each in t.open]


def covered(
    program: str, folder: Path, budget: float = 3.0, max_runs: int | None = None
) -> Covered:
    """The tests of a module with this text; `max_runs` is a budget of work in place of seconds."""
    file = folder / "shop.py"
    file.write_text(textwrap.dedent(program), encoding="utf-8")
    limit = {"budget": budget} if max_runs is None else {"max_runs": max_runs}
    options = options_from(limit)
    found = list(driver.cover_all(targets_of(str(file)), options))
    keep_tests(Report(tuple(found)), Wanted(folder))
    test = folder / "test_shop.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:symcrete", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, str(test)], cwd=folder, capture_output=True, text=True)
    targets = {each.target.partition("::")[2]: each for each in found}
    text = test.read_text(encoding="utf-8") if test.exists() else ""
    return Covered(targets, text, done.returncode == 0, done.stdout)
