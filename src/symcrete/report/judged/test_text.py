"""The tests of one target as the text of a file, for those who show them beside something else."""

from __future__ import annotations

import io
from dataclasses import replace

from symcrete.explore.findings import Report, TargetReport
from symcrete.oracle.verdicts import Checked, Diff
from symcrete.report.tests.how_called import Caller
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.pytest_file import PytestFile


def test_of(report: TargetReport) -> str:
    """A test file with the inputs of the report that have a test; nothing if none has."""
    out = io.StringIO()
    PytestFile().emit(Report((report,)), out)
    return out.getvalue()


def with_tests(found: Diff, report: TargetReport) -> Diff:
    """The verdict with a test for each difference, where there is one that holds."""
    pairs = zip(found.differences, report.inputs, strict=True)
    tested = [
        replace(each, a=given, test=test_of(replace(report, inputs=(given,))))
        for each, given in pairs
    ]
    return replace(found, report=report, differences=tuple(tested))


def with_calls(checked: Checked, report: TargetReport) -> Checked:
    """The verdict with the call and a test for each failure, where there is one that holds.

    A call that raises nothing has none: what a broken promise gives is not to be asserted.
    """
    pairs = zip(checked.failures, report.inputs, strict=True)
    told = []
    for each, given in pairs:
        alone = replace(report, inputs=(given,))
        made = Caller(alone, report.scope, Layout()).once(given)
        before = [line.strip() for line in made.before]
        call = "; ".join([*before, made.call])
        test = test_of(alone) if given.raised is not None else ""
        told.append(replace(each, found=given, call=call, test=test))
    raising = tuple([each for each in report.inputs if each.raised is not None])
    return replace(checked, report=replace(report, inputs=raising), failures=tuple(told))
