"""What every search strategy promises, whatever it prefers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.contracts.imaginary import random_program, watch

from symcrete.errors import BadOption
from symcrete.explore.compose import cover
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.search.strategies.combine import Interleave, SwitchOnStagnation
from symcrete.search.strategy import Guide, Sample, Strategy
from symcrete.search.table import STRATEGIES, make_strategy

PROGRAM = """
def classify(a: int, b: int, c: int) -> str:
    kind = "plain"
    if a > 10 and b < a:
        kind = "tall"
        if a == 2 * b:
            kind = "double"
    for i in range(3):
        if c == i + a:
            kind += "!"
    if kind == "double" and c // 7 == 3:
        return "rare"
    try:
        return kind if a // c > 5 else "small"
    except ZeroDivisionError:
        return "none"
"""


def named(name: str) -> Callable[[Guide], Strategy]:
    return lambda guide: make_strategy(name, guide)


def combined(kind: str) -> Callable[[Guide], Strategy]:
    def make(guide: Guide) -> Strategy:
        names = ("cgs", "cfg", "random-branch", "generational")
        parts = [make_strategy(name, guide) for name in names]
        return Interleave(parts) if kind == "interleave" else SwitchOnStagnation(parts, patience=3)

    return make


MADE = {name: named(name) for name in STRATEGIES}
MADE |= {kind: combined(kind) for kind in ("interleave", "switch")}
SEARCHING = [name for name in MADE if name != "random-input"]


@pytest.mark.parametrize("name", MADE)
def test_a_settled_side_is_never_offered(name: str):
    for seed in range(6):
        watched = watch(random_program(seed), MADE[name], seed)

        for _ in range(300):
            if watched.step() is None:  # asserts that what it flips is open
                break


@pytest.mark.parametrize("name", SEARCHING)
def test_a_small_tree_is_searched_to_its_end(name: str):
    for seed in range(6):
        watched = watch(random_program(seed), MADE[name], seed)

        for _ in range(60 * 2**6):
            if watched.tree.open_sides == 0:
                break
            assert watched.step() is not None, "gave up while branches were open"

        assert watched.tree.open_sides == 0
        assert watched.tree.root is None or watched.tree.root.closed


@pytest.mark.parametrize("name", SEARCHING)
def test_when_nothing_is_open_there_is_nothing_to_flip(name: str):
    watched = watch(random_program(3, depth=3), MADE[name])
    for _ in range(2000):
        if watched.tree.open_sides == 0:
            break
        watched.step()
    assert watched.tree.open_sides == 0

    for _ in range(5):
        step = watched.step()
        assert step is None or isinstance(step, Sample)


@pytest.mark.parametrize("name", MADE)
def test_a_tree_without_branches_is_no_trouble(name: str):
    watched = watch(random_program(0, depth=0), MADE[name])

    for _ in range(3):
        step = watched.step()
        assert step is None or isinstance(step, Sample)


@pytest.mark.parametrize("name", MADE)
def test_the_same_seed_gives_the_same_steps(name: str):
    def steps() -> list[object]:
        watched = watch(random_program(1, depth=8), MADE[name], seed=5)
        for _ in range(80):
            if watched.step() is None:
                break
        return list(watched.steps)

    assert steps() == steps()


@pytest.mark.parametrize("name", SEARCHING)
def test_a_small_program_is_covered(name: str, tmp_path: Path):
    file = tmp_path / "classify.py"
    file.write_text(PROGRAM)
    (target,) = targets_of(str(file))
    options = options_from({"strategy": name, "max_runs": 2000, "replay": False})

    report = cover(target, options)
    again = cover(target, options)

    assert report.branches.covered + report.branches.infeasible == report.branches.total
    assert report.conditions.open == 0
    assert [each.args for each in report.inputs] == [each.args for each in again.inputs]
    assert report.runs == again.runs


def test_an_unknown_name_suggests_its_neighbours():
    guide = random_program(0).guide(Random(0))

    with pytest.raises(BadOption, match="did you mean cgs"):
        make_strategy("csg", guide)
