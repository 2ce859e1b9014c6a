"""Explore a small program given as text."""

import textwrap
from pathlib import Path
from typing import Any

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

_count = [0]


def explore(source: str, folder: Path, name: str = "f", **options: Any) -> TargetReport:
    """The report on function `name` of a module with this text; quick and without replay by default."""
    _count[0] += 1
    file = folder / f"program_{_count[0]}.py"
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    options = {"budget": 20.0, "replay": False} | options
    return cover(targets_of(f"{file}::{name}")[0], options_from(options))


def explore_lazily(source: str, folder: Path, name: str = "f", **options: Any) -> TargetReport:
    """The same by lazy expansion alone, not raced with plain search."""
    return explore(source, folder, name, **({"lazy_alone": True} | options))


def assert_covers_all(report: TargetReport) -> None:
    """Every condition is covered or proved infeasible."""
    assert not report.error, report.error
    assert report.conditions.open == 0, [
        (spot.line, spot.text, spot.reason) for spot in report.open
    ]
