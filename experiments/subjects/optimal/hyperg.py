"""Hypergeometric functions 1F1, 2F1 and U of real parameters (GSL's hyperg_U_large_b_e, relatives).

Subjects after those of the "optimal" paper. Every route sums a series and keeps an eye on its
largest term: where cancellation leaves fewer than about seven digits, PrecisionError says so.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError, PrecisionError
from experiments.subjects.optimal.gamma import LOG_MAX, digamma, is_pole, lngamma

EPSILON = 2.220446049250313e-16


def checked(total: float, largest: float) -> float:
    """A sum, unless its terms were too large for it."""
    if largest * EPSILON > 1.0e-10 * abs(total):
        raise PrecisionError("the series cancels")
    return total


def power_exp(base: float, exponent: float, log_factor: float) -> float:
    """base^exponent e^log_factor for a positive base."""
    log = exponent * math.log(base) + log_factor
    if log > LOG_MAX:
        raise OverflowError("the function overflows")
    if log < -740.0:
        return 0.0
    return math.exp(log)


def gamma_ratio(above: float, below: float) -> float:
    """gamma(above) / gamma(below), 0 where the lower one has a pole."""
    if is_pole(below):
        return 0.0
    log1, sign1 = lngamma(above)
    log2, sign2 = lngamma(below)
    if log1 - log2 > LOG_MAX:
        raise OverflowError("a ratio of gammas overflows")
    return sign1 * sign2 * math.exp(log1 - log2)


def hyperg_1f1(a: float, b: float, x: float) -> float:
    if x == 0.0:
        return 1.0
    if is_pole(b):
        if not (is_pole(a) and a >= b):
            raise DomainError("b is 0 or a negative integer")
    if a == 0.0:
        return 1.0
    if a == b:
        return power_exp(math.e, x, 0.0)
    if is_pole(a):
        if a < -1000.0:
            raise DomainError("the polynomial's degree is too large")
        return series_1f1(a, b, x)
    if abs(x) > 100.0 and abs(x) > 2.0 * abs(a) * abs(b - a):
        return far_1f1(a, b, x)
    if x < 0.0:
        # Kummer: the series in -x has no cancellation if b > a > 0.
        return math.exp(x) * hyperg_1f1_forward(b - a, b, -x)
    return hyperg_1f1_forward(a, b, x)


def hyperg_1f1_forward(a: float, b: float, x: float) -> float:
    if x > 650.0:
        raise OverflowError("the function overflows")
    return series_1f1(a, b, x)


def series_1f1(a: float, b: float, x: float) -> float:
    total = 1.0
    term = 1.0
    largest = 1.0
    for k in range(2000):
        if a + k == 0.0:
            return checked(total, largest)
        term = term * (a + k) / (b + k) * x / (k + 1.0)
        total = total + term
        largest = max(largest, abs(term))
        if abs(term) < 0.1 * EPSILON * abs(total) and k > abs(a):
            return checked(total, largest)
    raise ConvergenceError("the series of 1F1 does not settle")


def far_1f1(a: float, b: float, x: float) -> float:
    """The asymptotic series of the solution that dominates."""
    if x > 0.0:
        factor = gamma_ratio(b, a) * power_exp(x, a - b, x)
        return factor * series_2f0(b - a, 1.0 - a, 1.0 / x)
    factor = gamma_ratio(b, b - a) * power_exp(-x, -a, 0.0)
    return factor * series_2f0(a, 1.0 + a - b, -1.0 / x)


def series_2f0(a: float, b: float, x: float) -> float:
    """An asymptotic series: up to its smallest term."""
    total = 1.0
    term = 1.0
    for k in range(200):
        factor = (a + k) * (b + k) * x / (k + 1.0)
        if abs(factor) >= 1.0:
            if abs(term) > 1.0e-8 * abs(total):
                raise PrecisionError("the asymptotic series turns too early")
            return total
        term = term * factor
        total = total + term
        if abs(term) < 0.1 * EPSILON * abs(total):
            return total
    raise ConvergenceError("the asymptotic series does not settle")


def hyperg_2f1(a: float, b: float, c: float, x: float) -> float:
    polynomial = (is_pole(a) and a > -1000.0) or (is_pole(b) and b > -1000.0)
    if is_pole(c):
        if not ((is_pole(a) and a > c) or (is_pole(b) and b > c)):
            raise DomainError("c is 0 or a negative integer")
    if x == 1.0 and not polynomial:
        if c - a - b <= 0.0:
            raise DomainError("the function is infinite at 1")
        return gamma_ratio(c, c - a) * gamma_ratio(c - a - b, c - b)
    if abs(x) >= 1.0 and not polynomial:
        raise DomainError("the argument must lie between -1 and 1")
    if x == 0.0:
        return 1.0
    if polynomial:
        return series_2f1(a, b, c, x)
    if a == c:
        return power_exp(1.0 - x, -b, 0.0)
    if b == c:
        return power_exp(1.0 - x, -a, 0.0)
    if x < -0.5:
        # Pfaff: the argument x / (x - 1) lies between 1/3 and 1/2.
        return power_exp(1.0 - x, -a, 0.0) * series_2f1(a, c - b, c, x / (x - 1.0))
    if x <= 0.6:
        return series_2f1(a, b, c, x)
    d = c - a - b
    if abs(d - math.floor(d + 0.5)) > 0.01:
        return reflected_2f1(a, b, c, x, d)
    return series_2f1(a, b, c, x)


def reflected_2f1(a: float, b: float, c: float, x: float, d: float) -> float:
    """In terms of 1 - x, where c - a - b is not an integer."""
    first = gamma_ratio(c, c - a) * gamma_ratio(d, c - b)
    second = gamma_ratio(c, a) * gamma_ratio(-d, b)
    total = 0.0
    largest = 0.0
    if first != 0.0:
        part = first * series_2f1(a, b, 1.0 - d, 1.0 - x)
        total = total + part
        largest = max(largest, abs(part))
    if second != 0.0:
        part = second * power_exp(1.0 - x, d, 0.0) * series_2f1(c - a, c - b, 1.0 + d, 1.0 - x)
        total = total + part
        largest = max(largest, abs(part))
    return checked(total, largest)


def series_2f1(a: float, b: float, c: float, x: float) -> float:
    total = 1.0
    term = 1.0
    largest = 1.0
    for k in range(10_000):
        if a + k == 0.0 or b + k == 0.0:
            return checked(total, largest)
        term = term * (a + k) * (b + k) / (c + k) * x / (k + 1.0)
        total = total + term
        largest = max(largest, abs(term))
        if abs(term) < 0.01 * EPSILON * abs(total) and k > abs(a) + abs(b):
            return checked(total, largest)
    raise ConvergenceError("the series of 2F1 does not settle")


def hyperg_u(a: float, b: float, x: float) -> float:
    """The confluent function of the second kind."""
    if x <= 0.0:
        raise DomainError("the argument must be positive")
    if a == 0.0:
        return 1.0
    if b == a + 1.0:
        return power_exp(x, -a, 0.0)
    if x > 30.0 and x > 2.0 * abs(a) * abs(1.0 + a - b):
        return power_exp(x, -a, 0.0) * series_2f0(a, 1.0 + a - b, -1.0 / x)
    if abs(a) > 1000.0 or abs(b) > 1000.0:
        raise DomainError("a parameter is too large")
    if b == math.floor(b):
        if b < 1.0:
            # Kummer's transformation takes b to 2 - b.
            return power_exp(x, 1.0 - b, 0.0) * u_integer(1.0 + a - b, int(1.0 - b), x)
        return u_integer(a, int(b) - 1, x)
    return u_large_b(a, b, x)


def u_large_b(a: float, b: float, x: float) -> float:
    """Two solutions of the first kind; for a large b the second one dominates."""
    first = 0.0
    if not is_pole(1.0 + a - b):
        first = gamma_ratio(1.0 - b, 1.0 + a - b) * hyperg_1f1(a, b, x)
    second = 0.0
    if not is_pole(a):
        factor = gamma_ratio(b - 1.0, a) * power_exp(x, 1.0 - b, 0.0)
        second = factor * hyperg_1f1(1.0 + a - b, 2.0 - b, x)
    return checked(first + second, max(abs(first), abs(second)))


def u_integer(a: float, n: int, x: float) -> float:
    """b = n + 1: a finite sum and a series with a logarithm."""
    if is_pole(a):
        # Laguerre's polynomial, up to a factor: (-1)^m (n + 1)_m 1F1(-m; n + 1; x)
        factor = 1.0
        k = 0
        while a + k < 0.0:
            factor = -factor * (n + 1.0 + k)
            k = k + 1
        return factor * series_1f1(a, n + 1.0, x)
    total = 0.0
    largest = 0.0
    if n > 0:
        part = gamma_ratio(float(n), a) * power_exp(x, -float(n), 0.0)
        for k in range(n):
            total = total + part
            largest = max(largest, abs(part))
            if k + 1 < n:
                part = part * (a - n + k) / ((1.0 - n + k) * (k + 1.0)) * x
    if is_pole(a - n):
        return checked(total, largest)
    factor = gamma_ratio(1.0, a - n) / math.exp(lngamma(n + 1.0)[0])
    if n % 2 == 0:
        factor = -factor
    log = math.log(x)
    for k in range(2000):
        bracket = log + digamma(a + k) - digamma(1.0 + k) - digamma(1.0 + n + k)
        part = factor * bracket
        total = total + part
        largest = max(largest, abs(part))
        if abs(part) < 0.1 * EPSILON * abs(total) and k > abs(a):
            return checked(total, largest)
        factor = factor * (a + k) / (n + 1.0 + k) * x / (k + 1.0)
    raise ConvergenceError("the series of U does not settle")
