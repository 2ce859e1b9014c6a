"""Why an abstract path cannot be realised: the conditions that stand in the way of every try."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Unsat
from symcrete.solve.wrappers.shrink import shrunk
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import negate
from symcrete.terms.term import Term

SMALL_CORE_CONDITIONS = 3  # conditions; a core of so few is not made smaller; chosen, not measured

# Conditions that cannot all hold; None where the search was cut short and nothing is proved.
Blame: TypeAlias = frozenset[Term] | None
NO_BLAME: frozenset[Term] = frozenset()


class Charges:
    """Collects which of the conditions around a call are to blame for the tries that failed.

    The fewer conditions are to blame, the fewer choices are gone back on in vain; but to find the
    few takes solving, which is put off until a verdict is asked for: most searches end well.
    """

    def __init__(
        self,
        conditions: tuple[Term, ...],
        solve: Callable[[PathConstraint, Assignment], Answer],
        *,
        shrink: bool,
    ) -> None:
        self._in_order = conditions
        self._conditions = frozenset(conditions)
        self._derived: set[Term] = set()
        self._solve = solve
        self._shrink = shrink
        self._found: Blame = NO_BLAME
        self._cores: list[tuple[tuple[Term, ...], Term, Assignment]] = []

    def add(self, blame: Blame) -> None:
        """Add conditions that are to blame for a try; None if nothing is proved of it."""
        self._found = None if self._found is None or blame is None else self._found | blame

    def refused(self, answer: Answer, goal: Term, near: Assignment) -> None:
        """Take in that a solver refused a goal, or gave up."""
        if isinstance(answer, Unsat):
            self._cores.append((answer.core, goal, near))
        else:
            self._found = None

    def decided(self, passed: tuple[Term, ...], before: tuple[Term, ...], near: Assignment) -> None:
        """Blame what was decided before the call, where a way through it, with the conditions
        `passed`, came to the same conditions again: the callee's tree has no branch for them, yet
        they exclude other ways.

        `before` are those conditions as the run had them. One that is not among the conditions
        around the call follows from these; a solver says from which.
        """
        self.add(self._conditions.intersection(passed))
        for term in before:
            if term in self._conditions or term in self._derived or self._found is None:
                continue
            self._derived.add(term)
            goal = negate(term)
            self.refused(self._solve(PathConstraint(self._in_order, goal), near), goal, near)

    def verdict(self) -> Blame:
        """The conditions to blame for all tries so far; None if nothing is proved."""
        found = self._found
        if found is None:
            return None
        for core, goal, near in sorted(self._cores, key=lambda each: len(each[0])):
            news = self._conditions.intersection(core) - found
            if news and len(core) > SMALL_CORE_CONDITIONS and self._shrink:
                # Only the news are made fewer: other conditions are never blamed, or are already.
                given = frozenset(core) - news
                news = self._conditions.intersection(shrunk(core, goal, near, self._solve, given))
            found |= news
        self._found, self._cores = found, []
        return found
