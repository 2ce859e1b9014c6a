"""The greedy strategy as printed: blocks as states, every transition counted, one test at a time."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tests.contracts.imaginary import Imaginary, Path, Watched, watch

from symcrete.search.chains.block_chain import BlockChain
from symcrete.search.chains.decision import Greedy, RandomTesting
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain
from symcrete.search.strategies.greedy_paper import GreedyAsPublished
from symcrete.search.strategy import Sample

# The control flow of the paper's Figure 1: locations 1 to 8.
FIGURE_1 = """
def f(a, b, c, d):
    x = 1
    if a:
        x = 2
    x = 3
    if b:
        return 4
    x = 5
    if c:
        x = 6
        if d:
            x = 7
    return 8
"""


def of_figure_1(answer=lambda path: "ran") -> Imaginary:
    order = ["a", "b", "c", "d"]

    def after(path: Path) -> int | None:
        taken = {program.sites.sites[site].text: side for site, side in path}
        if taken.get("b") or ("c" in taken and not taken["c"]) or len(path) == 4:
            return None
        return program.outcome(order[len(path)], True)[0]

    program = Imaginary(FIGURE_1, after, answer)
    return program


def chain_of(program: Imaginary) -> BlockChain:
    return BlockChain(program.graph, OutcomeChain(program.graph))


def test_the_blocks_of_figure_1_are_its_locations_and_the_sides_that_skip_something():
    program = of_figure_1()

    blocks = chain_of(program).successors

    named = {program.outcome(text, side) for text in "abcd" for side in (True, False)}
    (three,) = blocks[program.outcome("a", True)]  # location 2 leads to 3
    assert three not in named
    assert blocks[BEFORE_ALL] == [program.outcome("a", True), program.outcome("a", False)]
    assert blocks[program.outcome("a", False)] == [three]  # an empty block
    assert set(blocks[three]) == {program.outcome("b", True), program.outcome("b", False)}
    assert set(blocks[program.outcome("c", True)]) == {
        program.outcome("d", True),
        program.outcome("d", False),
    }
    (eight,) = blocks[program.outcome("d", True)]
    assert blocks[program.outcome("c", False)] == [eight]


def test_the_way_of_a_run_passes_the_blocks_between_its_branches():
    program = of_figure_1()
    chain = chain_of(program)
    path = tuple(program.outcome(text, False) for text in "abc")
    watched = watch(program, GreedyAsPublished)
    watched.run(path, Sample())
    trace = watched.tree.root.trace if watched.tree.root is not None else None
    assert trace is not None

    way, _ = chain.way(trace, None)

    assert way[0] == BEFORE_ALL
    assert all(after in chain.successors[here] for here, after in pairwise(way))


def decisions(watched: Watched, count: int) -> list[bool]:
    """Whether each of the next steps is a draw."""
    for _ in range(count):
        watched.step()
    return [step is None for step in watched.steps[-count:]]


def test_every_decision_is_that_of_algorithm_2_on_all_runs_in_full():
    """A second model is shown every run; its best worth per cost must be what is chosen."""
    watched = watch(of_figure_1(), GreedyAsPublished, seed=2)
    strategy = watched.strategy
    assert isinstance(strategy, GreedyAsPublished)
    beside = Greedy(BEFORE_ALL, strategy.chain.successors)
    for trace in watched.traces:
        beside.observe(strategy.chain.way(trace, None)[0])
    drawn = []

    for _ in range(40):
        run = beside.random_cost = strategy._run_cost
        offers = {
            outcome: best[1] + run
            for outcome, each in strategy._wanted.items()
            if (best := each.best()) is not None and not each.beyond_bound
        }
        expected = beside.choose_among(((BEFORE_ALL, each), cost) for each, cost in offers.items())
        before = len(watched.traces)
        step = watched.step()
        for trace in watched.traces[before:]:
            beside.observe(strategy.chain.way(trace, None)[0])
        drawn.append(isinstance(step, Sample))
        assert drawn[-1] == isinstance(expected, RandomTesting)

    assert True in drawn
    assert False in drawn


def test_a_state_of_a_loop_is_rewarded_at_every_visit():
    program = Imaginary(
        "def f(a, b):\n    while a:\n        if b:\n            b = 1\n    return 2\n",
        lambda path: None,
    )
    strategy = GreedyAsPublished(program.guide(Random(0)))
    once = Greedy(BEFORE_ALL, strategy.chain.successors, once=True)

    assert strategy.model.expected_reward() > once.expected_reward() + 0.5


def test_one_draw_is_decided_at_a_time():
    watched = watch(of_figure_1(), GreedyAsPublished, seed=2)

    for _ in range(10):
        watched.step()
        assert watched.strategy._draws == 0  # type: ignore[attr-defined]


def test_when_no_path_is_left_random_testing_goes_on():
    watched = watch(of_figure_1(lambda path: "infeasible"), GreedyAsPublished)

    decisions(watched, 200)

    assert decisions(watched, 5) == [True] * 5


@pytest.mark.parametrize("estimate", ["laplace", "good-turing"])
def test_probabilities_are_estimated_as_asked(estimate: str):
    guide = of_figure_1().guide(Random(0))
    guide.parameters = {"estimate": estimate}

    strategy = GreedyAsPublished(guide)

    kind = type(strategy.model.chain.estimator).__name__
    assert kind.lower() == estimate.replace("-", "")
