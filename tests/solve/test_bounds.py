from __future__ import annotations

import math
import random

from symcrete.constraint.path import PathConstraint
from symcrete.solve.direct.contradictions import bound, contradiction
from symcrete.solve.solver import Unsat
from symcrete.terms import floats
from symcrete.terms.evaluate import all_hold, holds
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, const, var

U, V = var("u", Sort.FLOAT), var("v", Sort.FLOAT)
VALUES = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, math.inf, -math.inf, math.nan]


def comparisons(source: random.Random) -> Term:
    value = const(source.choice(VALUES))
    build = source.choice([floats.lt, floats.le, floats.eq])
    made = build(U, value) if source.random() < 0.5 else build(value, U)
    return negate(made) if source.random() < 0.5 else made


def test_a_bound_holds_whatever_satisfies_its_condition():
    source = random.Random(1)
    for _ in range(1000):
        condition = comparisons(source)
        found = bound(condition)
        for value in VALUES:
            if found is not None and holds(condition, {"u": value}):
                inside = found.low <= value <= found.high
                assert inside or (found.or_nan and math.isnan(value)), condition


def test_comparisons_of_one_double_that_exclude_each_other_are_a_proof():
    total = floats.add(U, V)
    held, goal = floats.lt(total, const(100.0)), floats.lt(const(250.0), total)

    found = contradiction(PathConstraint((floats.lt(U, V), held), goal))

    assert found == Unsat((held, goal))


def test_nan_is_excluded_only_by_a_comparison_that_is_true():
    not_below, not_above = negate(floats.lt(U, const(5.0))), negate(floats.lt(const(3.0), U))

    assert contradiction(PathConstraint((not_above,), not_below)) is None  # nan is neither
    below = floats.lt(U, const(4.0))
    assert contradiction(PathConstraint((below,), not_below)) == Unsat((below, not_below))


def test_nothing_that_has_a_solution_is_refuted():
    source = random.Random(2)
    for _ in range(2000):
        prefix = tuple(comparisons(source) for _ in range(source.randint(1, 4)))
        constraint = PathConstraint(prefix, comparisons(source))
        if contradiction(constraint) is not None:
            assert not any(all_hold(constraint.conditions, {"u": value}) for value in VALUES)


def test_a_goal_that_the_path_denies_outright_is_refuted():
    held = negate(floats.eq(floats.mul(U, V), V))

    for goal in (held, negate(held)):
        constraint = PathConstraint((floats.lt(U, V), negate(goal)), goal)
        assert contradiction(constraint) == Unsat((negate(goal), goal))
    assert contradiction(PathConstraint((floats.lt(U, V), held), held)) is None
