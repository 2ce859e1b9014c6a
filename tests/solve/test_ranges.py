"""What is said of the results of opaque functions is true, and enough for proofs."""

import inspect
import math
import random

import pytest
from tests.solve.building import call, lt

from symcrete.constraint.path import PathConstraint
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat, Unsat
from symcrete.solve.wrappers.opaque_ranges import RANGES, facts
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import Sort, const, var

U = var("u", Sort.FLOAT)
ODD = [0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e300, -1e300, math.inf, -math.inf, math.nan, math.pi]


def arguments_of(function, chance):
    count = {math.atan2: 2, math.hypot: 2, math.dist: 2}.get(function, 1)
    numbers = [
        chance.choice(ODD)
        if chance.random() < 0.3
        else chance.uniform(-1, 1) * 2.0 ** chance.randint(-60, 60)
        for _ in range(count)
    ]
    return [[number] for number in numbers] if function is math.dist else numbers


@pytest.mark.parametrize("function", RANGES, ids=lambda function: function.__name__)
def test_results_lie_where_they_are_said_to(function):
    chance = random.Random(1)
    low, high = RANGES[function]
    assert inspect.isbuiltin(function)

    for _ in range(20_000):
        try:
            result = function(*arguments_of(function, chance))
        except (ValueError, OverflowError):
            continue
        assert result != result or low is None or result >= low
        assert result != result or high is None or result <= high


def test_a_result_out_of_range_is_proved_impossible():
    goal = lt(const(1.5), call(math.sin, Sort.FLOAT, U))

    answer = make_solver("auto").solve(PathConstraint((lt(const(0.0), U),), goal), {"u": 1.0})

    assert isinstance(answer, Unsat)
    assert set(answer.core) <= {goal, lt(const(0.0), U)}


def test_what_can_be_is_not_refuted():
    goal = lt(const(0.999), call(math.sin, Sort.FLOAT, U))

    answer = make_solver("auto").solve(PathConstraint((), goal), {"u": 0.0})

    assert isinstance(answer, Sat)


def test_the_facts_hold_for_every_number():
    (fact,) = facts(PathConstraint((), lt(const(0.5), call(math.atan, Sort.FLOAT, U))))

    assert all(all_hold([fact], {"u": number}) for number in ODD)
