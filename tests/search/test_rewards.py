from __future__ import annotations

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.limits import allowed
from tests.search.direct_solutions import (
    newly_covered,
    random_cyclic_chain,
    random_graph,
    random_run,
    rewards,
)

from symcrete.search.chains.markov import EstimatedChain, MarkovChain
from symcrete.search.chains.rewards import ExpectedReward, expected_rewards

# The control flow of the paper's Figure 1.
FIGURE_1 = {1: [2, 3], 2: [3], 3: [4, 5], 4: [], 5: [8, 6], 6: [8, 7], 7: [8], 8: []}


def test_the_printed_equations_of_the_worked_example_give_4_375():
    chain = EstimatedChain(1, FIGURE_1).estimate()

    assert expected_rewards(chain)[1] == 4.375


def test_the_papers_4_875_needs_an_edge_from_4_to_8():
    chain = EstimatedChain(1, {**FIGURE_1, 4: [8]}).estimate()

    assert expected_rewards(chain)[1] == 4.875


def test_after_the_first_run_the_rewards_are_those_of_the_paper():
    chain = EstimatedChain(1, FIGURE_1)
    chain.observe([1, 3, 5, 8])

    found = expected_rewards(chain.estimate(), chain.covered_states())

    expected = {1: 1, 2: 5 / 3, 4: 1, 6: 1.5}
    assert {state: found[state] for state in expected} == pytest.approx(expected)


@given(st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=80, deadline=None, database=None)
def test_run_by_run_updates_agree_with_solving_afresh(random, once):
    graph = random_graph(random, random.randint(1, 9))
    chain = EstimatedChain(0, graph)
    kept = ExpectedReward(chain.targets, chain.row, once=once)
    direct = newly_covered if once else rewards

    for _ in range(6):
        seen = chain.observe(random_run(random, graph), forced=random.choice([0, 0, 1]))
        kept.update(seen.rows, seen.newly_covered)

        expected = direct(chain.estimate(), chain.covered_states())
        found = {state: kept.of(chain.number[state]) for state in expected}
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, database=None)
def test_weighed_states_count_as_much_as_their_weight(random):
    chain = random_cyclic_chain(random, 7)
    states = list(chain.states)
    kept = ExpectedReward(
        [list(chain.successors[state]) for state in states],
        lambda state: list(chain.successors[state].values()),
        covered=[1],
    )

    weights = {state: random.choice([0.0, 2.5, 10.0]) for state in states}
    kept.weigh(weights)

    alone = {goal: rewards(chain, set(states) - {goal}) for goal in states if goal != 1}
    expected = [sum(weights[goal] * alone[goal][s] for goal in alone) for s in states]
    assert [kept.of(state) for state in states] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_in_a_loop_visits_are_counted_unless_each_state_counts_once():
    chain = MarkovChain("head", {"head": {"body": 0.9}, "body": {"head": 1.0}})

    visits = expected_rewards(chain, {"head"})
    once = expected_rewards(chain, {"head"}, once=True)

    assert visits["head"] == pytest.approx(9.0)
    assert once["head"] == pytest.approx(0.9)
    assert once["body"] == pytest.approx(1.0)


def test_loops_that_are_almost_never_left_stay_accurate():
    stay = 1 - 1e-9
    rows = {i: {(i + 1) % 50: stay, 50: 1 - stay} for i in range(50)} | {50: {51: 1.0}, 51: {}}
    chain = MarkovChain(0, rows)

    found = expected_rewards(chain, covered=range(50))

    assert found[0] == pytest.approx(2.0, rel=1e-12)


def test_a_chain_whose_runs_never_end_is_refused():
    with pytest.raises(ValueError, match="never leave"):
        expected_rewards(MarkovChain(0, {0: {1: 1.0}, 1: {0: 1.0}}))


def test_only_what_leads_to_a_change_is_computed_again():
    # A long way to an uncovered state, and another one from a branch at the start.
    graph: dict[object, list[object]] = {i: [i + 1, "missed"] for i in range(1000)} | {
        1000: [],
        "missed": [],
    }
    graph["entry"] = [0, "aside"]
    graph["aside"] = ["missed"]
    chain = EstimatedChain("entry", graph)
    asked: list[int] = []

    def row(state: int) -> list[float]:
        asked.append(state)
        return chain.row(state)

    kept = ExpectedReward(chain.targets, row)
    seen = chain.observe(["entry", *range(1001)])
    kept.update(seen.rows, seen.newly_covered)
    asked.clear()
    seen = chain.observe(["entry", "aside"])
    kept.update(seen.rows, seen.newly_covered)

    assert {chain.states[state] for state in asked} == {"entry", "aside"}


def test_states_from_which_everything_is_covered_are_never_looked_at_again():
    graph = {0: [1, 2], 1: [3], 2: [3], 3: [1, 4], 4: []}
    chain = EstimatedChain(0, graph)
    asked: list[int] = []

    def row(state: int) -> list[float]:
        asked.append(state)
        return chain.row(state)

    kept = ExpectedReward(chain.targets, row)
    for run in ([0, 1, 3, 1, 3, 4], [0, 1, 3, 4]):
        seen = chain.observe(run)
        asked.clear()
        kept.update(seen.rows, seen.newly_covered)

    assert {chain.states[state] for state in asked} == {0}
    assert kept.of(chain.number[3]) == 0.0


def test_the_cost_of_a_decision_grows_about_linearly_with_the_program():
    def seconds(diamonds: int) -> float:
        """One outer loop around a row of diamonds, each with an inner loop: 5 blocks apiece."""
        graph: dict[int, list[int]] = {}
        for i in range(0, 5 * diamonds, 5):
            graph |= {i: [i + 1, i + 2], i + 1: [i + 3], i + 2: [i + 2, i + 3]}
            graph |= {i + 3: [i + 4, i + 5], i + 4: [i + 5]}
        graph[5 * diamonds] = [0, 5 * diamonds + 1]
        graph[5 * diamonds + 1] = []
        chain = EstimatedChain(0, graph)
        kept = ExpectedReward(chain.targets, chain.row)
        random = Random(1)
        runs = [random_run(random, graph, limit=5 * diamonds) for _ in range(5)]
        start = process_time()
        for run in runs:
            seen = chain.observe(run)
            kept.update(seen.rows, seen.newly_covered)
            kept.of(chain.initial)
        return process_time() - start

    small = min(seconds(20) for _ in range(3))
    large = min(seconds(1000) for _ in range(3))

    assert large < allowed(3) * 50 * small  # 5,000 blocks against 100
