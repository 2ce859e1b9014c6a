from __future__ import annotations

import random

from symcrete.constraint.form import AT_LEAST, AT_MOST, DIFFERENT, EQUAL, form, interval, ranges
from symcrete.terms.evaluate import holds
from symcrete.terms.integers import add, eq, le, lt, mul, scale, sub
from symcrete.terms.logic import disjoin, negate
from symcrete.terms.term import Sort, Term, int_const, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
_RELATIONS = {
    AT_MOST: lambda total, bound: total <= bound,
    AT_LEAST: lambda total, bound: total >= bound,
    EQUAL: lambda total, bound: total == bound,
    DIFFERENT: lambda total, bound: total != bound,
}


def random_condition(source: random.Random) -> Term:
    left = add(scale(X, source.randint(-5, 5)), scale(Y, source.randint(-5, 5)))
    right = int_const(source.randint(-20, 20))
    made = source.choice([le, lt, eq])(left, right)
    return negate(made) if source.random() < 0.5 else made


def test_a_form_means_what_its_condition_means():
    source = random.Random(1)
    for _ in range(2000):
        condition = random_condition(source)
        if condition.is_const:
            continue
        shape = form(condition)
        assert shape is not None
        near = {"x": source.randint(-30, 30), "y": source.randint(-30, 30)}
        total = sum(factor * near[name] for name, factor in shape.pairs)

        assert _RELATIONS[shape.relation](total, shape.bound) == holds(condition, near)


def test_what_is_not_linear_has_no_form():
    assert form(le(mul(X, Y), int_const(3))) is None
    assert form(disjoin([le(X, Y), le(Y, int_const(3))])) is None
    assert form(var("p", Sort.BOOL)) is None


def test_an_interval_holds_exactly_the_solutions():
    for relation, test in _RELATIONS.items():
        for factor in (-7, -2, -1, 1, 3, 8):
            for bound in range(-20, 21):
                low, high = interval(relation, bound, factor)
                for value in range(-25, 26):
                    inside = (low is None or low <= value) and (high is None or value <= high)
                    expected = test(factor * value, bound) or relation == DIFFERENT
                    assert inside == expected


def test_ranges_are_the_tightest_bounds_on_single_inputs():
    conditions = [
        le(int_const(3), X),
        le(int_const(5), X),
        lt(X, int_const(90)),
        le(sub(X, Y), int_const(1)),
        negate(eq(X, int_const(50))),
        le(scale(Y, 2), int_const(9)),
    ]

    assert ranges(conditions) == {"x": (5, 89), "y": (None, 4)}
