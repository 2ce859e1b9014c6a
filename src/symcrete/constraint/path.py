"""What an input must satisfy to take the other side of a branch."""

from __future__ import annotations

from dataclasses import field

from symcrete.slotted import dataclass
from symcrete.terms.logic import negate
from symcrete.terms.term import Term
from symcrete.terms.visit import names
from symcrete.tree.tree import Node
from symcrete.values.tracking.recording import Event


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a constraint's conditions were met, for solvers that learn from earlier queries about
    the same branch.
    """

    site: int  # the branch that the goal negates
    events: tuple[Event, ...]  # of the run whose conditions the prefix has


@dataclass(frozen=True, slots=True)
class PathConstraint:
    """The conditions passed on the way, and the one to be made true at the end of it."""

    prefix: tuple[Term, ...]  # in execution order
    goal: Term  # the negated branch
    # None for a constraint that does not come from a run; no answer depends on it
    origin: Origin | None = field(default=None, compare=False, repr=False)

    @property
    def conditions(self) -> tuple[Term, ...]:
        return (*self.prefix, self.goal)

    def __len__(self) -> int:
        return len(self.prefix) + 1


def unknowns(constraint: PathConstraint) -> set[str]:
    """The input variables that occur in the constraint's conditions."""
    found: set[str] = set()
    for condition in constraint.conditions:
        found |= condition.names or names(condition)
    return found


def path_to(node: Node, side: bool) -> PathConstraint:
    """The constraint that an input must satisfy to come to a branch and take this side."""
    prefix = node.trace.assumptions + node.trace.held(node.depth)
    goal = node.term if side else negate(node.term)
    return PathConstraint(prefix, goal, Origin(node.site, node.trace.events))
