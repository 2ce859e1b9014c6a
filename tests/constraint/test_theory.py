from __future__ import annotations

import math

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import (
    BITS,
    FLOAT,
    ONLY_LINEAR,
    OPAQUE,
    PRODUCT,
    ROUNDING,
    theory,
    theory_of,
    words,
)
from symcrete.terms import floats, integers
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, const, int_const, intern, var

X, Y, U = var("x", Sort.INT), var("y", Sort.INT), var("u", Sort.FLOAT)
FIVE = int_const(5)
SINE = opaque(math.sin, Sort.FLOAT)

CASES: list[tuple[Term, int]] = [
    (integers.lt(integers.add(X, Y), FIVE), ONLY_LINEAR),
    (integers.eq(integers.mod(X, FIVE), integers.floordiv(Y, FIVE)), ONLY_LINEAR),
    (integers.eq(integers.mul(X, Y), FIVE), PRODUCT),
    (integers.eq(integers.mod(X, Y), FIVE), PRODUCT),
    (integers.eq(integers.power(X, Y), FIVE), PRODUCT),
    (integers.eq(integers.bitxor(X, Y), FIVE), BITS),
    (integers.eq(integers.lshift(X, Y), FIVE), BITS),
    (floats.lt(U, const(0.5)), FLOAT),
    (floats.is_nan(U), FLOAT),
    (floats.lt(floats.mul(U, const(2.0)), U), FLOAT),
    (floats.lt(floats.mul(U, U), U), FLOAT | PRODUCT),
    (floats.lt(X, U), FLOAT | ROUNDING),
    (integers.lt(floats.floor(U), X), FLOAT | ROUNDING),
    (floats.lt(intern(SINE, (U,)), const(0.5)), FLOAT | OPAQUE),
]


@pytest.mark.parametrize(("condition", "expected"), CASES)
def test_a_condition_belongs_to_the_theories_of_its_operations(condition: Term, expected: int):
    assert theory(condition) == expected


def test_a_constraint_belongs_to_the_theories_of_all_its_conditions():
    constraint = PathConstraint((CASES[0][0], CASES[2][0]), CASES[5][0])

    assert theory_of(constraint) == PRODUCT | BITS
    assert words(theory_of(constraint)) == "products+bits"
    assert words(ONLY_LINEAR) == "linear"


def test_what_only_an_opaque_function_sees_does_not_count():
    inside = intern(opaque(abs, Sort.INT, "look"), (integers.mul(X, Y),))

    assert theory(integers.lt(inside, FIVE)) == OPAQUE
