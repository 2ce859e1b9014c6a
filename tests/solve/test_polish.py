from __future__ import annotations

import random

from symcrete.solve.wrappers.plainer import polish
from symcrete.terms import floats, integers, logic
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import Sort, Term, const, int_const, var

X, Y, U = var("x", Sort.INT), var("y", Sort.INT), var("u", Sort.FLOAT)


def n(value: int) -> Term:
    return int_const(value)


def test_a_variable_the_conditions_leave_free_goes_back_to_its_value():
    conditions = (integers.lt(n(7), X),)

    assert polish(conditions, {"x": 500, "y": -3}, {"x": 1, "y": 4}) == {"x": 8, "y": 4}


def test_one_variable_makes_room_for_another():
    conditions = (integers.le(X, integers.add(Y, n(63))),)

    assert polish(conditions, {"x": 0, "y": -63}, {"x": 101, "y": 37}) == {"x": 100, "y": 37}


def test_an_equation_holds_its_variables_in_place():
    conditions = (integers.eq(X, n(47)),)

    assert polish(conditions, {"x": 47}, {"x": 3}) == {"x": 47}


def test_excluded_values_are_stepped_over():
    conditions = (integers.lt(n(7), X), logic.negate(integers.eq(X, n(8))))

    assert polish(conditions, {"x": 50}, {"x": 1}) == {"x": 9}


def test_doubles_become_plain_where_they_may():
    conditions = (floats.lt(const(0.5), U), floats.lt(U, const(40.0)))

    assert polish(conditions, {"u": 17.123456789}, {"u": 0.25}) == {"u": 1.0}


def test_an_input_found_is_not_changed():
    found = {"x": 500}

    polish((integers.lt(n(7), X),), found, {"x": 1})

    assert found == {"x": 500}


def test_what_held_still_holds():
    source = random.Random(3)
    for _ in range(500):
        answer = {"x": source.randint(-50, 50), "y": source.randint(-50, 50)}
        near = {"x": source.randint(-50, 50), "y": source.randint(-50, 50)}
        conditions = []
        for _ in range(source.randint(1, 6)):
            left = integers.add(integers.scale(X, source.randint(-3, 3)), Y)
            if source.random() < 0.2:
                left = integers.mul(left, X)
            test = source.choice([integers.le, integers.lt, integers.eq])(
                left, n(source.randint(-60, 60))
            )
            conditions.append(test if all_hold([test], answer) else logic.negate(test))

        assert all_hold(conditions, polish(tuple(conditions), answer, near))


def test_a_character_that_an_answer_lacks_is_no_reason_to_fail():
    conditions = (integers.le(X, integers.add(Y, n(63))),)

    assert polish(conditions, {"x": 5}, {"x": 1}) == {"x": 5}
