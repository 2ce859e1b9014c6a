"""What every search strategy promises, whatever it prefers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.contracts.imaginary import random_program, watch

from symcrete.errors import BadOption
from symcrete.explore.compose import cover
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.search.strategy import Feedback, Guide, Sample, Strategy
from symcrete.search.table import STRATEGIES, check_strategy, make_strategy

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


# What a user can write besides a name.
WRITTEN = (
    "cgs-fixed-k:k=3",
    "dfs:depth=40",
    "cgs:k=2",
    "cgs+greedy",
    "random-input:patience=5>cgs",
    "cfg+random-branch:rounds=9 > generational + subpath:length=2,patience=3",
)

MADE = {name: named(name) for name in (*STRATEGIES, *WRITTEN)}
# These end, or only draw, where their papers do.
AS_PUBLISHED = {"greedy-paper", "crest-dfs", "crest-random", "crest-uniform"}
SEARCHING = [name for name in MADE if name != "random-input" and name not in AS_PUBLISHED]


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


@pytest.mark.parametrize("name", [*SEARCHING, *sorted(AS_PUBLISHED)])
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


@pytest.mark.parametrize(
    "written, told",
    [
        ("csg", "no strategy 'csg'; did you mean cgs"),
        ("cgs+gredy", "no strategy 'gredy'; did you mean greedy"),
        ("dfs:deph=3", "strategy dfs has no parameter 'deph'; did you mean depth"),
        ("bfs:depth=3", "strategy bfs has no parameters, so no 'depth'"),
        ("dfs:depth=deep", "strategy dfs: depth is a whole number, not 'deep'"),
        ("cgs-fixed-k:k=0", "strategy cgs-fixed-k: k is at least 1, not 0"),
        ("dfs:40", "parameters are written dfs:name=value"),
        ("dfs:depth=1,depth=2", "gives depth twice"),
        ("cgs+", "a strategy is missing"),
        ("dfs:patience=3", "no parameter 'patience'"),
        (">cgs", "a strategy is missing"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_way_out(written: str, told: str):
    guide = random_program(0).guide(Random(0))

    with pytest.raises(BadOption, match=re.escape(told)):
        make_strategy(written, guide)
    with pytest.raises(BadOption, match=re.escape(told)):
        check_strategy(written)
    with pytest.raises(BadOption, match=re.escape(told)):
        options_from({"strategy": written})


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_listed_parameter_has_its_default_listed(name: str):
    """The default in the list is the one in use: to give it changes no step."""

    def steps(written: str) -> list[object]:
        watched = watch(random_program(2, depth=8), named(written), seed=3)
        for _ in range(60):
            if watched.step() is None:
                break
        return list(watched.steps)

    given = ",".join([f"{each.name}={each.default}" for each in STRATEGIES[name].parameters])

    assert steps(f"{name}:{given}" if given else name) == steps(name)


def test_a_depth_keeps_what_lies_deeper_untouched():
    watched = watch(random_program(1, depth=8), named("dfs:depth=2"), seed=5)

    while watched.step() is not None:
        pass

    depths = [len(step[0]) for step in watched.steps if step is not None]
    assert depths
    assert max(depths) < 2


def test_two_that_take_turns_are_asked_in_turn():
    watched = watch(random_program(0, depth=8), named("random-input+bfs"), seed=5)

    for _ in range(6):
        watched.step()

    assert [step is None for step in watched.steps] == [True, False] * 3


def test_one_that_brings_nothing_gives_way_to_the_next():
    watched = watch(random_program(0, depth=8), named("random-input:patience=4>dfs"), seed=5)
    watched.guide.coverage.add((1 << 1024) - 1)  # nothing can be new
    watched.strategy.learn(Feedback(Sample(), "ran", new=1))  # and the first run was

    for _ in range(5):
        watched.step()

    assert [step is None for step in watched.steps] == [True] * 4 + [False]
