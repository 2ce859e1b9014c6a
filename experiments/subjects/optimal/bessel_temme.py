"""J and Y of an order between -1/2 and 1/2, and of the next (GSL's bessel_JY_mu_restricted).

Subject after those of the "optimal" paper: Temme's series near 0, Steed's two continued fractions
in between, Hankel's expansion far out.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError, PrecisionError

EPSILON = 2.220446049250313e-16

# Of 1, z, z^2, ... in 1 / gamma(1 + z)
RECIPROCAL_GAMMA = (
    1.0,
    0.5772156649015329,
    -0.6558780715202539,
    -0.04200263503409524,
    0.16653861138229148,
    -0.04219773455554433,
    -0.009621971527876973,
    0.0072189432466631,
    -0.0011651675918590652,
    -0.00021524167411495098,
    0.0001280502823881162,
    -2.013485478078824e-05,
    -1.2504934821426706e-06,
    1.133027231981696e-06,
    -2.056338416977607e-07,
    6.116095104481416e-09,
    5.002007644469223e-09,
    -1.18127457048702e-09,
    1.0434267116911005e-10,
    7.782263439905071e-12,
    -3.696805618642206e-12,
)


def bessel_jy_mu(mu: float, x: float) -> tuple[float, float, float, float]:
    """J_mu, J_(mu+1), Y_mu and Y_(mu+1) at x."""
    if abs(mu) > 0.5:
        raise DomainError("the order must lie between -1/2 and 1/2")
    if x < 0.0:
        raise DomainError("the argument is negative")
    if x == 0.0:
        raise DomainError("Y has a pole at 0")
    if x < 2.0:
        return near(mu, x)
    if x < 1000.0:
        return middle(mu, x)
    if x < 1.0e12:
        return far(mu, x)
    raise PrecisionError("the argument's angle is lost")


def gamma_parts(mu: float) -> tuple[float, float, float, float]:
    """1 / gamma(1 + mu), 1 / gamma(1 - mu), half their sum and minus their slope in mu."""
    even = 0.0
    odd = 0.0
    power = 1.0
    for k in range(0, len(RECIPROCAL_GAMMA) - 1, 2):
        even = even + RECIPROCAL_GAMMA[k] * power
        odd = odd + RECIPROCAL_GAMMA[k + 1] * power
        power = power * mu * mu
    return even + mu * odd, even - mu * odd, even, -odd


def near(mu: float, x: float) -> tuple[float, float, float, float]:
    plus, minus, mean, slope = gamma_parts(mu)
    half = 0.5 * x
    j0 = j_series(mu, half, plus)
    j1 = j_series(mu + 1.0, half, plus / (mu + 1.0))

    # Temme's sums for Y
    log = -math.log(half)
    angle = math.pi * mu
    sigma = mu * log
    if abs(angle) < EPSILON:
        by_sine = 1.0
    else:
        by_sine = angle / math.sin(angle)
    if abs(sigma) < EPSILON:
        by_sinh = 1.0
    else:
        by_sinh = math.sinh(sigma) / sigma
    if abs(angle) < EPSILON:
        half_sine = 0.5 * angle
    else:
        half_sine = math.sin(0.5 * angle)
    power = math.exp(sigma)
    f = 2.0 / math.pi * by_sine * (math.cosh(sigma) * slope + by_sinh * log * mean)
    p = power / (math.pi * plus)
    q = 1.0 / (power * math.pi * minus)
    # 2 / mu sin^2(pi mu / 2)
    if mu == 0.0:
        r = 0.0
    else:
        r = 2.0 / mu * half_sine * half_sine
    weight = 1.0
    sum0 = f + r * q
    sum1 = p
    for k in range(1, 500):
        f = (k * f + p + q) / (k * k - mu * mu)
        p = p / (k - mu)
        q = q / (k + mu)
        weight = -weight * half * half / k
        g = f + r * q
        term0 = weight * g
        term1 = weight * (p - k * g)
        sum0 = sum0 + term0
        sum1 = sum1 + term1
        if abs(term0) < 0.5 * EPSILON * (1.0 + abs(sum0)):
            return j0, j1, -sum0, -sum1 / half
    raise ConvergenceError("Temme's series does not settle")


def j_series(order: float, half: float, reciprocal: float) -> float:
    """(x/2)^order / gamma(1 + order) times a sum that settles fast for x < 2."""
    total = 1.0
    term = 1.0
    k = 1
    while abs(term) > EPSILON * abs(total) and k < 100:
        term = -term * half * half / (k * (k + order))
        total = total + term
        k = k + 1
    return math.pow(half, order) * reciprocal * total


def ratio_fraction(mu: float, x: float) -> tuple[float, float]:
    """J_(mu+1) / J_mu from its continued fraction, and the sign of J_mu it implies."""
    tiny = 1.0e-300
    sign = 1.0
    value = tiny
    upper = tiny
    lower = 0.0
    numerator = 1.0
    for k in range(1, 20_000):
        b = 2.0 * (mu + k) / x
        lower = b + numerator * lower
        if lower == 0.0:
            lower = tiny
        upper = b + numerator / upper
        if upper == 0.0:
            upper = tiny
        numerator = -1.0
        lower = 1.0 / lower
        if lower < 0.0:
            sign = -sign
        change = upper * lower
        value = value * change
        if abs(change - 1.0) < EPSILON:
            return value, sign
    raise ConvergenceError("the first continued fraction does not settle")


def logarithmic_fraction(mu: float, x: float) -> tuple[float, float]:
    """p and q of (J' + i Y') / (J + i Y), by the second continued fraction from the inside out."""
    depth = int(40.0 + 200.0 / x)
    real = 0.0
    imaginary = 0.0
    k = depth
    while k > 0:
        # ((k - 1/2)^2 - mu^2) / (2 (x + i k) + inner)
        numerator = (k - 0.5) * (k - 0.5) - mu * mu
        below_real = 2.0 * x + real
        below_imaginary = 2.0 * k + imaginary
        size = below_real * below_real + below_imaginary * below_imaginary
        real = numerator * below_real / size
        imaginary = -numerator * below_imaginary / size
        k = k - 1
    # -1 / (2 x) + i + (i / x) (real + i imaginary)
    return -0.5 / x - imaginary / x, 1.0 + real / x


def middle(mu: float, x: float) -> tuple[float, float, float, float]:
    ratio, sign = ratio_fraction(mu, x)
    p, q = logarithmic_fraction(mu, x)
    # J' / J = mu / x - J_(mu+1) / J_mu; with the Wronskian 2 / (pi x) this fixes J and Y.
    slope = mu / x - ratio
    gamma = (p - slope) / q
    j0 = sign * math.sqrt(2.0 / (math.pi * x) / (q + gamma * (p - slope)))
    j1 = j0 * ratio
    y0 = gamma * j0
    y_slope = p * y0 + q * j0
    y1 = mu / x * y0 - y_slope
    return j0, j1, y0, y1


def far(mu: float, x: float) -> tuple[float, float, float, float]:
    j0, y0 = hankel(mu, x)
    j1, y1 = hankel(mu + 1.0, x)
    return j0, j1, y0, y1


def hankel(order: float, x: float) -> tuple[float, float]:
    """J and Y from the asymptotic expansion."""
    square = 4.0 * order * order
    even = 1.0
    odd = 0.0
    term = 1.0
    for k in range(1, 12):
        term = term * (square - (2 * k - 1) * (2 * k - 1)) / (8.0 * k * x)
        if k % 4 == 1:
            odd = odd + term
        elif k % 4 == 2:
            even = even - term
        elif k % 4 == 3:
            odd = odd - term
        else:
            even = even + term
        if abs(term) < EPSILON:
            break
    angle = x - (0.5 * order + 0.25) * math.pi
    factor = math.sqrt(2.0 / (math.pi * x))
    sine = math.sin(angle)
    cosine = math.cos(angle)
    return factor * (even * cosine - odd * sine), factor * (even * sine + odd * cosine)
