"""Branches to the nearest uncovered outcome, kept up to date."""

from __future__ import annotations

import random
import shlex
from pathlib import Path

import pytest
from texts import Program

from symcrete.program.distances import FAR, Distances

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


@pytest.mark.parametrize("seed", range(5))
def test_keeping_up_to_date_gives_what_starting_over_gives(seed: int):
    program = Program(Path(shlex.__file__).read_text())
    graph = program.graph("shlex.read_token")
    outcomes = [each for cfg in program.graphs for each in cfg.branches]
    order = random.Random(seed).sample(outcomes, len(outcomes))
    kept = Distances(graph, outcomes)

    for done in range(1, len(order) + 1, 7):
        kept.cover(order[max(0, done - 7) : done])
        fresh = Distances(graph, order[done:])
        assert [kept.of(each) for each in outcomes] == [fresh.of(each) for each in outcomes]
