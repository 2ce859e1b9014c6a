"""What a solver is: one path constraint in, an answer out.

Solver features (cache, slicing, IPPC, validation) are solvers that hold a solver.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from symcrete.constraint.path import PathConstraint
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term

QUERY_SECONDS = 5.0  # seconds for one query where the caller says nothing; chosen, not measured


@dataclass(frozen=True, slots=True)
class Sat:
    """An assignment that satisfies the constraint; it names every variable that `near` named."""

    assignment: Assignment


@dataclass(frozen=True, slots=True)
class Unsat:
    """Proved: nothing satisfies the constraint; `core` are conditions of it that already
    contradict.
    """

    core: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not decided, for this reason in the user's words."""

    reason: str


class OutOfTime(Unknown):
    """Not decided within the time of the query: more of it may decide."""

    __slots__ = ()

    @classmethod
    def after(cls, seconds: float) -> OutOfTime:
        """The answer of a query that was given so many seconds."""
        return cls(f"timeout {seconds:g}s")


Answer: TypeAlias = Sat | Unsat | Unknown

SAT, UNSAT, UNDECIDED = 1, -1, 0  # what the `check` of a backend returns; z3's own numbers


class Solver(Protocol):
    """Answers one path constraint; `near` is the assignment of the run the constraint came from."""

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer: ...
