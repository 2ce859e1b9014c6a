"""Branches that forward search leaves are handed to the search backward from them."""

from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.clock import wall
from symcrete.explore.beyond import NOTHING, taken_on
from symcrete.explore.compose import cover, prepare
from symcrete.explore.findings import Status, TargetReport
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import Options
from symcrete.explore.reach.left_over import AFTER, QUIET, TECHNIQUE, LeftOver
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import Target, targets_of
from symcrete.search.pricing.priced import Priced
from symcrete.search.strategy import Sample

OPTIONS = Options(budget=8.0, replay=False)
# Every run has another path, so the tree is never whole; what holds after the loop is an invariant.
LOOP = """
def f(n: int) -> int:
    total = i = 0
    while i < n:
        total += 3
        i += 1
    if total % 3 == {rest}:
        return 1
    return 0
"""


def target_of(folder: Path, program: str) -> Target:
    file = folder / "prog.py"
    file.write_text(program)
    return targets_of(f"{file}::f")[0]


def begun(folder: Path, program: str) -> tuple[Exploration, Phase]:
    """An exploration that has made one run and nothing else."""
    target = target_of(folder, program)
    exploration, phase = prepare(target, EveryBranch(""), OPTIONS)
    assert isinstance(exploration, Exploration)
    with exploration.parts.runner:
        trace, seconds = exploration.run({})
        exploration.learn(Sample(), trace, phase, running=seconds)
    return exploration, phase


def covered(folder: Path, program: str, **options: object) -> TargetReport:
    chosen = replace(OPTIONS, **options)  # type: ignore[arg-type]
    return cover(target_of(folder, program), chosen, beyond=LeftOver(chosen))


def test_a_branch_that_no_run_took_gets_an_input(tmp_path: Path) -> None:
    exploration, phase = begun(
        tmp_path,
        "def f(a: int, b: int) -> int:\n    c = 3 * a - b\n    if c == 1234 and a > 500:\n"
        "        return 1\n    return 0\n",
    )
    coverage = exploration.parts.coverage

    LeftOver(OPTIONS).search(exploration, phase)

    assert all(coverage.has_branch(each) for each in coverage.branches)
    assert set(coverage.techniques.values()) == {TECHNIQUE}
    given = exploration.progress.kept[-1].trace.assignment
    assert 3 * given["a"] - given["b"] == 1234
    assert given["a"] > 500


def test_a_branch_that_paths_without_end_lead_to_is_proved_infeasible(tmp_path: Path) -> None:
    report = covered(tmp_path, LOOP.format(rest=1), budget=20.0, patience=0.3)

    (spot,) = report.infeasible
    assert report.branches.open == 0
    assert (spot.line, spot.side) == (7, True)
    assert spot.proof.startswith("backward from line 7: ")
    assert report.as_json()["infeasible"][0]["technique"] == TECHNIQUE


def test_a_branch_that_some_path_leads_to_is_not_called_infeasible(tmp_path: Path) -> None:
    report = covered(tmp_path, LOOP.format(rest=0), patience=0.3)

    assert report.branches.covered == 3
    assert [(spot.line, spot.side) for spot in report.infeasible] in ([(7, False)], [])


def test_how_a_branch_was_come_by_is_told_in_json(tmp_path: Path) -> None:
    report = covered(tmp_path, LOOP.format(rest=0), patience=0.3)
    (name,) = {spot.key for found in report.inputs for spot in found.covers if spot.line == 7}

    told = replace(report, techniques={name: TECHNIQUE}).as_json()

    spots = [spot for found in told["inputs"] for spot in found["covers"]]
    assert [spot["line"] for spot in spots if spot.get("technique") == TECHNIQUE] == [7]


@pytest.mark.parametrize(
    "options", [{"max_runs": 50}, {"strategy": "dfs"}, {"paths": True, "max_runs": 20}]
)
def test_nothing_is_handed_over_where_the_search_itself_is_asked_for(
    tmp_path: Path, options: dict[str, object]
) -> None:
    report = covered(tmp_path, LOOP.format(rest=1), **{"budget": 1.0, **options})

    assert report.techniques == {}


def test_a_search_is_interrupted_late_and_when_it_finds_nothing(tmp_path: Path) -> None:
    exploration, phase = begun(tmp_path, LOOP.format(rest=1))
    now = [phase.budget.deadline - OPTIONS.budget]
    handing = LeftOver(OPTIONS, clock=lambda: now[0])

    asked = []
    for share in (0.0, AFTER - 0.05, QUIET):
        now[0] += share * OPTIONS.budget
        asked.append(handing.due(exploration, phase))
    exploration.progress.kept.append(exploration.progress.kept[-1])
    asked.append(handing.due(exploration, phase))

    assert asked == [False, False, True, False]


def test_an_exploration_that_is_complete_is_left_as_it_is(tmp_path: Path) -> None:
    exploration, phase = begun(tmp_path, "def f(a: int) -> int:\n    return a\n")

    assert taken_on(exploration, phase, OPTIONS, Status.COMPLETE, LeftOver(OPTIONS)) == "complete"
    assert taken_on(exploration, phase, OPTIONS, Status.BUDGET, NOTHING) == "covered"
    assert wall() < phase.budget.deadline


def test_a_search_for_every_path_that_was_cut_is_not_called_done(tmp_path: Path) -> None:
    program = "def f(n: int) -> int:\n    while n > 0:\n        n -= 1\n    return n\n"

    report = covered(tmp_path, program, paths=True, max_runs=5)

    assert (report.branches.open, report.status) == (0, "budget")


PRICED = replace(OPTIONS, strategy="priced", budget=20.0)


def test_a_strategy_with_prices_says_when_to_go_backward(tmp_path: Path) -> None:
    target = target_of(tmp_path, LOOP.format(rest=1))
    exploration, phase = prepare(target, EveryBranch(""), PRICED)
    assert isinstance(exploration, Exploration)
    strategy = phase.strategy
    assert isinstance(strategy, Priced)
    handing = LeftOver(PRICED)
    strategy.went_backward(20, 0.01)  # it brought much before

    exploration.explore(replace(phase, arrived=lambda: handing.due(exploration, phase)))
    preferred = strategy.prefers_backward
    before = strategy.kinds["backward"].rate
    handing.search(exploration, phase)

    assert preferred
    assert set(exploration.parts.coverage.techniques.values()) == {TECHNIQUE}
    assert strategy.kinds["backward"].rate != before


def test_what_no_search_settles_is_handed_over_once(tmp_path: Path) -> None:
    program = (
        "def f(a: int) -> int:\n    if hash(str(a)) == 7 * a:\n        return 1\n    return 0\n"
    )
    options = replace(PRICED, budget=2.0)
    target = target_of(tmp_path, program)
    asked: list[object] = []

    class Counting(LeftOver):
        def search(self, exploration: Exploration, phase: Phase) -> None:
            before = len(self._asked)
            super().search(exploration, phase)
            asked.extend([None] * (len(self._asked) - before))

    report = cover(target, options, beyond=Counting(options))

    assert report.branches.open == 1
    assert len(asked) == 1
