from __future__ import annotations

import random

import pytest

from symcrete.constraint.cost import DEFAULT, KINDS, Observation, Weights, cost, fit
from symcrete.constraint.path import PathConstraint
from symcrete.terms import floats, integers
from symcrete.terms.term import Sort, const, int_const, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
U, V = var("u", Sort.FLOAT), var("v", Sort.FLOAT)


def linear(count: int) -> PathConstraint:
    conditions = [integers.lt(int_const(i), X) for i in range(count)]
    return PathConstraint(tuple(conditions[:-1]), conditions[-1])


def test_more_conditions_cost_more():
    assert 0 < cost(linear(1)) < cost(linear(10)) < cost(linear(1000))


def test_what_solvers_find_hard_costs_more():
    remainder = PathConstraint((), integers.eq(integers.mod(X, int_const(7)), int_const(3)))
    product = PathConstraint((), integers.eq(integers.mul(X, Y), int_const(35)))
    double = PathConstraint((), floats.lt(floats.mul(floats.add(U, V), V), const(0.5)))

    assert cost(linear(1)) < cost(remainder) < cost(product)
    assert cost(linear(1)) < cost(double)


def test_a_shared_node_is_paid_once():
    product = integers.mul(X, Y)
    once = PathConstraint((), integers.lt(product, int_const(3)))
    twice = PathConstraint((), integers.lt(integers.mod(product, product), int_const(3)))

    weights = Weights(tuple(1.0 if kind == "product" else 0.0 for kind in KINDS))

    assert weights.cost(once) == 1
    assert weights.cost(twice) == 2


def test_fitting_finds_the_weights_that_made_the_costs():
    source = random.Random(2)
    real = Weights(tuple(source.uniform(0.001, 0.01) for _ in KINDS))
    observations = []
    for _ in range(400):
        conditions = [integers.lt(int_const(i), X) for i in range(source.randint(1, 30))]
        for _ in range(source.randint(0, 4)):
            conditions.append(integers.lt(integers.mul(X, Y), int_const(source.randint(0, 99))))
        for _ in range(source.randint(0, 4)):
            conditions.append(floats.lt(floats.add(U, V), const(source.random())))
        constraint = PathConstraint(tuple(conditions[:-1]), conditions[-1])
        noise = source.uniform(0.95, 1.05)
        observations.append(Observation(constraint, real.cost(constraint) * noise))

    found = fit(observations)

    place = KINDS.index("product")
    assert found.seconds[place] == pytest.approx(real.seconds[place], rel=0.25)
    mean = sum(found.cost(each.constraint) for each in observations)
    assert mean == pytest.approx(sum(each.seconds for each in observations), rel=0.1)


def test_no_weight_is_negative():
    assert min(DEFAULT.seconds) >= 0
    assert len(DEFAULT.seconds) == len(KINDS)
