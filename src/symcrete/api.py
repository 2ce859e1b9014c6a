"""Symcrete from Python: `symcrete.cover(price, budget="10s")`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from symcrete.errors import AssumptionFailed, BadOption, NothingToAnalyse, TargetNotFound
from symcrete.explore import findings
from symcrete.explore.options import options_from
from symcrete.explore.reach.reached import Goal, Verdict
from symcrete.oracle.verdicts import Checked, Diff
from symcrete.program.source.module import source_of_file
from symcrete.program.source.place import place_of
from symcrete.program.source.target import Target, targets_of
from symcrete.report.formats.notebook import table
from symcrete.report.judged.test_text import with_calls, with_tests
from symcrete.sandbox.driver import driver, reaching
from symcrete.values.tracking.operators import truth_of


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
    if len(targets) == 1:
        return Report((driver.cover(targets[0], chosen),), chosen.seed)
    return Report(tuple(driver.cover_all(targets, chosen)), chosen.seed)


def reach(
    function: Callable[..., Any] | str, *, line: int | None = None, **options: Any
) -> Verdict:
    """An input for a function that executes a line of its file: Reached, Unreachable or Undecided.

    The function is where the search starts; for a text, `shop.py:42`, the line's own function is.
    """
    from symcrete.explore.reach.goals import goal_at

    chosen = options_from(options)
    if isinstance(function, str):
        return reaching.reach(goal_at(function if line is None else f"{function}:{line}"), chosen)
    if line is None:
        raise BadOption("which line? call reach(function, line=42)")
    target = target_of(function)
    place = place_of(target.source, line, target.source.file.name)
    goal = Goal(place, f"{target.source.file.name}:{line}")
    return reaching.reach(goal, chosen, entry=target.scope)


def diff(
    a: Callable[..., Any] | str,
    b: Callable[..., Any] | str | None = None,
    *,
    rev: str | None = None,
    **options: Any,
) -> Diff:
    """Whether two functions differ, or one and what it was at a git revision: inputs that show it,
    or a proof that they are the same.
    """
    from symcrete.oracle import differing

    chosen = options_from(options)
    if (b is None) == (rev is None):
        raise BadOption("compare with what? call diff(a, b) or diff(a, rev='HEAD')")
    if b is None:
        found = differing.diff_revision(_one(a), str(rev), chosen)
    else:
        found = differing.diff(_one(a), _one(b), chosen)
    return with_tests(found, found.report)


def check(
    function: Callable[..., Any] | str, *, expect: Sequence[str] = (), **options: Any
) -> Checked:
    """Whether a function fails: inputs that break an assertion, a contract, or raise an exception
    that neither its documentation nor `expect` names; or a proof that there are none.
    """
    from symcrete.oracle import failing

    found = failing.check(_one(function), options_from(options), expected=tuple(expect))
    return with_calls(found, found.report)


def _one(function: Callable[..., Any] | str) -> Target:
    if not isinstance(function, str):
        return target_of(function)
    targets = targets_of(function)
    if len(targets) != 1:
        raise BadOption(f"name one function; {function} has {len(targets)}")
    return targets[0]


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
