"""The CORAL constraints that the concolic walk was measured on, one function each.

57 of the 65 are here, the eight chains of inequalities in `coral_chains`; `coral_table` lists all
of them with a satisfying input each. The numbers are CORAL's (those missing use logarithms, or
rounding, and were left out of the evaluation too). There are no ranges: a variable may be any
float. Numbers 15 (true for every input), 46 (false for every input) and 48 (linear) are kept too.
"""

import math

from experiments.subjects.walk.ieee import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    divide,
    exp,
    power,
    sin,
    sqrt,
    tan,
)

DEGREE = 0.017453292519943295


def benchmark01(x: float, y: float) -> bool:
    if sin(x) + cos(y) > 1:
        return True
    return False


def benchmark02(x: float, y: float) -> bool:
    if sin(x) - cos(y) < 1e-10:
        return True
    return False


def benchmark03(x: float, y: float) -> bool:
    if sin(x) - cos(y) == 0:
        return True
    return False


def benchmark04(x: float) -> bool:
    if exp(x) > 0:
        return True
    return False


def benchmark05(x: float, y: float, z: float) -> bool:
    if sin(x) + sin(y) + sin(z) == 4 * cos(x) * cos(y) * cos(z):
        return True
    return False


def benchmark06(x: float, y: float, z: float) -> bool:
    if cos(x) + cos(y) + cos(z) > 4 * sin(x / 2) * sin(y / 2) * sin(z / 2):
        return True
    return False


def benchmark07(x: float, y: float, z: float, w: float) -> bool:
    if divide(sin(2 * x - y), cos(2 * y + y) + 1) == divide(cos(2 * z + x), sin(2 * w + y) - 1):
        return True
    return False


def benchmark08(x: float, y: float, z: float) -> bool:
    if cos(3 * x + 2 * y - z) * sin(z + x + y) == cos(z * x * y):
        return True
    return False


def benchmark09(x: float, y: float) -> bool:
    if sin(cos(x * y)) < cos(sin(x * y)):
        return True
    return False


def benchmark10(x: float, y: float, z: float) -> bool:
    if sin(x * cos(y * sin(z))) > cos(x * sin(y * cos(z))):
        return True
    return False


def benchmark11(x: float, y: float, z: float, w: float) -> bool:
    if asin(x) < cos(y) * cos(z) - atan(w):
        return True
    return False


def benchmark12(x: float, y: float, z: float, w: float) -> bool:
    if asin(x) * asin(y) - 1 < atan(z) * atan(w):
        return True
    return False


def benchmark13(x: float, y: float, z: float, w: float) -> bool:
    if sin(y) * asin(x) < cos(y) * cos(z) - atan(w):
        return True
    return False


def benchmark14(x: float, y: float, z: float, w: float) -> bool:
    if sin(y) * asin(x) - 300 < cos(y) * cos(z) - atan(w):
        return True
    return False


def benchmark15(x: float, y: float, z: float, w: float) -> bool:
    if asin(1) * asin(cos(9 * 57)) - 1 < atan(0) * atan(0):
        return True
    return False


def benchmark16(x: float, y: float, z: float, w: float, v: float) -> bool:
    if tan(w - x) * cos(sin(divide(w, v))) - atan(y + 20 + z) + asin(y - 15) < sin(w * w) * cos(
        x * w * v
    ) - tan(cos(x * w * x)) + sin(w):
        return True
    return False


def benchmark17(x: float) -> bool:
    if asin(x) * acos(x) < atan(x):
        return True
    return False


def benchmark18(x: float) -> bool:
    if 1 + acos(x) < asin(x):
        return True
    return False


def benchmark19(x: float, y: float, z: float) -> bool:
    if 3 * acos(x) < atan(y) + asin(z):
        return True
    return False


def benchmark20(x: float, y: float) -> bool:
    if sin(sin(x * y)) < 0 and cos(2 * x) > 0.25:
        return True
    return False


def benchmark21(x: float, y: float) -> bool:
    if cos(x * y) < 0 and sin(2 * x) > 0.25:
        return True
    return False


def benchmark22(x: float, y: float, z: float, w: float, v: float, t: float, q: float) -> bool:
    if sin(cos(x * y)) < cos(sin(y * z)) and divide(
        sin(w * 2.0 - y), cos(t * 2.0 + q) + 1.0
    ) == divide(cos(z * 2.0 + x), sin(w * 2.0 + v) + 1.0):
        return True
    return False


def benchmark23(x: float, y: float, z: float, w: float) -> bool:
    if (
        divide(sin(2 * x - y), cos(2 * y + x) + 1) == divide(cos(2 * z + x), sin(2 * w + y) - 1)
        and sin(x * y * z * w) > 0
        and cos(x * y * z * w) < 0
    ):
        return True
    return False


def benchmark25(x: float, y: float, z: float, w: float, v: float) -> bool:
    if sin(cos(x * y)) < cos(sin(x * z)) and divide(sin(2 * w - y), cos(2 * y + v) + 1) == divide(
        cos(2 * z + x), sin(2 * w + v) - 1
    ):
        return True
    return False


def benchmark26(x: float, y: float, z: float, w: float, v: float) -> bool:
    if (
        sin(cos(x * y)) < cos(sin(x * z))
        and divide(sin(2 * w - y), cos(2 * y + v) + 1) == divide(cos(2 * z + x), sin(2 * w + v) - 1)
        and sin(x * y * z * w) > 0
        and cos(x * y * z * w) < 0
    ):
        return True
    return False


def benchmark27(x: float, y: float, z: float) -> bool:
    if sin(x * cos(y * sin(z))) > cos(x * sin(y * cos(z))) and sin(cos(x * y)) < cos(sin(x * y)):
        return True
    return False


def benchmark29(x: float) -> bool:
    if exp(x) > 5:
        return True
    return False


def benchmark32(x: float) -> bool:
    if sqrt(x) > 5:
        return True
    return False


def benchmark33(x: float) -> bool:
    if sqrt(sin(x)) > sqrt(cos(x)):
        return True
    return False


def benchmark34(x: float) -> bool:
    if sqrt(sin(x)) < sqrt(cos(x)):
        return True
    return False


def benchmark35(x: float, y: float) -> bool:
    if divide(1.0, sqrt(sin(x))) > sqrt(cos(exp(y))):
        return True
    return False


def benchmark38(x: float, y: float) -> bool:
    if atan2(x, y) == 1.0:
        return True
    return False


def benchmark39(x: float, y: float) -> bool:
    if power(x, y) == 1.0:
        return True
    return False


def benchmark40(x: float, y: float) -> bool:
    if power(x, 2) == x + y:
        return True
    return False


def benchmark41(x: float, y: float) -> bool:
    if power(x, 2) == x + y and x >= -1 and y <= 2:
        return True
    return False


def benchmark42(x: float, y: float) -> bool:
    if power(x, y) > power(y, x) and x > 1 and y <= 10:
        return True
    return False


def benchmark43(x: float, y: float) -> bool:
    if power(x, y) > power(y, x) and exp(y) > exp(x) and y < power(x, 2):
        return True
    return False


def benchmark44(x: float, y: float) -> bool:
    if power(x, y) > power(y, x) and exp(y) < exp(x):
        return True
    return False


def benchmark45(x: float, y: float, z: float) -> bool:
    if sqrt(exp(x + y)) < power(z, x) and x > 0 and y > 1 and z > 1 and y <= x + 2:
        return True
    return False


def benchmark46(x: float, y: float, z: float, w: float) -> bool:
    if (
        sqrt(power(math.e, x + z)) < power(z, x)
        and x > 0
        and y > 1
        and z > 1
        and y < 1
        and y < x + 2
        and w == x + 2
    ):
        return True
    return False


def benchmark47(x: float, y: float, z: float) -> bool:
    if exp(x + y) == exp(z):
        return True
    return False


def benchmark48(x: float, y: float, z: float) -> bool:
    if x + y != z:
        return True
    return False


def benchmark49(x: float, y: float) -> bool:
    if power(x, 2) + 3 * sqrt(y) < x * y and x < power(y, 2) and x + y < 50:
        return True
    return False


def benchmark50(x: float, y: float) -> bool:
    if power(x, 2) + 3 * sqrt(y) < x * y and x < power(y, 2) and x + y < 50 and x == -13 + y:
        return True
    return False


def benchmark52(x: float, y: float, z: float) -> bool:
    if power(x, tan(y)) + z < x * atan(z) and sin(y) + cos(y) + tan(y) >= x - z:
        return True
    return False


def benchmark53(x: float, y: float, z: float) -> bool:
    if (
        power(x, tan(y)) + z < x * atan(z)
        and sin(y) + cos(y) + tan(y) >= x - z
        and atan(x) + atan(y) > y
    ):
        return True
    return False


def benchmark56(x: float, y: float, z: float, w: float, t: float) -> bool:
    if x * y + atan(z) * sin(w * t) > divide(x, y) + z + tan(w + t):
        return True
    return False


def benchmark61(x: float, y: float, z: float, w: float) -> bool:
    if (
        x + y > divide(z, w)
        and sqrt(x) > divide(z, y)
        and z * 2 + w * 3 + x * 7 < power(y, 6)
        and z + w > x + y
        and w < divide(x, y)
    ):
        return True
    return False


def benchmark62(x: float, y: float, z: float, w: float) -> bool:
    if (
        x + y > divide(z, w)
        and sqrt(x) > divide(z, y)
        and z * 2 + w * 3 + x * 7 < power(y, 6)
        and z + w > x + y
        and w < divide(x, y)
        and x > w + y - z
    ):
        return True
    return False


def benchmark78(a: float, b: float, c: float, d: float, e: float, f: int, g: int, h: int) -> bool:
    slope = divide(sin(e * DEGREE), cos(e * DEGREE))
    radius_d = divide(power(d, 2.0), slope) / 68443.0
    radius_a = divide(power(a, 2.0), slope) / 68443.0
    angle = b * DEGREE - c * DEGREE + divide(divide(radius_d * 0.0, d) * -1.0 * a, radius_a)
    if (
        power(a * sin(angle) - d * 0.0, 2.0) + power(a * cos(angle) - d * 1.0, 2.0) == 0.0
        and f != 0
        and h != 0
    ):
        return True
    return False


def benchmark79(a: float, b: float, c: float, d: float, e: int) -> bool:
    angle = DEGREE * b - DEGREE * c
    if power(a * sin(angle) - 0.0 * d, 2.0) + power(a * cos(angle + 0.0), 2.0) == 0.0 and e != 0:
        return True
    return False


def benchmark80(a: float, b: float) -> bool:
    if 1.5 - a * (1 - b) == 0:
        return True
    return False


def benchmark81(a: float, b: float) -> bool:
    if -13 + a + ((5 - b) * b - 2) * b + (-29 + a + ((b + 1) * b - 14) * b) == 0:
        return True
    return False


def benchmark82(a: float, b: float) -> bool:
    if power(10, 4) * a * b - 1 == 0 and power(math.e, -a) + power(math.e, -b) - 1.0001 == 0:
        return True
    return False


def benchmark83(a: float, b: float) -> bool:
    if power(1 - a, 2) + 100 * power(b - a * a, 2) == 0:
        return True
    return False


def benchmark84(a: float, b: float, c: float, d: float) -> bool:
    if (
        10 * (b - a * a) == 0
        and 1 - a == 0
        and sqrt(90) * (d - c * c) == 0
        and 1 - c == 0
        and sqrt(10) * (b + d - 2) == 0
        and power(10, -0.5) * (b - d) == 0
    ):
        return True
    return False


def benchmark91(x: float, y: float) -> bool:
    if sin(x) == -sin(y) and sin(x) > 0:
        return True
    return False
