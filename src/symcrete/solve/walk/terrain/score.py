"""Error scores: how badly a comparison is violated, and what that makes of a goal (Algorithm 5.2).

A score is 0 exactly if the comparison holds. What cannot be computed scores infinity, which spoils
a goal only where Python would come to it: not after a part of an `and` or `or` that decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from symcrete.slotted import dataclass
from symcrete.solve.walk.terrain.compiled import FAILED, LARGEST_DOUBLE
from symcrete.solve.walk.terrain.goal import AllOf, Comparison, Goal, Relation

Score: TypeAlias = Callable[[Any], float]  # of a difference

UNCOMPUTABLE = math.inf
NAN_SCORE = LARGEST_DOUBLE / 8  # of nan: high, and yet the sum of a few is finite


@dataclass(frozen=True, slots=True)
class Scoring:
    """How differences become scores; `nan` is the score of nan and of what cannot be computed."""

    of: Callable[[Comparison], Score]
    nan: float


def _paper(comparison: Comparison) -> Score:
    if_nan = 0.0 if comparison.nan_satisfies else NAN_SCORE
    distance = _DISTANCES[comparison.relation]

    def score(difference: Any) -> float:
        if difference == FAILED:
            return UNCOMPUTABLE
        if difference != difference:
            return if_nan
        return min(distance(difference), LARGEST_DOUBLE)

    return score


_DISTANCES: dict[Relation, Score] = {
    Relation.BELOW: lambda d: 0.0 if d < 0 else d + 1.0,
    Relation.AT_MOST: lambda d: 0.0 if d <= 0 else d + 1.0,
    Relation.EQUAL: lambda d: float(abs(d)),
    Relation.UNEQUAL: lambda d: 0.0 if d != 0 else 1.0,
}

# The dissertation's: abs(d) for equations, abs(d) + 1 for inequalities, 1 for `!=`, an eighth of
# the largest double for nan; an overflow of the difference counts as the largest double.
PAPER = Scoring(_paper, NAN_SCORE)

_NAN = 40.0  # the score of nan: as much as a difference of 2e17


_VIOLATED_EDGE = 1.0  # added to the score of a violated inequality, which is never almost satisfied


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
        return math.log1p(d) + _VIOLATED_EDGE if d == d else if_nan

    return score


def _gentle_equal(d: Any) -> float:
    if d == FAILED:
        return UNCOMPUTABLE
    return math.log1p(abs(d)) if d == d else _NAN


# Logarithms: one condition over large numbers does not drown the others, and near 0 the score is
# the difference itself.
GENTLE = Scoring(_gentle, _NAN)


def joined(
    goal: Goal, places: Mapping[Comparison, int], nan: float
) -> Callable[[Sequence[float]], float]:
    """The goal's score as a function of its comparisons' scores, which stand at these places."""
    lines: list[str] = []
    names: dict[int, str] = {}

    def name(part: Goal) -> str:
        if isinstance(part, Comparison):
            return f"s[{places[part]}]"
        found = names.get(id(part))
        if found is None:
            how = "all_of" if isinstance(part, AllOf) else "any_of"
            values = "".join(f"{name(each)}, " for each in part.parts)
            found = names[id(part)] = f"t{len(names)}"
            lines.append(f"{found} = {how}(({values}))")
        return found

    result = name(goal)
    body = "\n    ".join([*lines, f"return {result}"])
    namespace: dict[str, Any] = {"all_of": partial(_all_of, nan), "any_of": _any_of}
    exec(compile(f"def joined(s):\n    {body}\n", "<walk>", "exec"), namespace)
    made: Callable[[Sequence[float]], float] = namespace["joined"]
    return made


def _all_of(nan: float, scores: Sequence[float]) -> float:
    """The sum of the scores; uncomputable if a part is, and all before it hold."""
    total = 0.0
    for score in scores:
        if score == UNCOMPUTABLE:
            if total == 0.0:
                return UNCOMPUTABLE
            score = nan
        total += score
    return total if total < LARGEST_DOUBLE else LARGEST_DOUBLE


def _any_of(scores: Sequence[float]) -> float:
    """The least score; uncomputable if a part is, and none before it holds."""
    least = LARGEST_DOUBLE
    for score in scores:
        if score == 0.0 or score == UNCOMPUTABLE:
            return score
        if score < least:
            least = score
    return least
