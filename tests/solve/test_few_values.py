"""Constraints over inputs of which there are few."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.direct.few_values import EVALUATED_AT_ONCE, FewValues, domains
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.terms import floats, integers, logic
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.operations import opaque
from symcrete.terms.term import Operation, Sort, Term, const, int_const, intern, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
P, Q = var("p", Sort.BOOL), var("q", Sort.BOOL)
GCD = opaque(math.gcd, Sort.INT)


class GaveUp:
    """A solver that never knows."""

    def __init__(self) -> None:
        self.asked = 0

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.asked += 1
        return Unknown("gave up")


def within(term: Term, low: int, high: int) -> tuple[Term, Term]:
    return integers.le(int_const(low), term), integers.le(term, int_const(high))


def answered(constraint: PathConstraint, near: Assignment) -> Answer:
    return FewValues(GaveUp(), Counts()).solve(constraint, near)


def test_a_function_that_no_solver_knows_is_decided_by_trying_all_inputs() -> None:
    gcd = intern(GCD, (X, int_const(4)))
    prefix = within(X, 0, 7)

    assert answered(PathConstraint(prefix, integers.eq(gcd, int_const(2))), {"x": 5}) in (
        Sat({"x": 2}),
        Sat({"x": 6}),
    )
    assert isinstance(
        answered(PathConstraint(prefix, integers.eq(gcd, int_const(3))), {"x": 5}), Unsat
    )


def test_the_answer_keeps_what_the_last_run_had_where_it_can() -> None:
    prefix = (*within(X, 0, 3), *within(Y, 0, 3))
    goal = integers.le(int_const(4), integers.add(X, Y))

    assert answered(PathConstraint(prefix, goal), {"x": 3, "y": 0, "z": 9}) == Sat(
        {"x": 3, "y": 1, "z": 9}
    )


def test_many_inputs_are_left_to_the_solver_and_tried_where_it_gives_up() -> None:
    inner = GaveUp()
    prefix = within(X, 0, 10 * EVALUATED_AT_ONCE)
    gcd = intern(GCD, (X, int_const(1000)))

    solver = FewValues(inner, Counts())
    found = solver.solve(PathConstraint(prefix, integers.eq(gcd, int_const(125))), {"x": 0})

    assert inner.asked == 1
    assert isinstance(found, Sat) and math.gcd(found.assignment["x"], 1000) == 125


@pytest.mark.parametrize(
    "conditions",
    [
        (integers.le(int_const(0), X),),  # no greatest value
        (*within(X, 0, 3), floats.lt(const(0.0), var("u", Sort.FLOAT))),
        within(X, 0, 10**9),
    ],
    ids=["half open", "a double", "too many"],
)
def test_inputs_without_an_end_are_nobodys_proof(conditions: tuple[Term, ...]) -> None:
    goal = integers.eq(intern(GCD, (X, int_const(7))), int_const(-1))

    assert domains(PathConstraint(conditions, goal), 20_000) is None


def test_an_input_whose_condition_cannot_be_computed_is_no_part_of_a_proof() -> None:
    def only_even(number: int) -> int:
        if number % 2:
            raise ValueError
        return 0

    term = intern(Operation("only_even", Sort.INT, only_even, "", opaque=True), (X,))
    goal = integers.eq(term, int_const(1))

    assert isinstance(answered(PathConstraint(within(X, 0, 3), goal), {"x": 0}), Unknown)
    ruled_out = PathConstraint((*within(X, 0, 0), integers.le(X, int_const(0))), goal)
    assert isinstance(answered(ruled_out, {"x": 0}), Unsat)


@pytest.mark.parametrize("seed", range(30))
def test_the_answer_is_that_of_trying_everything_by_hand(seed: int) -> None:
    chance = random.Random(seed)
    low, high = chance.randint(-3, 0), chance.randint(0, 3)
    prefix = (*within(X, low, high), *within(Y, -1, 2), logic.disjoin([P, Q]))
    total = integers.add(integers.mul(X, Y), logic.choose(P, Y, int_const(chance.randint(-2, 2))))
    goal = integers.eq(total, int_const(chance.randint(-9, 9)))
    constraint = PathConstraint(prefix, goal)
    points = itertools.product(range(low, high + 1), range(-1, 3), (False, True), (False, True))

    found = answered(constraint, {"x": 0, "y": 0, "p": False, "q": False})

    by_hand = [
        dict(zip("xypq", point, strict=True))
        for point in points
        if all_hold(constraint.conditions, dict(zip("xypq", point, strict=True)))
    ]
    assert isinstance(found, Sat) == bool(by_hand)
    assert isinstance(found, Unsat) or (isinstance(found, Sat) and found.assignment in by_hand)


def test_more_values_than_a_length_can_count_are_too_many() -> None:
    x = var("x", Sort.INT)
    lower, upper = within(x, -(2**80), 2**80)

    assert domains(PathConstraint((lower,), upper), 1000) is None
