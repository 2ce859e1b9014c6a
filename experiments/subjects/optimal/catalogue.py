"""SUBJECTS: the numeric functions by name, and which GSL function of the paper's Table 2 each is;
HARDER: functions on which strategies differ.

Those without one follow GSL in manner only. All twenty of the table have a counterpart, computed by
the methods that the modules name, not from GSL's text.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numeric:
    """A numeric subject: module, function, and the name in the paper's tables ("" for none)."""

    module: str
    function: str
    table_name: str = ""


PACKAGE = "experiments.subjects.optimal"

SUBJECTS = (
    Numeric(f"{PACKAGE}.coulomb", "coulomb_fg0", "FG0_ser"),
    Numeric(f"{PACKAGE}.coulomb", "coulomb_fgmhalf", "FGmhalf"),
    Numeric(f"{PACKAGE}.dilog", "dilog_xge0", "dilog_xge0"),
    Numeric(f"{PACKAGE}.expint", "chi", "Chi_e"),
    Numeric(f"{PACKAGE}.bessel_uniform", "bessel_inu_scaled", "bessel_Inu"),
    Numeric(f"{PACKAGE}.bessel_temme", "bessel_jy_mu", "bessel_JY"),
    Numeric(f"{PACKAGE}.bessel_uniform", "bessel_knu_scaled", "bessel_Knu"),
    Numeric(f"{PACKAGE}.bessel_j", "bessel_cos_pi4", "bessel_cos"),
    Numeric(f"{PACKAGE}.bessel_j", "bessel_sin_pi4", "bessel_sin"),
    Numeric(f"{PACKAGE}.coupling", "coupling_6j", "coupling"),
    Numeric(f"{PACKAGE}.elliptic", "elljac", "elljac_e"),
    Numeric(f"{PACKAGE}.exprel", "exprel_n", "exprel_n_e"),
    Numeric(f"{PACKAGE}.hyperg", "hyperg_u", "hyperg_U"),
    Numeric(f"{PACKAGE}.gamma", "lngamma", "lngamma_e"),
    Numeric(f"{PACKAGE}.pochhammer", "lnpoch_sgn", "lnpoch_sgn"),
    Numeric(f"{PACKAGE}.pochhammer", "lnpoch_pos", "lnpoch_pos"),
    Numeric(f"{PACKAGE}.tridiagonal", "solve_cyc_tridiag", "cyc"),
    Numeric(f"{PACKAGE}.tridiagonal", "solve_cyc_tridiag_nonsym", "cyc_non"),
    Numeric(f"{PACKAGE}.tridiagonal", "solve_tridiag", "tri"),
    Numeric(f"{PACKAGE}.tridiagonal", "solve_tridiag_nonsym", "tri_non"),
    Numeric(f"{PACKAGE}.airy", "airy_ai"),
    Numeric(f"{PACKAGE}.bessel_j", "bessel_j0"),
    Numeric(f"{PACKAGE}.bessel_j", "bessel_j1"),
    Numeric(f"{PACKAGE}.bessel_j", "bessel_jn"),
    Numeric(f"{PACKAGE}.coupling", "coupling_3j"),
    Numeric(f"{PACKAGE}.dilog", "clausen"),
    Numeric(f"{PACKAGE}.dilog", "dilog"),
    Numeric(f"{PACKAGE}.elliptic", "ellint_e"),
    Numeric(f"{PACKAGE}.elliptic", "ellint_e_incomplete"),
    Numeric(f"{PACKAGE}.elliptic", "ellint_f"),
    Numeric(f"{PACKAGE}.elliptic", "ellint_k"),
    Numeric(f"{PACKAGE}.erf", "beta_inc"),
    Numeric(f"{PACKAGE}.erf", "erf"),
    Numeric(f"{PACKAGE}.erf", "erfc"),
    Numeric(f"{PACKAGE}.erf", "gamma_inc_p"),
    Numeric(f"{PACKAGE}.erf", "gamma_inc_q"),
    Numeric(f"{PACKAGE}.expint", "expint_e1"),
    Numeric(f"{PACKAGE}.expint", "expint_ei"),
    Numeric(f"{PACKAGE}.expint", "shi"),
    Numeric(f"{PACKAGE}.fermi_debye", "debye"),
    Numeric(f"{PACKAGE}.fermi_debye", "fermi_dirac_int"),
    Numeric(f"{PACKAGE}.gamma", "beta"),
    Numeric(f"{PACKAGE}.gamma", "digamma"),
    Numeric(f"{PACKAGE}.gamma", "gamma"),
    Numeric(f"{PACKAGE}.hyperg", "hyperg_1f1"),
    Numeric(f"{PACKAGE}.hyperg", "hyperg_2f1"),
    Numeric(f"{PACKAGE}.legendre", "legendre_pl"),
    Numeric(f"{PACKAGE}.legendre", "legendre_plm"),
    Numeric(f"{PACKAGE}.zeta", "hzeta"),
    Numeric(f"{PACKAGE}.zeta", "zeta"),
)

# Ours: several loops, rare equalities, text.
HARDER = tuple(
    Numeric(f"{PACKAGE}.harder", function) for function in ("safe", "account", "label", "convoy")
)
