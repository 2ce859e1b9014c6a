"""Symcrete from Python: `symcrete.cover(price, budget="10s")`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symcrete.errors import AssumptionFailed, NothingToAnalyse, TargetNotFound
from symcrete.explore import findings
from symcrete.explore.options import options_from
from symcrete.program.source import source_of_file
from symcrete.program.target import Target, targets_of
from symcrete.report.html import table
from symcrete.sandbox import driver
from symcrete.values.operators import truth_of


class Report(findings.Report):
    """What was found; a notebook shows it as a table."""

    def _repr_html_(self) -> str:
        return table(self)


def cover(target: Callable[..., Any] | str, **options: Any) -> Report:
    """Inputs that cover every branch of a function, or of all that a target's text names.

    Options are those of the command line: `budget="10s"`, `strategy="cgs"`, `max_runs=500`,
    `types={...}`.
    """
    chosen = options_from(options)
    targets = targets_of(target) if isinstance(target, str) else [target_of(target)]
    return Report(tuple([driver.cover(each, chosen) for each in targets]), chosen.seed)


def target_of(function: Callable[..., Any]) -> Target:
    """The target of a function object: its file and its name there."""
    inner = inspect.unwrap(function)
    if not inspect.isfunction(inner):
        raise NothingToAnalyse(f"{function!r} has no Python code to cover")
    if "<locals>" in inner.__qualname__ or inner.__name__ == "<lambda>":
        raise TargetNotFound(
            f"{inner.__qualname__} is defined inside a function: no test can import it"
        )
    try:
        file = inspect.getsourcefile(inner)
    except TypeError:
        file = None
    if file is None or not Path(file).exists():
        raise TargetNotFound(f"the source of {inner.__qualname__} is in no file")
    return Target(
        source_of_file(Path(file)), inner.__qualname__, f"{Path(file).name}::{inner.__qualname__}"
    )


def assume(condition: Any) -> None:
    """Only inputs for which this holds count: the others are outside what the function is for."""
    if not truth_of(condition):
        raise AssumptionFailed
