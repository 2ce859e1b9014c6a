"""sine: the sine of a double, computed from its bits.

Subject of the concolic walk's evaluation and (with targets) of symcretic execution's. Reading the
exponent and the sign needs the number's bits, an opaque call; the rest is a case analysis by
exponent, the reduction to a quarter turn, and an odd polynomial with eight coefficients (here the
Taylor series'). Nineteen if statements, as the dissertation counts.

Chosen: pi/2 is split into two 31-bit pieces and a rest, which keeps the reduction good to 1e-6 up
to about 1e6; the two targets lie in the reduction's second and fourth case.
"""

import math
import struct

HALF_PI = math.pi / 2.0
TWO_OVER_PI = 2.0 / math.pi

# pi/2 in pieces whose products with a small integer are exact.
HALF_PI_HIGH = 1686629713 / 2.0**30
HALF_PI_MIDDLE = 1121027177 / 2.0**64
HALF_PI_LOW = 2.912732056093356e-20

# sin(t * pi/2) = t * (C0 + C1 t^2 + C2 t^4 + ...)
C0 = 1.5707963267948966
C1 = -0.6459640975062463
C2 = 0.07969262624616705
C3 = -0.004681754135318688
C4 = 0.00016044118478735983
C5 = -3.598843235212085e-06
C6 = 5.692172921967927e-08
C7 = -6.688035109811468e-10


def raw_bits(x: float) -> int:
    """The 64 bits of a double as an unsigned number."""
    bits: int = struct.unpack("<Q", struct.pack("<d", x))[0]
    return bits


def sine(x: float) -> float:
    bits = raw_bits(x)
    negative = bits >> 63 == 1
    exponent = (bits >> 52) & 0x7FF
    mantissa = bits & 0xFFFFFFFFFFFFF

    if exponent == 2047:
        if mantissa > 0:
            return x
        return math.nan
    if exponent == 0:
        if mantissa > 0:
            return x - x * x
        return x
    if exponent <= 969:
        return x
    if exponent <= 1010:
        return x * (1.0 - x * x / 6.0)
    if negative:
        x = -x

    if exponent < 1023:
        pass  # less than 1: no reduction
    elif exponent <= 1075:
        quarters = math.floor(x * TWO_OVER_PI + 0.5)
        quadrant = quarters & 3
        x = x - quarters * HALF_PI_HIGH
        x = x - quarters * HALF_PI_MIDDLE
        x = x - quarters * HALF_PI_LOW
        if quadrant == 0:
            if x < 0.0:
                x = -x
                negative = not negative
        elif quadrant == 1:
            if x < 0.0:
                x = HALF_PI + x  # target: sine_second
            else:
                x = HALF_PI - x
        elif quadrant == 2:
            if x < 0.0:
                x = -x
            else:
                negative = not negative
        else:
            negative = not negative
            if x < 0.0:
                x = HALF_PI + x
            else:
                x = HALF_PI - x  # target: sine_fourth
    else:
        if negative:
            return -0.0
        return 0.0

    x = x * TWO_OVER_PI
    if x > 1e-4:
        y = x * x
        x = x * (C0 + y * (C1 + y * (C2 + y * (C3 + y * (C4 + y * (C5 + y * (C6 + y * C7)))))))
    else:
        x = x * HALF_PI
    if negative:
        x = -x
    return x
