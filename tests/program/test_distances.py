"""Branches to the nearest uncovered outcome, kept up to date."""

from __future__ import annotations

import random
import shlex
from collections import deque
from pathlib import Path

import pytest
from tests.program.texts import Program

from symcrete.program.graph.distances import FAR, Distances
from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome

NESTED = """
    def f(a, b, c):
        if a:
            if b:
                if c:
                    return 1
        return 0
    """


def test_each_branch_on_the_way_weighs_one():
    program = Program(NESTED)
    goal = program.outcome("c", True)

    distances = Distances(program.graph("f"), [goal])

    assert distances.of(goal) == 0
    assert distances.of(program.outcome("b", True)) == 1
    assert distances.of(program.outcome("a", True)) == 2
    assert distances.of(program.outcome("a", False)) == FAR
    assert distances.of(program.outcome("c", False)) == FAR


def test_covering_a_goal_moves_everyone_to_the_next():
    program = Program(NESTED)
    near, deep = program.outcome("b", False), program.outcome("c", True)
    distances = Distances(program.graph("f"), [near, deep])
    assert distances.of(program.outcome("a", True)) == 1

    distances.cover([near])
    assert distances.of(program.outcome("a", True)) == 2

    distances.cover([deep])
    assert distances.of(program.outcome("a", True)) == FAR


def test_ways_lead_into_callees_and_back():
    program = Program("""
        def f(a, b):
            if a:
                b = g(a)
            if b:
                return 1
        def g(c):
            if c:
                return 2
            return 3
        """)
    inside = Distances(program.graph("f"), [program.outcome("c", False)])
    after = Distances(program.graph("f"), [program.outcome("b", True)])

    assert inside.of(program.outcome("a", True)) == 1
    assert inside.of(program.outcome("a", False)) == FAR
    assert after.of(program.outcome("c", True)) == 1


def test_loops_come_round_again():
    program = Program("""
        def f(a, b):
            while a:
                if b:
                    return 1
        """)

    distances = Distances(program.graph("f"), [program.outcome("b", True)])

    assert distances.of(program.outcome("b", False)) == 2


def by_definition(graph: ProgramGraph, start: Outcome, uncovered: set[int | None]) -> int:
    """Breadth-first, ways of weight nothing before those of weight one."""
    first = graph.node(start)
    assert first is not None
    ahead, best = deque([(0, first)]), {first: 0}
    while ahead:
        distance, node = ahead.popleft()
        if node in uncovered:
            return distance
        for target in (*graph.after[node], *graph.calls[node], *graph.returns[node]):
            further = distance + graph.weighs[target]
            if further < best.get(target, FAR):
                best[target] = further
                (ahead.append if graph.weighs[target] else ahead.appendleft)((further, target))
    return FAR


@pytest.mark.parametrize("seed", range(3))
def test_keeping_up_to_date_gives_what_the_definition_gives(seed: int):
    program = Program(Path(shlex.__file__).read_text())
    graph = program.graph("shlex.read_token")
    outcomes = [each for cfg in program.graphs for each in cfg.branches]
    order = random.Random(seed).sample(outcomes, len(outcomes))
    distances = Distances(graph, outcomes)

    for done in range(1, len(order), 7):
        distances.cover(order[max(0, done - 7) : done])
        uncovered = {graph.node(each) for each in order[done:]}
        for each in order[::5]:
            assert distances.of(each) == by_definition(graph, each, uncovered)


def test_starting_over_forgets_what_was_covered():
    program = Program(NESTED)
    goal = program.outcome("c", True)
    distances = Distances(program.graph("f"), [goal])
    distances.cover([goal])
    assert distances.of(goal) == FAR

    distances.reset()

    assert distances.of(goal) == 0
