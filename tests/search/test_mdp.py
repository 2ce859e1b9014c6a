from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.direct_solutions import random_acyclic_chain, random_cyclic_chain

from symcrete.search.chains.markov import MarkovChain
from symcrete.search.chains.mdp import CoverageProcess, cheapest_executions, visited_sets

# The paper's Figure 2: one branch with two equally likely sides.
FIGURE_2 = MarkovChain(1, {1: {2: 0.5, 3: 0.5}, 2: {4: 1.0}, 3: {4: 1.0}, 4: {}})
FIGURE_2_EXECUTIONS = [((1, 2), 2.0), ((1, 3), 2.0), ((1, 2, 4), 3.0), ((1, 3, 4), 3.0)]


def paths(chain: MarkovChain[int], prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield prefix
    for target in chain.successors[prefix[-1]]:
        yield from paths(chain, (*prefix, target))


def value_iteration(chain: MarkovChain[int], costs: dict[tuple[int, int], float]) -> float:
    """The optimum by definition: all paths are actions, and values are improved until they stay."""
    runs = [p for p in paths(chain, (chain.initial,)) if not chain.successors[p[-1]]]
    goal = frozenset(state for run in runs for state in run)
    outcomes: list[tuple[float, list[tuple[frozenset[int], float]]]] = [
        (1.0, [(frozenset(run), chain.probability(run)) for run in runs])
    ]
    for path in paths(chain, (chain.initial,)):
        rests = [p for p in paths(chain, (path[-1],)) if not chain.successors[p[-1]]]
        outcomes.append(
            (
                sum(costs[a, b] for a, b in pairwise(path)) or inf,
                [(frozenset(path) | set(rest), chain.probability(rest)) for rest in rests],
            )
        )
    sets = {frozenset[int]()}
    while True:
        more = {s | gained for s in sets for _, ends in outcomes for gained, _ in ends}
        if more <= sets:
            break
        sets |= more
    value = dict.fromkeys(sets, 0.0)
    while True:
        improved = {
            s: 0.0
            if s == goal
            else min(c + sum(p * value[s | gained] for gained, p in ends) for c, ends in outcomes)
            for s in sets
        }
        if all(abs(improved[s] - value[s]) <= 1e-12 * improved[s] for s in sets):
            return improved[frozenset()]
        value = improved


def test_figure_2_is_best_tested_at_random_throughout():
    process = CoverageProcess(FIGURE_2, FIGURE_2_EXECUTIONS)

    optimum = process.solve()

    assert all(action is process.random_testing for action in optimum.policy.values())
    assert optimum.cost == process.solve(allowed=[process.random_testing]).cost


def test_figure_2_costs_2_from_the_first_run_on_and_3_with_it():
    # The paper gives 2 for always testing at random. That is what is left to pay once one side is
    # covered; the first run costs 1 as well.
    process = CoverageProcess(FIGURE_2, FIGURE_2_EXECUTIONS)

    assert process.solve(process.mask([1, 2, 4])).cost == 2
    assert process.solve().cost == 3


def test_figure_2_costs_4_by_symbolic_execution_alone():
    process = CoverageProcess(FIGURE_2, FIGURE_2_EXECUTIONS)

    assert process.solve(allowed=process.actions[1:]).cost == 4


def test_the_transitions_of_figure_2_are_those_of_the_paper():
    process = CoverageProcess(FIGURE_2, FIGURE_2_EXECUTIONS)
    left, right = process.mask([1, 2, 4]), process.mask([1, 3, 4])
    random, solve_left = process.actions[:2]

    assert process.step(0, random) == {left: 0.5, right: 0.5}
    assert process.step(0, solve_left) == {left: 1.0}
    assert process.step(left, solve_left) == {left: 1.0}
    assert process.step(left, random) == {left: 0.5, process.goal: 0.5}


@given(st.randoms(use_true_random=False), st.integers(2, 6))
@settings(max_examples=40, deadline=None, database=None)
def test_the_optimum_is_that_of_value_iteration_over_all_paths(random, size):
    chain = random_acyclic_chain(random, size)
    costs = {
        (a, b): float(random.randint(2, 60)) for a in chain.states for b in chain.successors[a]
    }

    optimum = CoverageProcess(chain, cheapest_executions(chain, costs)).solve()

    assert optimum.cost == pytest.approx(value_iteration(chain, costs), rel=1e-6)


@given(st.randoms(use_true_random=False), st.integers(5, 9))
@settings(max_examples=40, deadline=None, database=None)
def test_leaving_out_hopeless_actions_does_not_change_the_optimum(random, size):
    chain = random_acyclic_chain(random, size)
    costs = {
        (a, b): float(random.randint(2, 400)) for a in chain.states for b in chain.successors[a]
    }
    process = CoverageProcess(chain, cheapest_executions(chain, costs))

    @cache
    def value(covered: int) -> float:
        if covered == process.goal:
            return 0.0
        least = inf
        for action in process.actions:
            following = process.step(covered, action)
            staying = following.pop(covered, 0.0)
            if following:
                total = action.cost + sum(p * value(after) for after, p in following.items())
                least = min(least, total / (1 - staying))
        return least

    assert process.solve().cost == pytest.approx(value(0), rel=1e-12)


@given(st.randoms(use_true_random=False), st.integers(1, 5))
@settings(max_examples=60, deadline=None, database=None)
def test_visited_sets_with_loops_are_those_of_all_likely_runs(random, size):
    chain = random_cyclic_chain(random, size)
    bit = {state: 1 << state for state in chain.states}

    found = visited_sets(chain, 0, bit)

    # Follow all runs at once, by what they have visited and where they are.
    flows, ended = {(1, 0): 1.0}, dict.fromkeys(found, 0.0)
    for _ in range(400):
        following: dict[tuple[int, int], float] = {}
        for (mask, state), flow in flows.items():
            ended[mask] = ended.get(mask, 0.0) + flow * chain.ending(state)
            for target, probability in chain.successors[state].items():
                key = mask | bit[target], target
                following[key] = following.get(key, 0.0) + flow * probability
        flows = following
    assert found == pytest.approx(ended, abs=1e-9)


def test_a_loop_body_is_covered_by_its_cheapest_entry():
    rows = {"head": {"body": 0.001, "end": 0.999}, "body": {"head": 1.0}, "end": {}}
    chain = MarkovChain("head", rows)
    costs = {("head", "body"): 30.0, ("body", "head"): 5.0, ("head", "end"): 1.0}

    process = CoverageProcess(chain, cheapest_executions(chain, costs))
    optimum = process.solve()

    assert optimum.cost == 30
    assert optimum.policy[0].path == ("head", "body")


def test_random_testing_is_left_out_when_it_is_too_dear():
    chain = MarkovChain(0, {0: {1: 0.5, 2: 0.5}, 1: {}, 2: {}})
    executions = [((0, 1), 4.0), ((0, 2), 4.0)]

    assert CoverageProcess(chain, executions, random_cost=1.0).solve().cost == 3.0
    assert CoverageProcess(chain, executions, random_cost=100.0).solve().cost == 8.0


def test_a_process_that_cannot_cover_everything_is_refused():
    chain = MarkovChain(0, {0: {1: 0.5, 2: 0.5}, 1: {}, 2: {}})
    process = CoverageProcess(chain, [((0, 1), 4.0)])

    with pytest.raises(ValueError, match="no action"):
        process.solve(allowed=process.actions[1:])


def test_unreachable_states_do_not_have_to_be_covered():
    chain = MarkovChain(0, {0: {1: 1.0}, 1: {}, 2: {1: 1.0}})

    assert CoverageProcess(chain, []).solve().cost == 1.0
