"""A path of 20,000 branches, as a loop over a long list leaves it."""

from __future__ import annotations

from time import process_time

import pytest
from tests.limits import allowed

from symcrete.constraint.path import PathConstraint
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat, Unsat
from symcrete.terms.integers import add, eq, le, lt
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var

LENGTH = 20_000


def flips(path: list[Term], near: dict, places: list[int]) -> tuple[list, float]:
    solver = make_solver("auto")
    solver.solve(PathConstraint(tuple(path[:10]), negate(path[10])), near)  # libraries loaded
    started = process_time()
    answers = [
        solver.solve(PathConstraint(tuple(path[:place]), negate(path[place])), near)
        for place in places
    ]
    return answers, (process_time() - started) / len(places)


def test_a_flip_among_independent_elements_is_solved_alone():
    cells = [var(f"items[{i}]", Sort.INT) for i in range(LENGTH)]
    path = [lt(int_const(0), cell) for cell in cells]
    near = {f"items[{i}]": 1 for i in range(LENGTH)}

    answers, seconds = flips(path, near, list(range(19, LENGTH, 997)))

    assert all(isinstance(answer, Sat) for answer in answers)
    assert answers[3].assignment == {**near, f"items[{19 + 3 * 997}]": 0}
    assert seconds < allowed(0.25)


def test_a_flip_of_a_counter_compared_20000_times():
    n = var("n", Sort.INT)
    path = [lt(int_const(i), n) for i in range(LENGTH)]

    answers, seconds = flips(path, {"n": LENGTH}, list(range(19, LENGTH, 997)))

    assert [answer.assignment["n"] for answer in answers] == list(range(19, LENGTH, 997))
    assert seconds < allowed(0.25)


def test_infeasible_flips_deep_in_a_path_are_proved():
    n = var("n", Sort.INT)
    path = [le(int_const(5), n), *[negate(eq(n, int_const(-i))) for i in range(LENGTH)]]

    answers, seconds = flips(path, {"n": 9}, [100, 5000, LENGTH - 1])

    assert all(isinstance(answer, Unsat) for answer in answers)
    assert all(len(answer.core) == 2 for answer in answers)
    assert seconds < allowed(0.25)


@pytest.mark.parametrize("name", ["auto", "z3"])
def test_a_running_total_over_a_list_does_not_recurse(name: str):
    cells = [var(f"x{i}", Sort.INT) for i in range(400)]
    total: Term = int_const(0)
    path = []
    for cell in cells:
        total = add(total, cell)
        path.append(lt(total, int_const(10**6)))
    near = {f"x{i}": 1 for i in range(400)}
    solver = make_solver(name)

    answer = solver.solve(PathConstraint(tuple(path[:-1]), negate(path[-1])), near)

    assert isinstance(answer, Sat)
