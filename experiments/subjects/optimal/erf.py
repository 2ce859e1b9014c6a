"""The error function, the incomplete gamma functions and the incomplete beta function.

Numeric subjects in the manner of the "optimal" paper's: series on one side of a dividing line,
continued fractions on the other, symmetry relations, and domain errors.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError
from experiments.subjects.optimal.gamma import lnbeta, lngamma

EPSILON = 2.220446049250313e-16
ROOT_PI = 1.772453850905516


def erf(x: float) -> float:
    if x < 0.0:
        return -erf(-x)
    if x < 1.0e-8:
        return 2.0 * x / ROOT_PI
    if x < 2.5:
        return erf_series(x)
    return 1.0 - erfc(x)


def erfc(x: float) -> float:
    """1 - erf(x), which stays exact where erf is next to 1."""
    if x < 0.0:
        return 2.0 - erfc(-x)
    if x < 1.0:
        return 1.0 - erf(x)
    if x < 26.6:
        return erfc_fraction(x)
    return 0.0


def erf_series(x: float) -> float:
    """2 / sqrt(pi) e^(-x^2) times the sum of 2^n x^(2 n + 1) / (1 3 5 ... (2 n + 1))."""
    term = x
    total = x
    n = 1
    while term > EPSILON * total:
        term = term * 2.0 * x * x / (2.0 * n + 1.0)
        total = total + term
        n = n + 1
    return 2.0 / ROOT_PI * math.exp(-x * x) * total


def erfc_fraction(x: float) -> float:
    """e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + 1 / (x + (3/2) / ...))), from the inside out."""
    depth = int(20.0 + 160.0 / (x * x))
    value = x
    k = depth
    while k > 0:
        value = x + 0.5 * k / value
        k = k - 1
    return math.exp(-x * x) / ROOT_PI / value


def gamma_inc_p(a: float, x: float) -> float:
    """The part of gamma(a) from 0 to x."""
    if a <= 0.0 or x < 0.0:
        raise DomainError("the incomplete gamma function needs a > 0 and x >= 0")
    if a > 1.0e5:
        raise DomainError("too large an order")
    if x == 0.0:
        return 0.0
    if x < 20.0 or x < 0.5 * a:
        if x > a + 20.0:
            return 1.0 - gamma_q_fraction(a, x)
        return gamma_p_series(a, x)
    if x > a + 1.0:
        return 1.0 - gamma_q_fraction(a, x)
    return gamma_p_series(a, x)


def gamma_inc_q(a: float, x: float) -> float:
    """The part of gamma(a) from x to infinity."""
    if a < 0.0 or x < 0.0:
        raise DomainError("the incomplete gamma function needs a >= 0 and x >= 0")
    if a > 1.0e5:
        raise DomainError("too large an order")
    if x == 0.0:
        return 1.0
    if a == 0.0:
        return 0.0
    if x <= 0.5 * a:
        return 1.0 - gamma_p_series(a, x)
    if x > a + 1.0:
        if x > 1.0e6 + a:
            return 0.0
        return gamma_q_fraction(a, x)
    return 1.0 - gamma_p_series(a, x)


def gamma_prefactor(a: float, x: float) -> float:
    """x^a e^-x / gamma(a)"""
    exponent = a * math.log(x) - x - lngamma(a)[0]
    if exponent < -745.0:
        return 0.0
    return math.exp(exponent)


def gamma_p_series(a: float, x: float) -> float:
    term = 1.0 / a
    total = term
    n = 1
    while n < 20_000:
        term = term * x / (a + n)
        total = total + term
        if term < EPSILON * total:
            return gamma_prefactor(a, x) * total
        n = n + 1
    raise ConvergenceError("the incomplete gamma series does not settle")


def gamma_q_fraction(a: float, x: float) -> float:
    b = x + 1.0 - a
    c = 1.0e300
    d = 1.0 / b
    h = d
    n = 1
    while n < 20_000:
        numerator = -n * (n - a)
        b = b + 2.0
        d = numerator * d + b
        if abs(d) < 1.0e-300:
            d = 1.0e-300
        c = b + numerator / c
        if abs(c) < 1.0e-300:
            c = 1.0e-300
        d = 1.0 / d
        change = c * d
        h = h * change
        if abs(change - 1.0) < EPSILON:
            return gamma_prefactor(a, x) * h
        n = n + 1
    raise ConvergenceError("the incomplete gamma fraction does not settle")


def beta_inc(a: float, b: float, x: float) -> float:
    """The normalised incomplete beta function."""
    if x < 0.0 or x > 1.0:
        raise DomainError("x must lie between 0 and 1")
    if a <= 0.0 or b <= 0.0:
        raise DomainError("both parameters must be positive")
    if x == 0.0:
        return 0.0
    if x == 1.0:
        return 1.0
    exponent = a * math.log(x) + b * math.log1p(-x) - lnbeta(a, b)[0]
    if exponent < -745.0:
        factor = 0.0
    else:
        factor = math.exp(exponent)
    if x < (a + 1.0) / (a + b + 2.0):
        return factor * beta_fraction(a, b, x) / a
    return 1.0 - factor * beta_fraction(b, a, 1.0 - x) / b


def beta_fraction(a: float, b: float, x: float) -> float:
    numerator = 1.0
    denominator = 1.0 - (a + b) * x / (a + 1.0)
    if abs(denominator) < 1.0e-300:
        denominator = 1.0e-300
    denominator = 1.0 / denominator
    value = denominator
    k = 1
    while k < 2000:
        for coefficient in (
            k * (b - k) * x / ((a - 1.0 + 2 * k) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1.0)),
        ):
            denominator = 1.0 + coefficient * denominator
            if abs(denominator) < 1.0e-300:
                denominator = 1.0e-300
            numerator = 1.0 + coefficient / numerator
            if abs(numerator) < 1.0e-300:
                numerator = 1.0e-300
            denominator = 1.0 / denominator
            change = numerator * denominator
            value = value * change
        if abs(change - 1.0) < 2.0 * EPSILON:
            return value
        k = k + 1
    raise ConvergenceError("the incomplete beta fraction does not settle")
