"""Exponential and hyperbolic integrals E1, Ei, Chi and Shi (GSL's Chi_e and relatives).

Subjects after those of the "optimal" paper: power series near 0, a continued fraction or an
asymptotic series far from it.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError
from experiments.subjects.optimal.gamma import EULER

EPSILON = 2.220446049250313e-16


def expint_e1(x: float) -> float:
    """The integral of e^-t / t from x to infinity; for negative x its principal value."""
    if x == 0.0:
        raise DomainError("E1 has a pole at 0")
    if x < 0.0:
        return -expint_ei_positive(-x)
    if x <= 1.0:
        return e1_series(x)
    if x <= 739.0:
        return e1_fraction(x)
    return 0.0


def expint_ei(x: float) -> float:
    """The principal value of the integral of e^t / t up to x."""
    if x == 0.0:
        raise DomainError("Ei has a pole at 0")
    if x > 0.0:
        return expint_ei_positive(x)
    return -expint_e1(-x)


def e1_series(x: float) -> float:
    total = -EULER - math.log(x)
    term = -1.0
    k = 1
    while abs(term) > EPSILON * abs(total):
        term = -term * x / k
        total = total + term / k
        k = k + 1
        if k > 100:
            raise ConvergenceError("the series of E1 does not settle")
    return total


def e1_fraction(x: float) -> float:
    """e^-x / (x + 1 - 1 / (x + 3 - 4 / (x + 5 - ...)))"""
    b = x + 1.0
    c = 1.0e300
    d = 1.0 / b
    h = d
    for i in range(1, 500):
        a = -float(i * i)
        b = b + 2.0
        d = 1.0 / (a * d + b)
        c = b + a / c
        change = c * d
        h = h * change
        if abs(change - 1.0) < EPSILON:
            return h * math.exp(-x)
    raise ConvergenceError("the continued fraction of E1 does not settle")


def expint_ei_positive(x: float) -> float:
    if x > 716.3:
        raise OverflowError("the exponential integral overflows")
    if x < 1.0e-300:
        return EULER + math.log(x)
    if x <= 40.0:
        total = EULER + math.log(x)
        term = 1.0
        k = 1
        while k < 500:
            term = term * x / k
            total = total + term / k
            if term / k < EPSILON * abs(total):
                return total
            k = k + 1
        raise ConvergenceError("the series of Ei does not settle")
    total = 1.0
    term = 1.0
    k = 1
    while k < x:
        term = term * k / x
        if term < EPSILON:
            break
        total = total + term
        k = k + 1
    return math.exp(x - 1.0) / x * math.e * total


def chi(x: float) -> float:
    """The hyperbolic cosine integral."""
    if x == 0.0:
        raise DomainError("Chi has a pole at 0")
    return 0.5 * (expint_ei(x) - expint_e1(x))


def shi(x: float) -> float:
    """The hyperbolic sine integral."""
    size = abs(x)
    if size < 1.5e-8:
        return x
    if size <= 1.0:
        square = x * x
        total = x
        term = x
        k = 1
        while abs(term) > EPSILON * abs(total):
            term = term * square / ((2 * k) * (2 * k + 1))
            total = total + term / (2 * k + 1)
            k = k + 1
        return total
    return 0.5 * (expint_ei(x) + expint_e1(x))
