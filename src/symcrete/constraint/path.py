"""What an input must satisfy to take the other side of a branch."""

from __future__ import annotations

from dataclasses import dataclass

from symcrete.terms.term import Term


@dataclass(frozen=True, slots=True)
class PathConstraint:
    """The conditions passed on the way, and the one to be made true at the end of it."""

    prefix: tuple[Term, ...]  # in execution order
    goal: Term  # the negated branch

    @property
    def conditions(self) -> tuple[Term, ...]:
        return (*self.prefix, self.goal)

    def __len__(self) -> int:
        return len(self.prefix) + 1
