"""What a run reads of the world is an input: solved for, replayed, and set in the test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.state.answers import ANSWERS
from tests.state.case import Case, asked
from tests.state.kept import KEPT
from tests.state.world import WORLD
from tests.state.wrong import groups

OTHERWISE = {
    "SHOP": "1",
    "DEBUG": "yes",
    "LEVEL": "9",
    "HOME": "/nonexistent",
    "TZ": "Asia/Tokyo",
    "PYTHONHASHSEED": "77",
}


@pytest.mark.parametrize("cases", groups([*WORLD, *ANSWERS, *KEPT]))
def test_both_sides_are_covered_and_the_tests_hold_where_the_world_is_otherwise(
    cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    targets = [
        f"{case.written(tmp_path, f'program_{number}.py')}::{case.function}"
        for number, case in enumerate(cases)
    ]

    reports = asked("cover", *targets, "-o", "emitted")["targets"]
    held = [
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "emitted"],
            env={**os.environ, **other},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        for other in ({}, OTHERWISE)
    ]

    assert len(reports) == len(cases)
    for case, report in zip(cases, reports, strict=True):
        branches, inputs = report["branches"], report["inputs"]
        assert branches["covered"] == branches["total"], (case.name, report["open"])
        assert all(each["outcome"] in ("returned", "raised") for each in inputs), case.name
        assert not [each["untested"] for each in inputs if "untested" in each], case.name
    assert [each.returncode for each in held] == [0, 0], held[0].stdout + held[1].stdout


def test_a_function_that_reads_nothing_has_no_situation(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text("def f(n: int) -> int:\n    if n > 3:\n        return 1\n    return 0\n")

    (report,) = asked("cover", str(file))["targets"]

    assert report["branches"]["covered"] == 2
    assert [each["situation"] for each in report["inputs"]] == [[], []]


def test_state_that_no_branch_needs_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "aside.py"
    file.write_text(
        "import os\n"
        "def f(n: int) -> str:\n"
        "    if n > 3:\n"
        "        return os.environ.get('SHOP', '-')\n"
        "    return ''\n"
    )

    (report,) = asked("cover", str(file))["targets"]

    assert sorted([len(each["situation"]) for each in report["inputs"]]) == [0, 1]
    (read,) = [each for each in report["inputs"] if each["situation"]]
    assert read["situation"][0]["set"] == 'monkeypatch.delenv("SHOP", raising=False)'
    assert read["returned"] == '"-"'
