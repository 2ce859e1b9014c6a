"""Solve one comparison for one variable: secant steps, and bisection down to neighbouring doubles.

The dissertation's bisection step, taken further: from two points it goes on until the difference
is 0, changes sign between neighbours, or stops getting smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from symcrete.solve.walk.terrain.compiled import FAILED
from symcrete.solve.walk.terrain.ordinal import double, ordinal

# steps: in each the number of right digits grows by a factor of 1.6, so 6 take one digit to all 17
# of a double
MOST_SECANTS = 12


def root(f: Callable[[Any], Any], start: Any, at_start: Any, probe: Any) -> Any:
    """The value nearest to a zero of f that is found from these two; whole numbers stay whole.
    None if f cannot be computed.
    """
    a, fa = start, at_start
    b, fb = probe, f(probe)
    if not (usable(fa) and usable(fb)):
        return None
    for _ in range(MOST_SECANTS):
        if fb == 0:
            return b
        if (fa < 0) is not (fb < 0):
            return between(f, a, fa, b, fb)
        c = _secant(a, fa, b, fb)
        if c is None or c == b:
            return b
        fc = f(c)
        if not usable(fc) or abs(fc) > max(abs(fa), abs(fb)):
            return b if abs(fb) < abs(fa) else a
        a, fa, b, fb = b, fb, c, fc
    return b


def between(f: Callable[[Any], Any], a: Any, fa: Any, b: Any, fb: Any) -> Any:
    """The zero of f, which changes sign between a and b, or the better of the two neighbours
    around it.
    """
    is_whole = type(a) is int
    low, high = (a, b) if is_whole else (ordinal(a), ordinal(b))
    halve = False
    while abs(high - low) > 1:
        middle = (low + high) // 2
        guess = None if halve else _secant(a, fa, b, fb)
        if guess is not None:
            place = guess if is_whole else ordinal(guess)
            if min(low, high) < place < max(low, high):
                middle = place
        c = middle if is_whole else double(middle)
        fc = f(c)
        if fc == 0:
            return c
        if not usable(fc):
            break
        width = abs(high - low)
        if (fc < 0) is (fa < 0):
            a, fa, low = c, fc, middle
        else:
            b, fb, high = c, fc, middle
        halve = abs(high - low) > width // 2  # the secant alone can creep up from one side
    return a if abs(fa) < abs(fb) else b


def usable(difference: Any) -> bool:
    """Whether a difference is a number: neither nan nor FAILED."""
    return bool(difference == difference and difference != FAILED)


def _secant(a: Any, fa: Any, b: Any, fb: Any) -> Any:
    try:
        if type(a) is not int:
            c = b - fb * ((b - a) / (fb - fa))
            return c if math.isfinite(c) else None
        if type(fa) is type(fb) is int:
            return b - _nearest(fb * (b - a), fb - fa)  # exact, however large
        return b - round(fb * ((b - a) / (fb - fa)))
    except (ArithmeticError, ValueError):
        return None


def _nearest(dividend: int, divisor: int) -> int:
    """The whole number nearest to the quotient."""
    return (2 * dividend + divisor) // (2 * divisor)
