"""What every output format promises, whatever it looks like."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.cli import parser
from symcrete.codec import decoded, encoded
from symcrete.errors import BadOption
from symcrete.explore.findings import (
    FoundInput,
    Implicit,
    Report,
    Spot,
    Status,
    Tally,
    TargetReport,
)
from symcrete.report.emitter import FORMATS, Emitter, Format, make_emitter
from symcrete.run.untouched.played import Situated
from symcrete.run.use import Ending

PROGRAM = '''"""A shop."""

def price(total: int, code: str) -> float:
    if total > 50 and code == "<&'\\">":
        return total * 0.9
    return 100 / total
'''
NAMES = [row.name for row in FORMATS]
STATUSES = ("complete", "covered", "budget", "failed")
OUTCOMES = ("returned", "raised", "timeout", "crashed", "blocked", "flaky")


def found(outcome: str) -> FoundInput:
    """An input that ended so; with every field that some format shows."""
    return FoundInput(
        args={"total": "100", "code": '"<&\'\\">"'},
        outcome=Ending(outcome),
        returned='"<b>"' if outcome == "returned" else None,
        raised="ZeroDivisionError()" if outcome == "raised" else None,
        error="ZeroDivisionError" if outcome == "raised" else None,
        reason="" if outcome in ("returned", "raised") else "why it ended <so>",
        covers=(Spot(4, 4, True, "total > 50"),),
        path_condition="total > 50",
        imports=(("fractions", "Fraction"),),
        situation=(Situated("os.environ['SHOP']", "'1'", "monkeypatch.setenv('SHOP', '1')"),),
        setup=("import os",),
        conditions_left_out=2,
    )


def target(file: Path, status: str = "covered", *outcomes: str) -> TargetReport:
    failed = status == "failed"
    return TargetReport(
        target="shop.py::price",
        status=Status(status),
        branches=Tally(4, 2, 1),
        conditions=Tally(6, 4, 1),
        implicit=(Implicit(6, "ZeroDivisionError", True),),
        open=(Spot(4, 4, False, 'code == "<"', reason="budget spent"),),
        infeasible=(Spot(6, 4, False, "x < 1", proof="tree exhausted", assumes=("SHOP unset",)),),
        inputs=tuple(map(found, outcomes)),
        error="cannot import shop\nModuleNotFoundError: <no>" if failed else "",
        exit_code=4 if failed else 0,
        notes=("a note",),
        module="shop",
        root=str(file.parent),
        scope="price",
        file=str(file),
        solver={"calls": 1},
    )


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM)
    return file


def emitted(name: str, report: Report) -> str:
    out = io.StringIO()
    make_emitter(name).emit(report, out)
    return out.getvalue()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", STATUSES)
def test_every_status_can_be_told(name: str, status: str, shop: Path) -> None:
    report = Report((target(shop, status, *OUTCOMES),))

    assert emitted(name, report) or name in ("pytest", "examples")  # nothing to write


@pytest.mark.parametrize("name", NAMES)
def test_the_same_report_gives_the_same_text(name: str, shop: Path) -> None:
    report = Report((target(shop, "covered", *OUTCOMES), target(shop, "failed")))
    again = Report(
        tuple([decoded(TargetReport, json.loads(json.dumps(encoded(t)))) for t in report.targets])
    )

    assert emitted(name, report) == emitted(name, report) == emitted(name, again)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_without_targets_is_no_error(name: str) -> None:
    emitted(name, Report(()))


@pytest.mark.parametrize("name", NAMES)
def test_a_target_without_inputs_is_no_error(name: str, shop: Path) -> None:
    emitted(name, Report((target(shop, "budget"), target(shop, "complete"))))


@pytest.mark.parametrize("name", NAMES)
def test_a_target_whose_file_is_gone_or_no_python_is_no_error(name: str, shop: Path) -> None:
    broken = shop.with_name("broken.py")
    broken.write_text("def price(:\n")
    gone = replace(target(shop, "failed"), file=str(shop.with_name("gone.py")))

    emitted(name, Report((target(broken, "failed"), gone, target(shop, "covered", "returned"))))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_written_anywhere_else(
    name: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(shop.parent.iterdir())

    emitted(name, Report((target(shop, "covered", *OUTCOMES),)))

    assert sorted(shop.parent.iterdir()) == before
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", NAMES)
def test_the_help_names_it(name: str) -> None:
    commands = parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]

    assert name in commands["cover"].format_help()  # type: ignore[index]


def test_the_page_and_the_picture_are_well_formed(shop: Path) -> None:
    report = Report((target(shop, "covered", *OUTCOMES), target(shop, "failed")))

    page = emitted("html", report).removeprefix("<!doctype html>")
    ElementTree.fromstring(re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL))
    ElementTree.fromstring(emitted("svg", report))


def test_json_has_the_fields_that_other_programs_read(shop: Path) -> None:
    told = json.loads(emitted("json", Report((target(shop, "covered", "returned"),))))

    (only,) = told["targets"]
    assert only["file"] == str(shop)
    assert only["imports"] == ["from fractions import Fraction"]
    assert only["infeasible"][0]["assumes"] == ["SHOP unset"]
    assert only["inputs"][0]["setup"] == ["import os"]
    assert only["inputs"][0]["situation"][0]["set"] == "monkeypatch.setenv('SHOP', '1')"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadOption, match=r"did you mean 'json'.*table, json, pytest"):
        make_emitter("jsn")


class Lines:
    """A format from outside: one line for each target."""

    def emit(self, report: Report, out: io.TextIOBase) -> None:
        out.writelines(f"{each.target}: {each.status}\n" for each in report.targets)


def test_a_format_is_one_class_and_one_row(shop: Path) -> None:
    row = Format("lines", f"{__name__}:Lines", "one line for each target", ".txt")
    out = io.StringIO()

    emitter: Emitter = make_emitter("lines", (*FORMATS, row))
    emitter.emit(Report((target(shop, "covered"),)), out)

    assert out.getvalue() == "shop.py::price: covered\n"
