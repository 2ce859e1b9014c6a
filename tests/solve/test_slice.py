from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.wrappers.cores import Cores
from symcrete.solve.wrappers.slice import Slice
from symcrete.terms.evaluate import Assignment
from symcrete.terms.integers import lt
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var

CELLS = [var(f"c{i}", Sort.INT) for i in range(6)]
NEAR = {f"c{i}": i for i in range(6)}


class Asked:
    """A fake backend: keeps what it is asked, answers with what it is told."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.constraints: list[PathConstraint] = []

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.constraints.append(constraint)
        return self.answer


def above(i: int, bound: int) -> Term:
    return lt(int_const(bound), CELLS[i])


def test_only_the_conditions_that_share_variables_with_the_goal_are_handed_on():
    backend = Asked(Unknown("fake"))
    prefix = (above(0, -1), lt(CELLS[1], CELLS[2]), above(2, -1), above(3, -1))

    Slice(backend).solve(PathConstraint(prefix, above(1, 10)), NEAR)

    assert backend.constraints == [PathConstraint((prefix[1], prefix[2]), above(1, 10))]


def test_without_slicing_the_whole_is_asked_and_what_the_goal_does_not_touch_is_kept():
    backend = Asked(Sat({f"c{i}": 100 + i for i in range(6)}))
    prefix = (above(0, -1), lt(CELLS[1], CELLS[2]), above(2, -1), above(3, -1))
    constraint = PathConstraint(prefix, above(1, 10))

    answer = Slice(backend, whole=True).solve(constraint, NEAR)

    assert backend.constraints == [constraint]
    assert answer == Sat({**NEAR, "c1": 101, "c2": 102})


def test_a_prefix_that_the_near_input_does_not_satisfy_is_handed_on_whole():
    backend = Asked(Unknown("fake"))
    prefix = (above(0, 99), above(1, -1))
    constraint = PathConstraint(prefix, above(1, 10))

    Slice(backend).solve(constraint, NEAR)

    assert backend.constraints == [constraint]


def test_what_was_checked_for_one_run_is_not_believed_for_another():
    backend = Asked(Sat({}))
    solver = Slice(backend)
    constraint = PathConstraint((above(0, -1), above(1, -1)), above(1, 10))

    solver.solve(constraint, NEAR)
    solver.solve(constraint, {**NEAR, "c0": -5})
    solver.solve(constraint, NEAR)

    assert [len(each.prefix) for each in backend.constraints] == [1, 2, 1]


def test_a_condition_that_cannot_be_computed_does_not_hold():
    backend = Asked(Unknown("fake"))
    constraint = PathConstraint((above(0, -1),), above(1, 10))

    Slice(backend).solve(constraint, {"c1": 0})

    assert backend.constraints == [constraint]


def test_a_known_core_anywhere_on_the_path_is_found_before_anything_is_asked():
    counts = Counts()
    cores = Cores(counts)
    goal = lt(CELLS[1], int_const(-9))
    cores.remember(goal, (above(1, -1), goal))
    backend = Asked(Unknown("fake"))
    solver = Slice(backend, tightest=True, cores=cores)
    prefix = (above(1, -3), above(1, -1), above(1, 0))  # the core's condition is not the tightest

    assert solver.solve(PathConstraint(prefix, goal), NEAR) == Unsat((prefix[1], goal))
    assert solver.solve(PathConstraint(prefix[:1], goal), NEAR) == Unknown("fake")
    assert counts.cached == 1


def test_the_opposite_of_the_goal_on_the_path_is_a_core():
    solver = Slice(Asked(Unknown("fake")), cores=Cores(Counts()))
    prefix = (above(2, -4), above(1, -1))

    answer = solver.solve(PathConstraint(prefix, negate(prefix[1])), NEAR)

    assert answer == Unsat((prefix[1], negate(prefix[1])))
