"""The dilogarithm of a real number, and Clausen's integral (GSL's dilog_xge0 and relatives).

Subjects after those of the "optimal" paper. For x > 1 the result is the real part. The dilogarithm
is a chain of ranges, each with its own identity, over two power series.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, PrecisionError
from experiments.subjects.optimal.gamma import ZETAS

EPSILON = 2.220446049250313e-16
PI_SQUARED = math.pi * math.pi


def dilog(x: float) -> float:
    if x >= 0.0:
        return dilog_xge0(x)
    # Landen's identity maps the negative axis into 0..1.
    log = math.log1p(-x)
    return -dilog_xge0(x / (x - 1.0)) - 0.5 * log * log


def dilog_xge0(x: float) -> float:
    """For an x that is not negative."""
    if x > 2.0:
        log = math.log(x)
        return PI_SQUARED / 3.0 - dilog_small(1.0 / x) - 0.5 * log * log
    if x > 1.01:
        log = math.log(x)
        inner = dilog_small(1.0 - 1.0 / x)
        return PI_SQUARED / 6.0 + inner - log * (math.log(1.0 - 1.0 / x) + 0.5 * log)
    if x > 1.0:
        offset = x - 1.0
        return PI_SQUARED / 6.0 - math.log1p(offset) * math.log(offset) - dilog_series(-offset)
    if x == 1.0:
        return PI_SQUARED / 6.0
    if x > 0.5:
        inner = dilog_small(1.0 - x)
        return PI_SQUARED / 6.0 - inner - math.log(x) * math.log1p(-x)
    return dilog_small(x)


def dilog_small(x: float) -> float:
    """For x between 0 and 1/2."""
    if x > 0.25:
        return dilog_faster_series(x)
    if x > 0.0:
        return dilog_series(x)
    return 0.0


def dilog_series(x: float) -> float:
    """The sum of x^k / k^2."""
    total = x
    power = x
    for k in range(2, 100):
        power = power * x
        term = power / (k * k)
        total = total + term
        if abs(term) < EPSILON * abs(total):
            return total
    raise ConvergenceError("the dilogarithm's series does not settle")


def dilog_faster_series(x: float) -> float:
    """1 + (1 - x) log(1 - x) / x plus the sum of x^k / (k^2 (k + 1))."""
    total = 0.5 * x
    power = x
    for k in range(2, 100):
        power = power * x
        term = power / (k * k * (k + 1.0))
        total = total + term
        if term < EPSILON * total:
            return total + 1.0 + (1.0 - x) * math.log1p(-x) / x
    raise ConvergenceError("the dilogarithm's second series does not settle")


def clausen(x: float) -> float:
    """Clausen's integral, the sum of sin(k x) / k^2: odd, with period 2 pi."""
    sign = 1.0
    if x < 0.0:
        x = -x
        sign = -1.0
    if x > 1.0e8:
        raise PrecisionError("the argument's angle is lost")
    x = math.fmod(x, 2.0 * math.pi)
    if x > math.pi:
        x = 2.0 * math.pi - x
        sign = -sign
    if x == 0.0:
        return 0.0
    if x < 1.0e-8:
        return sign * x * (1.0 - math.log(x))
    if x < 2.1:
        return sign * (x - x * math.log(x) + clausen_sum(x, x / (2.0 * math.pi), 0.0))
    rest = math.pi - x
    return sign * (rest * math.log(2.0) - clausen_sum(rest, rest / math.pi, 1.0))


def clausen_sum(x: float, ratio: float, odd: float) -> float:
    """Twice x times the sum of zeta(2 k) (1 - odd / 4^k) ratio^2k / (2 k (2 k + 1))."""
    total = 0.0
    power = 1.0
    for k in range(1, 60):
        power = power * ratio * ratio
        zeta = 1.0
        if 2 * k - 2 < len(ZETAS):
            zeta = ZETAS[2 * k - 2]
        term = zeta * (1.0 - odd * 0.25**k) * power / (2.0 * k * (2.0 * k + 1.0))
        total = total + term
        if term <= EPSILON * total:
            break
    return 2.0 * x * total
