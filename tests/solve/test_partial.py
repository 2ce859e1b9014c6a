from __future__ import annotations

from itertools import pairwise

import pytest
from tests.solve.tracing import bubble_sort, explore, gcd, is_sorted

from symcrete.constraint.path import PathConstraint
from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.wrappers.partial import Paper, Partial
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.integers import eq, le, lt
from symcrete.terms.term import Sort, Term, int_const, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
ZERO = {"a": 0, "b": 0, "c": 0}


def number(value: int) -> Term:
    return int_const(value)


class Recording:
    """A solver that remembers what it was asked."""

    def __init__(self, inner: object = None) -> None:
        self.inner = inner or Arithmetic()
        self.asked: list[PathConstraint] = []

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.asked.append(constraint)
        return self.inner.solve(constraint, near)  # type: ignore[attr-defined]


class Undecided:
    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        return Unknown("no idea")


def test_the_overview_of_the_paper_takes_three_calls_of_mean_size_two_by_depth_first_search():
    solver = make_solver("auto", ippc="off", cache=False)

    explored = explore(is_sorted, ZERO, solver)

    assert len(explored.inputs) == 4
    assert solver.counts.calls == 3
    assert solver.counts.mean_size == 2


def test_the_overview_of_the_paper_takes_three_calls_of_mean_size_one_by_ippc():
    solver = make_solver("auto", ippc="paper", cache=False)

    explored = explore(is_sorted, ZERO, solver)

    assert [tuple(each.values()) for each in explored.inputs] == [
        (0, 0, 0),
        (0, 1, 0),
        (1, 1, 0),
        (2, 1, 0),
    ]  # Figure 3
    assert solver.counts.calls == 3
    assert solver.counts.mean_size == 1


def test_algorithm_2_starts_from_the_negated_condition_and_adds_the_first_broken_one():
    recording = Recording()
    prefix = (lt(X, number(10)), lt(number(3), Y), le(Y, X))
    goal = lt(number(6), Y)

    answer = Paper(recording, recording).solve(PathConstraint(prefix, goal), {"x": 5, "y": 4})

    assert isinstance(answer, Sat)
    assert all_hold((*prefix, goal), answer.assignment)
    assert recording.asked[0].conditions == (goal,)
    assert all(len(later) == len(sooner) + 1 for sooner, later in pairwise(recording.asked))


@pytest.mark.parametrize("kind", ["paper", "on"])
def test_an_unsatisfiable_part_proves_the_whole_unsatisfiable(kind: str):
    prefix = (*[lt(number(i), X) for i in range(20)], lt(Y, number(3)))
    goal = lt(number(7), Y)
    solver = make_solver("z3", ippc=kind, cache=False)

    answer = solver.solve(PathConstraint(prefix, goal), {"x": 30, "y": 0})

    assert isinstance(answer, Unsat)
    assert set(answer.core) == {prefix[-1], goal}


def test_a_part_left_undecided_is_followed_by_the_whole():
    whole = Recording()
    prefix = tuple(lt(number(i), X) for i in range(6))
    constraint = PathConstraint(prefix, lt(number(70), X))

    for solver in (Paper(Undecided(), whole), Partial(whole, Undecided(), fast=False)):
        answer = solver.solve(constraint, {"x": 50})

        assert isinstance(answer, Sat)
        assert whole.asked.pop() is constraint


def test_conditions_that_were_broken_before_are_held_from_the_first_call_on():
    parts = Recording()
    partial = Partial(Recording(), parts, fast=True)
    prefix = (*[lt(number(-i), X) for i in range(30)], lt(X, number(50)))
    goals = [eq(X, number(value)) for value in (60, 70)]

    for goal in goals:
        assert isinstance(partial.solve(PathConstraint(prefix, goal), {"x": 5}), Unsat)

    assert len(parts.asked) == 3  # the goal; with what it broke; the second goal with that at once
    assert prefix[-1] in parts.asked[-1].prefix


@pytest.mark.parametrize("earliest", [False, True])
@pytest.mark.parametrize("program", [is_sorted, bubble_sort, gcd])
def test_every_kind_of_ippc_explores_the_same_paths(program, earliest: bool):
    names = "ab" if program is gcd else "abcd" if program is bubble_sort else "abc"
    start = dict.fromkeys(names, 1)

    def paths(kind: str, cache: bool) -> set[tuple[Term, ...]]:
        solver = make_solver("z3", ippc=kind, cache=cache)
        return explore(program, start, solver, runs=40, earliest=earliest).paths

    plain = paths("off", False)

    if program is gcd:  # endless: which 40 paths are seen depends on the answers
        assert len(plain) == len(paths("paper", False)) == len(paths("on", True)) == 40
    else:
        assert plain == paths("paper", False) == paths("on", False) == paths("on", True)
