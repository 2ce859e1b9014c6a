"""Small parts of solving, each by itself: the shared, the lowered, the hoped for, the run-time value."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.solve.backends import stacked
from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.backends.z3.c_library import Context
from symcrete.solve.backends.z3.every_theory import Z3
from symcrete.solve.lowering import bits, rounded, widths
from symcrete.solve.lowering.numbers import ArithmeticLowering
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.wrappers.hopes import Hopeful, hopes_of
from symcrete.solve.wrappers.run_time_values import Concretise, beyond_linear, replaced
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, int_const, intern, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
GCD = opaque(math.gcd, Sort.INT, "math.gcd")


class Recorded:
    """A solver that gives one answer and keeps what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[PathConstraint] = []

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.asked.append(constraint)
        return self.answer


def test_what_is_shared_is_made_once_in_each_thread() -> None:
    made: list[Any] = []
    other = threading.Thread(target=lambda: made.append(shared("a thing", object)))

    first, again = shared("a thing", object), shared("a thing", object)
    other.start()
    other.join()

    assert first is again
    assert made[0] is not first


def test_a_solver_is_asked_as_it_is_where_no_model_is_in_the_constraint() -> None:
    inner = Recorded(Unsat(()))
    constraint = PathConstraint((), integers.lt(X, int_const(5)))

    answer = Hopeful(inner).solve(constraint, {"x": 9})

    assert hopes_of(constraint) == {}
    assert inner.asked == [constraint]
    assert answer == Unsat(())


def test_a_product_of_unknowns_is_replaced_by_its_value_in_the_run() -> None:
    goal = integers.eq(integers.mul(X, Y), int_const(12))

    left = replaced(goal, {"x": 3, "y": 4}, beyond_linear, {})

    assert beyond_linear(integers.mul(X, Y))
    assert left.is_const


def test_a_function_that_only_evaluation_knows_is_tried_with_the_value_of_the_run() -> None:
    divisor = intern(GCD, (X, Y))
    constraint = PathConstraint((), integers.lt(divisor, integers.sub(X, int_const(3))))

    answer = Concretise(Arithmetic(seconds=5.0)).solve(constraint, {"x": 2, "y": 2})

    assert isinstance(answer, Sat)
    assert all_hold(constraint.conditions, answer.assignment)


def test_conditions_shared_with_the_last_query_stay_asserted() -> None:
    solver = Arithmetic(seconds=5.0)
    first = integers.lt(int_const(3), X)
    stack = solver._linear

    solver.solve(PathConstraint((first,), integers.lt(X, int_const(9))), {"x": 0})
    solver.solve(PathConstraint((first,), integers.lt(X, int_const(5))), {"x": 0})

    assert isinstance(stack, stacked.Stacked)
    assert stack._stack[0] is first


@pytest.mark.parametrize(
    ("goal", "is_sat"),
    [
        (integers.eq(integers.mul(X, X), int_const(49)), True),
        (integers.eq(integers.mul(X, X), int_const(-1)), False),
        (integers.eq(integers.bitand(X, int_const(6)), int_const(9)), False),
    ],
)
def test_z3_alone_decides_products_and_bits(goal: Term, is_sat: bool) -> None:
    answer = Z3(seconds=5.0).solve(PathConstraint((), goal), {"x": 0})

    assert isinstance(answer, Sat) == is_sat
    assert not isinstance(answer, Unknown)


def test_a_condition_is_lowered_once() -> None:
    lowering = ArithmeticLowering(Context())
    condition = integers.lt(X, integers.add(Y, int_const(3)))

    first, narrowed = lowering.condition(condition)
    again, _ = lowering.condition(condition)

    assert first is again
    assert not narrowed


def test_integers_that_doubles_hold_exactly_end_where_their_mantissa_does() -> None:
    assert float(rounded.EXACT_BELOW) == rounded.EXACT_BELOW
    assert float(rounded.EXACT_BELOW + 1) != rounded.EXACT_BELOW + 1
    assert 2**bits.EXACT_BITS == rounded.EXACT_BELOW
    assert list(widths.WIDTHS) == sorted(widths.WIDTHS)
