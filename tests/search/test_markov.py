from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.direct_solutions import random_graph, random_run

from symcrete.search.chains.markov import EstimatedChain, GoodTuring, Laplace, MarkovChain, to_dot

DIAMOND = {"entry": ["left", "right"], "left": ["exit"], "right": ["exit"], "exit": []}


def test_a_path_is_as_likely_as_the_product_of_its_transitions():
    chain = MarkovChain("a", {"a": {"b": 0.25, "c": 0.75}, "b": {"c": 0.5, "a": 0.5}, "c": {}})

    assert chain.probability(("a", "b", "a", "c")) == 0.25 * 0.5 * 0.75
    assert chain.probability(("a",)) == 1
    assert chain.probability(("c", "a")) == 0
    assert chain.sinks == ("c",)


def test_what_is_missing_to_one_is_the_probability_that_a_run_ends():
    chain = MarkovChain(0, {0: {1: 0.5, 2: 0.25}, 1: {}, 2: {1: 1.0}})

    assert [chain.ending(state) for state in chain.states] == [0.25, 1.0, 0.0]


def test_states_without_a_way_from_the_initial_one_are_not_reachable():
    chain = MarkovChain(0, {0: {1: 1.0}, 1: {}, 2: {1: 1.0}, 3: {2: 1.0}})

    assert chain.reachable() == {0, 1}


@pytest.mark.parametrize(
    "initial, rows",
    [
        (9, {0: {}}),
        (0, {0: {1: 1.0}}),
        (0, {0: {1: 0.6, 2: 0.6}, 1: {}, 2: {}}),
        (0, {0: {1: -0.1}, 1: {}}),
    ],
)
def test_a_chain_that_is_none_is_refused(initial, rows):
    with pytest.raises(ValueError):
        MarkovChain(initial, rows)


def test_without_runs_all_ways_on_are_equally_likely():
    chain = EstimatedChain("entry", DIAMOND).estimate()

    assert chain.successors["entry"] == {"left": 0.5, "right": 0.5}
    assert chain.successors["left"] == {"exit": 1.0}


def test_laplace_adds_one_to_every_count():
    chain = EstimatedChain("entry", DIAMOND)
    for _ in range(8):
        chain.observe(["entry", "left", "exit"])

    assert chain.estimate().successors["entry"] == {"left": 9 / 10, "right": 1 / 10}
    assert chain.visits("entry") == 8
    assert (chain.taken("entry", "left"), chain.taken("entry", "right")) == (8, 0)


def test_a_smaller_weight_makes_unseen_sides_rarer():
    chain = EstimatedChain("entry", DIAMOND, estimator=Laplace(weight=0.5))
    for _ in range(9):
        chain.observe(["entry", "left", "exit"])

    assert chain.estimate().successors["entry"]["right"] == pytest.approx(0.5 / 10)


def test_what_was_solved_for_covers_but_is_not_counted():
    chain = EstimatedChain("entry", DIAMOND)

    seen = chain.observe(["entry", "right", "exit"], forced=1)

    assert [chain.states[state] for state in seen.newly_covered] == ["entry", "right", "exit"]
    assert chain.estimate().successors["entry"]["right"] == 0.5
    assert (chain.visits("entry"), chain.visits("right")) == (0, 1)
    assert (chain.runs, chain.random_runs) == (1, 0)


def test_a_run_that_leaves_the_graph_adds_to_it():
    chain = EstimatedChain("entry", DIAMOND)

    within = chain.observe(["entry", "left", "exit"])
    outside = chain.observe(["entry", "handler", "exit"])

    assert not within.grown
    assert outside.grown
    assert chain.estimate().successors["entry"].keys() == {"left", "right", "handler"}


def test_runs_that_end_early_leave_that_much_probability():
    chain = EstimatedChain("entry", DIAMOND)
    for run in (["entry", "left"], ["entry", "left", "exit"], ["entry", "left", "exit"]):
        chain.observe(run)

    assert chain.estimate().ending("left") == pytest.approx(1 / 4)


def test_a_loop_without_a_way_out_is_left_with_some_probability():
    chain = EstimatedChain(0, {0: [1], 1: [0, 2], 2: [1]})

    estimate = chain.estimate()

    assert [estimate.ending(state) for state in (0, 1, 2)] == pytest.approx([1 / 2, 1 / 3, 1 / 2])


@given(st.randoms(use_true_random=False), st.sampled_from((Laplace, GoodTuring)))
@settings(max_examples=80, deadline=None, database=None)
def test_every_estimate_is_a_chain_in_which_everything_possible_has_a_chance(random, estimator):
    graph = random_graph(random, random.randint(1, 8))
    chain = EstimatedChain(0, graph, estimator=estimator())
    for _ in range(random.randint(0, 30)):
        chain.observe(random_run(random, graph))

    rows = chain.estimate().successors

    assert all(0 < p <= 1 for row in rows.values() for p in row.values())
    assert all(sum(row.values()) <= 1 + 1e-9 for row in rows.values())


@pytest.mark.parametrize("estimator", [Laplace(), Laplace(weight=0.5), GoodTuring()])
def test_estimates_converge_to_the_probabilities(estimator):
    chain = EstimatedChain("entry", DIAMOND, estimator=estimator)
    random = Random(3)
    for _ in range(20_000):
        side = "left" if random.random() < 0.3 else "right"
        chain.observe(["entry", side, "exit"])

    assert chain.estimate().successors["entry"]["left"] == pytest.approx(0.3, abs=0.02)


def test_good_turing_learns_from_other_branches_that_unseen_sides_are_rare():
    graph: dict[object, list[object]] = {i: [i + 1, "other"] for i in range(10)} | {
        10: [],
        "other": [],
    }
    pooled = EstimatedChain(0, graph, estimator=GoodTuring())
    alone = EstimatedChain(0, graph)
    for _ in range(100):
        pooled.observe(range(11))
        alone.observe(range(11))

    unseen = pooled.estimate().successors[0]["other"]

    assert 0 < unseen < alone.estimate().successors[0]["other"] / 5


def test_good_turing_takes_sides_seen_once_as_a_sign_of_more():
    ways = list(range(1, 21))
    graph = {0: ways} | {way: [] for way in ways}
    chain = EstimatedChain(0, graph, estimator=GoodTuring())
    for way in range(1, 11):
        chain.observe([0, way])

    unseen = sum(chain.estimate().successors[0][way] for way in range(11, 21))

    assert unseen > 0.8


def test_dot_shows_probabilities_and_dashes_what_is_uncovered():
    chain = MarkovChain('a"b', {'a"b': {"c": 0.125, "d": 0.875}, "c": {}, "d": {}})

    text = to_dot(chain, covered={'a"b', "d"})

    assert text.splitlines() == [
        "digraph chain {",
        '  s0 [label="a\\"b", style=solid];',
        '  s1 [label="c", style=dashed];',
        '  s2 [label="d", style=solid];',
        '  s0 -> s1 [label="0.125"];',
        '  s0 -> s2 [label="0.875"];',
        "}",
    ]
