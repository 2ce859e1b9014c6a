"""A proof goes away with the smallest edit that makes it wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.truth.asking import Engine
from tests.truth.edits import CONDITIONS, LINES, Edit

from symcrete.explore.findings import TargetReport
from symcrete.explore.reach.reached import Reached, Unreachable


@pytest.mark.parametrize("edit", CONDITIONS, ids=str)
def test_a_condition_is_infeasible_until_the_edit(edit: Edit, tmp_path: Path) -> None:
    engine = Engine(tmp_path, seconds=10.0)

    before = engine.covered(engine.written(edit.before), "f")
    after = engine.covered(engine.written(edit.after), "f")

    assert _never_true(before, edit.line), before.open
    assert not _never_true(after, edit.line), after.infeasible
    assert _times_true(after, edit.line) > _times_true(before, edit.line), after.open


@pytest.mark.parametrize("edit", LINES, ids=str)
def test_a_line_is_unreachable_until_the_edit(edit: Edit, tmp_path: Path) -> None:
    engine = Engine(tmp_path, seconds=10.0)

    before = engine.reached(engine.written(edit.before), edit.line)
    after = engine.reached(engine.written(edit.after), edit.line)

    assert isinstance(before, Unreachable), before
    assert isinstance(after, Reached), after


def test_there_are_fifty() -> None:
    assert len(CONDITIONS) == len(LINES) == 25


def _never_true(report: TargetReport, line: int) -> bool:
    """Whether some part of the condition in that line is said to be never true."""
    return any(each.line == line and each.side for each in report.infeasible)


def _times_true(report: TargetReport, line: int) -> int:
    """How many parts of the condition in that line some input makes true."""
    spots = [spot for each in report.inputs for spot in each.covers if not spot.kind]
    return len({spot.column for spot in spots if spot.line == line and spot.side})
