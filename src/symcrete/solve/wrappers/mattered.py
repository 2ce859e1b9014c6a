"""Which conditions of a path mattered at a branch, so that they are asked for first there.

At a branch a condition is known by the branch it was met at itself, since its term changes from one
turn of a loop to the next: what a core held, or an answer broke, is looked for among the conditions
of later paths, the latest of each branch. Without an origin terms are counted, for all goals alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from symcrete.constraint.path import Origin
from symcrete.terms.logic import negate
from symcrete.terms.term import Term

MOST_HELD = 6  # conditions asked for from the start; chosen, not measured
# scores of one branch; beyond, the lowest are dropped and the others halved; chosen, not measured
MOST_SCORES = 64
MOST_BRANCHES = 4096  # of which scores are kept; beyond, the oldest goes; chosen, not measured
IN_A_CORE = 2.0  # what a place in a core counts, a broken condition being 1; chosen, not measured
NOT_IN_THE_CORE = 0.5  # the part of its score that a held condition keeps which was not needed
_Key: TypeAlias = int | Term  # a condition's branch, or itself where no branch is known


class Mattered:
    """Scores of conditions for each branch that was flipped."""

    def __init__(self) -> None:
        self._scores: dict[int | None, dict[_Key, float]] = {}
        self._events: object = None  # of the run asked about last
        self._sites: dict[Term, int] = {}  # by condition of that run, the branch it was met at

    def first(self, prefix: tuple[Term, ...], origin: Origin | None) -> list[Term]:
        """The conditions that mattered most at the goal's branch, in the order of the path."""
        scores = self._scores.get(origin.site if origin else None)
        if not scores:
            return []
        keys = self._keys(prefix, origin)
        known = scores.keys() & keys
        if not known:
            return []
        latest = dict(zip(keys, prefix, strict=True))
        best = sorted(known, key=lambda key: (-scores[key], latest[key].index))[:MOST_HELD]
        held = {latest[key] for key in best}
        return [term for term in prefix if term in held]

    def broken(self, conditions: Iterable[Term], origin: Origin | None) -> None:
        """Note that an answer broke these conditions."""
        self._add(conditions, origin, 1.0)

    def refuted(
        self, core: Iterable[Term], held: Iterable[Term], goal: Term, origin: Origin | None
    ) -> None:
        """Note which conditions a proof needed, and that the others of those held were not needed;
        without an origin nothing is noted.
        """
        if origin is None:
            return
        needed = dict.fromkeys([term for term in core if term is not goal])
        self._add(needed, origin, IN_A_CORE)
        scores = self._scores[origin.site]
        for key in self._keys([term for term in held if term not in needed], origin):
            if key in scores:
                scores[key] *= NOT_IN_THE_CORE

    def _add(self, conditions: Iterable[Term], origin: Origin | None, weight: float) -> None:
        scores = self._scores.setdefault(origin.site if origin else None, {})
        if len(self._scores) > MOST_BRANCHES:
            del self._scores[next(iter(self._scores))]
        for key in self._keys(conditions, origin):
            scores[key] = scores.get(key, 0.0) + weight
        if len(scores) > MOST_SCORES:
            for key in sorted(scores, key=scores.__getitem__)[: MOST_SCORES // 2]:
                del scores[key]
            for key in scores:
                scores[key] /= 2

    def _keys(self, conditions: Iterable[Term], origin: Origin | None) -> Sequence[_Key]:
        """By condition the branch it was met at, or itself."""
        if origin is None:
            return tuple(conditions)
        if origin.events is not self._events:
            self._events = origin.events
            self._sites = {
                term if code & 1 else negate(term): code >> 1 for code, term in origin.events
            }
        sites = self._sites
        return [sites.get(term, term) for term in conditions]
