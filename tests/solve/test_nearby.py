from __future__ import annotations

import math
import random

import pytest
from tests.contracts.corpus import recorded

from symcrete.constraint.path import PathConstraint
from symcrete.solve.direct.invert import MOST_WAYS_DOWN, candidates
from symcrete.solve.direct.one_change import nearby
from symcrete.solve.solver import Sat, Unsat
from symcrete.terms import floats, integers, logic
from symcrete.terms.evaluate import all_hold, evaluate, holds
from symcrete.terms.operations import FADD, FMUL, opaque
from symcrete.terms.term import Sort, Term, const, int_const, intern, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
U = var("u", Sort.FLOAT)
P = var("p", Sort.BOOL)


def n(value: int) -> Term:
    return int_const(value)


def test_a_variable_moves_to_the_nearest_value_the_goal_allows():
    near = {"x": 3, "y": 0}

    assert nearby(PathConstraint((), integers.lt(n(10), X)), near) == Sat({"x": 11, "y": 0})
    assert nearby(PathConstraint((), integers.le(X, n(-4))), near) == Sat({"x": -4, "y": 0})
    assert nearby(PathConstraint((), integers.eq(X, n(47))), near) == Sat({"x": 47, "y": 0})
    goal = logic.negate(integers.eq(X, n(3)))
    assert nearby(PathConstraint((), goal), near) == Sat({"x": 4, "y": 0})


def test_the_other_variable_moves_where_the_first_is_held():
    prefix = (integers.le(X, n(3)),)

    found = nearby(PathConstraint(prefix, integers.lt(Y, X)), {"x": 3, "y": 8})

    assert found == Sat({"x": 3, "y": 2})


def test_values_a_condition_excludes_are_stepped_over():
    prefix = tuple(logic.negate(integers.eq(X, n(value))) for value in (11, 12, 13))

    found = nearby(PathConstraint(prefix, integers.lt(n(10), X)), {"x": 3})

    assert found == Sat({"x": 14})


def test_two_bounds_on_the_same_sum_that_exclude_each_other_are_a_proof():
    total = integers.sub(X, Y)
    held, goal = integers.le(total, n(3)), integers.lt(n(7), total)

    found = nearby(PathConstraint((integers.le(Y, n(50)), held), goal), {"x": 3, "y": 0})

    assert isinstance(found, Unsat)
    assert set(found.core) == {held, goal}


def test_an_empty_interval_of_the_only_variable_is_a_proof():
    prefix = (integers.le(n(3), X), logic.negate(integers.eq(X, n(3))))
    goal = integers.le(X, n(3))

    found = nearby(PathConstraint(prefix, goal), {"x": 9})

    assert isinstance(found, Unsat)
    assert set(found.core) == {*prefix, goal}


def test_an_empty_interval_beside_other_variables_is_no_proof():
    prefix = (integers.lt(X, Y),)
    goal = integers.lt(n(90), X)

    assert nearby(PathConstraint(prefix, goal), {"x": 1, "y": 2}) is None


@pytest.mark.parametrize("theory", ["linear", "loops", "text", "products", "bits", "mixed"])
def test_whatever_is_answered_holds_or_is_unsatisfiable(theory: str):
    source = random.Random(theory)
    answered = 0
    for asked in recorded(theory, 150, seed=7):
        found = nearby(asked.constraint, asked.near)
        conditions = asked.constraint.conditions
        answered += found is not None
        if isinstance(found, Sat):
            assert all_hold(conditions, found.assignment)
        elif isinstance(found, Unsat):
            for _ in range(200):
                other = {name: source.randint(-300, 300) for name in asked.near}
                assert not all_hold(found.core, other)
    assert answered > 40


INVERTIBLE: list[tuple[Term, dict]] = [
    (integers.eq(integers.mod(X, n(7)), n(3)), {"x": 100}),
    (integers.eq(integers.mod(integers.add(integers.scale(X, 3), n(1)), n(8)), n(0)), {"x": 2}),
    (integers.eq(integers.mul(X, X), n(144)), {"x": 1}),
    (integers.eq(integers.mul(X, Y), n(91)), {"x": 1, "y": 7}),
    (integers.lt(n(1000), integers.mul(X, X)), {"x": 1}),
    (integers.eq(integers.floordiv(X, n(10)), n(-3)), {"x": 0}),
    (integers.eq(integers.bitxor(X, n(0x55)), n(0x1234)), {"x": 0}),
    (integers.eq(integers.bitand(X, n(0xF0)), n(0x50)), {"x": 3}),
    (integers.eq(integers.bitor(X, n(8)), n(13)), {"x": 0}),
    (integers.eq(integers.absolute(X), n(12)), {"x": -1}),
    (integers.eq(integers.bit_length(X), n(9)), {"x": 0}),
    (integers.eq(integers.lshift(n(1), X), n(1024)), {"x": 0}),
    (integers.eq(integers.power(X, n(9)), n(512)), {"x": 0}),
    (integers.eq(floats.floor(U), n(7)), {"u": 0.5}),
    (floats.lt(U, const(-1.5)), {"u": 0.0}),
    (floats.eq(intern(FADD, (U, const(0.1))), const(0.3)), {"u": 0.0}),
    (floats.eq(floats.div(U, const(10.0)), const(0.7)), {"u": 9.0}),
    (floats.eq(intern(FMUL, (U, const(0.1))), const(0.7)), {"u": 0.0}),
    (floats.lt(X, U), {"x": 10, "u": 2.5}),
    (floats.eq(floats.sqrt(U), const(1.5)), {"u": 1.0}),
    (floats.is_nan(U), {"u": 1.0}),
    (floats.is_inf(floats.neg(U)), {"u": 1.0}),
    (logic.conjoin([P, integers.lt(n(5), X)]), {"p": True, "x": 0}),
    (logic.disjoin([P, integers.lt(n(5), X)]), {"p": False, "x": 0}),
    (integers.eq(logic.choose(P, X, integers.add(X, n(1))), n(6)), {"p": False, "x": 0}),
]


@pytest.mark.parametrize(("goal", "near"), INVERTIBLE)
def test_a_goal_that_is_not_linear_is_computed_backwards(goal: Term, near: dict):
    assert not holds(goal, near)

    found = nearby(PathConstraint((), goal), near)

    assert isinstance(found, Sat)
    assert holds(goal, found.assignment)


def test_no_candidate_twice():
    goal = integers.eq(integers.mod(X, n(7)), n(3))
    found = list(candidates(goal, "x", {"x": 3}))

    assert len(found) == len(set(found))


def test_a_function_nobody_can_invert_is_tried_with_plain_values():
    cosine = intern(opaque(math.cos, Sort.FLOAT), (U,))
    goal = floats.lt(cosine, const(-0.5))

    found = nearby(PathConstraint((), goal), {"u": 0.0})

    assert isinstance(found, Sat)
    assert evaluate(cosine, found.assignment) < -0.5


def test_a_number_halved_thirty_times_is_not_tried_for_ever():
    """`while n: n //= 2` gave twice as many values with every turn, and no budget ended that."""
    half = X
    for _ in range(30):
        half = integers.floordiv(half, n(2))

    found = list(candidates(integers.eq(half, n(3)), "x", {"x": 0}))

    assert len(found) < 1000
    assert any(value >> 30 == 3 for value in found)


def test_ways_down_that_double_with_every_turn_are_not_all_gone() -> None:
    """`n += n // 2` has two ways down to n with every turn, and most of them lead nowhere."""
    term: Term = X
    for _ in range(30):
        term = integers.add(term, integers.floordiv(term, n(2)))
    goal = integers.eq(term, n(3))

    assert len(list(candidates(goal, "x", {"x": 1000}))) < MOST_WAYS_DOWN


def test_a_goal_that_the_old_input_meets_already_is_not_refuted() -> None:
    three = (integers.le(X, int_const(3)), integers.le(int_const(3), X))

    answer = nearby(PathConstraint(three, logic.negate(integers.eq(X, int_const(5)))), {"x": 3})

    assert answer == Sat({"x": 3})
