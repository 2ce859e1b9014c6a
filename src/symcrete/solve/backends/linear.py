"""The paper-era baseline: linear constraints only, the rest replaced by its run-time value."""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.solver import QUERY_SECONDS, Answer, Solver, Unknown, Unsat
from symcrete.solve.wrappers.run_time_values import beyond_linear, replaced
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import CONST, FALSE, Term


class Linear:
    """What DART and CUTE could ask of their solver: linear conditions, with run-time values for
    all else.
    """

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        inner: Solver | None = None,
    ) -> None:
        self.inner = inner or Arithmetic(seconds=seconds, seed=seed, incremental=incremental)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        memo: dict[Term, Term] = {}
        made: dict[Term, None] = {}
        whole = True
        for condition in constraint.conditions:
            left = replaced(condition, near, beyond_linear, memo)
            whole = whole and left is condition
            if left is FALSE:
                return Unknown("not linear, and false with the values of the run")
            if left.op is not CONST:
                made[left] = None
        if not made:
            return Unknown("not linear in any input")
        *prefix, goal = made
        answer = self.inner.solve(PathConstraint(tuple(prefix), goal), near)
        if isinstance(answer, Unsat) and not whole:
            return Unknown("not linear, and unsatisfiable with the values of the run")
        return answer
