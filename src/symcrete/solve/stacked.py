"""A solver that stays alive and follows the path from query to query.

What the next constraint shares with the last one, from its start, stays asserted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.solve.lowering import CannotLower, Lowering
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term
from symcrete.terms.visit import names

SAT, UNSAT, UNDECIDED = 1, -1, 0
_NO_PROOF = "nothing found within the narrower numbers tried, which is no proof"


class Stacked:
    """The part every incremental backend shares; a subclass pushes, pops, checks and reads models."""

    lowering: Lowering
    most_nodes = 400_000  # held by the backend; then it starts afresh

    def __init__(self, *, seconds: float) -> None:
        self.seconds = seconds
        self._stack: list[Term] = []
        self._narrowed = 0  # how many conditions on the stack are
        self._flags: list[bool] = []

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        if self.lowering.nodes > self.most_nodes:
            self.renew()
            self._stack, self._flags, self._narrowed = [], [], 0
        conditions = (*constraint.prefix, constraint.goal)
        try:
            self._follow(conditions)
        except CannotLower as reason:
            return Unknown(str(reason))
        verdict = self.check()
        if verdict == SAT:
            return Sat(self._assignment(conditions, near))
        if verdict == UNSAT:
            if self._narrowed:
                return Unknown(_NO_PROOF)
            return Unsat(conditions)
        return Unknown(self.reason())

    def _follow(self, conditions: tuple[Term, ...]) -> None:
        """Bring the stack to these conditions."""
        stack = self._stack
        shared = 0
        for old, new in zip(stack, conditions, strict=False):
            if old is not new:
                break
            shared += 1
        if shared < len(stack):
            self.pop(len(stack) - shared)
            del stack[shared:]
            self._narrowed -= sum(self._flags[shared:])
            del self._flags[shared:]
        for condition in conditions[shared:]:
            expression, narrowed = self.lowering.condition(condition)
            self.push(expression)
            stack.append(condition)
            self._flags.append(narrowed)
            self._narrowed += narrowed

    def _assignment(self, conditions: tuple[Term, ...], near: Assignment) -> Assignment:
        asked: set[str] = set()
        for condition in conditions:
            asked |= names(condition)
        assignment = dict(near)
        self.read(sorted(asked), assignment)
        return assignment

    def renew(self) -> None:
        """Forget every expression and start afresh."""
        raise NotImplementedError

    def push(self, expression: Any) -> None:
        """One scope with one condition in it."""
        raise NotImplementedError

    def pop(self, count: int) -> None:
        raise NotImplementedError

    def check(self) -> int:
        raise NotImplementedError

    def reason(self) -> str:
        """Why the last check was undecided."""
        raise NotImplementedError

    def read(self, asked: Iterable[str], assignment: Assignment) -> None:
        """Put the model's values of these variables into the assignment."""
        raise NotImplementedError


def sort_of(value: Any) -> Sort:
    """The sort of a variable, by the value it has in the run."""
    if value.__class__ is bool:
        return Sort.BOOL
    if value.__class__ is float:
        return Sort.FLOAT
    return Sort.INT
