"""Elliptic integrals by Carlson's forms, and Jacobi's elliptic functions (GSL's elljac_e).

Subjects after those of the "optimal" paper. The integrals take the modulus k, the functions the
parameter m = k^2, as in GSL.
"""

import math

from experiments.subjects.optimal.errors import ConvergenceError, DomainError

EPSILON = 2.220446049250313e-16
TINY = 5.0e-308
HUGE = 3.0e307


def carlson_rf(x: float, y: float, z: float) -> float:
    """Carlson's symmetric integral of the first kind."""
    if x < 0.0 or y < 0.0 or z < 0.0:
        raise DomainError("no argument may be negative")
    if x + y < TINY or x + z < TINY or y + z < TINY:
        raise DomainError("at most one argument may vanish")
    if max(x, y, z) > HUGE:
        raise DomainError("an argument is too large")
    for _ in range(100):
        mean = (x + y + z) / 3.0
        dx = 2.0 - (mean + x) / mean
        dy = 2.0 - (mean + y) / mean
        dz = 2.0 - (mean + z) / mean
        if max(abs(dx), abs(dy), abs(dz)) < 0.001:
            e2 = dx * dy - dz * dz
            e3 = dx * dy * dz
            return (1.0 + (e2 / 24.0 - 0.1 - 3.0 * e3 / 44.0) * e2 + e3 / 14.0) / math.sqrt(mean)
        step = math.sqrt(x) * math.sqrt(y) + math.sqrt(y) * math.sqrt(z) + math.sqrt(z * x)
        x = 0.25 * (x + step)
        y = 0.25 * (y + step)
        z = 0.25 * (z + step)
    raise ConvergenceError("the duplication does not settle")


def carlson_rd(x: float, y: float, z: float) -> float:
    """Carlson's integral of the second kind."""
    if x < 0.0 or y < 0.0 or x + y < TINY:
        raise DomainError("x and y may not be negative, nor both vanish")
    if z < TINY:
        raise DomainError("z must be positive")
    if max(x, y, z) > HUGE:
        raise DomainError("an argument is too large")
    total = 0.0
    power = 1.0
    for _ in range(100):
        mean = (x + y + 3.0 * z) / 5.0
        dx = (mean - x) / mean
        dy = (mean - y) / mean
        dz = (mean - z) / mean
        if max(abs(dx), abs(dy), abs(dz)) < 0.001:
            ea = dx * dy
            eb = dz * dz
            ec = ea - eb
            ed = ea - 6.0 * eb
            ef = ed + ec + ec
            first = ed * (-3.0 / 14.0 + 0.25 * (9.0 / 22.0) * ed - 1.5 * (3.0 / 26.0) * dz * ef)
            second = dz * (ef / 6.0 + dz * (-(9.0 / 22.0) * ec + dz * (3.0 / 26.0) * ea))
            return 3.0 * total + power * (1.0 + first + second) / (mean * math.sqrt(mean))
        step = math.sqrt(x) * math.sqrt(y) + math.sqrt(y) * math.sqrt(z) + math.sqrt(z * x)
        total = total + power / (math.sqrt(z) * (z + step))
        power = 0.25 * power
        x = 0.25 * (x + step)
        y = 0.25 * (y + step)
        z = 0.25 * (z + step)
    raise ConvergenceError("the duplication does not settle")


def ellint_k(k: float) -> float:
    """The complete integral of the first kind."""
    if k * k >= 1.0:
        raise DomainError("the modulus must be less than 1")
    if k * k >= 1.0 - 1.0e-8:
        # Next to its logarithmic singularity
        y = (1.0 - k) * (1.0 + k)
        log = math.log(4.0) - 0.5 * math.log(y)
        return log + 0.25 * y * (log - 1.0)
    return carlson_rf(0.0, (1.0 - k) * (1.0 + k), 1.0)


def ellint_e(k: float) -> float:
    """The complete integral of the second kind."""
    if k * k > 1.0:
        raise DomainError("the modulus must not exceed 1")
    if k * k == 1.0:
        return 1.0
    y = (1.0 - k) * (1.0 + k)
    return carlson_rf(0.0, y, 1.0) - k * k / 3.0 * carlson_rd(0.0, y, 1.0)


def ellint_f(phi: float, k: float) -> float:
    """The incomplete integral of the first kind, for any angle."""
    periods = math.floor(phi / math.pi + 0.5)
    reduced = phi - periods * math.pi
    sine = math.sin(reduced)
    cosine = math.cos(reduced)
    y = 1.0 - k * k * sine * sine
    if y < 0.0:
        raise DomainError("the integrand is not real")
    value = sine * carlson_rf(cosine * cosine, y, 1.0)
    if periods == 0:
        return value
    return value + 2.0 * periods * ellint_k(k)


def ellint_e_incomplete(phi: float, k: float) -> float:
    """The incomplete integral of the second kind, for any angle."""
    periods = math.floor(phi / math.pi + 0.5)
    reduced = phi - periods * math.pi
    sine = math.sin(reduced)
    if abs(sine) < 1.0e-7:
        value = reduced
    else:
        cosine = math.cos(reduced)
        x = cosine * cosine
        y = 1.0 - k * k * sine * sine
        if y < 0.0:
            raise DomainError("the integrand is not real")
        second = k * k / 3.0 * sine * sine * sine * carlson_rd(x, y, 1.0)
        value = sine * carlson_rf(x, y, 1.0) - second
    if periods == 0:
        return value
    return value + 2.0 * periods * ellint_e(k)


def elljac(u: float, m: float) -> tuple[float, float, float]:
    """Jacobi's sn, cn and dn."""
    if abs(m) > 1.0:
        raise DomainError("the parameter must lie between -1 and 1")
    if abs(m) < 2.0 * EPSILON:
        return math.sin(u), math.cos(u), 1.0
    if abs(m - 1.0) < 2.0 * EPSILON:
        if abs(u) > 700.0:
            return math.copysign(1.0, u), 0.0, 0.0
        return math.tanh(u), 1.0 / math.cosh(u), 1.0 / math.cosh(u)
    # The arithmetic-geometric mean down, then the angle up again
    means = [1.0]
    differences = [0.0]
    geometric = math.sqrt(1.0 - m)
    steps = 0
    while abs(means[steps] - geometric) > 4.0 * EPSILON * abs(means[steps] + geometric):
        mean = means[steps]
        means.append(0.5 * (mean + geometric))
        differences.append(0.5 * (mean - geometric))
        geometric = math.sqrt(mean * geometric)
        steps = steps + 1
        if steps == 16:
            raise ConvergenceError("the mean does not settle")
    phi = (1 << steps) * means[steps] * u
    previous = phi
    while steps > 0:
        previous = phi
        phi = 0.5 * (phi + math.asin(differences[steps] / means[steps] * math.sin(phi)))
        steps = steps - 1
    sn = math.sin(phi)
    cn = math.cos(phi)
    quotient = math.cos(previous - phi)
    if abs(cn) < 0.1 or abs(quotient) < 0.1:
        dn = math.sqrt(1.0 - m * sn * sn)
    else:
        dn = cn / quotient
    return sn, cn, dn
