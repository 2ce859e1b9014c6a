"""The numeric subjects give the right values, and fail where the functions do."""

import importlib
import math
import random

import pytest
from experiments.subjects.optimal import (
    airy,
    bessel_j,
    bessel_temme,
    bessel_uniform,
    coulomb,
    coupling,
    dilog,
    elliptic,
    erf,
    expint,
    exprel,
    fermi_debye,
    gamma,
    harder,
    hyperg,
    legendre,
    pochhammer,
    tridiagonal,
    zeta,
)
from experiments.subjects.optimal.catalogue import SUBJECTS
from experiments.subjects.optimal.errors import DomainError, PrecisionError
from tests.experiments.numeric_references import REFERENCES


def subject(module: str, function: str):
    return getattr(importlib.import_module(f"experiments.subjects.optimal.{module}"), function)


@pytest.mark.parametrize(("module", "function", "arguments", "expected"), REFERENCES)
def test_a_value_is_right(module, function, arguments, expected):
    value = subject(module, function)(*arguments)

    assert value == pytest.approx(expected, rel=1e-10)


def test_all_twenty_functions_of_the_papers_table_have_a_counterpart():
    names = {row.table_name for row in SUBJECTS} - {""}

    assert len(names) == 20
    assert len(SUBJECTS) == 50


def test_every_subject_of_the_catalogue_has_reference_values():
    with_values = {(module, function) for module, function, _, _ in REFERENCES}
    tested_below = {"bessel_cos_pi4", "bessel_sin_pi4", "solve_cyc_tridiag"}
    tested_below |= {"solve_cyc_tridiag_nonsym", "solve_tridiag", "solve_tridiag_nonsym"}

    missing = {
        row.function
        for row in SUBJECTS
        if (row.module.rpartition(".")[2], row.function) not in with_values
    }
    assert missing == tested_below


def test_gamma_and_erf_agree_with_the_standard_library():
    chance = random.Random(1)

    for _ in range(500):
        x = chance.uniform(-20, 60)
        assert gamma.lngamma(x)[0] == pytest.approx(math.lgamma(x), rel=1e-11, abs=1e-12)
        assert gamma.gamma(x) == pytest.approx(math.gamma(x), rel=1e-11)
        assert erf.erfc(x / 10) == pytest.approx(math.erfc(x / 10), rel=1e-11)


def test_the_shifted_cosine_and_sine_are_those():
    for y, eps in [(0.3, 0.0), (10.0, 0.001), (500.0, -0.2), (3.0e5, 0.1)]:
        angle = y - math.pi / 4 + eps
        assert bessel_j.bessel_cos_pi4(y, eps)[0] == pytest.approx(math.cos(angle), abs=1e-9)
        assert bessel_j.bessel_sin_pi4(y, eps)[0] == pytest.approx(math.sin(angle), abs=1e-9)


def product(matrix: list[list[float]], x: list[float]) -> list[float]:
    return [sum(entry * value for entry, value in zip(row, x, strict=True)) for row in matrix]


def test_tridiagonal_systems_are_solved():
    d = [4.0, 5.0, 6.0, 7.0, 8.0]
    e = [1.0, -2.0, 3.0, 0.5, 1.5]
    f = [2.0, 1.0, -1.0, 0.7]
    b = [1.0, 2.0, -3.0, 4.0, 5.0]

    def band(n: int, above: list[float], below: list[float]) -> list[list[float]]:
        matrix = [[0.0] * n for _ in range(n)]
        for i in range(n):
            matrix[i][i] = d[i]
        for i in range(n - 1):
            matrix[i][i + 1] = above[i]
            matrix[i + 1][i] = below[i]
        return matrix

    x = tridiagonal.solve_tridiag(*d[:4], *e[:3], *b[:4])
    assert product(band(4, e, e), x) == pytest.approx(b[:4])

    x = tridiagonal.solve_tridiag_nonsym(*d[:4], *e[:3], *f[:3], *b[:4])
    assert product(band(4, e, f), x) == pytest.approx(b[:4])

    matrix = band(5, e, e)
    matrix[0][4] = matrix[4][0] = e[4]
    assert product(matrix, tridiagonal.solve_cyc_tridiag(*d, *e, *b)) == pytest.approx(b)

    matrix = band(4, e, f)
    matrix[0][3], matrix[3][0] = f[3], e[3]
    x = tridiagonal.solve_cyc_tridiag_nonsym(*d[:4], *e[:4], *f, *b[:4])
    assert product(matrix, x) == pytest.approx(b[:4])


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_a_pivot_of_0_is_an_error(first):
    diagonal = [1.0 if i != first else 0.0 for i in range(4)]

    with pytest.raises(tridiagonal.ZeroPivotError, match=f"pivot {first}"):
        tridiagonal.solve_tridiag(*diagonal, *[0.0] * 3, *[1.0] * 4)
    with pytest.raises(tridiagonal.ZeroPivotError, match=f"pivot {first}"):
        tridiagonal.solve_tridiag_nonsym(*diagonal, *[0.0] * 6, *[1.0] * 4)


def test_a_symbol_that_vanishes_has_sign_0():
    assert pochhammer.lnpoch_sgn(-3.0, 0.5) == (-math.inf, 0.0)
    assert pochhammer.lnpoch_sgn(7.0, 0.0) == (0.0, 1.0)
    value, sign = pochhammer.lnpoch_sgn(-5.0, 3.0)
    assert sign * math.exp(value) == pytest.approx(-60.0)


def test_coefficients_that_break_a_selection_rule_vanish():
    assert coupling.coupling_3j(2, 2, 6, 0, 0, 0) == 0.0
    assert coupling.coupling_3j(2, 2, 4, 2, 0, 0) == 0.0
    assert coupling.coupling_3j(2, 2, 3, 0, 0, 0) == 0.0
    assert coupling.coupling_6j(2, 2, 6, 2, 2, 2) == 0.0


def test_the_6j_coefficients_are_orthogonal():
    total = sum(
        (two_x + 1) * 3 * coupling.coupling_6j(4, 3, two_x, 3, 4, 2) ** 2 for two_x in range(1, 8)
    )

    assert total == pytest.approx(1.0)


def test_the_elliptic_functions_keep_their_identities():
    for u, m in [(0.3, 0.2), (5.0, 0.9), (-7.5, -0.6)]:
        sn, cn, dn = elliptic.elljac(u, m)
        assert sn * sn + cn * cn == pytest.approx(1.0)
        assert dn * dn + m * sn * sn == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: gamma.lngamma(0.0), DomainError),
        (lambda: gamma.lngamma(-4.0), DomainError),
        (lambda: gamma.lngamma(-1e16), PrecisionError),
        (lambda: gamma.gamma(172.0), OverflowError),
        (lambda: gamma.beta(-2.0, 0.5), DomainError),
        (lambda: gamma.digamma(-1.0), DomainError),
        (lambda: pochhammer.lnpoch_pos(-1.0, 2.0), DomainError),
        (lambda: pochhammer.lnpoch_sgn(0.5, -2.5), DomainError),
        (lambda: exprel.exprel_n(-1, 1.0), DomainError),
        (lambda: exprel.exprel_n(3, 1e4), OverflowError),
        (lambda: expint.chi(0.0), DomainError),
        (lambda: expint.expint_ei(800.0), OverflowError),
        (lambda: dilog.clausen(1e9), PrecisionError),
        (lambda: erf.gamma_inc_p(-1.0, 1.0), DomainError),
        (lambda: erf.beta_inc(1.0, 1.0, 1.5), DomainError),
        (lambda: elliptic.ellint_k(1.0), DomainError),
        (lambda: elliptic.carlson_rf(0.0, 0.0, 1.0), DomainError),
        (lambda: elliptic.elljac(1.0, 1.5), DomainError),
        (lambda: coupling.coupling_6j(-1, 1, 1, 1, 1, 1), DomainError),
        (lambda: bessel_j.bessel_cos_pi4(1e17, 0.0), PrecisionError),
        (lambda: bessel_j.bessel_jn(10_000, 1.0), DomainError),
        (lambda: bessel_uniform.bessel_knu_scaled(1000.0, 1.0), OverflowError),
        (lambda: bessel_temme.bessel_jy_mu(0.6, 1.0), DomainError),
        (lambda: airy.airy_ai(-1e7), PrecisionError),
        (lambda: coulomb.coulomb_fg0(1.0, 0.0), DomainError),
        (lambda: coulomb.coulomb_fg0(0.5, 45.0), PrecisionError),
        (lambda: zeta.zeta(1.0), DomainError),
        (lambda: zeta.zeta(-301.5), OverflowError),
        (lambda: legendre.legendre_pl(2, 1.5), DomainError),
        (lambda: legendre.legendre_plm(400, 300, 0.5), OverflowError),
        (lambda: fermi_debye.debye(7, 1.0), DomainError),
        (lambda: hyperg.hyperg_1f1(1.0, -2.0, 1.0), DomainError),
        (lambda: hyperg.hyperg_2f1(1.0, 1.0, 1.5, 1.0), DomainError),
        (lambda: hyperg.hyperg_u(1.0, 1.0, -1.0), DomainError),
    ],
)
def test_a_function_fails_where_it_is_not_defined(call, error):
    with pytest.raises(error):
        call()


def test_harder_subjects_have_inputs_for_their_rare_ends():
    second = (harder.SECRET + 11) // 3
    third = 1009 * 6000 + 17

    assert harder.safe(harder.SECRET, second, third) == "open"
    assert harder.safe(harder.SECRET, second, second + harder.SECRET) == "trap"
    assert harder.safe(harder.SECRET, second, 1009 * 1000 + 17) == "ajar"
    assert harder.safe(0, 0, 0) == "alarm"
    assert harder.account([-100, -100, 4321], 50) == "watched"
    assert harder.account([-100] * 3, 50) == "blocked"
    assert harder.account([5000, 5000, 5000], 0) == "rich"
    assert harder.account([], 0) == "even"
    assert harder.account([-10], 20) == "overdrawn"
    assert {harder.label(f"AB-{n:04}-{c:02}") for n in (0, 42) for c in range(97)} == {
        "wrong check",
        "sample",
        "product",
    }
    assert harder.convoy(493, [1]) == "crossing"
    assert harder.convoy(3, [1, 0]) == "stopped"
    assert harder.convoy(994, [1, 1, 1, 1]) == "under way"
    assert harder.convoy(973, [1, 1, 1, 1]) == "home"
