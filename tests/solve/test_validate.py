from __future__ import annotations

from tests.limits import allowed

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import CountCalls, CountQueries, Counts
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.wrappers.validate import Validate
from symcrete.terms.evaluate import Assignment
from symcrete.terms.integers import eq, lt, mul
from symcrete.terms.term import Sort, int_const, var

X = var("x", Sort.INT)
CONSTRAINT = PathConstraint((lt(X, int_const(100)),), lt(int_const(7), X))


class Fake:
    def __init__(self, answer: Answer | Exception) -> None:
        self.answer = answer

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_an_answer_that_evaluation_refutes_is_unknown():
    counts = Counts()
    square = PathConstraint((), eq(mul(X, X), int_const(49)))

    answer = Validate(Fake(Sat({"x": 3})), counts).solve(square, {"x": 1})

    assert answer == Unknown("the solver's answer does not satisfy (x * x) == 49")
    assert counts.wrong == 1


def test_an_answer_keeps_the_variables_it_does_not_mention():
    answer = Validate(Fake(Sat({"x": 8})), Counts()).solve(CONSTRAINT, {"x": 1, "y": 5})

    assert answer == Sat({"x": 8, "y": 5})


def test_an_answer_moves_as_close_to_the_run_as_the_conditions_let_it():
    answer = Validate(Fake(Sat({"x": 93})), Counts()).solve(CONSTRAINT, {"x": 1})

    assert answer == Sat({"x": 8})


def test_a_solver_that_fails_is_an_unknown():
    answer = Validate(Fake(RuntimeError("bad day")), Counts()).solve(CONSTRAINT, {"x": 1})

    assert answer == Unknown("the solver failed: RuntimeError: bad day")


def test_proofs_pass():
    proof = Unsat(CONSTRAINT.conditions)

    assert Validate(Fake(proof), Counts()).solve(CONSTRAINT, {"x": 1}) is proof


def test_calls_are_counted_by_answer_and_size():
    counts = Counts()
    for answer in (Sat({"x": 8}), Unsat(()), Unknown("")):
        CountCalls(Fake(answer), counts).solve(CONSTRAINT, {"x": 1})
    CountCalls(Fake(Unsat(())), counts).solve(PathConstraint((), CONSTRAINT.goal), {"x": 1})
    CountQueries(Fake(Unsat(())), counts).solve(CONSTRAINT, {"x": 1})

    told = counts.as_json()

    assert (told["calls"], told["sat"], told["unsat"], told["unknown"]) == (4, 1, 2, 1)
    assert told["mean_size"] == 1.75
    assert counts.largest == 2
    assert counts.queries == 1
    assert 0 < counts.seconds < allowed(1)
