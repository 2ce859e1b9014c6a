"""Six small methods printed in the dissertation's chapters 3 and 4, each with a marked target.

`dart` and `external` (Figure 4.3), `hard_loop` (Figure 3.1, there called challenges), `unreach`
(Figure 4.4), `slicing` (Figure 4.5) and `narrow` (Figure 4.6). Chosen: nine conditionals in
`unreach` and `slicing`, which explains the tables' 1023 and 1533 path segments; in `slicing` y is
set before the conditionals, since as printed a backward search closes at once. An int stands for
the 32-bit number it wraps to where the target needs overflow.
"""

import math
import struct

from experiments.subjects.machine import int32


def dart(x: int, y: int) -> bool:
    a = int32(x * x * x)
    b = int32(y + 3)
    if a == b:
        return True  # target: dart
    return False


def external(u: float) -> bool:
    v = raw_bits(u)
    if v == 0:
        return True  # target: external
    return False


def raw_bits(u: float) -> int:
    """The bits of the 32-bit float next to a number: opaque to a solver."""
    bits: int = struct.unpack("<i", struct.pack("<f", u))[0]
    return bits


def hard_loop(x: int, u: float) -> bool:
    res = 0
    i = 0
    while i < x:
        tmp = i % 2
        if tmp == 0:
            res = res - 1
        else:
            res = res + 17
        i = i + 1
    if res == 8192:
        if math.sin(u) > 0:
            return True  # target: hard_loop
    return False


def narrow(x: int) -> bool:
    x = int32(x)
    if x >= 0:
        y = x
    else:
        y = int32(-x)
    if y < 0:
        return True  # target: narrow
    return False


def unreach(
    x1: int, x2: int, x3: int, x4: int, x5: int, x6: int, x7: int, x8: int, x9: int
) -> bool:
    y = 0
    if x1 > 0:
        y = y + 1
    else:
        y = y + 2
    if x2 > 0:
        y = y + 1
    else:
        y = y + 2
    if x3 > 0:
        y = y + 1
    else:
        y = y + 2
    if x4 > 0:
        y = y + 1
    else:
        y = y + 2
    if x5 > 0:
        y = y + 1
    else:
        y = y + 2
    if x6 > 0:
        y = y + 1
    else:
        y = y + 2
    if x7 > 0:
        y = y + 1
    else:
        y = y + 2
    if x8 > 0:
        y = y + 1
    else:
        y = y + 2
    if x9 > 0:
        y = y + 1
    else:
        y = y + 2
    if y > 0:
        if y == 0:
            return True  # target: unreach
    return False


def slicing(x1: int, x2: int, x3: int, x4: int, x5: int, x6: int, x7: int, x8: int, x9: int) -> int:
    y = 0
    z = 0
    if x1 > 0:
        z = z + 1
    else:
        z = z - 1
    if x2 > 0:
        z = z + 2
    else:
        z = z - 2
    if x3 > 0:
        z = z + 3
    else:
        z = z - 3
    if x4 > 0:
        z = z + 4
    else:
        z = z - 4
    if x5 > 0:
        z = z + 5
    else:
        z = z - 5
    if x6 > 0:
        z = z + 6
    else:
        z = z - 6
    if x7 > 0:
        z = z + 7
    else:
        z = z - 7
    if x8 > 0:
        z = z + 8
    else:
        z = z - 8
    if x9 > 0:
        z = z + 9
    else:
        z = z - 9
    if y == 1:
        return 1000  # target: slicing
    return z
