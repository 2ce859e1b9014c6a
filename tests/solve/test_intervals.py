"""Integers never leave their intervals, and a comparison beyond them is refuted without a solver."""

import random

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.solve.direct.intervals import interval, never_holds
from symcrete.solve.direct.one_change import nearby
from symcrete.solve.solver import Unsat
from symcrete.terms import integers
from symcrete.terms.evaluate import evaluator, holds
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, const, var
from symcrete.terms.texts import STR, length_of, modelled, source

X, Y = var("x", Sort.INT), var("y", Sort.INT)


def some_atom(source: random.Random) -> Term:
    inner = integers.add(source.choice([X, Y]), const(source.randint(-5, 5)))
    divisor = const(source.choice([-7, -2, 2, 3, 10]))
    return source.choice(
        [
            integers.mod(inner, divisor),
            integers.bitand(inner, const(source.choice([0, 1, 6, 255]))),
            integers.absolute(inner),
            integers.mul(inner, inner),
            inner,
        ]
    )


def some_sum(source: random.Random) -> Term:
    factors = [const(source.randint(-3, 3)) for _ in range(2)]
    total = const(source.randint(-20, 20))
    for factor in factors:
        total = integers.add(total, integers.mul(factor, some_atom(source)))
    return total


def test_no_value_lies_outside_its_interval() -> None:
    source = random.Random(3)
    narrow = 0
    for _ in range(500):
        term = some_sum(source)
        low, high = interval(term)
        narrow += low is not None or high is not None
        for x, y in [(source.randint(-40, 40), source.randint(-40, 40)) for _ in range(30)]:
            value = evaluator(term)({"x": x, "y": y})
            assert low is None or low <= value, term
            assert high is None or value <= high, term
    assert narrow > 100


def test_what_never_holds_has_no_solution() -> None:
    source = random.Random(4)
    refuted = 0
    for _ in range(1000):
        condition = source.choice([integers.le, integers.lt, integers.eq])(
            some_sum(source), some_sum(source)
        )
        condition = source.choice([condition, negate(condition)])
        if never_holds(condition):
            refuted += 1
            for x in range(-15, 16):
                assert not any(holds(condition, {"x": x, "y": y}) for y in range(-15, 16))
    assert refuted > 20


@pytest.mark.parametrize(
    "goal",
    [
        integers.eq(integers.mod(X, const(10)), const(1000)),
        integers.lt(integers.mod(integers.add(X, Y), const(7)), const(0)),
        integers.lt(integers.mul(X, X), const(-1)),
        negate(integers.le(integers.mod(X, const(-4)), const(0))),
    ],
)
def test_a_comparison_beyond_the_interval_needs_no_solver(goal: Term) -> None:
    constraint = PathConstraint((integers.le(X, Y),), goal)

    assert nearby(constraint, {"x": 1, "y": 2}) == Unsat((goal,))


def test_a_length_is_never_negative_whatever_it_is_the_length_of() -> None:
    text = source("s", STR)
    length = length_of(text.whole)
    model = modelled(length, integers.mul(X, const(3)), integers.le(X, const(5)))

    assert interval(length) == (0, None)
    assert interval(model) == (0, None)
    assert never_holds(integers.lt(model, const(0)))
    assert not never_holds(integers.le(model, const(0)))
