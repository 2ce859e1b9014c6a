"""A wrong solver is never a wrong report: every answer is evaluated before it is believed."""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.solver import Answer, Sat, Solver, Unknown
from symcrete.solve.wrappers.plainer import polish
from symcrete.terms.evaluate import Assignment, first_broken


class Validate:
    """Passes on answers that exact evaluation confirms; a refuted one, or a crash, becomes
    Unknown.
    """

    def __init__(self, inner: Solver, counts: Counts) -> None:
        self.inner = inner
        self.counts = counts

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        try:
            answer = self.inner.solve(constraint, near)
        except (
            RuntimeError,
            ArithmeticError,
            ValueError,
            TypeError,
            LookupError,
            OSError,
        ) as error:
            self.counts.count_wrong()
            return Unknown(f"the solver failed: {type(error).__name__}: {error}")
        if answer.__class__ is not Sat:
            return answer
        assert isinstance(answer, Sat)
        assignment = answer.assignment
        if len(assignment) < len(near):
            assignment = {**near, **assignment}
        conditions = constraint.conditions
        polished = polish(conditions, assignment, near)
        if first_broken(conditions, polished) is None:
            return Sat(polished)
        broken = first_broken(conditions, assignment)
        if broken is None:
            return Sat(assignment)
        self.counts.count_wrong()
        return Unknown(f"the solver's answer does not satisfy {broken}")
