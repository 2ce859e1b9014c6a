"""Doubles by number: each double's place among all doubles, 0.0 being number 0.

Adding to the number walks from a double to its neighbours and, with large steps, through the
exponents: the scale on which rounding, comparison and the bits of a double are even.
"""

from __future__ import annotations

import math
import struct

_BITS = struct.Struct("<q")
_DOUBLE = struct.Struct("<d")
_LOW = (1 << 63) - 1  # all bits of a double but its sign
INFINITE_ORDINAL = 0x7FF0000000000000  # the number of inf


def ordinal(value: float) -> int:
    """The number of a double, which grows with its value; both zeros are 0, nan has none."""
    bits: int = _BITS.unpack(_DOUBLE.pack(value))[0]
    return bits if bits >= 0 else -(bits & _LOW)


def double(number: int) -> float:
    """The double with this number; beyond the last one infinity."""
    if number >= INFINITE_ORDINAL:
        return math.inf
    if number <= -INFINITE_ORDINAL:
        return -math.inf
    value: float
    if number >= 0:
        value = _DOUBLE.unpack(_BITS.pack(number))[0]
    else:
        value = -_DOUBLE.unpack(_BITS.pack(-number))[0]
    return value


def stepped(value: float, steps: int) -> float:
    """The double so many places further on; nan stays."""
    if value != value:
        return value
    return double(ordinal(value) + steps)
