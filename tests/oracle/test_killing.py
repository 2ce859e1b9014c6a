"""Inputs for seeded faults: known ones count, others are solved for, the rest is proved or told."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from symcrete.explore.findings import Mutants, TargetReport
from symcrete.explore.options import Options
from symcrete.oracle.mutants.killing import against_mutants
from symcrete.program.source.target import targets_of
from symcrete.sandbox.driver import driver

PROGRAM = """
    def fee(total: int, member: bool) -> int:
        if total >= 5000 and member:
            return total - 500
        return total

    def larger(a: int, b: int) -> int:
        if a > b:
            return a
        return b
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("killing") / "faulty.py"
    file.write_text(textwrap.dedent(PROGRAM))
    return file


def hunted(file: Path, name: str) -> tuple[TargetReport, TargetReport, Mutants]:
    options = Options(budget=15.0, goals=("branches",))
    target = targets_of(f"{file}::{name}")[0]
    report = next(iter(driver.cover_all([target], options)))
    found = against_mutants(target, report, options)
    assert found.mutants is not None
    return report, found, found.mutants


def test_a_fault_that_no_branch_shows_gets_an_input(file: Path) -> None:
    report, found, mutants = hunted(file, "fee")

    assert mutants.killed == mutants.total
    assert mutants.left == ()
    assert found.inputs[: len(report.inputs)] == report.inputs
    added = found.inputs[len(report.inputs) :]
    assert any(each.args["total"] == "5000" for each in found.inputs)
    assert all(each.shows and each.returned is not None for each in added)
    assert all("line" not in text for each in added for text in each.shows)


def test_a_fault_that_makes_no_difference_is_proved(file: Path) -> None:
    _, _, mutants = hunted(file, "larger")

    assert len(mutants.equal) == 1
    assert "a > b becomes a >= b" in mutants.equal[0]
    assert mutants.killed == mutants.total - 1


def test_the_command_tells_what_became_of_the_faults(file: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "symcrete",
            *["cover", "--json", "--no-journal", "--budget", "4s"],
            "--goals",
            "branches,mutants",
            f"{file}::fee",
        ],
        capture_output=True,
        text=True,
    )

    told = json.loads(done.stdout)["targets"][0]["mutants"]
    assert told["killed"] == told["total"] > 5
