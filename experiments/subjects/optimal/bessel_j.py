"""Bessel functions J0, J1 and Jn, with the shifted cosine and sine they need far out.

Subjects after those of the "optimal" paper (GSL's bessel_cos_pi4_e, bessel_sin_pi4_e and the
functions that call them): power series, backward recurrence, Hankel's asymptotic series.
"""

import math

from experiments.subjects.optimal.errors import DomainError, PrecisionError

EPSILON = 2.220446049250313e-16
ROOT_HALF = 0.7071067811865476


def small_sine_cosine(eps: float) -> tuple[float, float]:
    """The sine and the cosine of a correction that is usually small."""
    if abs(eps) < 0.005:
        square = eps * eps
        sine = eps * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)))
        cosine = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0))
        return sine, cosine
    return math.sin(eps), math.cos(eps)


def angle_error(y: float) -> float:
    """How much of an angle of this size is uncertain."""
    if y > 1.0 / EPSILON:
        raise PrecisionError("the angle is lost")
    if y > 1.0e8:
        return 8.0 * EPSILON * y
    if y > 1.0e5:
        return 4.0 * EPSILON * y
    return 2.0 * EPSILON


def bessel_cos_pi4(y: float, eps: float) -> tuple[float, float]:
    """cos(y - pi/4 + eps) and an estimate of its error."""
    uncertain = angle_error(y)
    sine_y = math.sin(y)
    cosine_y = math.cos(y)
    sine, cosine = small_sine_cosine(eps)
    total = sine_y + cosine_y
    difference = sine_y - cosine_y
    value = ROOT_HALF * (cosine * total - sine * difference)
    return value, uncertain * (abs(value) + 1.0)


def bessel_sin_pi4(y: float, eps: float) -> tuple[float, float]:
    """sin(y - pi/4 + eps) and an estimate of its error."""
    uncertain = angle_error(y)
    sine_y = math.sin(y)
    cosine_y = math.cos(y)
    sine, cosine = small_sine_cosine(eps)
    total = sine_y + cosine_y
    difference = sine_y - cosine_y
    value = ROOT_HALF * (cosine * difference + sine * total)
    return value, uncertain * (abs(value) + 1.0)


def hankel_sums(order: int, x: float) -> tuple[float, float]:
    """The even and the odd sum of Hankel's asymptotic expansion, for x of 25 and more."""
    mu = 4.0 * order * order
    even = 1.0
    odd = 0.0
    term = 1.0
    k = 1
    while k < 100:
        factor = (mu - (2 * k - 1) * (2 * k - 1)) / (8.0 * k * x)
        if abs(factor) >= 1.0 and k > order:
            break
        term = term * factor
        if k % 4 == 1:
            odd = odd + term
        elif k % 4 == 2:
            even = even - term
        elif k % 4 == 3:
            odd = odd - term
        else:
            even = even + term
        if abs(term) < EPSILON * abs(even):
            break
        k = k + 1
    return even, odd


def series(order: int, x: float) -> float:
    """(x/2)^n / n! times the sum of (-x^2/4)^k / (k! (n + 1) ... (n + k))."""
    factor = 1.0
    k = 1
    while k <= order:
        factor = factor * (0.5 * x) / k
        if factor == 0.0:
            return 0.0
        k = k + 1
    square = -0.25 * x * x
    term = 1.0
    total = 1.0
    k = 1
    while abs(term) > EPSILON * abs(total) and k < 200:
        term = term * square / (k * (k + order))
        total = total + term
        k = k + 1
    return factor * total


def backward(order: int, x: float) -> float:
    """Miller's recurrence: start high, come down, and divide by J0 + 2 J2 + 2 J4 + ... = 1."""
    start = max(order, int(x)) + 30 + int(math.sqrt(40.0 * max(order, x)))
    start = start + start % 2
    above = 0.0
    here = 1.0e-30
    wanted = 0.0
    total = 0.0
    n = start
    while n > 0:
        below = 2.0 * n / x * here - above
        above = here
        here = below
        n = n - 1
        if abs(here) > 1.0e100:
            above = above * 1.0e-100
            here = here * 1.0e-100
            wanted = wanted * 1.0e-100
            total = total * 1.0e-100
        if n == order:
            wanted = here
        if n % 2 == 0 and n > 0:
            total = total + 2.0 * here
    return wanted / (total + here)


def bessel_j0(x: float) -> float:
    y = abs(x)
    if y < 1.0e-8:
        return 1.0
    if y <= 6.0:
        return series(0, y)
    if y < 25.0:
        return backward(0, y)
    even, odd = hankel_sums(0, y)
    cosine, _ = bessel_cos_pi4(y, 0.0)
    sine, _ = bessel_sin_pi4(y, 0.0)
    return math.sqrt(2.0 / (math.pi * y)) * (even * cosine - odd * sine)


def bessel_j1(x: float) -> float:
    y = abs(x)
    if y == 0.0:
        return 0.0
    if y < 4.5e-308:
        raise ArithmeticError("J1 underflows")
    if y < 1.0e-7:
        return 0.5 * x
    if y <= 6.0:
        value = series(1, y)
    elif y < 25.0:
        value = backward(1, y)
    else:
        even, odd = hankel_sums(1, y)
        # cos(y - 3 pi/4) = sin(y - pi/4), sin(y - 3 pi/4) = -cos(y - pi/4)
        cosine, _ = bessel_cos_pi4(y, 0.0)
        sine, _ = bessel_sin_pi4(y, 0.0)
        value = math.sqrt(2.0 / (math.pi * y)) * (even * sine + odd * cosine)
    if x < 0.0:
        return -value
    return value


def bessel_jn(n: int, x: float) -> float:
    """Any integer order: signs first, then the method by the size of x against n."""
    sign = 1.0
    if n < 0:
        n = -n
        if n % 2 == 1:
            sign = -sign
    if x < 0.0:
        x = -x
        if n % 2 == 1:
            sign = -sign
    if n > 5000:
        raise DomainError("too large an order")
    if n == 0:
        return sign * bessel_j0(x)
    if n == 1:
        return sign * bessel_j1(x)
    if x == 0.0:
        return 0.0
    if x * x < 4.0 * (n + 1.0):
        return sign * series(n, x)
    if x > 25.0 and x > 0.5 * n * n:
        return sign * jn_far(n, x)
    if x > n and x > 25.0:
        return sign * forward(n, x)
    if x > 20_000.0:
        raise PrecisionError("the recurrence would be too long")
    return sign * backward(n, x)


def jn_far(n: int, x: float) -> float:
    """Hankel's expansion; the quarter turns of the order are taken by hand."""
    even, odd = hankel_sums(n, x)
    cosine, _ = bessel_cos_pi4(x, 0.0)
    sine, _ = bessel_sin_pi4(x, 0.0)
    if n % 4 == 0:
        value = even * cosine - odd * sine
    elif n % 4 == 1:
        value = even * sine + odd * cosine
    elif n % 4 == 2:
        value = -even * cosine + odd * sine
    else:
        value = -even * sine - odd * cosine
    return math.sqrt(2.0 / (math.pi * x)) * value


def forward(n: int, x: float) -> float:
    """The recurrence upwards, stable while the order is below x."""
    below = bessel_j0(x)
    here = bessel_j1(x)
    k = 1
    while k < n:
        below, here = here, 2.0 * k / x * here - below
        k = k + 1
    return here
