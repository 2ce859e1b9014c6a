"""What `check` answers in formats that other programs read, each held to its schema."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from junitparser import JUnitXml
from sarif_pydantic import Sarif as Schema
from xmlschema import XMLSchema

from symcrete.cli import main
from symcrete.errors import BadOption
from symcrete.explore.findings import FoundInput, Spot, Status, TargetReport
from symcrete.oracle.verdicts import Checked, Failure, WrongExample
from symcrete.report.judged.check_formats import remarks_of, writer_named
from symcrete.run.use import Ending

JUNIT = XMLSchema(str(Path(__file__).with_name("junit.xsd")))
PROGRAM = """\
import os

def pay(total: int) -> int:
    \"\"\"
    >>> pay(4)
    3
    \"\"\"
    assert total != 7
    return total - 5
"""


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TargetReport:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(PROGRAM)
    file = str(tmp_path / "shop.py")
    return TargetReport("shop.py::pay", Status.COVERED, module="shop", scope="pay", file=file)


def failing(report: TargetReport) -> Checked:
    raised = FoundInput({"total": "7"}, Ending.RAISED, None, "AssertionError()", (), "")
    promise = Spot(9, 4, True, "breaks post: __return__ >= 0")
    returned = FoundInput({"total": "1"}, Ending.RETURNED, "-4", None, (promise,), "")
    return Checked(
        "shop.py::pay",
        "fails",
        report,
        (Failure("assert", 8, raised, "pay(7)"), Failure("contract", 0, returned, "pay(1)")),
        (WrongExample(5, "pay(4)\n", "3\n", "-1\n"),),
        seconds=1.25,
    )


def written(form: str, *found: Checked) -> str:
    out = io.StringIO()
    writer_named(form)(found, out)
    return out.getvalue()


def test_each_failure_is_told_at_its_line_and_one_without_at_the_function(
    report: TargetReport,
) -> None:
    told = [(each.rule.name, each.line, each.message) for each in remarks_of(failing(report))]

    assert told == [
        ("failing-check", 3, "pay(1) returns -4 and breaks post: __return__ >= 0"),
        ("wrong-example", 5, "pay(4) gives -1, not 3"),
        ("failing-check", 8, "pay(7) raises AssertionError()"),
    ]


def test_failing_checks_are_results_of_sarif(report: TargetReport) -> None:
    text = written("sarif", failing(report))

    log = Schema.model_validate_json(text)

    assert [each.rule_id for each in log.runs[0].results or ()] == [
        "failing-check",
        "wrong-example",
        "failing-check",
    ]
    rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
    results = json.loads(text)["runs"][0]["results"]
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in results)


def test_junit_tells_what_fails_what_is_not_decided_and_what_cannot_be_explored(
    report: TargetReport,
) -> None:
    undecided = Checked("shop.py::pay", "undecided", report, reason="budget spent\x00")
    unable = Checked("gone", "undecided", report, reason="no such file", exit_error=4)
    holds = Checked("shop.py::pay", "holds", report, proof="none of its 2 paths fails")

    text = written("junit", failing(report), undecided, unable, holds)

    JUNIT.validate(text)
    (suite,) = JUnitXml.fromstring(text.partition("\n")[2].encode())
    assert (suite.tests, suite.failures, suite.skipped, suite.errors) == (4, 1, 1, 1)


def test_annotations_name_file_and_line(report: TargetReport) -> None:
    *_, last = written("github", failing(report)).splitlines()

    assert last.startswith("::error file=shop.py,line=8,col=1,title=Symcrete%3A An input breaks")
    assert last.endswith("::pay(7) raises AssertionError()")


def test_a_format_that_check_does_not_have_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadOption, match="did you mean sarif"):
        writer_named("sarf")


def test_check_writes_the_file_that_its_ending_names(
    report: TargetReport, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", "shop.py", "--emit", "junit", "-o", "found.xml", "--budget", "20s"])

    assert code == 1
    JUNIT.validate("found.xml")
    assert "pay(7) raises AssertionError" in Path("found.xml").read_text()
    assert capsys.readouterr().out == ""
