"""The logarithm of Pochhammer's symbol gamma(a + x) / gamma(a) (GSL's lnpoch_pos, lnpoch_sgn_e).

Subjects after those of the "optimal" paper: a small x takes a route of its own, so that two large
logarithms need not be subtracted, and negative arguments split into cases by their poles.
"""

import math

from experiments.subjects.optimal.errors import DomainError
from experiments.subjects.optimal.gamma import is_pole, lngamma, stirling_sum


def lnpoch_pos(a: float, x: float) -> float:
    """For a > 0 and a + x > 0."""
    if a <= 0.0 or a + x <= 0.0:
        raise DomainError("both gammas must have positive arguments")
    size = abs(x)
    if size > 0.1 * a or size * math.log(max(a, 2.0)) > 0.1:
        if a < 100.0 or a + x < 100.0:
            return lngamma(a + x)[0] - lngamma(a)[0]
        return lnpoch_large(a, x)
    if a > 15.0:
        return lnpoch_large(a, x)
    return lnpoch_shifted(a, x)


def lnpoch_large(a: float, x: float) -> float:
    """Stirling's formula for both gammas, with the leading parts combined by hand."""
    if a < 15.0 or a + x < 15.0:
        return lngamma(a + x)[0] - lngamma(a)[0]
    leading = (a - 0.5) * math.log1p(x / a) + x * math.log(a + x) - x
    return leading + stirling_sum(a + x) - stirling_sum(a)


def lnpoch_shifted(a: float, x: float) -> float:
    """Take a up to where Stirling's formula holds."""
    total = 0.0
    while a <= 15.0:
        total = total - math.log1p(x / a)
        a = a + 1.0
    return total + lnpoch_large(a, x)


def lnpoch_sgn(a: float, x: float) -> tuple[float, float]:
    """The logarithm of the absolute value, and the sign (0 where the symbol vanishes)."""
    if x == 0.0:
        return 0.0, 1.0
    if a > 0.0 and a + x > 0.0:
        return lnpoch_pos(a, x), 1.0
    if is_pole(a):
        if not is_pole(a + x):
            return -math.inf, 0.0
        # Both gammas have a pole; their ratio is a product of integers.
        if a == 0.0:
            return lnpoch_integers(0.0, x)
        return lnpoch_integers(a, x)
    if is_pole(a + x):
        raise DomainError("gamma(a + x) has a pole")
    if a < 0.0 and a + x < 0.0:
        # Reflect both: the sines give the sign, the gammas are positive.
        sine1 = math.sin(math.pi * (1.0 - a))
        sine2 = math.sin(math.pi * (1.0 - a - x))
        value = math.log(abs(sine1 / sine2)) - lnpoch_pos(1.0 - a, -x)
        if sine1 * sine2 > 0.0:
            return value, 1.0
        return value, -1.0
    log1, sign1 = lngamma(a + x)
    log2, sign2 = lngamma(a)
    return log1 - log2, sign1 * sign2


def lnpoch_integers(a: float, x: float) -> tuple[float, float]:
    """For a and a + x zero or negative integers."""
    value = lngamma(1.0 - a)[0] - lngamma(1.0 - a - x)[0]
    if math.fmod(x, 2.0) == 0.0:
        return value, 1.0
    return value, -1.0
