"""The Mann-Whitney U-test: do two small samples come from the same distribution?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

EXACT_UP_TO = 20_000  # ways to divide the values between the samples


def mann_whitney(
    first: Sequence[float], second: Sequence[float], *, one_sided: bool = False
) -> float:
    """The probability of samples at least as far apart, were there no difference.

    One-sided: of a second sample that is at least as far above the first. Exact for small samples, by going through all ways to divide the pooled ranks (which also
    settles ties); for larger ones by the normal approximation with a correction for ties.
    """
    pooled = [*first, *second]
    ranks = _ranks(pooled)
    expected = len(first) * (len(pooled) + 1) / 2
    below = expected - sum(ranks[: len(first)])  # how far the first lies below its mean rank
    distance = below if one_sided else abs(below)
    if math.comb(len(pooled), len(first)) <= EXACT_UP_TO:
        sums = [sum(chosen) for chosen in combinations(ranks, len(first))]
        apart = [expected - total if one_sided else abs(total - expected) for total in sums]
        return sum(each >= distance - 1e-9 for each in apart) / len(sums)
    deviation = _deviation(ranks, len(first), len(second))
    if not deviation:
        return 1.0
    return math.erfc(distance / deviation / math.sqrt(2)) / (2 if one_sided else 1)


def _ranks(values: Sequence[float]) -> list[float]:
    """From 1; equal values share the mean of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def _deviation(ranks: Sequence[float], first: int, second: int) -> float:
    total = first + second
    ties = sum(ranks.count(rank) ** 3 - ranks.count(rank) for rank in set(ranks))
    return math.sqrt(first * second / 12 * (total + 1 - ties / (total * (total - 1))))
