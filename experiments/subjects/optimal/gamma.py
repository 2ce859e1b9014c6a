"""Gamma, its logarithm and the beta function (GSL's lngamma_e and relatives).

Subjects after those of the "optimal" paper. Stirling's series from 10 on, recurrence below it,
power series next to 1 and 2, where the logarithm vanishes, and reflection for negative arguments.
"""

import math

from experiments.subjects.optimal.errors import DomainError, PrecisionError

EULER = 0.5772156649015329
HALF_LOG_TWO_PI = 0.9189385332046728
LOG_MAX = 709.782712893384

# Riemann's zeta at 2, 3, 4, ...
ZETAS = (
    1.6449340668482264,
    1.2020569031595942,
    1.0823232337111381,
    1.03692775514337,
    1.0173430619844492,
    1.0083492773819229,
    1.0040773561979444,
    1.0020083928260821,
    1.000994575127818,
    1.0004941886041194,
    1.000246086553308,
    1.0001227133475785,
    1.0000612481350588,
    1.000030588236307,
    1.0000152822594086,
    1.0000076371976379,
    1.000003817293265,
    1.0000019082127165,
)

# Of 1/x, 1/x^3, 1/x^5, ... in Stirling's series.
STIRLING = (
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360360.0,
    1.0 / 156.0,
)


def lngamma(x: float) -> tuple[float, float]:
    """The logarithm of the absolute value of gamma(x), and the sign."""
    if abs(x - 1.0) < 0.1:
        return lngamma_one_plus(x - 1.0), 1.0
    if abs(x - 2.0) < 0.1:
        return math.log1p(x - 2.0) + lngamma_one_plus(x - 2.0), 1.0
    if x >= 0.5:
        return lngamma_positive(x), 1.0
    if x == 0.0:
        raise DomainError("gamma has a pole at 0")
    if abs(x) < 0.02:
        sign = 1.0 if x > 0.0 else -1.0
        return lngamma_one_plus(x) - math.log(abs(x)), sign
    if x > -1.0e15:
        return lngamma_reflected(x)
    raise PrecisionError("too large and negative to tell the poles apart")


def lngamma_one_plus(e: float) -> float:
    """The logarithm of gamma(1 + e) for a small e, by its power series."""
    total = -EULER * e
    power = e
    k = 2
    for zeta in ZETAS:
        power = -power * e
        total = total - zeta * power / k
        k = k + 1
    return total


def stirling_sum(x: float) -> float:
    """The correction to Stirling's formula, for x of 10 and more."""
    inverse_square = 1.0 / (x * x)
    power = 1.0 / x
    total = 0.0
    for coefficient in STIRLING:
        total = total + coefficient * power
        power = power * inverse_square
    return total


def lngamma_positive(x: float) -> float:
    if x > 1.0e305:
        raise OverflowError("the logarithm of gamma overflows")
    product = 1.0
    while x < 10.0:
        product = product * x
        x = x + 1.0
    value = (x - 0.5) * math.log(x) - x + HALF_LOG_TWO_PI + stirling_sum(x)
    return value - math.log(product)


def lngamma_reflected(x: float) -> tuple[float, float]:
    """gamma(x) gamma(1 - x) = pi / sin(pi x), with the sine taken from the nearest integer."""
    nearest = math.floor(x + 0.5)
    offset = x - nearest
    if offset == 0.0:
        raise DomainError("gamma has a pole at every negative integer")
    sine = math.sin(math.pi * offset)
    if nearest % 2 != 0:
        sine = -sine
    value = math.log(math.pi / abs(sine)) - lngamma_positive(1.0 - x)
    if sine > 0.0:
        return value, 1.0
    return value, -1.0


def gamma(x: float) -> float:
    if x > 171.6243769563027:
        raise OverflowError("gamma overflows")
    if x > 0.0 and x < 30.0 and x == math.floor(x):
        product = 1.0
        while x > 2.0:
            x = x - 1.0
            product = product * x
        return product
    if x < -183.0:
        value, sign = lngamma(x)
        if value < -745.0:
            return 0.0 * sign
        return sign * math.exp(value)
    value, sign = lngamma(x)
    if value > LOG_MAX:
        raise OverflowError("gamma overflows next to a pole")
    return sign * math.exp(value)


def lnbeta(a: float, b: float) -> tuple[float, float]:
    """The logarithm of the absolute value of beta(a, b), and the sign."""
    if is_pole(a) or is_pole(b):
        raise DomainError("beta has a pole at 0 and at every negative integer")
    if is_pole(a + b):
        return -math.inf, 0.0
    if a > 0.0 and b > 0.0:
        small = min(a, b)
        large = max(a, b)
        if small < 0.2 * large and large > 20.0:
            # gamma(large) / gamma(large + small) without subtracting large logarithms
            ratio = small / large
            value = -small * math.log(large + small) - (large - 0.5) * math.log1p(ratio) + small
            value = value + stirling_sum(large) - stirling_sum(large + small)
            return value + lngamma(small)[0], 1.0
        return lngamma(a)[0] + lngamma(b)[0] - lngamma(a + b)[0], 1.0
    log_a, sign_a = lngamma(a)
    log_b, sign_b = lngamma(b)
    log_ab, sign_ab = lngamma(a + b)
    return log_a + log_b - log_ab, sign_a * sign_b * sign_ab


def is_pole(x: float) -> bool:
    return x <= 0.0 and x == math.floor(x)


def beta(a: float, b: float) -> float:
    value, sign = lnbeta(a, b)
    if value > LOG_MAX:
        raise OverflowError("beta overflows")
    return sign * math.exp(value)


def digamma(x: float) -> float:
    """The logarithmic derivative of gamma."""
    if is_pole(x):
        raise DomainError("digamma has a pole at 0 and at every negative integer")
    if abs(x) < 1.0e-9:
        return -EULER - 1.0 / x
    if x < 0.0:
        return digamma(1.0 - x) - math.pi / math.tan(math.pi * x)
    return digamma_real_part(x, 0.0)


def digamma_real_part(x: float, y: float) -> float:
    """The real part of digamma at x + i y, for a positive x."""
    total = 0.0
    while x * x + y * y < 144.0:
        total = total - x / (x * x + y * y)
        x = x + 1.0
    square = x * x + y * y
    # w = 1 / z^2 in its real and imaginary part
    real = (x * x - y * y) / (square * square)
    imaginary = -2.0 * x * y / (square * square)
    total = total + 0.5 * math.log(square) - 0.5 * x / square
    power_real = 1.0
    power_imaginary = 0.0
    for coefficient in (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12):
        previous = power_real
        power_real = previous * real - power_imaginary * imaginary
        power_imaginary = previous * imaginary + power_imaginary * real
        total = total + coefficient * power_real
    return total
