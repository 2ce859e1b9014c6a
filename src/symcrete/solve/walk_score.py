"""Error scores: how badly a comparison is violated, and what that makes of a goal (Algorithm 5.2).

A score is 0 exactly if the comparison holds. What cannot be computed scores infinity, so that the
order in which Python would have met the failure is kept when scores are joined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcrete.solve.walk_compile import FAILED, LARGEST
from symcrete.solve.walk_goal import AllOf, AnyOf, Comparison, Goal, Relation

Score: TypeAlias = Callable[[Any], float]  # of a difference

UNCOMPUTABLE = math.inf


@dataclass(frozen=True, slots=True)
class Scoring:
    """How differences become scores; `nan` is the score of nan and of what cannot be computed."""

    of: Callable[[Comparison], Score]
    nan: float


def _paper(comparison: Comparison) -> Score:
    if_nan = 0.0 if comparison.nan_satisfies else LARGEST / 8
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

# The dissertation's: abs(d) for equations, abs(d) + 1 for inequalities, 1 for `!=`, an eighth of
# the largest double for nan; an overflow of the difference counts as the largest double.
PAPER = Scoring(_paper, LARGEST / 8)

_NAN = 40.0  # like a difference of 2e17


_EDGE = 1.0  # a violated inequality is never almost satisfied


def _gentle(comparison: Comparison) -> Score:
    if_nan = 0.0 if comparison.nan_satisfies else _NAN
    if comparison.relation is Relation.EQUAL:
        return _gentle_equal
    if comparison.relation is Relation.UNEQUAL:
        return lambda d: UNCOMPUTABLE if d == FAILED else if_nan if d != d else float(d == 0)
    strict = comparison.relation is Relation.BELOW

    def score(d: Any) -> float:
        if d < 0 or (d == 0 and not strict):
            return 0.0
        if d == FAILED:
            return UNCOMPUTABLE
        return math.log1p(d) + _EDGE if d == d else if_nan

    return score


def _gentle_equal(d: Any) -> float:
    if d == FAILED:
        return UNCOMPUTABLE
    return math.log1p(abs(d)) if d == d else _NAN


# Logarithms: one condition over large numbers does not drown the others, and near 0 the score is
# the difference itself.
GENTLE = Scoring(_gentle, _NAN)


def joined(goal: Goal, scores: Sequence[float], nan: float) -> float:
    """The goal's score from those of its comparisons, which come in order."""
    return _joined(goal, iter(scores).__next__, nan)


def _joined(goal: Goal, following: Callable[[], float], nan: float) -> float:
    match goal:
        case Comparison():
            return following()
        case AllOf(parts):
            return _sum([_joined(part, following, nan) for part in parts], nan)
        case AnyOf(parts):
            return _least([_joined(part, following, nan) for part in parts])


def _sum(scores: list[float], nan: float) -> float:
    """A part that cannot be computed spoils the whole only if all before it hold."""
    total = 0.0
    for score in scores:
        if score == UNCOMPUTABLE:
            if total == 0.0:
                return UNCOMPUTABLE
            score = nan
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
