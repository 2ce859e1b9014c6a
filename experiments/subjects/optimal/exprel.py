"""The relative exponential n! x^-n (e^x - sum of x^k / k!, k < n) (GSL's exprel_n_e).

Subject after those of the "optimal" paper: its conditions are simple, and decide between a closed
form, a direct difference, a continued fraction and an asymptotic sum.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError
from experiments.subjects.optimal.gamma import LOG_MAX, lngamma

EPSILON = 2.220446049250313e-16
LOG_EPSILON = -36.04365338911715


def exprel_n(n: int, x: float) -> float:
    if n < 0:
        raise DomainError("the order is negative")
    if n > 100_000:
        raise DomainError("the order is too large")
    if x == 0.0:
        return 1.0
    if abs(x) < 1.0e-5 * n:
        return 1.0 + x / (n + 1) * (1.0 + x / (n + 2) * (1.0 + x / (n + 3)))
    if n == 0:
        if x > LOG_MAX:
            raise OverflowError("the exponential overflows")
        return math.exp(x)
    if n == 1:
        return exprel(x)
    if n == 2:
        return exprel_2(x)
    if x > n:
        return exprel_beyond(n, x)
    if x > -10.0 * n:
        return exprel_fraction(n, x)
    return exprel_negative(n, x)


def exprel(x: float) -> float:
    """(e^x - 1) / x"""
    if x > LOG_MAX:
        raise OverflowError("the exponential overflows")
    if x < -700.0:
        return -1.0 / x
    return math.expm1(x) / x


def exprel_2(x: float) -> float:
    """2 (e^x - 1 - x) / x^2"""
    if x > LOG_MAX:
        raise OverflowError("the exponential overflows")
    if x < -700.0:
        return -2.0 / x * (1.0 + 1.0 / x)
    if abs(x) < 0.01:
        return 1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0 * (1.0 + x / 7.0))))
    return 2.0 * (math.expm1(x) - x) / (x * x)


def exprel_beyond(n: int, x: float) -> float:
    """x > n: take the sum away from the exponential, if it matters at all."""
    log_factor = lngamma(n + 1.0)[0] + x - n * math.log(x)
    if log_factor > LOG_MAX:
        raise OverflowError("the relative exponential overflows")
    factor = math.exp(log_factor)
    if -x + n * (1.0 + math.log(x / n)) < LOG_EPSILON:
        return factor
    # What is taken away, starting with its largest term
    term = math.exp((n - 1) * math.log(x) - x - lngamma(float(n))[0])
    total = term
    k = n - 1
    while k > 0 and term > EPSILON * total:
        term = term * k / x
        total = total + term
        k = k - 1
    return factor * (1.0 - total)


def exprel_fraction(n: int, x: float) -> float:
    """Gauss's continued fraction of 1F1(1; n + 1; x), by Lentz's rule."""
    tiny = 1.0e-300
    value = 1.0
    upper = 1.0
    lower = 0.0
    for step in range(1, 6001):
        if step == 1:
            numerator = -x
        elif step % 2 == 1:
            numerator = -x * (n + step // 2)
        else:
            numerator = x * (step // 2)
        denominator = float(n + step)
        lower = denominator + numerator * lower
        if lower == 0.0:
            lower = tiny
        upper = denominator + numerator / upper
        if upper == 0.0:
            upper = tiny
        lower = 1.0 / lower
        change = upper * lower
        value = value * change
        if abs(change - 1.0) < 2.0 * EPSILON:
            return 1.0 / value
    raise ConvergenceError("the continued fraction does not settle")


def exprel_negative(n: int, x: float) -> float:
    """x < -10 n: only the sum is left, as a series in 1 / x."""
    total = 1.0
    term = 1.0
    k = 1
    while k < n:
        term = term * (n - k) / x
        if abs(term) < EPSILON * abs(total):
            break
        total = total + term
        k = k + 1
    return -n / x * total
