"""Floating-point functions that answer nan or an infinity where Python's raise.

The CORAL and FloPSy constraints come from Java: outside its domain a function is nan, an overflow
and a division by zero are infinite, and nan satisfies no comparison but `!=`. `power` follows
IEEE 754 where Java differs from it: 1 to the power nan is 1.
"""

import math


def divide(dividend: float, divisor: float) -> float:
    try:
        return dividend / divisor
    except ZeroDivisionError:
        if dividend == 0.0 or math.isnan(dividend):
            return math.nan
        return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


def power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return _infinity(base, exponent)
    except ValueError:
        if base == 0.0:
            return _infinity(base, exponent)
        return math.nan


def _infinity(base: float, exponent: float) -> float:
    """The infinity a power runs to: negative for a negative base and an odd exponent."""
    if math.copysign(1.0, base) < 0.0 and abs(math.fmod(exponent, 2.0)) == 1.0:
        return -math.inf
    return math.inf


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def sqrt(x: float) -> float:
    try:
        return math.sqrt(x)
    except ValueError:
        return math.nan


def sin(x: float) -> float:
    try:
        return math.sin(x)
    except ValueError:
        return math.nan


def cos(x: float) -> float:
    try:
        return math.cos(x)
    except ValueError:
        return math.nan


def tan(x: float) -> float:
    try:
        return math.tan(x)
    except ValueError:
        return math.nan


def asin(x: float) -> float:
    try:
        return math.asin(x)
    except ValueError:
        return math.nan


def acos(x: float) -> float:
    try:
        return math.acos(x)
    except ValueError:
        return math.nan


def atan(x: float) -> float:
    return math.atan(x)


def atan2(y: float, x: float) -> float:
    return math.atan2(y, x)
