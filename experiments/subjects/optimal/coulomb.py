"""Coulomb wave functions near the origin (GSL's coulomb_FG0_series and coulomb_FGmhalf_series).

Subjects after those of the "optimal" paper: F and G of angular momentum 0 and -1/2 by their power
series. G comes with a logarithm, because the two exponents of the equation differ by an integer.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError, PrecisionError
from experiments.subjects.optimal.gamma import EULER, digamma_real_part

EPSILON = 2.220446049250313e-16
LOG_2 = 0.6931471805599453


def coulomb_fg0(eta: float, x: float) -> tuple[float, float]:
    """F and G for L = 0."""
    check(eta, x)
    if eta == 0.0:
        factor = 1.0
    elif abs(eta) < 1.0e-8:
        factor = 1.0 - math.pi * eta
    else:
        factor = 2.0 * math.pi * eta / math.expm1(2.0 * math.pi * eta)
    c0 = math.sqrt(factor)
    u_before, u_here = 0.0, x
    v_before, v_here = 1.0, 0.0
    u = x
    v = 1.0
    largest = max(1.0, x)
    for k in range(2, 1000):
        u_after = (2.0 * eta * x * u_here - x * x * u_before) / (k * (k - 1.0))
        v_after = 2.0 * eta * x * v_here - x * x * v_before - 2.0 * eta * (2.0 * k - 1.0) * u_after
        v_after = v_after / (k * (k - 1.0))
        u = u + u_after
        v = v + v_after
        u_before, u_here = u_here, u_after
        v_before, v_here = v_here, v_after
        largest = max(largest, abs(u_after), abs(v_after))
        if settled(u_before, u_here, u) and settled(v_before, v_here, v):
            break
    else:
        raise ConvergenceError("the series do not settle")
    constant = LOG_2 - 1.0 + 2.0 * EULER + digamma_real_part(1.0, eta)
    logarithmic = 2.0 * eta * u * (math.log(x) + constant)
    f = c0 * u
    g = (v + logarithmic) / c0
    return weigh(f, g, largest * c0, max(largest, abs(logarithmic)) / c0)


def coulomb_fgmhalf(eta: float, x: float) -> tuple[float, float]:
    """F and G for L = -1/2."""
    check(eta, x)
    # |gamma(1/2 + i eta)|^2 = pi / cosh(pi eta)
    c = math.sqrt(0.5 * math.pi / math.cosh(math.pi * eta)) * math.exp(-0.5 * math.pi * eta)
    root = math.sqrt(x)
    u_before, u_here = 0.0, root
    v_before, v_here = 0.0, 0.0
    u = u_here
    v = v_here
    largest = root
    for k in range(1, 1000):
        u_after = (2.0 * eta * x * u_here - x * x * u_before) / (k * k)
        v_after = (2.0 * eta * x * v_here - x * x * v_before - 2.0 * k * u_after) / (k * k)
        u = u + u_after
        v = v + v_after
        u_before, u_here = u_here, u_after
        v_before, v_here = v_here, v_after
        largest = max(largest, abs(u_after), abs(v_after))
        if settled(u_before, u_here, u) and settled(v_before, v_here, v):
            break
    else:
        raise ConvergenceError("the series do not settle")
    constant = LOG_2 + 2.0 * EULER + digamma_real_part(0.5, eta)
    logarithmic = u * (math.log(x) + constant)
    f = c * u
    g = -(v + logarithmic) / c
    return weigh(f, g, largest * c, max(largest, abs(logarithmic)) / c)


def check(eta: float, x: float) -> None:
    if x <= 0.0:
        raise DomainError("the distance must be positive")
    if abs(eta) > 100.0:
        raise DomainError("the charge parameter is too large")
    if x > 50.0:
        raise DomainError("too far out for the series")


def settled(before: float, here: float, total: float) -> bool:
    """Two terms, since one of them may vanish by chance."""
    return abs(before) + abs(here) < 0.1 * EPSILON * abs(total)


def weigh(f: float, g: float, largest_f: float, largest_g: float) -> tuple[float, float]:
    """The results, unless cancellation ate them."""
    if largest_f * EPSILON > 1.0e-9 * abs(f) or largest_g * EPSILON > 1.0e-9 * abs(g):
        raise PrecisionError("the series cancel")
    return f, g
