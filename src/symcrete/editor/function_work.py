"""What an editor asks for, done: a function covered, checked, its tests written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.explore.findings import Report, TargetReport
from symcrete.explore.options import Options, options_from
from symcrete.oracle import failing
from symcrete.oracle.verdicts import Checked
from symcrete.program.source.target import Target, targets_of
from symcrete.report.judged.test_text import with_calls
from symcrete.report.tests.kept import Wanted, check_output, check_pytest, held, keep_tests
from symcrete.report.trial.trial import Conditions
from symcrete.sandbox.driver import driver
from symcrete.sandbox.journal.known_results import Cache
from symcrete.user import configuration_of_options


def options_here() -> Options:
    """What `[tool.symcrete]` of the current folder says."""
    return options_from(configuration_of_options(Path.cwd())[0])


def target_at(file: Path, scope: str) -> Target:
    """One function of a file, named from the current folder where the file is below it."""
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    (target,) = targets_of(f"{shown}::{scope}")
    return target


def covered(target: Target, options: Options, stop: Callable[[], bool]) -> TargetReport:
    """The report of a function: a kept one, if nothing that it depends on has changed; else the
    function is explored, until it is done or `stop` says so.
    """
    cache = Cache()
    known = cache.find(target, options)
    if known is not None:
        return known
    report = next(iter(driver.cover_all([target], options, stop=stop)))
    if not stop():
        cache.keep(target, options, report)
    return report


def checked(target: Target, options: Options) -> Checked:
    """The verdict of `check` on the function, with a test for each failure whose test holds."""
    check_pytest()
    found = failing.check(target, options)
    if not found.failures:
        return found
    return with_calls(found, held(Report((found.report,)), Conditions()).targets[0])


def write_tests(target: Target, report: TargetReport, found: Checked | None, folder: Path) -> str:
    """Write tests for the inputs of a report, and for those of failures that it lacks, into the
    folder; a sentence that says what was done.
    """
    configured = configuration_of_options(Path.cwd())[1]
    wanted = Wanted(
        folder,
        assertions=str(configured.get("assertions", "exact")),
        style=str(configured.get("style", "pytest")),
    )
    check_output(wanted, [target.source])
    more = () if found is None else found.report.inputs
    known = {each.key for each in report.inputs}
    inputs = (*report.inputs, *[each for each in more if each.key not in known])
    outcome = keep_tests(Report((replace(report, inputs=inputs),)), wanted)
    if outcome.unwritten:
        raise SymcreteError(outcome.unwritten[0][0])
    left = sum(bool(each.untested) for each in outcome.report.targets[0].inputs)
    without = f"; {left} of its inputs have no test that holds" if left else ""
    written = ", ".join(str(file) for file in outcome.written)
    return f"wrote {written}{without}" if written else f"no test to write{without}"
