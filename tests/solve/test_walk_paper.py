"""Algorithms 5.1 to 5.4 of the dissertation, one step at a time."""

import math
import sys

import pytest
from tests.solve.building import add, call, doubles, eq, ints, le, lt, mul, ne, path, truths

from symcrete.solve.solver import Sat, Unknown, Unsat
from symcrete.solve.walk.paper import PaperWalk, TabuSearch
from symcrete.solve.walk.problem import Problem, prepare
from symcrete.solve.walk.terrain.compiled import Compiler
from symcrete.solve.walk.terrain.goal import goal_of
from symcrete.solve.walk.terrain.landscape import Landscape
from symcrete.solve.walk.terrain.opaque_calls import Calls
from symcrete.solve.walk.terrain.score import PAPER
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.term import Sort

LARGEST = sys.float_info.max
x, y, z = ints("x y z")
u, v, w = doubles("u v w")
(p,) = truths("p")


def score(condition, **point):
    """COMPUTEERROR for one condition."""
    landscape = Landscape([goal_of(condition)], Compiler(Calls(seconds=1)), PAPER)
    return landscape.scores(point)[0]


def search(*conditions, near, **parameters):
    calls = Calls(seconds=1)
    problem = prepare(path(*conditions), near, calls=calls, seconds=1)
    assert isinstance(problem, Problem), problem
    return TabuSearch(PaperWalk(**parameters), problem, Compiler(calls))


def violated(walk, goal=0):
    return walk._constraints.goals[goal].violated(walk.values())[0]


def test_an_equation_scores_its_difference():
    assert score(eq(mul(x, x), 50), x=7) == 1.0
    assert score(eq(mul(x, x), 49), x=7) == 0.0
    assert score(eq(mul(u, u), 2.0), u=1.5) == 0.25


def test_a_violated_inequality_scores_one_more_than_its_difference():
    assert score(le(mul(x, x), 40), x=7) == 10.0
    assert score(lt(mul(u, u), 2.0), u=2.0) == 3.0
    assert score(lt(mul(u, u), 2.0), u=1.0) == 0.0
    assert score(negate(lt(mul(u, u), 2.0)), u=1.0) == 2.0


def test_an_inequation_scores_one():
    assert score(ne(mul(x, x), 49), x=7) == 1.0
    assert score(ne(mul(x, x), 49), x=8) == 0.0


def test_nan_scores_an_eighth_of_the_largest_double_and_satisfies_only_negations():
    assert score(eq(mul(u, v), 1.0), u=math.nan, v=1.0) == LARGEST / 8
    assert score(lt(mul(u, v), 1.0), u=math.inf, v=0.0) == LARGEST / 8
    assert score(ne(mul(u, v), 1.0), u=math.nan, v=1.0) == 0.0


def test_overflow_scores_the_largest_double():
    assert score(eq(mul(u, u), 1.0), u=1e200) == LARGEST
    assert score(lt(mul(u, u), 1.0), u=1e200) == LARGEST
    assert score(lt(1.0, mul(u, u)), u=1e200) == 0.0
    assert score(eq(mul(x, x), 1), x=10**200) == LARGEST


def test_what_cannot_be_computed_scores_like_nan():
    assert score(lt(call(math.sqrt, Sort.FLOAT, u), 1.0), u=-1.0) == LARGEST / 8


def test_all_of_adds_and_any_of_takes_the_least():
    first, second = eq(mul(x, x), 50), eq(mul(y, y), 90)

    assert score(conjoin([first, second]), x=7, y=9) == 10.0
    assert score(disjoin([first, second]), x=7, y=9) == 1.0


def test_a_failure_behind_a_guard_does_not_count():
    root = lt(call(math.sqrt, Sort.FLOAT, u), 1.0)

    assert score(disjoin([lt(u, 0.0), root]), u=-1.0) == 0.0
    assert score(disjoin([root, lt(u, 0.0)]), u=-1.0) == LARGEST / 8
    assert score(conjoin([lt(0.0, u), root]), u=-1.0) >= LARGEST / 8


def test_bisection_lands_where_a_linear_constraint_would_hold():
    """Figure 5.3, step 3: from (3, -1) and (3, 2) the zero of x - x * y is (3, 1)."""
    walk = search(eq(x, mul(x, y)), le(2, x), le(2, add(x, y)), near={"x": 3, "y": -1})

    gamma = walk.bisection_step(violated(walk), {"x": 3, "y": 2})

    assert walk.rounded(gamma) == {"x": 3, "y": 1}


def test_bisection_outside_the_polytope_is_no_neighbour():
    walk = search(eq(x, mul(x, y)), le(2, x), le(y, 0), near={"x": 3, "y": -1})

    assert walk.bisection_step(violated(walk), {"x": 3, "y": 0}) is None


def test_bisection_between_equal_values_takes_a_random_slope():
    walk = search(eq(mul(u, v), 1.0), near={"u": 0.0, "v": 0.0})

    gamma = walk.bisection_step(violated(walk), {"u": 2.0, "v": 0.0})

    assert gamma["u"] not in (0.0, 2.0)


def test_inequalities_are_overshot_only_if_asked():
    conditions = [lt(mul(u, u), mul(u, 3.0)), lt(-1000.0, u)]

    straight = search(*conditions, near={"u": 8.0}, overshoot=False)
    further = search(*conditions, near={"u": 8.0}, overshoot=True)
    beta = {"u": 6.0}

    assert straight.bisection_step(violated(straight), beta)["u"] == pytest.approx(8 - 40 / 11)
    assert further.bisection_step(violated(further), beta)["u"] < 8 - 40 / 11


def test_a_random_step_stays_in_the_polytope():
    walk = search(
        eq(mul(u, u), 2.0), le(0.0, u), le(u, 1.0), near={"u": 0.5}, spread=1.0, step="normal"
    )

    steps = [walk.random_step(walk.point, ["u"])["u"] for _ in range(200)]

    assert all(0.0 <= step <= 1.0 for step in steps)
    assert len(set(steps)) > 100


def test_a_random_step_that_finds_no_way_in_stays_where_it_is():
    walk = search(eq(mul(u, u), 2.0), eq(u, 0.5), near={"u": 0.5}, adjust=False)

    assert walk.random_step(walk.point, ["u"]) is walk.point


def test_linear_equations_are_restored_after_a_step():
    walk = search(lt(mul(u, u), -1.0), eq(v, add(u, 2.0)), eq(w, add(v, 0.1)), near={"u": 0.0})

    for _ in range(50):
        stepped = walk.random_step(walk.point, ["u"])
        assert stepped is not walk.point
        assert stepped["v"] == stepped["u"] + 2.0
        assert stepped["w"] == stepped["v"] + 0.1


def test_without_adjustment_linear_equations_hold_the_walk_fast():
    walk = search(lt(mul(u, u), -1.0), eq(v, add(u, 2.0)), near={"u": 0.0}, adjust=False)

    assert walk.random_step(walk.point, ["u"]) is walk.point


def test_the_codes_step_goes_upward_only_and_the_texts_both_ways():
    condition = lt(mul(u, u), -1.0)
    heavy = search(condition, near={"u": 0.0}, step="heavy")
    normal = search(condition, near={"u": 0.0}, step="normal", spread=10.0)

    ups = [heavy.random_step(heavy.point, ["u"])["u"] for _ in range(200)]
    both = [normal.random_step(normal.point, ["u"])["u"] for _ in range(200)]

    assert min(ups) > 0
    assert max(ups) > 1000
    assert min(both) < 0 < max(both)
    assert max(map(abs, both)) < 60


def test_both_formulas_for_the_tabu_time():
    assert [PaperWalk(tabu="max").tabu_steps(n, n) for n in (1, 6, 8, 20)] == [3, 3, 4, 10]
    assert [PaperWalk(tabu="min").tabu_steps(n, n) for n in (1, 2, 4, 20)] == [1, 1, 2, 3]
    assert PaperWalk(tabu=7).tabu_steps(2, 2) == 7


def test_a_variable_without_a_better_neighbour_becomes_tabu():
    walk = search(eq(mul(u, u), -1.0), lt(mul(v, v), -1.0), near={"u": 0.0, "v": 0.0}, tabu=3)

    walk.advance()

    assert sorted(walk.tabu.values()) == [0, 3]
    assert walk.point == {"u": 0.0, "v": 0.0}


def test_when_all_are_tabu_every_variable_moves():
    walk = search(eq(mul(u, u), -1.0), lt(mul(v, v), -1.0), near={"u": 0.0, "v": 0.0}, tabu=3)
    walk.tabu = {"u": 2, "v": 1}

    walk.advance()

    assert walk.point["u"] != 0.0
    assert walk.point["v"] != 0.0


def test_a_better_neighbour_shortens_every_tabu():
    walk = search(eq(mul(u, u), 49.0), eq(mul(v, v), 49.0), near={"u": 1.0, "v": 1.0})
    walk.tabu = {"u": 0, "v": 3}

    walk.advance()

    assert walk.point["u"] != 1.0
    assert walk.tabu == {"u": 0, "v": 2}


def test_the_variable_of_the_worst_constraints_moves_first():
    walk = search(eq(mul(u, u), 4.0), eq(mul(v, v), 400.0), near={"u": 1.0, "v": 1.0})

    walk.advance()

    assert walk.point["u"] == 1.0
    assert walk.point["v"] != 1.0


def test_integers_walk_through_the_reals_and_are_rounded_to_be_looked_at():
    walk = search(eq(mul(x, x), 49), near={"x": 0})

    assert walk.rounded({"x": 6.5}) == {"x": 7}
    assert walk.rounded({"x": -6.5}) == {"x": -6}
    assert walk.rounded({"x": 2**60 + 1}) == {"x": 2**60 + 1}


@pytest.mark.parametrize("step", ["heavy", "normal"])
@pytest.mark.parametrize("tabu", ["max", "min"])
def test_the_walk_solves_the_dissertations_example(step, tabu):
    conditions = [eq(x, mul(x, y)), le(2, x), le(2, add(x, y))]

    answer = PaperWalk(step=step, tabu=tabu).solve(path(*conditions), {"x": 4, "y": -1})

    assert isinstance(answer, Sat)
    assert all_hold(conditions, answer.assignment)


def test_it_gives_up_after_its_steps_per_constraint():
    answer = PaperWalk(steps=5).solve(path(lt(call(math.sin, Sort.FLOAT, u), -2.0)), {})

    assert answer == Unknown("the concolic walk found nothing in its 5 steps per condition")


def test_it_gives_up_after_its_time():
    ticks = iter(range(1000))

    answer = PaperWalk(seconds=20, clock=lambda: next(ticks)).solve(
        path(lt(call(math.sin, Sort.FLOAT, u), -2.0)), {}
    )

    assert answer == Unknown("the concolic walk found nothing in 20 s")


def test_an_empty_polytope_is_a_proof():
    sine = lt(0.0, call(math.sin, Sort.FLOAT, u))

    answer = PaperWalk().solve(path(sine, lt(1.0, v), lt(v, 1.0)), {})

    assert isinstance(answer, Unsat)
    assert set(answer.core) == {lt(1.0, v), lt(v, 1.0)}


def test_truths_are_flipped():
    conditions = [disjoin([p, lt(mul(u, u), -1.0)]), lt(mul(u, u), 4.0)]

    answer = PaperWalk().solve(path(*conditions), {"p": False, "u": 1.0})

    assert isinstance(answer, Sat)
    assert answer.assignment["p"] is True


def test_nan_in_the_starting_point_does_not_stop_it():
    conditions = [lt(mul(u, v), 5.0), eq(v, add(u, 1.0))]

    answer = PaperWalk(seconds=2).solve(path(*conditions), {"u": math.nan, "v": math.inf})

    assert isinstance(answer, Sat)
