from __future__ import annotations

import json
import math

import pytest

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.record import Unreadable, read, written
from symcrete.terms import floats, integers, logic, texts
from symcrete.terms.operations import MODELLED, opaque
from symcrete.terms.term import Sort, const, forget, int_const, intern, var
from symcrete.terms.visit import postorder

N, U, P = var("n", Sort.INT), var("u", Sort.FLOAT), var("p", Sort.BOOL)


@pytest.fixture(autouse=True)
def _terms_of_now() -> None:
    """An exploration in the same process forgets all terms: the same ones are those made since."""
    global N, U, P
    N, U, P = var("n", Sort.INT), var("u", Sort.FLOAT), var("p", Sort.BOOL)


def round_trip(constraint: PathConstraint, near: dict) -> tuple[PathConstraint, dict]:
    return read(json.loads(json.dumps(written(constraint, near))))


def test_a_constraint_comes_back_as_the_same_terms():
    sine = intern(opaque(math.sin, Sort.FLOAT), (U,))
    big = integers.add(integers.mul(N, N), int_const(10**5000 + 7))
    prefix = (
        integers.le(integers.mod(N, int_const(-7)), int_const(3)),
        floats.lt(sine, const(0.1)),
        logic.choose(P, integers.lt(N, int_const(4)), integers.eq(big, N)),
        integers.eq(logic.choose(P, N, int_const(3)), int_const(9)),
        floats.le(const(-0.0), floats.mul(U, const(math.inf))),
    )
    constraint = PathConstraint(prefix, floats.is_nan(floats.sqrt(U)))

    again, _ = round_trip(constraint, {})

    assert again.goal is constraint.goal
    assert all(one is two for one, two in zip(again.prefix, prefix, strict=True))


def test_every_value_of_the_near_input_survives():
    near = {"n": -(10**4500), "u": -0.0, "v": math.inf, "w": 5e-324, "p": True}

    _, again = round_trip(PathConstraint((), P), near)

    assert again == near
    assert math.copysign(1, again["u"]) == -1
    assert [type(value) for value in again.values()] == [type(value) for value in near.values()]


def test_nan_survives():
    _, again = round_trip(PathConstraint((), P), {"u": math.nan})

    assert math.isnan(again["u"])


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"nodes": [], "conditions": [3], "near": {}},
        {"nodes": [["no such operation"]], "conditions": [0], "near": {}},
        {"nodes": [["opaque", "no.such:f", "f", "int"]], "conditions": [0], "near": {}},
        {"nodes": [["var", "x", "colour"]], "conditions": [0], "near": {}},
        {"nodes": [["var", "x", "bool"]], "conditions": [0], "near": {"x": {"repr": "object()"}}},
    ],
)
def test_a_line_that_holds_no_constraint_is_refused(line: dict):
    with pytest.raises(Unreadable):
        read(line)


def test_a_modelled_term_keeps_its_sort_and_its_parts():
    exact = intern(opaque(math.gcd, Sort.INT), (N, int_const(12)))
    made = texts.modelled(exact, N, integers.le(N, int_const(3)))
    constraint = PathConstraint((), integers.lt(made, int_const(2)))

    again, _ = round_trip(constraint, {})

    assert again.goal is constraint.goal


def test_a_modelled_term_that_is_read_back_weighs_what_it_did():
    exact = intern(opaque(math.gcd, Sort.INT), (N, int_const(12)))
    made = texts.modelled(exact, integers.mul(N, integers.mul(N, N)), integers.le(N, int_const(3)))
    constraint = PathConstraint((), integers.lt(made, int_const(2)))
    line = json.loads(json.dumps(written(constraint, {})))
    weight = made.size, made.depth

    forget()
    again, _ = read(line)

    found = next(node for node in postorder([again.goal]) if node.op is MODELLED)
    assert found is not made
    assert (found.size, found.depth) == weight == (exact.size + 1, exact.depth + 1)
