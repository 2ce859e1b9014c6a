"""Unsatisfiable cores, remembered: a constraint that contains one is refused without a call."""

from __future__ import annotations

from collections.abc import Callable

from symcrete.solve.count import Counts
from symcrete.terms.logic import negate
from symcrete.terms.term import Term

MOST_GOALS = 20_000  # goals of which cores are kept; beyond, the oldest goes; chosen, not measured
MOST_CORES = 32  # cores kept for one goal, the latest first; chosen, not measured


class Cores:
    """For each goal the conditions that contradict it, the most recently useful first.

    One that keeps none still refuses a goal whose opposite is among the conditions, as CREST does.
    """

    def __init__(self, counts: Counts, *, keeps: bool = True) -> None:
        self.counts = counts
        self._keeps = keeps
        self._of: dict[Term, list[tuple[Term, ...]]] = {}

    def remember(self, goal: Term, core: tuple[Term, ...]) -> None:
        """Keep what a goal was refuted by; wider ones of the same goal are dropped."""
        if not self._keeps:
            return
        rest = tuple([condition for condition in dict.fromkeys(core) if condition is not goal])
        held = self._of.setdefault(goal, [])
        if len(self._of) > MOST_GOALS:
            del self._of[next(iter(self._of))]
        wider = set(rest)
        kept = [each for each in held if not wider <= set(each)]
        held[:] = [rest, *kept][:MOST_CORES]

    def refuting(self, goal: Term, includes: Callable[[Term], bool]) -> tuple[Term, ...] | None:
        """A known core whose conditions `includes` accepts, with the goal at its end; None if
        there is none.
        """
        opposite = negate(goal)
        if includes(opposite):
            self.counts.count_known()
            return (opposite, goal)
        held = self._of.get(goal)
        if held is None:
            return None
        for place, core in enumerate(held):
            if all(map(includes, core)):
                if place:
                    held.insert(0, held.pop(place))
                self.counts.count_known()
                return (*core, goal)
        return None

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))
