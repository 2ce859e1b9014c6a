"""A solver that stays alive and follows the path from query to query.

What the next constraint shares with the last one stays asserted. Conditions lie in scopes, newest
on top; a scope is dropped as a whole, so backends with dear scopes put many conditions into the
lower ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.solve.lowering.lowerer import CannotLower, Lowering
from symcrete.solve.solver import SAT, UNSAT, Answer, Sat, Unknown, Unsat
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term
from symcrete.terms.visit import names

# nodes of terms kept in a backend's form, to bound memory; beyond, all are forgotten; chosen, not
# measured
MOST_LOWERED = 400_000
_NO_PROOF = "nothing found within the narrower numbers tried, which is no proof"


class Workspace:
    """The lowered terms that the stacks of one backend share; forgotten together."""

    lowering: Lowering

    def __init__(self) -> None:
        self.generation = 0

    def renew(self) -> None:
        """Forget every expression; stacks notice it by the changed generation."""
        raise NotImplementedError  # abstract: each subclass has its own


class Stacked:
    """The part every incremental backend shares; a subclass pushes, pops, checks, reads models."""

    dear_scopes = False  # whether opening a scope costs much, so that several conditions share one

    def __init__(self, workspace: Workspace, *, seconds: float, incremental: bool = True) -> None:
        self.workspace = workspace
        self.seconds = seconds
        self._incremental = incremental
        self._generation = workspace.generation
        # Whether it has to be opened before its next use: it never was, or an interrupt or error
        # has spoilt it.
        self.spoilt = True
        self._forget()

    def _forget(self) -> None:
        self._stack: list[Term] = []
        self._flags: list[bool] = []  # by condition on the stack, whether it was narrowed
        self._heights: list[int] = []  # by scope, the height of the stack where it begins
        self._narrowed = 0  # the number of narrowed conditions on the stack
        self._contradicts = False  # whether the conditions on the stack contradict each other

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        workspace = self.workspace
        if workspace.lowering.nodes > MOST_LOWERED:
            workspace.renew()
        if self._generation != workspace.generation or self.spoilt:
            self.spoilt = False
            self._generation = workspace.generation
            self._forget()
            self.open()
        conditions = (*constraint.prefix, constraint.goal)
        try:
            self._follow(conditions)
        except CannotLower as reason:
            return Unknown(str(reason))
        verdict = UNSAT if self._contradicts else self.check()
        if verdict == SAT:
            return Sat(self._assignment(conditions, near))
        if verdict == UNSAT:
            self._contradicts = True
            return Unknown(_NO_PROOF) if self._narrowed else Unsat(tuple(self._stack))
        return self.undecided()

    def _follow(self, conditions: tuple[Term, ...]) -> None:
        """Make the stack hold these conditions and no others, in whatever order; those at its
        bottom that are wanted stay. Some may be missing where the others contradict already.
        """
        stack = self._stack
        wanted = dict.fromkeys(conditions)
        shared = 0
        if self._incremental:
            for held in stack:
                if held not in wanted:
                    break
                shared += 1
        if shared < len(stack):
            self._drop(shared)
        elif self._contradicts:
            return
        for held in stack:
            del wanted[held]
        self._raise(list(wanted))

    def _drop(self, shared: int) -> None:
        """Drop every scope that holds a condition above this height."""
        heights, stack = self._heights, self._stack
        count = 0
        height = len(stack)
        while height > shared:
            height = heights.pop()
            count += 1
        self.pop(count)
        self._narrowed -= sum(self._flags[height:])
        del stack[height:]
        del self._flags[height:]
        self._contradicts = False

    def _raise(self, conditions: list[Term]) -> None:
        """Put conditions on the stack, until the backend sees that they contradict."""
        lowered = [self.workspace.lowering.condition(condition) for condition in conditions]
        start = 0
        while start < len(conditions):
            # Half of what is left goes into one scope: where paths then differ a little earlier
            # each time, few conditions are asserted again.
            size = max(1, (len(conditions) - start) // 2) if self.dear_scopes else 1
            part = lowered[start : start + size]
            self._heights.append(len(self._stack))
            consistent = self.push([expression for expression, _ in part])
            self._stack += conditions[start : start + size]
            flags = [narrowed for _, narrowed in part]
            self._flags += flags
            self._narrowed += sum(flags)
            start += size
            if not consistent:
                self._contradicts = True
                return

    def _assignment(self, conditions: tuple[Term, ...], near: Assignment) -> Assignment:
        asked: set[str] = set()
        for group in {condition.names or names(condition) for condition in conditions}:
            asked |= group
        assignment = dict(near)
        self.read(sorted(asked), assignment)
        return assignment

    def open(self) -> None:
        """Start with an empty stack, in the workspace as it is now."""
        raise NotImplementedError  # abstract: each subclass has its own

    def push(self, expressions: list[Any]) -> bool:
        """Open a scope with these conditions; False if they are already seen to contradict."""
        raise NotImplementedError  # abstract: each subclass has its own

    def pop(self, count: int) -> None:
        """Drop the topmost scopes."""
        raise NotImplementedError  # abstract: each subclass has its own

    def check(self) -> int:
        """Whether the conditions on the stack can hold: SAT, UNSAT or UNDECIDED."""
        raise NotImplementedError  # abstract: each subclass has its own

    def undecided(self) -> Unknown:
        """The answer where the last check was undecided, with the reason."""
        raise NotImplementedError  # abstract: each subclass has its own

    def read(self, asked: Iterable[str], assignment: Assignment) -> None:
        """Put the model's values of these variables into the assignment."""
        raise NotImplementedError  # abstract: each subclass has its own


def sort_of(value: Any) -> Sort:
    """The sort of a variable, by the value it has in the run."""
    if value.__class__ is bool:
        return Sort.BOOL
    if value.__class__ is float:
        return Sort.FLOAT
    return Sort.INT
