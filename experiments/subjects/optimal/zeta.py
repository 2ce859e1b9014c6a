"""Riemann's and Hurwitz's zeta function of a real number.

Numeric subjects in the manner of the "optimal" paper's: Euler and Maclaurin's summation, the
reflection for negative arguments, the pole, the trivial zeros and the overflows.
"""

import math

from experiments.subjects.optimal.errors import DomainError
from experiments.subjects.optimal.gamma import LOG_MAX, lngamma

# B2k / (2k)!
TAIL = (
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30240.0,
    -1.0 / 1209600.0,
    1.0 / 47900160.0,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0,
    43867.0 / 5109094217170944000.0,
    -174611.0 / 802857662698291200000.0,
)


def zeta(s: float) -> float:
    if s == 1.0:
        raise DomainError("zeta has a pole at 1")
    if s > 54.0:
        return 1.0 + math.pow(2.0, -s)
    if s >= 0.0:
        return euler_maclaurin(s, 1.0)
    if s < -260.0:
        raise OverflowError("zeta is too large")
    if math.fmod(s, 2.0) == 0.0:
        return 0.0
    return zeta_reflected(s)


def zeta_reflected(s: float) -> float:
    """2 (2 pi)^(s - 1) sin(pi s / 2) gamma(1 - s) zeta(1 - s)"""
    sine = math.sin(0.5 * math.pi * math.fmod(s, 4.0))
    exponent = (s - 1.0) * math.log(2.0 * math.pi) + lngamma(1.0 - s)[0]
    if exponent > LOG_MAX - 1.0:
        raise OverflowError("zeta is too large")
    return 2.0 * math.exp(exponent) * sine * zeta(1.0 - s)


def hzeta(s: float, q: float) -> float:
    """The sum of (k + q)^-s, for s > 1 and q > 0."""
    if s <= 1.0 or q <= 0.0:
        raise DomainError("the sum needs s > 1 and q > 0")
    exponent = -s * math.log(q)
    if exponent < -740.0:
        raise ArithmeticError("the sum underflows")
    if exponent > LOG_MAX:
        raise OverflowError("the sum overflows")
    if s > 54.0 and q < 1.0:
        return math.pow(q, -s)
    if s > 27.0 and q < 1.0:
        first = math.pow(q, -s)
        second = math.pow(q / (1.0 + q), s)
        third = math.pow(q / (2.0 + q), s)
        return first * (1.0 + second + third)
    return euler_maclaurin(s, q)


def euler_maclaurin(s: float, q: float) -> float:
    """Ten terms, then the integral, half a term and derivatives."""
    total = 0.0
    for k in range(10):
        total = total + math.pow(k + q, -s)
    end = 10.0 + q
    power = math.pow(end, -s)
    total = total + power * (end / (s - 1.0) + 0.5)
    factor = s
    power = power / end
    k = 1
    for coefficient in TAIL:
        term = coefficient * factor * power
        total = total + term
        if abs(term) < 1.0e-17 * abs(total):
            break
        factor = factor * (s + 2 * k - 1) * (s + 2 * k)
        power = power / (end * end)
        k = k + 1
    return total
