"""dart of chapter 5: a cube that must overflow.

Subject of the concolic walk's evaluation, after DART's example. In the second branch x is positive
although its cube is not, which only 32-bit arithmetic allows. Every int stands for the 32-bit
number it wraps to.
"""

from experiments.subjects.machine import int32


class AbortError(Exception):
    """The program's own failure: what a tester looks for."""


def dart(x: int, y: int) -> None:
    x = int32(x)
    y = int32(y)
    if int32(x * x * x) > 0:
        if x > 0 and y == 10:
            raise AbortError("cube positive")
    else:
        if x > 0 and y == 20:
            raise AbortError("cube overflowed")
