"""The Shapiro-Wilk test: could a small sample come from a normal distribution?

Royston's approximation of the weights and of the distribution of W (Applied Statistics 44, 1995),
for 3 to 50 values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean

# Polynomials in 1 / sqrt(n), from the constant term: corrections of the two outer weights.
OUTERMOST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
NEXT_TO_IT = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
# Mean and logarithm of the deviation of the transformed W: up to 11 values polynomials in n,
# beyond it in log n; and, up to 11, the bound of log(1 - W).
FEW_MEAN, FEW_DEVIATION = (
    (0.544, -0.39978, 0.025054, -6.714e-4),
    (1.3822, -0.77857, 0.062767, -0.0020322),
)
MANY_MEAN, MANY_DEVIATION = (
    (-1.5861, -0.31082, -0.083751, 0.0038915),
    (-0.4803, -0.082676, 0.0030302),
)
FEW_BOUND = (-2.273, 0.459)
FEW = 11  # values


def shapiro_wilk(values: Sequence[float]) -> tuple[float, float]:
    """W, and the probability of one as small were the values normally distributed.

    1 and 1 where all values are equal, of which nothing can be said.
    """
    ordered = sorted(values)
    if len(ordered) < 3:
        raise ValueError("the test needs three values")
    middle = fmean(ordered)
    spread = sum((value - middle) ** 2 for value in ordered)
    if spread == 0:
        return 1.0, 1.0
    weighted = sum(w * value for w, value in zip(_weights(len(ordered)), ordered, strict=True))
    w = min(weighted**2 / spread, 1.0)
    return w, _probability(w, len(ordered))


def _weights(count: int) -> list[float]:
    """One for each value in ascending order; antisymmetric, their squares add up to 1."""
    if count == 3:
        return [-math.sqrt(0.5), 0.0, math.sqrt(0.5)]
    normal = NormalDist()
    scores = [normal.inv_cdf((place - 0.375) / (count + 0.25)) for place in range(1, count + 1)]
    total = sum(score**2 for score in scores)
    root = 1 / math.sqrt(count)
    outer = [scores[-1] / math.sqrt(total) + _polynomial(OUTERMOST, root)]
    if count > 5:
        outer.append(scores[-2] / math.sqrt(total) + _polynomial(NEXT_TO_IT, root))
    fixed = len(outer)
    left = total - 2 * sum(score**2 for score in scores[-fixed:])
    scale = math.sqrt(left / (1 - 2 * sum(weight**2 for weight in outer)))
    inner = [score / scale for score in scores[fixed:-fixed]]
    return [*(-weight for weight in outer), *inner, *reversed(outer)]


def _probability(w: float, count: int) -> float:
    if count == 3:
        return max(0.0, 6 / math.pi * (math.asin(math.sqrt(w)) - math.asin(math.sqrt(0.75))))
    if w == 1.0:
        return 1.0
    distance = math.log(1 - w)
    if count <= FEW:
        bound = _polynomial(FEW_BOUND, count)
        if distance >= bound:
            return 0.0
        distance = -math.log(bound - distance)
        mean, deviation = _polynomial(FEW_MEAN, count), _polynomial(FEW_DEVIATION, count)
    else:
        size = math.log(count)
        mean, deviation = _polynomial(MANY_MEAN, size), _polynomial(MANY_DEVIATION, size)
    return 1 - NormalDist(mean, math.exp(deviation)).cdf(distance)


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    return sum(factor * x**power for power, factor in enumerate(coefficients))
