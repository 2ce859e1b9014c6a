from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.wrappers.cache import Cache
from symcrete.solve.wrappers.cores import MOST_CORES
from symcrete.terms.evaluate import Assignment
from symcrete.terms.integers import lt
from symcrete.terms.term import Sort, Term, int_const, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)


def above(term: Term, bound: int) -> Term:
    return lt(int_const(bound), term)


class Script:
    """A fake backend that gives these answers in turn."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.calls = 0

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.calls += 1
        return self.answers.pop(0)


def test_the_same_question_is_answered_from_memory():
    backend = Script(Sat({"x": 8, "y": 0}))
    counts = Counts()
    cache = Cache(backend, counts)
    constraint = PathConstraint((above(X, 1),), above(X, 7))

    cache.solve(constraint, {"x": 2, "y": 0})
    again = cache.solve(constraint, {"x": 3, "y": 5})

    assert again == Sat({"x": 8, "y": 5})  # the rest of the input as it is now
    assert backend.calls == 1
    assert counts.cached == 1


def test_a_superset_of_an_unsatisfiable_core_is_refused_without_a_call():
    prefix = (above(X, 10), above(Y, 3), above(X, 2))
    goal = lt(X, int_const(5))
    backend = Script(Unsat((prefix[0], goal)))
    cache = Cache(backend, Counts())

    cache.solve(PathConstraint(prefix[:1], goal), {"x": 11, "y": 4})
    answer = cache.solve(PathConstraint(prefix, goal), {"x": 11, "y": 4})

    assert answer == Unsat((prefix[0], goal))
    assert backend.calls == 1


def test_a_core_does_not_refuse_what_lacks_one_of_its_conditions():
    goal = lt(X, int_const(5))
    backend = Script(Unsat((above(X, 10), goal)), Unknown("asked"))
    cache = Cache(backend, Counts())

    cache.solve(PathConstraint((above(X, 10),), goal), {"x": 11})
    answer = cache.solve(PathConstraint((above(X, 2),), goal), {"x": 11})

    assert answer == Unknown("asked")


def test_an_input_found_for_one_constraint_is_tried_on_the_next():
    backend = Script(Sat({"x": 100, "y": 0}))
    cache = Cache(backend, Counts())

    cache.solve(PathConstraint((), above(X, 50)), {"x": 0, "y": 0})
    answer = cache.solve(PathConstraint((above(X, 1),), above(X, 70)), {"x": 2, "y": 9})

    assert answer == Sat({"x": 100, "y": 9})
    assert backend.calls == 1


def test_an_unknown_is_asked_again():
    backend = Script(Unknown("timeout"), Sat({"x": 8}))
    cache = Cache(backend, Counts())
    constraint = PathConstraint((), above(X, 7))

    assert cache.solve(constraint, {"x": 2}) == Unknown("timeout")
    assert cache.solve(constraint, {"x": 2}) == Sat({"x": 8})


def test_the_memory_for_cores_of_one_goal_is_bounded():
    goal = lt(X, int_const(0))
    count = MOST_CORES + 10
    backend = Script(*[Unsat((above(X, i + 1), goal)) for i in range(count)])
    cache = Cache(backend, Counts())

    for i in range(count):
        cache.solve(PathConstraint((above(X, i + 1),), goal), {"x": 99})

    assert len(cache.cores) == MOST_CORES
