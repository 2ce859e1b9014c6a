"""The greedy strategies in the engine: draws while they pay, solving where they do not."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from symcrete.explore.compose import prepare
from symcrete.explore.loop.loop import Explored
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain
from symcrete.search.strategies.combine import Overheard
from symcrete.search.strategies.optimal import Optimal
from symcrete.search.strategy import Flip, Sample, Step, Strategy
from symcrete.tree.tree import Side

BOTH = pytest.mark.parametrize("name", ["greedy", "greedy-plus"])

EASY = """
def easy(x: float, y: float) -> int:
    total = x * y * x * (y * y + 1.0) + x * y * y * x - x
    if total * y > x * x * y + total:
        return 1
    return 2
"""

RARE = """
def rare(x: int, y: int) -> int:
    if x * 3 + y == 123456789:
        return 1
    return 2
"""

DECIDED = """
def decided(x: int, rounds: bool) -> int:
    found = 0
    if x > 5:
        found = 1
    steps = 3
    while steps:
        steps -= 1
    if x > 7:
        found += 2
    return found
"""


def explored(
    text: str, name: str, tmp_path: Path, runs: int = 400
) -> tuple[Explored, Strategy, list[Step]]:
    """An exploration that has ended, and its steps after the first run."""
    file = tmp_path / "subject.py"
    file.write_text(text)
    (target,) = targets_of(str(file))
    options = options_from({"strategy": name, "max_runs": runs, "replay": False})
    exploration, phase = prepare(target, EveryBranch(), options)
    steps: list[Step] = []
    strategy = Overheard(phase.strategy, lambda feedback: steps.append(feedback.step))
    exploration.explore(replace(phase, strategy=strategy))
    return exploration, phase.strategy, steps[1:]


@BOTH
def test_where_both_sides_are_likely_and_solving_is_dear_it_draws(name: str, tmp_path: Path):
    exploration, _, steps = explored(EASY, name, tmp_path)

    assert exploration.parts.coverage.complete
    assert steps and all(isinstance(step, Sample) for step in steps)


@BOTH
def test_a_rare_side_is_solved_for(name: str, tmp_path: Path):
    exploration, _, steps = explored(RARE, name, tmp_path)

    assert exploration.parts.coverage.complete
    assert sum(isinstance(step, Flip) for step in steps) == 1
    assert len(steps) < 30


def test_conditions_that_no_input_decides_are_put_back_between_those_that_one_does(tmp_path: Path):
    exploration, strategy, _ = explored(DECIDED, "greedy", tmp_path)
    assert isinstance(strategy, Optimal)
    chain: OutcomeChain = strategy.chain
    site = {each.text: each.number for each in exploration.parts.coverage.own}
    trace = exploration.progress.kept[0].trace

    way, position = chain.way(trace, 1)

    assert [number for number, _ in way] == [
        BEFORE_ALL[0],
        site["x > 5"],
        site["steps"],
        site["x > 7"],
    ]
    assert position == 3
    assert all(after in chain.successors[before] for before, after in pairwise(way))


def test_code_that_the_target_never_calls_is_not_in_its_chain(tmp_path: Path):
    text = """
def helper(x: int) -> int:
    return 1 if x > 3 else 2

def other(x: int) -> int:
    y = helper(x)
    return 5 if y == x else 6

def f(x: int) -> int:
    return 7 if helper(x) == 1 else 8
"""
    file = tmp_path / "subject.py"
    file.write_text(text)
    target = next(each for each in targets_of(str(file)) if each.scope == "f")
    options = options_from({"strategy": "greedy", "max_runs": 50, "replay": False})
    exploration, phase = prepare(target, EveryBranch(), options)
    exploration.explore(phase)
    strategy = phase.strategy
    assert isinstance(strategy, Optimal)

    sites = exploration.parts.coverage.sites
    states = {sites[number].text for number, _ in strategy.chain.successors if number >= 0}

    assert states == {"x > 3", "helper(x) == 1"}


@BOTH
def test_a_side_that_was_given_up_is_not_tried_again_and_others_are(name: str, tmp_path: Path):
    text = "def f(x: int) -> int:\n    if x * x == 2:\n        return 1\n    return 2 if x == 77777 else 3\n"

    exploration, _, steps = explored(text, name, tmp_path)

    flips = [(step.node, step.side) for step in steps if isinstance(step, Flip)]
    assert len(flips) == len(set(flips))
    root = exploration.progress.tree.root
    assert root is not None and root.state[True] in (Side.INFEASIBLE, Side.UNKNOWN)
    missing = [
        s.text
        for s in exploration.parts.coverage.own
        if exploration.parts.coverage.wants(s.number, True)
    ]
    assert missing == ["x * x == 2"]
