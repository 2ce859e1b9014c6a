"""The simplest direction: as simple as claimed, and an answer whenever it says so."""

from __future__ import annotations

import random
from fractions import Fraction

from symcrete.constraint.form import Form, form
from symcrete.constraint.path import PathConstraint
from symcrete.solve.direct.direction import in_direction, simplest
from symcrete.terms import integers
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var

A, B, C = (var(name, Sort.INT) for name in "abc")


def times(factor: int, term: Term) -> Term:
    return integers.mul(int_const(factor), term)


def goal_of(constraint: PathConstraint) -> Form:
    found = form(constraint.goal)
    assert found is not None
    return found


def test_no_fraction_between_two_has_smaller_terms() -> None:
    draw = random.Random(1)
    for _ in range(500):
        low, high = sorted(Fraction(draw.randint(0, 40), draw.randint(1, 40)) for _ in range(2))
        if low == high:
            continue
        n, d = simplest(low.numerator, low.denominator, high.numerator, high.denominator)
        assert low < Fraction(n, d) < high
        smaller = [Fraction(top, bottom) for bottom in range(1, d) for top in range(1, n + 1)]
        assert not any(low < each < high for each in smaller)


def test_the_steepest_slope_is_no_bound() -> None:
    assert simplest(7, 2, 1, 0) == (4, 1)


def test_euclid_is_answered_with_the_smallest_input_of_the_path() -> None:
    conditions = (integers.gt(A, int_const(0)), integers.gt(B, int_const(0)))
    prefix = (*conditions, integers.gt(A, times(2, B)), integers.lt(A, times(3, B)))
    goal = integers.gt(times(2, A), times(5, B))
    constraint = PathConstraint(prefix, goal)
    found = in_direction(constraint, goal_of(constraint), {"a": 901, "b": 400})
    assert found is not None
    assert found.assignment == {"a": 8, "b": 3}


def test_bounds_say_how_often_the_direction_is_taken() -> None:
    prefix = (integers.ge(A, int_const(100)), integers.lt(B, A))
    goal = integers.gt(times(2, B), A)
    constraint = PathConstraint(prefix, goal)
    found = in_direction(constraint, goal_of(constraint), {"a": 100, "b": 1})
    assert found is not None
    assert found.assignment == {"a": 102, "b": 68}


def test_a_line_is_answered_in_lowest_terms() -> None:
    constraint = PathConstraint(
        (integers.lt(A, int_const(0)),), integers.eq(times(4, A), times(6, B))
    )
    found = in_direction(constraint, goal_of(constraint), {"a": -5, "b": -5})
    assert found is not None
    assert found.assignment == {"a": -3, "b": -2}


def test_whatever_it_says_holds_and_it_often_says_something() -> None:
    draw = random.Random(2)
    feasible = answered = 0
    for _ in range(400):
        near = {"a": draw.randint(-60, 60), "b": draw.randint(-60, 60), "c": draw.randint(-9, 9)}
        prefix = [
            _true_of(near, draw, draw.choice((B, B, B, C))) for _ in range(draw.randint(0, 6))
        ]
        goal = negate(_true_of(near, draw, B))
        constraint = PathConstraint(tuple(prefix), goal)
        found = in_direction(constraint, goal_of(constraint), near)
        if found is not None:
            answered += 1
            assert all_hold((*prefix, goal), found.assignment)
            assert found.assignment["c"] == near["c"]
        feasible += found is not None or _has_answer(constraint, near)
    assert feasible > 100
    assert answered > feasible / 3  # other quadrants and lines in the prefix are left to solvers


def _true_of(near: dict[str, int], draw: random.Random, other: Term) -> Term:
    """A comparison of two multiples that this input satisfies."""
    compare = draw.choice((integers.lt, integers.le, integers.gt, integers.eq))
    made = compare(times(draw.randint(1, 5), A), times(draw.randint(1, 5), other))
    return made if all_hold((made,), near) else negate(made)


def _has_answer(constraint: PathConstraint, near: dict[str, int]) -> bool:
    conditions = (*constraint.prefix, constraint.goal)
    span = range(-30, 31)
    return any(all_hold(conditions, near | {"a": a, "b": b}) for a in span for b in span)
