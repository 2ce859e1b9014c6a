from __future__ import annotations

from math import exp
from random import Random

import pytest

from symcrete.search.chains.decision import RandomTesting, SymbolicExecution
from symcrete.search.chains.lookahead import PSEUDO_COUNT, LookAhead


def worst_ratio(patience: float) -> float:
    """What it can cost at most to give up random testing after `patience` times the solving cost.

    Solving costs 1; random testing succeeds at some rate. Relative to the cheaper of the two.
    """
    worst = 1 + patience  # success never comes
    for step in range(1, 4000):
        rate = step / 100
        gave_up = exp(-rate * patience)
        worst = max(worst, ((1 - gave_up) / rate + gave_up) / min(1, 1 / rate))
    return worst


def test_half_the_patience_of_laplace_costs_at_most_half_more_instead_of_twice_as_much():
    assert worst_ratio(PSEUDO_COUNT) == pytest.approx(1.5, abs=1e-3)
    assert worst_ratio(1.0) == pytest.approx(2.0, abs=1e-3)
    assert worst_ratio(0.25) > 1.7


def test_it_begins_at_random():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 1.0)

    assert isinstance(model.choose(), RandomTesting)


def test_random_testing_is_given_up_after_half_the_cost_of_solving():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 100.0)
    runs = 0
    while True:
        model.observe([0, 1])
        runs += 1
        choice = model.choose()
        if isinstance(choice, SymbolicExecution):
            break

    assert 45 <= runs <= 55
    assert choice.path == (0, 2)


def test_a_prefix_is_solved_for_where_chance_can_do_the_rest():
    graph = {0: [1, 2], 1: [], 2: [3, 4], 3: [], 4: []}
    cost = {(0, 1): 10.0, (0, 2): 50.0, (2, 3): 10.0, (2, 4): 10.0}
    model = LookAhead(0, graph, edge_cost=lambda a, b: cost[a, b])
    for _ in range(200):
        model.observe([0, 1])

    first = model.choose()
    model.observe([0, 2, 3], forced=1)
    second = model.choose()

    assert isinstance(first, SymbolicExecution)
    assert first.path == (0, 2)  # 3 and 4 are equally likely then
    assert isinstance(second, SymbolicExecution)
    assert second.path == (0, 2, 4)


def test_a_rare_side_behind_a_rare_side_is_solved_for_at_once():
    # 3 hardly ever follows 2, as earlier runs have shown.
    graph = {0: [1, 2], 1: [], 2: [3, 4], 3: [5, 6], 4: [], 5: [], 6: []}
    model = LookAhead(0, graph, edge_cost=lambda a, b: 30.0)
    for _ in range(300):
        model.observe([0, 1])
        model.observe([0, 2, 4], forced=1)

    choice = model.choose()

    assert isinstance(choice, SymbolicExecution)
    assert choice.path == (0, 2, 3)


def test_paths_stay_within_what_is_covered_where_nothing_else_can_be_solved():
    graph = {0: [1, 2], 1: [], 2: [3, 4], 3: [5], 4: [], 5: []}
    within = LookAhead(0, graph, edge_cost=lambda a, b: 5.0, beyond=False)
    for _ in range(200):
        within.observe([0, 1])

    choice = within.choose()

    assert isinstance(choice, SymbolicExecution)
    assert choice.path == (0, 2)


def test_what_random_testing_is_about_to_find_is_not_solved_for():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 100.0)
    for _ in range(10):
        model.observe([0, 1])

    assert isinstance(model.choose(), RandomTesting)


def test_the_price_of_a_covered_state_is_how_seldom_random_runs_come_there():
    # Ten diamonds in a row: each of the 1024 paths is rare, their common end is not.
    graph = {
        3 * i + s: [3 * i + 1, 3 * i + 2] if s == 0 else [3 * i + 3]
        for i in range(10)
        for s in range(3)
    }
    graph |= {30: [31, 32], 31: [], 32: []}
    model = LookAhead(0, graph, edge_cost=lambda a, b: 500.0)
    random = Random(0)
    for _ in range(20):
        sides = [(3 * i, 3 * i + random.choice([1, 2])) for i in range(10)]
        model.observe([state for pair in sides for state in pair] + [30, 31])

    prices = model.prices()

    assert prices[0] == prices[30] == prices[31] == 1.0
    assert prices[32] == pytest.approx(21 / 0.5)  # unseen in 20 visits


def test_a_price_is_the_cheaper_of_solving_and_chance():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: [3, 4], 3: [], 4: []}, edge_cost=lambda a, b: 8.0)
    for _ in range(9):
        model.observe([0, 1])

    # 2 is solved for; 3 and 4 as well, or they follow 2 with probability 1/2: both cost 16.
    assert model.prices() == pytest.approx({0: 1.0, 1: 1.0, 2: 8.0, 3: 16.0, 4: 16.0})


def test_decisions_for_random_testing_hold_for_a_twentieth_of_the_runs_so_far():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 1e9)
    for _ in range(400):
        model.observe([0, 1])

    choice = model.choose()

    assert isinstance(choice, RandomTesting)
    assert choice.times == 20


def test_it_works_with_loops_and_with_runs_that_leave_the_graph():
    graph = {"head": ["body", "exit"], "body": ["rare", "head"], "rare": ["head"], "exit": []}
    model = LookAhead("head", graph, edge_cost=lambda a, b: 3.0)
    for _ in range(50):
        model.observe(["head", "body", "head", "body", "head", "exit"])
    model.observe(["head", "error"])

    choice = model.choose()

    assert isinstance(choice, SymbolicExecution)
    assert choice.path == ("head", "body", "rare")


def test_it_chooses_among_given_paths_as_among_its_own():
    graph = {0: [1, 2], 1: [3, 4], 2: [], 3: [], 4: []}
    cost = {(0, 2): 30.0, (0, 1, 4): 45.0}
    own = LookAhead(
        0, graph, edge_cost=lambda a, b: 30.0 if (a, b) == (0, 2) else 22.5, beyond=False
    )
    given = LookAhead(0, graph)
    for _ in range(60):
        for model in (own, given):
            model.observe([0, 1, 3])

        ours = own.choose()
        theirs = given.choose_among(cost.items())
        assert type(ours) is type(theirs)
        assert ours.worth == pytest.approx(theirs.worth)
    assert isinstance(theirs, SymbolicExecution)


def test_states_given_up_are_worth_nothing():
    model = LookAhead(0, {0: [1, 2], 1: [], 2: []}, edge_cost=lambda a, b: 5.0)
    for _ in range(50):
        model.observe([0, 1])
    assert isinstance(model.choose(), SymbolicExecution)

    model.give_up([2])

    assert isinstance(model.choose(), RandomTesting)
    assert model.done
