"""opti: six optimisation problems of More, Garbow and Hillstrom, posed as equations.

The FloPSy subjects of the concolic walk's evaluation. Each function asks for the exact zero of a
test function, so its target is `return True`; an input for each is in KNOWN. Rosenbrock and Powell
are the hard ones: Powell's zero must be hit in floating point.
"""

import math

from experiments.subjects.walk.ieee import atan, divide, power, sqrt

KNOWN: dict[str, dict[str, float]] = {
    "beale": {"x1": 1.5, "x2": 0.0},
    "freudenstein_roth": {"x1": 21.0, "x2": 0.0},
    "helical_valley": {"x1": 1.0, "x2": 0.0, "x3": 0.0},
    "powell": {"x1": 1.0981593296998995e-05, "x2": 9.106146739865844},
    "rosenbrock": {"x1": 1.0, "x2": 1.0},
    "wood": {"x1": 1.0, "x2": 1.0, "x3": 1.0, "x4": 1.0},
}


def beale(x1: float, x2: float) -> bool:
    if 1.5 - x1 * (1.0 - x2) == 0.0:
        return True
    return False


def freudenstein_roth(x1: float, x2: float) -> bool:
    first = -13.0 + x1 + ((5.0 - x2) * x2 - 2.0) * x2
    second = -29.0 + x1 + ((x2 + 1.0) * x2 - 14.0) * x2
    if first + second == 0.0:
        return True
    return False


def helical_valley(x1: float, x2: float, x3: float) -> bool:
    if (
        10.0 * (x3 - 10.0 * turn(x1, x2)) == 0
        and 10.0 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0.0
        and x3 == 0.0
    ):
        return True
    return False


def turn(x1: float, x2: float) -> float:
    """The angle of a point, as a part of a full turn."""
    if x1 > 0.0:
        return atan(divide(x2, x1)) / (2 * math.pi)
    if x1 < 0.0:
        return atan(divide(x2, x1)) / (2 * math.pi) + 0.5
    return 0.0


def powell(x1: float, x2: float) -> bool:
    if (
        power(10, 4) * x1 * x2 - 1.0 == 0.0
        and power(math.e, -x1) + power(math.e, -x2) - 1.0001 == 0.0
    ):
        return True
    return False


def rosenbrock(x1: float, x2: float) -> bool:
    if power(1.0 - x1, 2) + 100.0 * power(x2 - x1 * x1, 2) == 0.0:
        return True
    return False


def wood(x1: float, x2: float, x3: float, x4: float) -> bool:
    if (
        10.0 * (x2 - x1 * x1) == 0.0
        and 1.0 - x1 == 0.0
        and sqrt(90) * (x4 - x3 * x3) == 0.0
        and 1.0 - x3 == 0.0
        and sqrt(10) * (x2 + x4 - 2.0) == 0.0
        and power(10, -0.5) * (x2 - x4) == 0.0
    ):
        return True
    return False
