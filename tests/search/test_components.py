from __future__ import annotations

from math import log2

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.direct_solutions import random_graph

from symcrete.search.chains.components import elimination_order, strongly_connected


def reachable(graph: list[list[int]], start: int) -> set[int]:
    found, work = {start}, [start]
    while work:
        for target in graph[work.pop()]:
            if target not in found:
                found.add(target)
                work.append(target)
    return found


@given(st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=200, deadline=None, database=None)
def test_components_are_the_states_that_reach_each_other(random, size):
    graph = list(random_graph(random, size).values())

    components = strongly_connected(graph)

    reach = [reachable(graph, state) for state in range(size)]
    place = {state: i for i, members in enumerate(components) for state in members}
    assert sorted(place) == list(range(size))
    for a in range(size):
        for b in range(size):
            assert (place[a] == place[b]) == (b in reach[a] and a in reach[b])


@given(st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=200, deadline=None, database=None)
def test_a_component_comes_after_those_it_reaches(random, size):
    graph = list(random_graph(random, size).values())

    components = strongly_connected(graph)

    place = {state: i for i, members in enumerate(components) for state in members}
    assert all(place[target] <= place[state] for state in range(size) for target in graph[state])


def test_a_deep_graph_needs_no_deep_recursion():
    graph = [[state + 1] for state in range(50_000)] + [[0]]

    assert len(strongly_connected(graph)) == 1


def test_every_member_is_eliminated_once_and_linked_only_to_later_ones():
    graph = [[1], [2, 4], [3], [1, 5], [3], [0]]

    order, later = elimination_order(range(6), graph)

    place = {state: i for i, state in enumerate(order)}
    assert sorted(order) == list(range(6))
    assert all(place[b] > place[a] for a, states in zip(order, later, strict=True) for b in states)


def test_eliminating_a_ring_makes_chains_of_logarithmic_length():
    size = 1024
    order, later = elimination_order(range(size), [[(i + 1) % size] for i in range(size)])

    depth = dict.fromkeys(order, 1)
    for state, states in zip(order, later, strict=True):
        for after in states:
            depth[after] = max(depth[after], depth[state] + 1)

    assert max(depth.values()) <= 2 * log2(size)
    assert max(len(states) for states in later) <= 2
