from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.direct_solutions import random_acyclic_chain

from symcrete.search.chains.decision import (
    Greedy,
    RandomTesting,
    SymbolicExecution,
    greedy,
    local_optimal,
)

# The paper's Figure 1 and the solving costs it assumes for the three paths of its example.
FIGURE_1 = {1: [2, 3], 2: [3], 3: [4, 5], 4: [], 5: [8, 6], 6: [8, 7], 7: [8], 8: []}
COSTS = {(1, 2): 4.0, (1, 3, 4): 50.0, (1, 3, 5, 6): 50.0}


def figure_1_after(runs: int) -> Greedy[int]:
    model = Greedy(1, FIGURE_1)
    for _ in range(runs):
        model.observe([1, 3, 5, 8])
    return model


def choose(model: Greedy[int]) -> RandomTesting | SymbolicExecution[int]:
    return model.choose_among((path, COSTS[path]) for path in model.candidates())


def test_before_any_run_random_testing_is_expected_to_cover_4_375_states():
    model = Greedy(1, FIGURE_1)

    assert model.expected_reward() == 4.375
    assert list(model.candidates()) == [(1,)]


def test_after_one_run_the_candidates_of_the_worked_example_lose_to_random_testing():
    model = figure_1_after(1)

    assert set(model.candidates()) == set(COSTS)
    assert model.expected_reward() == pytest.approx(1)
    assert [model.expected_reward(s) for s in (2, 4, 6)] == pytest.approx([5 / 3, 1, 1.5])
    assert isinstance(choose(model), RandomTesting)


def test_after_eight_runs_random_testing_is_still_chosen():
    # The paper prints 0.24 and 1.14 here, which only follow if state 4 had no reward.
    model = figure_1_after(8)

    assert model.expected_reward() == pytest.approx(0.335)
    assert model.expected_reward(2) / 4 == pytest.approx(0.309, abs=5e-4)
    assert isinstance(choose(model), RandomTesting)


def test_after_ten_runs_the_path_to_2_is_solved():
    model = figure_1_after(10)

    chosen = choose(model)

    assert model.expected_reward() == pytest.approx(0.281, abs=5e-4)
    assert isinstance(chosen, SymbolicExecution)
    assert chosen.path == (1, 2)
    assert chosen.worth == pytest.approx(0.299, abs=1e-3)


def test_random_testing_wins_where_solving_is_worth_no_more():
    random = RandomTesting(reward=0.5)
    same = SymbolicExecution(("a",), reward=2.0, cost=4.0)
    better = SymbolicExecution(("b",), reward=2.1, cost=4.0)

    assert local_optimal(random, [same]) is random
    assert local_optimal(random, [same, better]) is better


def test_what_costs_nothing_to_solve_is_solved():
    free = SymbolicExecution(("a",), reward=1.0, cost=0.0)

    assert free.worth == inf
    assert local_optimal(RandomTesting(reward=7.0), [free]) is free


def test_dearer_random_tests_make_solving_come_earlier():
    cheap = Greedy(1, FIGURE_1)
    dear = Greedy(1, FIGURE_1, random_cost=10.0)
    for model in (cheap, dear):
        model.observe([1, 3, 5, 8])

    assert isinstance(choose(cheap), RandomTesting)
    assert isinstance(choose(dear), SymbolicExecution)


@given(st.randoms(use_true_random=False), st.integers(2, 9))
@settings(max_examples=80, deadline=None, database=None)
def test_the_cheapest_paths_stand_for_all_candidates(random, size):
    chain = random_acyclic_chain(random, size)
    costs = {
        (a, b): float(random.randint(2, 60)) for a in chain.states for b in chain.successors[a]
    }
    model = Greedy(0, chain.successors, edge_cost=lambda a, b: costs[a, b])

    def path_cost(path: Sequence[int]) -> float:
        return sum(costs[edge] for edge in pairwise(path))

    for _ in range(5):
        model.observe(sample(random, chain, 0))
        among = model.choose_among((path, path_cost(path)) for path in model.candidates())

        assert model.choose().worth == pytest.approx(among.worth)


def sample(random: Random, chain, start: int) -> list[int]:
    run = [start]
    while chain.successors[run[-1]]:
        row = chain.successors[run[-1]]
        run += random.choices(list(row), list(row.values()))
    return run


def test_algorithm_1_covers_everything_and_solves_only_what_is_rare():
    random = Random(0)
    graph = {"entry": ["usual", "rare"], "usual": ["end"], "rare": ["end"], "end": []}
    solved = []

    def execute(path: tuple[str, ...]) -> list[str]:
        solved.append(path)
        return [*path, "end"]

    def test() -> list[str]:
        return ["entry", "rare" if random.random() < 1e-6 else "usual", "end"]

    model = Greedy("entry", graph)
    runs = greedy(model, test, execute, cost=lambda path: 20.0)

    assert model.done
    assert solved == [("entry", "rare")]
    assert 15 <= len(runs) <= 25


def test_algorithm_1_does_not_try_a_path_again_that_has_no_input_or_goes_elsewhere():
    graph = {0: [1, 2, 3], 1: [], 2: [], 3: []}
    tried = []

    def execute(path: tuple[int, ...]) -> list[int] | None:
        tried.append(path)
        return None if path == (0, 2) else [0, 1]

    greedy(Greedy(0, graph), lambda: [0, 1], execute, cost=lambda path: 1.5, rounds=60)

    assert sorted(tried) == [(0, 2), (0, 3)]


def test_a_model_goes_on_after_a_run_that_leaves_the_graph():
    model = Greedy(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 2.0)

    model.observe([0, 1])
    newly = model.observe([0, 9, 2])

    assert newly == [9, 2]
    assert model.done
    assert model.expected_reward() == 0.0


def test_states_given_up_are_no_longer_expected_or_tried():
    model = Greedy(0, {0: [1, 2, 3], 1: [], 2: [], 3: []}, edge_cost=lambda a, b: 1.0)
    for _ in range(5):
        model.observe([0, 1])

    model.give_up([2])
    chosen = model.choose()

    assert list(model.candidates()) == [(0, 3)]
    assert isinstance(chosen, SymbolicExecution)
    assert chosen.path == (0, 3)
    assert model.expected_reward() == pytest.approx(1 / 8)
    model.observe([0, 3])
    assert model.done


def test_a_state_given_up_counts_as_covered_once_a_run_covers_it():
    model = Greedy(0, {0: [1, 2], 1: [], 2: []})
    model.observe([0, 1])
    model.give_up([2])

    newly = model.observe([0, 2])

    assert newly == [2]
    assert model.done
