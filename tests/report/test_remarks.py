"""Remarks about lines, and the formats that show them there: SARIF, JUnit, GitHub's annotations."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from junitparser import JUnitXml
from sarif_pydantic import Sarif as Schema
from xmlschema import XMLSchema

from symcrete.explore.findings import FoundInput, Report, Spot, Status, Tally, TargetReport
from symcrete.report.formats.github import Github
from symcrete.report.formats.junit import Junit
from symcrete.report.formats.remarks import remarks
from symcrete.report.formats.sarif import Sarif
from symcrete.run.use import Ending

JUNIT = XMLSchema(str(Path(__file__).with_name("junit.xsd")))
PROGRAM = "import os\n\ndef price(total):\n    if total > 3:\n        pass\n"


def spot(line: int, text: str, **more: object) -> Spot:
    return Spot(line, 4, True, text, **more)  # type: ignore[arg-type]


def ended(outcome: str, *covers: Spot, raised: str | None = None, reason: str = "") -> FoundInput:
    return FoundInput({"total": "7"}, Ending(outcome), None, raised, covers, "", reason=reason)


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TargetReport:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a shop.py").write_text(PROGRAM)
    return TargetReport(
        "a shop.py::price",
        Status.COMPLETE,
        branches=Tally(4, 1, 1),
        open=(spot(4, "total < 9", reason="budget spent"),),
        infeasible=(spot(4, "total < 2", proof="tree exhausted", assumes=("SHOP is unset",)),),
        inputs=(
            ended("crashed", reason="SIGSEGV\n100%"),
            ended("raised", spot(5, "", kind="KeyError"), raised='KeyError("a")'),
        ),
        module="shop",
        scope="price",
        file=str(tmp_path / "a shop.py"),
    )


def emitted(emitter: Sarif | Junit | Github, *targets: TargetReport) -> str:
    out = io.StringIO()
    emitter.emit(Report(targets), out)
    return out.getvalue()


def test_every_kind_of_finding_is_a_remark_at_its_line(target: TargetReport) -> None:
    told = [(each.rule.name, each.line, each.message) for each in remarks(Report((target,)))]

    assert told == [
        ("crash", 3, "price(total=7): SIGSEGV\n100%"),
        ("dead-branch", 4, "never total < 2 (tree exhausted; assumes that SHOP is unset)"),
        ("open-branch", 4, "no input found for total < 9: budget spent"),
        ("hidden-error", 5, 'price(total=7) raises KeyError("a")'),
    ]


def test_sarif_is_what_its_schema_says(target: TargetReport) -> None:
    text = emitted(Sarif(), target)

    log = Schema.model_validate_json(text)

    (run,) = log.runs
    assert [each.rule_id for each in run.results or ()] == [
        "crash",
        "dead-branch",
        "open-branch",
        "hidden-error",
    ]
    (place,) = json.loads(text)["runs"][0]["results"][1]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20shop.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4, "startColumn": 5},
    }


def test_junit_fails_functions_that_crash_and_not_those_that_raise(target: TargetReport) -> None:
    failed = TargetReport("gone.py", Status.FAILED, error="no such file\x00", file="gone.py")

    read = JUnitXml.fromstring(emitted(Junit(), target, failed).partition("\n")[2].encode())

    read.update_statistics()
    assert (read.tests, read.failures, read.errors) == (2, 1, 1)


def test_junit_is_what_its_schema_says(target: TargetReport) -> None:
    odd = TargetReport(
        "odd.py::f\x01", Status.FAILED, error="a\x00\ud800\ufffe\nb", file="odd\x01.py"
    )

    for reports in ((), (target,), (target, odd)):
        JUNIT.validate(emitted(Junit(), *reports))


def test_the_schema_of_junit_refuses_what_servers_would() -> None:
    suite = '<testsuites name="s"><testsuite name="f" tests="1" errors="0" failures="0" skipped="0" time="0.100">'
    end = "</testsuite></testsuites>"

    assert JUNIT.is_valid(f'{suite}<testcase classname="m" name="f" time="0.100"/>{end}')
    assert not JUNIT.is_valid(f'{suite}<testcase classname="m" time="0.100"/>{end}')
    assert not JUNIT.is_valid(f'{suite}<case classname="m" name="f" time="0.100"/>{end}')


def test_junit_tells_open_branches_in_the_output(target: TargetReport) -> None:
    top = ElementTree.fromstring(emitted(Junit(), target))

    text = top.findtext("testsuite/testcase/system-out")

    assert text == (
        "1 of 4 branches covered\na shop.py:4: no input found for total < 9: budget spent"
    )


def test_annotations_escape_what_the_log_would_read(target: TargetReport) -> None:
    first, *_ = emitted(Github(), target).splitlines()

    assert first == (
        "::error file=a shop.py,line=3,col=1,title=Symcrete%3A An input ends the interpreter"
        "::price(total=7): SIGSEGV%0A100%25"
    )


def test_columns_count_characters_not_bytes(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    line = "    if 'äö' and a > 3:"
    file.write_text(f"def f(a: int) -> None:\n{line}\n        pass\n", encoding="utf-8")
    still_open = Spot(2, len(line.encode().partition(b"a > 3")[0]), True, "a > 3")
    found = TargetReport("f", Status.BUDGET, open=(still_open,), scope="f", file=str(file))

    columns = [each.column for each in remarks(Report((found,)))]

    assert columns == [line.index("a > 3") + 1]
