"""Modified Bessel functions of large order, uniformly in x (GSL's Inu and Knu_scaled_asymp_unif_e).

Subjects after those of the "optimal" paper: Debye's expansion with five polynomials. The scaled
functions are e^-x I_nu(x) and e^x K_nu(x), good to about 1e-9 for nu of 20 and more.
"""

import math

from experiments.subjects.optimal.errors import DomainError


def debye_polynomials(t: float) -> tuple[float, float, float, float, float]:
    """u1 to u5 at t = 1 / sqrt(1 + z^2)."""
    s = t * t
    u1 = t * (3.0 - 5.0 * s) / 24.0
    u2 = s * (81.0 + s * (-462.0 + s * 385.0)) / 1152.0
    u3 = t * s * (30375.0 + s * (-369603.0 + s * (765765.0 - s * 425425.0))) / 414720.0
    u4 = 4465125.0 + s * (-94121676.0 + s * (349922430.0 + s * (-446185740.0 + s * 185910725.0)))
    u4 = s * s * u4 / 39813120.0
    u5 = 1519035525.0 + s * (
        -49286948607.0
        + s * (284499769554.0 + s * (-614135872350.0 + s * (566098157625.0 - s * 188699385875.0)))
    )
    u5 = t * s * s * u5 / 6688604160.0
    return u1, u2, u3, u4, u5


def exponent(nu: float, z: float, root: float) -> float:
    """nu (eta - z), without cancellation where z is large."""
    if z < 1.0e3:
        eta = root + math.log(z / (1.0 + root))
        return nu * (eta - z)
    inverse = 1.0 / (z * z)
    return -0.5 * nu / z * (1.0 - inverse / 12.0 * (1.0 - 0.225 * inverse))


def bessel_inu_scaled(nu: float, x: float) -> float:
    if nu <= 0.0 or x <= 0.0:
        raise DomainError("order and argument must be positive")
    z = x / nu
    root = math.hypot(1.0, z)
    factor = 1.0 / math.sqrt(2.0 * math.pi * nu * root)
    argument = exponent(nu, z, root)
    if argument < -740.0:
        return 0.0
    u1, u2, u3, u4, u5 = debye_polynomials(1.0 / root)
    total = 1.0 + (u1 + (u2 + (u3 + (u4 + u5 / nu) / nu) / nu) / nu) / nu
    return factor * math.exp(argument) * total


def bessel_knu_scaled(nu: float, x: float) -> float:
    if nu <= 0.0 or x <= 0.0:
        raise DomainError("order and argument must be positive")
    z = x / nu
    root = math.hypot(1.0, z)
    factor = math.sqrt(math.pi / (2.0 * nu * root))
    argument = -exponent(nu, z, root)
    if argument > 700.0:
        raise OverflowError("the scaled K overflows")
    u1, u2, u3, u4, u5 = debye_polynomials(1.0 / root)
    total = 1.0 + (-u1 + (u2 + (-u3 + (u4 - u5 / nu) / nu) / nu) / nu) / nu
    return factor * math.exp(argument) * total
