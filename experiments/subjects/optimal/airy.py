"""Airy's function Ai of a real number.

A numeric subject in the manner of the "optimal" paper's: Maclaurin's series around 0, Bessel
functions of order 1/3 on the oscillating side, a continued fraction and an asymptotic series on the
decaying side.
"""

import math

from experiments.subjects.optimal.bessel_temme import bessel_jy_mu
from experiments.subjects.optimal.errors import PrecisionError

EPSILON = 2.220446049250313e-16
AI_AT_0 = 0.3550280538878172
SLOPE_AT_0 = -0.2588194037928068
ROOT_3 = 1.7320508075688772


def airy_ai(x: float) -> float:
    if x < -1.0e6:
        raise PrecisionError("the oscillation is too fast")
    if x < -2.1:
        return oscillating(-x)
    if x < 2.1:
        return maclaurin(x)
    if x < 20.0:
        return decaying(x)
    if x < 104.0:
        return vanishing(x)
    return 0.0


def maclaurin(x: float) -> float:
    """Two series in x^3."""
    cube = x * x * x
    first = 1.0
    second = x
    total1 = first
    total2 = second
    k = 1
    while abs(first) + abs(second) > EPSILON * (abs(total1) + abs(total2)) and k < 60:
        first = first * cube / ((3 * k) * (3 * k - 1))
        second = second * cube / ((3 * k) * (3 * k + 1))
        total1 = total1 + first
        total2 = total2 + second
        k = k + 1
    return AI_AT_0 * total1 + SLOPE_AT_0 * total2


def oscillating(x: float) -> float:
    """Ai(-x) from J and Y of order 1/3."""
    root = math.sqrt(x)
    j, _, y, _ = bessel_jy_mu(1.0 / 3.0, 2.0 / 3.0 * x * root)
    return 0.5 * root * (j - y / ROOT_3)


def decaying(x: float) -> float:
    """Ai(x) from K of order 1/3, for which Temme sums a second solution of the recurrence."""
    zeta = 2.0 / 3.0 * x * math.sqrt(x)
    return math.sqrt(x / 3.0) / math.pi * bessel_k(1.0 / 3.0, zeta)


def bessel_k(mu: float, x: float) -> float:
    """K of an order between -1/2 and 1/2, for x of 2 and more."""
    a = mu * mu - 0.25
    b = 2.0 * (1.0 + x)
    # Temme's sum runs along Steed's continued fraction.
    d = 1.0 / b
    change = d
    before = 0.0
    here = 1.0
    c = -a
    weight = c
    total = 1.0 + weight * change
    k = 2
    while k < 5000:
        a = a - 2.0 * (k - 1.0)
        c = -a * c / k
        after = (before - b * here) / a
        before = here
        here = after
        weight = weight + c * after
        b = b + 2.0
        d = 1.0 / (b + a * d)
        change = (b * d - 1.0) * change
        term = weight * change
        total = total + term
        if abs(term) < EPSILON * abs(total):
            break
        k = k + 1
    return math.sqrt(math.pi / (2.0 * x)) * math.exp(-x) / total


def vanishing(x: float) -> float:
    """The asymptotic series."""
    zeta = 2.0 / 3.0 * x * math.sqrt(x)
    total = 1.0
    term = 1.0
    k = 1
    while k < 30:
        term = -term * (6 * k - 5) * (6 * k - 1) / (72.0 * k * zeta)
        if abs(term) < EPSILON:
            break
        total = total + term
        k = k + 1
    return math.exp(-zeta) * total / (2.0 * math.sqrt(math.pi) * math.sqrt(math.sqrt(x)))
