"""Legendre's polynomials and associated functions.

Numeric subjects in the manner of the "optimal" paper's: closed forms for small degrees, end points,
upward recurrences, and the errors of arguments out of range or too large.
"""

import math

from experiments.subjects.optimal.errors import DomainError
from experiments.subjects.optimal.gamma import LOG_MAX

LARGEST = 2000


def legendre_pl(l: int, x: float) -> float:
    if l < 0 or l > LARGEST:
        raise DomainError("the degree is out of range")
    if x < -1.0 or x > 1.0:
        raise DomainError("the argument must lie between -1 and 1")
    if l == 0:
        return 1.0
    if l == 1:
        return x
    if l == 2:
        return 0.5 * (3.0 * x * x - 1.0)
    if x == 1.0:
        return 1.0
    if x == -1.0:
        if l % 2 == 1:
            return -1.0
        return 1.0
    below = x
    here = 0.5 * (3.0 * x * x - 1.0)
    k = 3
    while k <= l:
        below, here = here, (x * (2 * k - 1) * here - (k - 1) * below) / k
        k = k + 1
    return here


def legendre_plm(l: int, m: int, x: float) -> float:
    """The associated function, with the phase (-1)^m."""
    if m < 0 or l < m or l > LARGEST:
        raise DomainError("degree and order are out of range")
    if x < -1.0 or x > 1.0:
        raise DomainError("the argument must lie between -1 and 1")
    if m == 0:
        return legendre_pl(l, x)
    if x == 1.0 or x == -1.0:
        return 0.0
    # How large the result may get: (l + m)! / (l - m)! bounds its square.
    growth = 0.0
    k = l - m + 1
    while k <= l + m:
        growth = growth + math.log(k)
        k = k + 1
    if growth > 2.0 * LOG_MAX - 40.0:
        raise OverflowError("the function is too large")
    root = math.sqrt(1.0 - x) * math.sqrt(1.0 + x)
    here = 1.0
    k = 1
    while k <= m:
        here = -here * (2 * k - 1) * root
        k = k + 1
    if l == m:
        return here
    below = here
    here = x * (2 * m + 1) * here
    if l == m + 1:
        return here
    k = m + 2
    while k <= l:
        below, here = here, (x * (2 * k - 1) * here - (k + m - 1) * below) / (k - m)
        k = k + 1
    return here
