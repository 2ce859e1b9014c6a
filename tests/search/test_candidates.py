from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.direct_solutions import random_graph

from symcrete.search.chains.candidates import CheapestPaths, candidate_paths

# 0 is the head of a loop through 1 and 2; 3 and 4 hang off it.
LOOP = [[1, 3], [2], [0, 4], [], []]


def test_a_candidate_has_one_uncovered_state_and_it_is_the_last():
    covered = [True, True, True, False, False]

    assert list(candidate_paths(0, LOOP, covered)) == [(0, 1, 2, 4), (0, 3)]


def test_the_loop_bound_says_how_often_a_path_goes_round():
    covered = [True, True, True, False, False]

    once = list(candidate_paths(0, LOOP, covered, loop_bound=1))
    twice = list(candidate_paths(0, LOOP, covered, loop_bound=2))

    assert set(twice) - set(once) == {(0, 1, 2, 0, 3), (0, 1, 2, 0, 1, 2, 4)}


def test_before_the_first_run_the_only_candidate_is_the_entry():
    assert list(candidate_paths(0, LOOP, [False] * 5)) == [(0,)]


def test_candidates_come_at_once_where_most_of_the_graph_is_covered():
    # 60 diamonds in a row lead nowhere new; only the first state has an uncovered neighbour.
    graph = [[3 * i + 1, 3 * i + 2] if s == 0 else [3 * i + 3] for i in range(60) for s in range(3)]
    graph += [[], []]
    graph[0].append(181)
    covered = [True] * 181 + [False]

    assert list(candidate_paths(0, graph, covered)) == [(0, 181)]


@given(st.randoms(use_true_random=False), st.integers(1, 8))
@settings(max_examples=150, deadline=None, database=None)
def test_cheapest_paths_found_step_by_step_are_the_cheapest_candidates(random, size):
    graph = list(random_graph(random, size).values())
    costs = {(a, b): random.randint(1, 9) for a in range(size) for b in graph[a]}
    covered = [False] * size
    cheapest = CheapestPaths(0, graph, lambda a, b: costs[a, b])

    order = [0, *random.sample(range(1, size), size - 1)]
    for state in order[: random.randint(1, size)]:
        covered[state] = True
        cheapest.cover([state])

    least = dict.fromkeys(range(size), inf)
    for path in candidate_paths(0, graph, covered):
        cost = sum(costs[edge] for edge in pairwise(path))
        least[path[-1]] = min(least[path[-1]], cost)
    uncovered = [state for state in range(size) if not covered[state]]
    assert cheapest.frontier == {state for state in uncovered if least[state] < inf}
    assert [cheapest.distance[state] for state in uncovered] == [
        least[state] for state in uncovered
    ]
    for state in cheapest.frontier:
        path = cheapest.path(state)
        cost = sum(costs[edge] for edge in pairwise(path))
        assert (path[0], path[-1], cost) == (0, state, least[state])


def test_paths_beyond_what_is_covered_are_found_only_if_asked_for():
    graph = [[1], [2], []]

    assert CheapestPaths(0, graph, lambda a, b: 1.0, beyond=True).path(2) == (0, 1, 2)
    assert CheapestPaths(0, graph, lambda a, b: 1.0).distance[2] == pytest.approx(inf)
