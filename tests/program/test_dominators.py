"""Dominators against their definition, and what they mean for branches."""

from __future__ import annotations

import random

import pytest
from tests.program.texts import Program

from symcrete.program.graph.dominators import DominatorTree


def reachable(after: list[list[int]], without: int | None) -> set[int]:
    seen: set[int] = set()
    ahead = [0] if without != 0 else []
    while ahead:
        node = ahead.pop()
        if node not in seen:
            seen.add(node)
            ahead += [each for each in after[node] if each != without]
    return seen


@pytest.mark.parametrize("seed", range(8))
def test_a_node_dominates_what_cannot_be_reached_without_it(seed: int):
    source = random.Random(seed)
    for _ in range(60):
        size = source.randint(1, 16)
        after = [
            [source.randrange(size) for _ in range(source.choice([0, 1, 1, 2, 2, 3]))]
            for _ in range(size)
        ]

        tree = DominatorTree(after, 0)

        everything = reachable(after, None)
        for a in everything:
            lost = everything - reachable(after, a)
            assert {b for b in range(size) if tree.dominates(a, b)} == lost
        for a in set(range(size)) - everything:
            assert not any(tree.dominates(a, b) or tree.dominates(b, a) for b in range(size))


def test_long_chains_do_not_exhaust_the_stack():
    after = [[node + 1] for node in range(50_000)] + [[]]

    tree = DominatorTree(after, 0)

    assert tree.dominates(17, 50_000)


def test_enclosing_conditions_dominate_and_earlier_ones_do_not():
    program = Program("""
        def f(a, b, c, d):
            if a:
                d = 1
            if b:
                if c:
                    if d:
                        return 1
            return 0
        """)
    graph = program.graph("f")
    inner = program.outcome("d", True)

    assert graph.dominates(program.outcome("b", True), inner)
    assert graph.dominates(program.outcome("c", True), inner)
    assert not graph.dominates(program.outcome("c", False), inner)
    assert not graph.dominates(program.outcome("a", True), inner)
    assert not graph.dominates(inner, inner)  # nothing comes before itself


def test_what_decides_the_only_call_dominates_the_callee():
    program = Program("""
        def f(a, b):
            if a:
                g(b)
            if b:
                h(b)
            h(a)
        def g(c):
            if c:
                return 1
        def h(d):
            if d:
                return 1
        """)
    graph = program.graph("f")

    assert graph.dominates(program.outcome("a", True), program.outcome("c", True))
    assert not graph.dominates(program.outcome("b", True), program.outcome("d", True))
    assert not graph.dominates(program.outcome("c", True), program.outcome("b", True))


def test_division_that_goes_well_dominates_what_follows():
    program = Program("""
        def f(a, b):
            c = a // b
            if c:
                return 1
        """)
    graph = program.graph("f")
    division = program.sites.add("ZeroDivisionError", "program.py", 2, 8, "f", implicit=True)

    assert graph.dominates((division, True), program.outcome("c", True))
    assert not graph.dominates((division, False), program.outcome("c", True))


def test_a_condition_outside_the_program_dominates_nothing():
    program = Program("""
        def f(a):
            if a:
                return 1
        """)
    graph = program.graph("f")
    shape = program.sites.add("input", "", 0, 0, "a", implicit=True)

    assert not graph.dominates((shape, True), program.outcome("a", True))
