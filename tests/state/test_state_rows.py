"""Nothing that can happen is called impossible: the rows of wrong answers, and as many again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.state.case import GOAL, Case, asked, covered, covered_and_replayed, reached
from tests.state.failing import FAILING
from tests.state.history import HISTORY
from tests.state.kinds import KINDS
from tests.state.library import LIBRARY
from tests.state.raising import RAISING
from tests.state.stores import STORES
from tests.state.subtypes import BRANCHES, LINES
from tests.state.ways_in import WAYS_IN
from tests.state.wrong import rows
from tests.truth.asking import Engine, kept_zygotes

from symcrete import Reached, Unreachable
from symcrete.explore.findings import TargetReport
from symcrete.sandbox.driver.births import Zygotes


@pytest.mark.parametrize("case", rows([*STORES, *WAYS_IN, *BRANCHES, *LINES]))
def test_a_line_that_can_be_executed_is_never_called_unreachable(
    case: Case, tmp_path: Path
) -> None:
    verdict = reached(case, tmp_path)

    assert not isinstance(verdict, Unreachable), verdict.proof
    assert isinstance(verdict, Reached) or case.may_be_open(verdict.reason), verdict.reason


@pytest.fixture(scope="module")
def zygotes() -> Iterator[Zygotes]:
    """What the workers of all rows are forked from."""
    with kept_zygotes() as kept:
        yield kept


@pytest.mark.parametrize("case", rows(HISTORY))
def test_a_branch_that_some_history_takes_is_never_called_infeasible(
    case: Case, tmp_path: Path, zygotes: Zygotes
) -> None:
    assert_nothing_is_infeasible(case, covered_and_replayed(case, tmp_path, zygotes))


WITH_ATTRIBUTES = [each for each in HISTORY if "return 1" in each.text and not each.row]


@pytest.mark.parametrize("case", rows(WITH_ATTRIBUTES))
def test_a_line_that_some_history_comes_to_is_never_called_unreachable(
    case: Case, tmp_path: Path
) -> None:
    line = 1 + [each.strip() for each in case.text.splitlines()].index("return 1")

    verdict = Engine(tmp_path).reached(case.written(tmp_path), line)

    assert not isinstance(verdict, Unreachable), verdict.proof


@pytest.mark.parametrize("case", rows([*LIBRARY, *KINDS, *FAILING, *BRANCHES]))
def test_a_branch_that_can_be_taken_is_never_called_infeasible(case: Case, tmp_path: Path) -> None:
    assert_nothing_is_infeasible(case, covered(case, tmp_path))


def assert_nothing_is_infeasible(case: Case, report: TargetReport) -> None:
    assert not report.error, report.error
    assert report.conditions.total > 0
    assert not report.infeasible, [(each.line, each.side, each.proof) for each in report.infeasible]
    assert all(case.may_be_open(each.reason) for each in report.open), report.open


@pytest.mark.parametrize("case", rows(RAISING))
def test_an_error_that_can_be_raised_is_never_called_unreachable(
    case: Case, tmp_path: Path
) -> None:
    error = case.text.splitlines()[case.goal_line - 1].rpartition(f"{GOAL}: ")[2]

    verdict = asked("reach", f"{case.written(tmp_path)}:{case.goal_line}", "--raises", error)

    assert verdict["verdict"] in ("reached", "undecided"), verdict["proof"]


REJECTING = """
class Locked:
    def __init__(self, n: int) -> None:
        raise ValueError("never")

    def f(self, n: int) -> int:
        if n > 3:
            return 1
        return 0
"""


@pytest.mark.parametrize(
    "case", rows([Case(15, "constructor that rejects", REJECTING, "Locked.f")])
)
def test_a_constructor_that_rejected_its_arguments_covers_nothing(
    case: Case, tmp_path: Path
) -> None:
    report = covered(case, tmp_path)

    assert report.conditions.infeasible == 0, [each.proof for each in report.infeasible]
    assert all("object.__new__(Locked)" in each.args["self"] for each in report.inputs)
    assert any("made without its constructor" in note for note in report.notes)
