"""Wigner's 3j and 6j coupling coefficients (GSL's coupling_6j_e).

Subjects after those of the "optimal" paper. Arguments are twice the (half-)integer spins and
projections. Selection rules make most inputs return 0 early; the rest is Racah's sum.
"""

import math

from experiments.subjects.optimal.errors import DomainError
from experiments.subjects.optimal.gamma import lngamma

LARGEST = 120  # twice the largest spin: beyond it the alternating sum loses its digits


def log_factorial(n: int) -> float:
    return lngamma(n + 1.0)[0]


def is_triangle(two_a: int, two_b: int, two_c: int) -> bool:
    """Whether three spins can couple: the triangle rule, and an integer sum."""
    if two_c < abs(two_a - two_b):
        return False
    if two_c > two_a + two_b:
        return False
    return (two_a + two_b + two_c) % 2 == 0


def log_delta(two_a: int, two_b: int, two_c: int) -> float:
    """Half the logarithm of the triangle coefficient."""
    value = log_factorial((two_a + two_b - two_c) // 2)
    value = value + log_factorial((two_a - two_b + two_c) // 2)
    value = value + log_factorial((-two_a + two_b + two_c) // 2)
    return 0.5 * (value - log_factorial((two_a + two_b + two_c) // 2 + 1))


def coupling_3j(
    two_ja: int, two_jb: int, two_jc: int, two_ma: int, two_mb: int, two_mc: int
) -> float:
    if two_ja < 0 or two_jb < 0 or two_jc < 0:
        raise DomainError("a spin is negative")
    if two_ja > LARGEST or two_jb > LARGEST or two_jc > LARGEST:
        raise DomainError("a spin is too large")
    if not is_triangle(two_ja, two_jb, two_jc):
        return 0.0
    if two_ma + two_mb + two_mc != 0:
        return 0.0
    if abs(two_ma) > two_ja or abs(two_mb) > two_jb or abs(two_mc) > two_jc:
        return 0.0
    if (two_ja + two_ma) % 2 != 0 or (two_jb + two_mb) % 2 != 0 or (two_jc + two_mc) % 2 != 0:
        return 0.0
    norm = log_delta(two_ja, two_jb, two_jc)
    for two_j, two_m in ((two_ja, two_ma), (two_jb, two_mb), (two_jc, two_mc)):
        norm = norm + 0.5 * log_factorial((two_j + two_m) // 2)
        norm = norm + 0.5 * log_factorial((two_j - two_m) // 2)
    first = max(0, (two_jb - two_jc - two_ma) // 2, (two_ja - two_jc + two_mb) // 2)
    last = min((two_ja + two_jb - two_jc) // 2, (two_ja - two_ma) // 2, (two_jb + two_mb) // 2)
    total = 0.0
    for k in range(first, last + 1):
        log_term = log_factorial(k)
        log_term = log_term + log_factorial((two_ja + two_jb - two_jc) // 2 - k)
        log_term = log_term + log_factorial((two_ja - two_ma) // 2 - k)
        log_term = log_term + log_factorial((two_jb + two_mb) // 2 - k)
        log_term = log_term + log_factorial((two_jc - two_jb + two_ma) // 2 + k)
        log_term = log_term + log_factorial((two_jc - two_ja - two_mb) // 2 + k)
        term = math.exp(norm - log_term)
        if k % 2 == 0:
            total = total + term
        else:
            total = total - term
    if ((two_ja - two_jb - two_mc) // 2) % 2 != 0:
        return -total
    return total


def coupling_6j(
    two_ja: int, two_jb: int, two_jc: int, two_jd: int, two_je: int, two_jf: int
) -> float:
    if two_ja < 0 or two_jb < 0 or two_jc < 0:
        raise DomainError("a spin of the upper row is negative")
    if two_jd < 0 or two_je < 0 or two_jf < 0:
        raise DomainError("a spin of the lower row is negative")
    if max(two_ja, two_jb, two_jc, two_jd, two_je, two_jf) > LARGEST:
        raise DomainError("a spin is too large")
    if not is_triangle(two_ja, two_jb, two_jc) or not is_triangle(two_ja, two_je, two_jf):
        return 0.0
    if not is_triangle(two_jd, two_jb, two_jf) or not is_triangle(two_jd, two_je, two_jc):
        return 0.0
    norm = log_delta(two_ja, two_jb, two_jc)
    norm = norm + log_delta(two_ja, two_je, two_jf)
    norm = norm + log_delta(two_jd, two_jb, two_jf)
    norm = norm + log_delta(two_jd, two_je, two_jc)
    lower = (
        (two_ja + two_jb + two_jc) // 2,
        (two_ja + two_je + two_jf) // 2,
        (two_jd + two_jb + two_jf) // 2,
        (two_jd + two_je + two_jc) // 2,
    )
    upper = (
        (two_ja + two_jb + two_jd + two_je) // 2,
        (two_jb + two_jc + two_je + two_jf) // 2,
        (two_jc + two_ja + two_jf + two_jd) // 2,
    )
    total = 0.0
    for k in range(max(lower), min(upper) + 1):
        log_term = norm + log_factorial(k + 1)
        for bound in lower:
            log_term = log_term - log_factorial(k - bound)
        for bound in upper:
            log_term = log_term - log_factorial(bound - k)
        if k % 2 == 0:
            total = total + math.exp(log_term)
        else:
            total = total - math.exp(log_term)
    return total
