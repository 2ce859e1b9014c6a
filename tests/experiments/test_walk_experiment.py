"""The walk's experiment reads formulas rightly, tests significance rightly and finds wrong answers."""

import math
import random

import pytest
from experiments.committed import FACTS
from experiments.formulas import conditions, divide, power
from experiments.mann_whitney import mann_whitney
from experiments.random_constraints import RandomConstraints
from experiments.subjects.symcretic.targets import TARGETS
from experiments.symcretic_forward import forward
from experiments.walk import read_sets
from experiments.walk_constants import TRIED, constants, halves
from experiments.walk_mixed import Mixed
from experiments.walk_programs import PROGRAMS, Cell, explored
from experiments.walk_steps import check_steps
from experiments.walk_variants import VARIANTS, published

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Sat, Unknown, Unsat
from symcrete.solve.walk import attempt
from symcrete.solve.walk.paper import PaperWalk
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import Sort

FLOATS = dict.fromkeys("xyz", Sort.FLOAT)


@pytest.mark.parametrize(
    ("text", "point", "truth"),
    [
        ("math.sin(x) + math.cos(y) > 1", {"x": 1.0, "y": 0.0}, True),
        ("math.sqrt(x) < 5 or math.sqrt(x) >= 5", {"x": -1.0}, False),
        ("math.sqrt(x) != math.sqrt(x)", {"x": -1.0}, True),
        ("x / y > 1e308", {"x": 1.0, "y": 0.0}, True),
        ("x / y < -1e308 and not x < 0", {"x": 1.0, "y": -0.0}, True),
        ("math.exp(x) > 1e308", {"x": 1e5}, True),
        ("math.pow(x, 2) + 3*math.sqrt(y) < x*y and x == -13 + y", {"x": 7.0, "y": 20.0}, True),
        ("math.pow(10, -0.5) * -x == y", {"x": 0.0, "y": 0.0}, True),
        ("math.pow(math.e, -x) <= 1", {"x": 0.0}, True),
    ],
)
def test_a_formula_means_what_java_makes_of_it(text, point, truth):
    assert all_hold(conditions(text, FLOATS), point) is truth


def test_a_conjunction_becomes_several_conditions_and_constants_are_computed():
    parts = conditions("x > 0 and y == x + 2 and math.sqrt(16) * x < math.pow(2, 3)", FLOATS)

    assert len(parts) == 3
    assert str(parts[2]) == "(4.0 * x) < 8.0"


def test_powers_and_quotients_never_raise():
    odd = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 1e300, -1e300, math.inf, -math.inf, math.nan]

    for a in odd:
        for b in odd:
            assert isinstance(divide(a, b), float)
            assert isinstance(power(a, b), float)
    assert math.isnan(power(-8.0, 1 / 3))
    assert power(-0.0, -1.0) == -math.inf
    assert power(-1e300, 3.0) == -math.inf


def test_the_significance_of_separate_and_of_equal_samples():
    assert mann_whitney(range(7), range(10, 17)) == pytest.approx(2 / 3432)
    assert mann_whitney([5] * 7, [5] * 7) == 1.0
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(0.1)
    assert mann_whitney([1, 2, 4], [3, 5, 6]) == pytest.approx(0.2)


def test_a_one_sided_test_asks_whether_the_second_sample_is_above_the_first():
    low, high = range(7), range(10, 17)

    assert mann_whitney(low, high, one_sided=True) == pytest.approx(1 / 3432)
    assert mann_whitney(high, low, one_sided=True) == 1.0
    assert mann_whitney(range(40), range(20, 60), one_sided=True) < 0.001


def test_mixed_solving_computes_what_is_not_linear_where_the_rest_is_solved():
    (*linear, cubic) = conditions(
        "y > 7 and x * x * x + y == 29", {"x": Sort.FLOAT, "y": Sort.FLOAT}
    )
    constraint = PathConstraint(tuple(linear), cubic)

    answer = Mixed(seed=1).solve(constraint, {"x": 0.0, "y": 0.0})

    assert isinstance(answer, Sat)
    assert answer.assignment["x"] == 0.0  # as in the solution of the linear part
    assert answer.assignment["y"] == 29.0


def test_mixed_solving_does_not_solve_for_what_it_computes():
    (product,) = conditions("x * x == 2.25", {"x": Sort.FLOAT})

    answer = Mixed(seed=1).solve(PathConstraint((), product), {"x": 0.0})

    assert isinstance(answer, Unknown)


def test_every_row_of_table_5_3_has_its_fact():
    facts = published()

    assert {variant.fact for variant in VARIANTS.values()} == set(facts["coral"])
    assert set(facts) == {"weighted_avg", *PROGRAMS}


def test_the_significance_of_large_samples_is_approximated():
    chance = random.Random(1)
    low, same, high = ([chance.gauss(mean, 1) for _ in range(40)] for mean in (0, 0, 2))

    assert mann_whitney(low, high) < 0.001
    assert mann_whitney(low, same) > 0.01


def test_a_sample_of_the_walks_steps_gives_no_wrong_answer():
    counts = check_steps(20_000, seed=1)

    assert counts["steps"] >= 20_000
    assert counts["satisfied"] > 10
    assert counts["refuted"] > 0


def test_branches_that_the_inputs_execute_are_counted():
    found = explored(PROGRAMS["power"], {"solver": "auto", "budget": 5.0})
    linear = explored(PROGRAMS["dart"], {"solver": "linear", "strategy": "dfs", "budget": 1.0})

    assert found.percent == 100
    assert 0 < linear.percent < 100


def test_a_benchmark_counts_the_targets_that_return_true():
    found = explored(PROGRAMS["blind"], {"solver": "walk", "strategy": "dfs", "budget": 5.0})

    assert found == Cell(frozenset({"blind"}), 1, found.seconds)


def test_the_tests_of_two_tools_together_cover_what_either_does():
    one, other = Cell(frozenset("ab"), 4, 1.0), Cell(frozenset("bc"), 4, 2.0)

    assert one.joined(other) == Cell(frozenset("abc"), 4, 3.0)


def test_a_sample_of_the_papers_walk_gives_no_wrong_answer():
    satisfied = 0
    for number in range(60):
        constraints = RandomConstraints(random.Random(f"paper {number}"))
        planted, _ = constraints.planted()

        answer = PaperWalk(seed=number, steps=15, seconds=5).solve(
            planted, constraints.assignment()
        )

        assert not isinstance(answer, Unsat)
        if isinstance(answer, Sat):
            satisfied += 1
            assert all_hold(planted.conditions, answer.assignment)
    assert satisfied > 40


def test_a_planted_constraint_is_satisfied_by_its_secret():
    for number in range(100):
        planted, secret = RandomConstraints(random.Random(number)).planted()

        assert all_hold(planted.conditions, secret)


def test_the_halves_share_no_formula_and_constants_are_put_back():
    formulas = [each for some in read_sets(FACTS).values() for each in some]
    before = attempt.MOVE_ROUNDS

    first, second = halves(formulas)
    with constants({"MOVE_ROUNDS": 9}):
        within = attempt.MOVE_ROUNDS

    assert {each.name for each in first}.isdisjoint(each.name for each in second)
    assert len(first) == len(second) == 35
    assert (within, attempt.MOVE_ROUNDS) == (9, before)
    assert all(getattr(attempt, name) == values[1] for name, values in TRIED.items())


@pytest.mark.parametrize("tool", ["jCUTE", "SPF-CW"])
def test_a_forward_search_stops_at_the_line(tool):
    marked = {each.target: each for each in TARGETS}

    found = forward(marked["trityp_equilateral"], tool, 0, 20.0)
    missed = forward(marked["unreach"], tool, 0, 20.0)

    assert found.covered
    assert found.segments < 60
    assert not missed.covered
    assert missed.segments == 1023  # every path: nine conditionals, and the two of the error
