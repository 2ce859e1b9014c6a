"""Whatever the walks answer is true: properties over generated constraints."""

import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.solve.building import add, between, call, eq, le, lt, mul, sub

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Sat, Unsat
from symcrete.solve.walk.paper import PaperWalk
from symcrete.solve.walk.walk import Walk
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import conjoin, disjoin, negate, same_truth
from symcrete.terms.term import Sort, const, var

TYPES = {"x": int, "y": int, "u": float, "v": float, "p": bool}
SORTS = {int: Sort.INT, float: Sort.FLOAT, bool: Sort.BOOL}
VARIABLES = {name: var(name, SORTS[kind]) for name, kind in TYPES.items()}
SMALL = st.integers(-20, 20)
DOUBLES = st.floats(-1e3, 1e3) | st.sampled_from([0.1, 1e300, 5e-324, -0.0])

quickly = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def numbers(sort, leaves):
    names = [VARIABLES[n] for n, kind in TYPES.items() if SORTS[kind] is sort]
    functions = [math.sin, math.sqrt] if sort is Sort.FLOAT else [math.isqrt, abs]
    return st.recursive(
        st.sampled_from(names) | leaves.map(const),
        lambda inner: st.one_of(
            st.builds(add, inner, inner),
            st.builds(sub, inner, inner),
            st.builds(mul, inner, inner),
            st.builds(lambda f, a: call(f, sort, a), st.sampled_from(functions), inner),
        ),
        max_leaves=5,
    )


def compared(values):
    return st.builds(lambda how, a, b: how(a, b), st.sampled_from([lt, le, eq]), values, values)


atoms = compared(numbers(Sort.INT, SMALL)) | compared(numbers(Sort.FLOAT, DOUBLES))
conditions = st.recursive(
    atoms | st.just(VARIABLES["p"]),
    lambda inner: st.one_of(
        inner.map(negate),
        st.builds(lambda a, b: conjoin([a, b]), inner, inner),
        st.builds(lambda a, b: disjoin([a, b]), inner, inner),
        st.builds(same_truth, inner, inner),
    ),
    max_leaves=4,
)
assignments = st.fixed_dictionaries(
    {"x": SMALL, "y": SMALL, "u": DOUBLES, "v": DOUBLES, "p": st.booleans()}
)
paths = st.lists(conditions, min_size=1, max_size=4).map(
    lambda c: PathConstraint(tuple(c[:-1]), c[-1])
)


def assert_true(answer, constraint, near, witness):
    if isinstance(answer, Sat):
        assert all_hold(constraint.conditions, answer.assignment)
        assert answer.assignment.keys() == near.keys()
        assert {name: type(value) for name, value in answer.assignment.items()} == TYPES
    if isinstance(answer, Unsat):
        assert not all_hold(constraint.conditions, witness)
        assert set(answer.core) <= set(constraint.conditions)


@quickly
@given(paths, assignments, assignments)
def test_the_walk_is_sound(constraint, near, witness):
    answer = Walk(points=600, seconds=20).solve(constraint, near)

    assert_true(answer, constraint, near, witness)


@quickly
@given(paths, assignments, assignments)
def test_the_papers_walk_is_sound(constraint, near, witness):
    answer = PaperWalk(steps=6, seconds=20).solve(constraint, near)

    assert_true(answer, constraint, near, witness)


linear_sums = st.builds(
    lambda a, b, c: add(add(mul(VARIABLES["x"], a), mul(VARIABLES["y"], b)), c), SMALL, SMALL, SMALL
)
linear_paths = st.lists(compared(linear_sums), min_size=2, max_size=6)


@quickly
@given(linear_paths)
def test_linear_integer_constraints_are_always_decided(found):
    box = [*between(-9, VARIABLES["x"], 9), *between(-9, VARIABLES["y"], 9)]
    constraint = PathConstraint((*found, *box[:-1]), box[-1])
    square = [{"x": x, "y": y} for x in range(-9, 10) for y in range(-9, 10)]
    has_solution = any(all_hold(constraint.conditions, point) for point in square)

    answer = Walk().solve(constraint, {})

    assert isinstance(answer, Sat if has_solution else Unsat)


float_sums = st.builds(
    lambda a, u, b, v: add(mul(u, a), mul(v, b)),
    DOUBLES.map(const),
    st.sampled_from([VARIABLES["u"], VARIABLES["v"]]),
    DOUBLES.map(const),
    st.sampled_from([VARIABLES["u"], VARIABLES["v"]]),
)
any_double = st.floats() | DOUBLES


@quickly
@given(
    st.lists(
        compared(float_sums | st.sampled_from([VARIABLES["u"], VARIABLES["v"]])),
        min_size=1,
        max_size=4,
    ),
    any_double,
    any_double,
)
def test_linear_conditions_that_doubles_satisfy_are_never_refuted(found, u, v):
    witness = {"u": u, "v": v}
    true_at_witness = tuple(c if all_hold([c], witness) else negate(c) for c in found)

    answer = Walk(points=300, seconds=20).solve(
        PathConstraint(true_at_witness[:-1], true_at_witness[-1]), {}
    )

    assert not isinstance(answer, Unsat)
