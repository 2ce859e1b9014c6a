"""Integrals of statistical physics: Fermi and Dirac's, and Debye's.

Numeric subjects in the manner of the "optimal" paper's: accelerated alternating series, exact
reflections, series for small and exponential sums for large arguments.
"""

import math

from experiments.subjects.optimal.errors import DomainError
from experiments.subjects.optimal.gamma import lngamma
from experiments.subjects.optimal.zeta import zeta

EPSILON = 2.220446049250313e-16


def fermi_dirac_int(j: int, x: float) -> float:
    """The complete integral of integer order, divided by gamma(j + 1)."""
    if j < -1 or j > 30:
        raise DomainError("the order is out of range")
    if x > 1.0e8:
        raise OverflowError("the argument is too large")
    if j == -1:
        if x > 0.0:
            return 1.0 / (1.0 + math.exp(-x))
        if x < -700.0:
            return math.exp(x)
        return math.exp(x) / (1.0 + math.exp(x))
    if j == 0:
        if x > 40.0:
            return x
        return math.log1p(math.exp(x))
    if x < 0.0:
        return fermi_series(j, x)
    if x == 0.0:
        return eta(j + 1)
    return fermi_reflected(j, x)


def eta(n: int) -> float:
    """The alternating sum of 1 / k^n."""
    if n == 0:
        return 0.5
    if n == 1:
        return math.log(2.0)
    return (1.0 - math.pow(2.0, 1.0 - n)) * zeta(float(n))


def fermi_series(j: int, x: float) -> float:
    """For x < 0: the sum of -(-e^x)^k / k^(j + 1), accelerated where it is slow."""
    base = math.exp(x)
    if x < -2.0:
        total = 0.0
        power = 1.0
        k = 1
        while k < 40:
            power = -power * base
            term = -power / math.pow(k, j + 1)
            total = total + term
            if abs(term) < EPSILON * abs(total):
                break
            k = k + 1
        return total
    # Cohen, Villegas and Zagier's weights for an alternating sum
    terms = 24
    d = math.pow(3.0 + math.sqrt(8.0), terms)
    d = 0.5 * (d + 1.0 / d)
    b = -1.0
    c = -d
    total = 0.0
    power = 1.0
    for k in range(terms):
        power = power * base
        c = b - c
        total = total + c * power / math.pow(k + 1, j + 1)
        b = b * (k + terms) * (k - terms) / ((k + 0.5) * (k + 1.0))
    return total / d


def fermi_reflected(j: int, x: float) -> float:
    """F_j(x) is (-1)^j F_j(-x) and a polynomial."""
    total = 0.0
    k = 0
    while 2 * k <= j + 1:
        degree = j + 1 - 2 * k
        log_power = degree * math.log(x) - lngamma(degree + 1.0)[0]
        if log_power > 700.0:
            raise OverflowError("the integral is too large")
        total = total + 2.0 * eta(2 * k) * math.exp(log_power)
        k = k + 1
    if j % 2 == 0:
        return total + fermi_series(j, -x)
    return total - fermi_series(j, -x)


def debye(n: int, x: float) -> float:
    """n / x^n times the integral of t^n / (e^t - 1) from 0 to x."""
    if n < 1 or n > 6:
        raise DomainError("the order must lie between 1 and 6")
    if x < 0.0:
        raise DomainError("the argument is negative")
    if x < 1.0e-7:
        return 1.0 - n * x / (2.0 * (n + 1.0))
    if x < 2.0:
        return debye_series(n, x)
    limit = n * math.exp(lngamma(n + 1.0)[0]) * zeta(n + 1.0)
    if x > 800.0:
        return limit / math.pow(x, n)
    return limit / math.pow(x, n) - debye_rest(n, x)


def debye_series(n: int, x: float) -> float:
    """1 - n x / (2 (n + 1)) + n times the sum of B2k x^2k / ((2k + n) (2k)!)."""
    total = 1.0 - n * x / (2.0 * (n + 1.0))
    ratio = x / (2.0 * math.pi)
    power = -1.0
    for k in range(1, 40):
        power = -power * ratio * ratio
        term = 2.0 * n * zeta(2.0 * k) * power / (2.0 * k + n)
        total = total + term
        if abs(term) < EPSILON * abs(total):
            break
    return total


def debye_rest(n: int, x: float) -> float:
    """n / x^n times the integral from x on, a sum over e^(-k x)."""
    total = 0.0
    k = 1
    while k < 40:
        inner = 1.0
        term = 1.0
        for i in range(n):
            term = term * (n - i) / (k * x)
            inner = inner + term
        part = math.exp(-k * x) / k * inner
        total = total + part
        if part < EPSILON * total:
            break
        k = k + 1
    return n * total
