"""The linear part: points that satisfy it, and contradictions that rounding cannot undo."""

import math

import pytest
from tests.solve.building import add, doubles, eq, ints, le, lt, mul, ne, path, sub, truths

from symcrete.solve.solver import Sat, Unsat
from symcrete.solve.walk.problem import variables
from symcrete.solve.walk.terrain.goal import goal_of
from symcrete.solve.walk.terrain.linear_sums import Form, form, is_linear
from symcrete.solve.walk.terrain.polytope import Polytope
from symcrete.solve.walk.walk import Walk
from symcrete.terms import floats
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import disjoin, negate, same_truth
from symcrete.terms.term import Term, const

x, y, z = ints("x y z")
u, v, w = doubles("u v w")
p, q = truths("p q")
NEXT = math.nextafter(1.0, 2.0)


def polytope(*conditions):
    return Polytope([(goal_of(c), c) for c in conditions], variables(conditions))


def decided(*conditions):
    """The walk's answer to linear conditions, a solution checked."""
    answer = Walk(seconds=4).solve(path(*conditions), {})
    if isinstance(answer, Sat):
        assert all_hold(conditions, answer.assignment)
    return type(answer)


@pytest.mark.parametrize(
    "condition",
    [
        lt(x, 3),
        eq(add(mul(x, 3), y), 7),
        ne(u, v),
        lt(add(mul(u, 0.1), v), 3.0),
        negate(le(u, floats.neg(v))),
        disjoin([lt(x, 3), p]),
        same_truth(p, lt(u, 1.0)),
        lt(u, floats.to_float(x)),
        lt(floats.div(u, floats.as_float(const(3.0))), 1.0),
    ],
)
def test_sums_and_multiples_by_constants_are_linear(condition):
    assert is_linear(goal_of(condition))


@pytest.mark.parametrize(
    "condition",
    [
        lt(mul(x, y), 3),
        lt(mul(u, u), 3.0),
        lt(floats.sqrt(u), 3.0),
        lt(u, math.inf),
        disjoin([lt(x, 3), lt(mul(u, v), 1.0)]),
        lt(floats.div(const(1.0), u), 1.0),
    ],
)
def test_the_rest_is_not(condition):
    assert not is_linear(goal_of(condition))


def known(term: Term) -> Form:
    """The form of a term that has one."""
    found = form(term)
    assert found is not None
    return found


def test_a_form_knows_what_is_computed():
    assert known(u).is_bare
    assert not known(add(x, 3)).is_bare
    assert not known(add(x, 3)).is_rounded
    assert known(add(mul(u, 0.1), v)).is_rounded
    assert known(floats.to_float(x)).is_rounded


def test_a_point_keeps_what_it_can_of_near():
    near = {"x": 50, "y": 7, "z": -3}

    point = polytope(lt(x, 10), lt(y, 100), le(z, y)).point(near, seconds=2)

    assert point["x"] < 10
    assert (point["y"], point["z"]) == (7, -3)


def test_a_point_for_truths_and_alternatives():
    point = polytope(disjoin([p, lt(x, -5)]), negate(p), same_truth(p, q)).point({}, seconds=2)

    assert point["p"] is point["q"] is False
    assert point["x"] < -5


def test_a_core_names_conditions_that_contradict():
    answer = polytope(lt(x, 10), lt(y, 3), lt(4, y), lt(z, 10)).point({"x": 1}, seconds=2)

    assert isinstance(answer, Unsat)
    assert set(answer.core) == {lt(y, 3), lt(4, y)}


@pytest.mark.parametrize(
    "conditions",
    [
        [eq(add(u, 1.0), u)],  # absorbed
        [eq(add(u, v), u), lt(0.0, v)],
        [lt(sub(add(u, 1.0), u), 0.5)],
        [eq(mul(u, 0.5), u), ne(u, 0.0)],  # the smallest double, halved, rounds to 0 or stays
        [negate(lt(u, 1.0)), negate(le(1.0, u))],  # nan
        [ne(u, u)],
        [lt(mul(u, 3.0), u)],
        [eq(mul(u, 0.1), mul(u, 0.2)), ne(u, 0.0)],
        [eq(sub(u, v), 0.0), lt(sub(mul(u, 2.0), mul(v, 2.0)), 1.0), ne(w, w)],
        [ne(sub(u, u), 0.0)],
        [ne(mul(u, 0.0), 0.0)],
        [lt(1.7e308, u), lt(1.7e308, v), eq(add(u, v), mul(u, 2.0))],  # both infinite
        [eq(floats.to_float(x), floats.to_float(y)), lt(x, y)],  # above 2**53
    ],
    ids=lambda conditions: str(conditions),
)
def test_rounding_nan_and_overflow_are_not_proved_away(conditions):
    answer = Walk(seconds=0.5).solve(path(*conditions), {})

    assert not isinstance(answer, Unsat)


@pytest.mark.parametrize(
    "conditions",
    [
        [lt(1.0, u), lt(u, 1.0)],
        [lt(u, v), lt(v, w), lt(w, u)],
        [lt(1.0, u), lt(add(u, 1.0), 0.0)],
        [eq(w, add(u, 2.0)), lt(1.0, u), lt(w, 2.0)],
        [lt(3.0, add(u, v)), lt(u, 1.0), lt(v, 1.0)],
        [eq(add(mul(x, 2), mul(y, 4)), 7)],
        [p, negate(p)],
        [lt(x, 3), lt(2, x)],
        [lt(floats.to_float(x), 2.5), lt(2, x)],
        [lt(add(u, 1e308), v), lt(v, u)],
        [lt(mul(u, 3.0), u), lt(0.0, u)],
        [lt(add(mul(u, 0.1), v), 3.0), lt(4.0, v), lt(0.0, u)],
    ],
    ids=lambda conditions: str(conditions),
)
def test_real_contradictions_are_proved(conditions):
    assert decided(*conditions) is Unsat


def test_between_neighbouring_doubles_there_is_nothing():
    assert decided(lt(1.0, u), lt(u, NEXT)) is Unsat
    assert decided(lt(1.0, u), le(u, NEXT)) is Sat
    assert decided(le(1.0, u), lt(u, v), lt(v, w), lt(w, math.nextafter(NEXT, 2.0))) is Unsat
    assert decided(lt(0.0, u), lt(u, 5e-324)) is Unsat


def test_names_of_inputs_do_not_meet_the_names_of_labels():
    (goal0, near0, nan0) = truths("goal0 near0 nan0")
    (x0,) = ints("x0")

    assert decided(negate(goal0), near0, nan0, lt(3, x0), lt(u, 1.0)) is Sat
