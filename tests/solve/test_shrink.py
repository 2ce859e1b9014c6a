from __future__ import annotations

from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.wrappers.shrink import shrunk
from symcrete.terms.integers import add, eq, lt
from symcrete.terms.term import Sort, int_const, var

X, Y, Z = (var(name, Sort.INT) for name in "xyz")
NEAR = {"x": 0, "y": 0, "z": 0}


def test_of_many_conditions_those_that_contradict_are_left():
    idle = [lt(int_const(-i), Z) for i in range(30)]
    first, second = lt(X, Y), lt(Y, int_const(5))
    goal = lt(int_const(10), X)
    core = (*idle[:10], first, *idle[10:], second, goal)

    found = shrunk(core, goal, NEAR, Arithmetic().solve)

    assert set(found) == {first, second, goal}


def test_a_goal_that_contradicts_itself_needs_no_other_condition():
    goal = eq(add(X, X), int_const(7))

    assert shrunk((lt(X, Y), lt(Y, Z), goal), goal, NEAR, Arithmetic().solve) == (goal,)
