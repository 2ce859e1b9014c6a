"""Which statements run because of which outcome."""

from __future__ import annotations

import random

import pytest
from tests.program.texts import Program

from symcrete.program.graph.cfg import EXIT, RAISED
from symcrete.program.graph.control_dependence import control_dependence, post_dominators


def lines(program: Program, text: str, side: bool) -> set[int]:
    cfg = program.cfg("f")
    found = control_dependence(cfg)[program.outcome(text, side)]
    return {cfg.points[each].line for each in found} - {0}


def test_the_body_of_an_if_depends_on_it_and_what_follows_does_not():
    program = Program("""
        def f(a, b):
            if a:
                b = 1
            else:
                b = 2
            return b
        """)

    assert lines(program, "a", True) == {3}
    assert lines(program, "a", False) == {5}


def test_a_loop_depends_on_itself():
    program = Program("""
        def f(a):
            while a:
                a = a - 1
            return a
        """)

    assert lines(program, "a", True) == {2, 3}
    assert lines(program, "a", False) == set()


def test_what_follows_an_early_return_depends_on_not_returning():
    program = Program("""
        def f(a, b):
            if a:
                return 1
            b = 2
            return b
        """)

    assert lines(program, "a", False) == {4, 5}


def test_loops_that_end_by_an_exception_only_have_dependents_too():
    program = Program("""
        def f(a):
            while True:
                if next(a):
                    print(1)
        """)

    assert lines(program, "next(a)", True) == {4}


def test_statements_are_counted_through_nesting_and_calls():
    program = Program("""
        def f(a, b):
            if a:
                g(b)
                if b:
                    b = 1
            return b
        def g(c):
            if c:
                c = 2
            return c
        """)

    counts = program.graph("f").dependents

    assert counts[program.outcome("b", True)] == 1
    assert counts[program.outcome("a", True)] == 2 + 2  # g(b), b = 1, and both of g
    assert counts[program.outcome("a", False)] == 0


@pytest.mark.parametrize("seed", range(20))
def test_post_dominators_are_what_every_way_out_must_pass(seed: int):
    program = Program(random_function(random.Random(seed)))
    cfg = program.cfg("f")

    nearest = post_dominators(cfg)

    def ways_out(point: int, without: int | None) -> bool:
        seen, ahead = set(), [point]
        while ahead:
            here = ahead.pop()
            if here in (EXIT, RAISED):
                return True
            if here in seen or here == without:
                continue
            seen.add(here)
            ahead += [e.target for e in cfg.after[here] if not (e.implicit and e.target == RAISED)]
        return False

    for point in range(3, len(cfg.points)):
        above = nearest[point]
        if above not in (EXIT, RAISED, len(cfg.points)):
            assert ways_out(point, None) and not ways_out(point, without=above)


def random_function(source: random.Random) -> str:
    """Nested ifs, loops and early returns, always with a way out."""

    def block(depth: int, indent: str) -> list[str]:
        made = []
        for _ in range(source.randint(1, 3)):
            kind = source.choice(["if", "while", "leave", "plain"] if depth else ["plain"])
            if kind in ("if", "while"):
                made.append(f"{indent}{kind} x{source.randrange(10**9)}:")
                made += block(depth - 1, indent + "    ")
            elif kind == "leave":
                made += [f"{indent}if y{source.randrange(10**9)}:", f"{indent}    return 1"]
            else:
                made.append(f"{indent}z = 1")
        return made

    return "\n".join(["def f():", *block(3, "    "), "    return 0"])
