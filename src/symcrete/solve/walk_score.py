"""Error scores: how badly a comparison is violated, and what that makes of a goal (Algorithm 5.2).

A score is 0 exactly if the comparison holds. What cannot be computed scores infinity, so that the
order in which Python would have met the failure is kept when scores are joined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from symcrete.solve.walk_compile import FAILED, LARGEST
from symcrete.solve.walk_goal import AllOf, AnyOf, Comparison, Goal, Relation

Score: TypeAlias = Callable[[Any], float]  # of a difference
Scoring: TypeAlias = Callable[[Comparison], Score]

NAN_SCORE = LARGEST / 8
UNCOMPUTABLE = math.inf


def paper_score(comparison: Comparison) -> Score:
    """The dissertation's: abs(d) for equations, abs(d) + 1 for inequalities, 1 for `!=`."""
    if_nan = 0.0 if comparison.nan_satisfies else NAN_SCORE
    distance = _DISTANCES[comparison.relation]

    def score(difference: Any) -> float:
        if difference == FAILED:
            return UNCOMPUTABLE
        if difference != difference:
            return if_nan
        return min(distance(difference), LARGEST)

    return score


_DISTANCES: dict[Relation, Score] = {
    Relation.BELOW: lambda d: 0.0 if d < 0 else d + 1.0,
    Relation.AT_MOST: lambda d: 0.0 if d <= 0 else d + 1.0,
    Relation.EQUAL: lambda d: float(abs(d)),
    Relation.UNEQUAL: lambda d: 0.0 if d != 0 else 1.0,
}


def joined(goal: Goal, scores: Sequence[float]) -> float:
    """The goal's score from those of its comparisons, which come in order."""
    return _joined(goal, iter(scores).__next__)


def _joined(goal: Goal, following: Callable[[], float]) -> float:
    match goal:
        case Comparison():
            return following()
        case AllOf(parts):
            return _sum([_joined(part, following) for part in parts])
        case AnyOf(parts):
            return _least([_joined(part, following) for part in parts])


def _sum(scores: list[float]) -> float:
    """A part that cannot be computed spoils the whole only if all before it hold."""
    total = 0.0
    for score in scores:
        if score == UNCOMPUTABLE:
            if total == 0.0:
                return UNCOMPUTABLE
            score = NAN_SCORE
        total += score
    return min(total, LARGEST)


def _least(scores: list[float]) -> float:
    """A part that cannot be computed spoils the whole unless one before it holds."""
    least = LARGEST
    for score in scores:
        if score == 0.0 or score == UNCOMPUTABLE:
            return score
        least = min(least, score)
    return least
