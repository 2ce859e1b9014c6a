"""The tests of one target as the text of a file, for those who show them beside something else."""

from __future__ import annotations

import io
from dataclasses import replace

from symcrete.explore.findings import Report, TargetReport
from symcrete.oracle.verdicts import Diff
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
