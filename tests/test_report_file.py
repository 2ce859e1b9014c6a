"""Where a report goes: standard output, or a file that `-o` names beside `--emit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coverage import CoverageData

from symcrete.cli import main, parser
from symcrete.report_file import with_report_file

PROGRAM = "def f(x: int) -> int:\n    return 1 if x > 3 else 0\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(PROGRAM)
    return tmp_path


@pytest.mark.parametrize(
    ("flags", "file", "folder"),
    [
        (["--emit", "html", "-o", "page.html"], "page.html", None),
        (["--emit", "html", "-o", "tests"], None, "tests"),
        (["--json", "-o", "all.json"], "all.json", None),
        (["--emit", "pytest", "-o", "tests.py"], None, "tests.py"),
        (["--emit", "coverage"], ".coverage.symcrete", None),
        (["--emit", "coverage", "-o", ".coverage.mine"], ".coverage.mine", None),
        (["--emit", "coverage", "-o", "tests"], ".coverage.symcrete", "tests"),
        (["-o", "tests"], None, "tests"),
    ],
)
def test_the_ending_tells_a_report_from_a_folder_for_tests(
    flags: list[str], file: str | None, folder: str | None, here: Path
) -> None:
    said = parser().parse_args(["cover", "m.py", *flags])

    arguments = with_report_file(said)

    assert (arguments.report_file, arguments.output) == (file, folder)


def test_reports_are_written_and_rewritten(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [main(["cover", "m.py", "--json", "-o", "all.json", "-q"]) for _ in range(2)]
    codes.append(main(["cover", "m.py", "--emit", "coverage", "-q"]))

    assert codes == [0, 0, 0]
    assert capsys.readouterr().out == ""
    assert json.loads((here / "all.json").read_text())["targets"][0]["status"] == "complete"
    data = CoverageData(str(here / ".coverage.symcrete"))
    data.read()
    assert data.lines(str(here / "m.py")) == [1, 2]


def test_a_page_that_somebody_edited_stays(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "page.html").write_text("mine")

    code = main(["cover", "m.py", "--emit", "html", "-o", "page.html"])

    assert code == 4
    assert "use --force" in capsys.readouterr().err
    assert (here / "page.html").read_text() == "mine"
