"""Which comparisons are linear, and the sums they compare.

A sum of doubles is rounded at every step; the form remembers by how much, so that a contradiction
between the real sums is only called a proof where rounding cannot undo it (`x + 1.0 == x` has
solutions).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from symcrete.solve.walk_goal import Comparison, Goal, comparisons
from symcrete.terms.operations import FADD, FDIV, FMUL, FNEG, FSUB, LINEAR, NOT, TO_FLOAT
from symcrete.terms.term import CONST, VAR, Sort, Term, memo
from symcrete.terms.visit import fold

HALF_ULP = Fraction(1, 2**53)  # largest relative error of one rounding
TINIEST = Fraction(1, 2**1074)  # largest absolute error where the result is subnormal

_OPERATIONS = frozenset({VAR, CONST, LINEAR, FADD, FSUB, FMUL, FDIV, FNEG, TO_FLOAT})
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Form:
    """constant + the sum of factor * variable, as the real numbers have it."""

    constant: Fraction
    factors: dict[str, Fraction]
    sizes: dict[str, Fraction]  # abs(factor)s before any cancelled; "" stands for the constants
    peak: Fraction  # no intermediate result exceeds peak * (1 + the sum of the abs(variable)s)
    roundings: int = 0  # on the longest way from a variable to the result
    underflow: Fraction = _ZERO  # what subnormal products can add

    @property
    def is_bare(self) -> bool:
        """A variable or a constant as it stands: nothing is computed, so nothing rounded."""
        return self.roundings == 0 and (not self.factors or self._is_variable)

    @property
    def _is_variable(self) -> bool:
        return self.constant == 0 and list(self.factors.values()) == [1]

    @property
    def slack(self) -> Fraction:
        """How far rounding can move the result, relative to the sum of size * abs(variable)."""
        return (1 + HALF_ULP) ** self.roundings - 1


class _NotLinear:
    pass


_NOT_LINEAR = _NotLinear()
_forms: dict[Term, Form | _NotLinear] = memo()


def form(term: Term) -> Form | None:
    """The linear form of a number, if it has one."""
    found = fold(term, _combine, _forms)
    return found if isinstance(found, Form) else None


def is_linear(goal: Goal) -> bool:
    """Whether a solver for linear arithmetic can decide the goal."""
    return all(_is_linear_comparison(each) for each in comparisons(goal))


def _is_linear_comparison(comparison: Comparison) -> bool:
    if comparison.left.sort is Sort.BOOL:
        return literal(comparison.left) is not None
    return form(comparison.left) is not None and form(comparison.right) is not None


def literal(term: Term) -> tuple[str, bool] | None:
    """A truth variable and whether it stands as it is."""
    inner = term.args[0] if term.op is NOT else term
    return (inner.args[0], term.op is not NOT) if inner.op is VAR else None


def _combine(node: Term, parts: list[Form | _NotLinear]) -> Form | _NotLinear:
    op = node.op
    if op is VAR:
        is_number = node.sort is Sort.INT or node.sort is Sort.FLOAT
        return _variable(node.args[0]) if is_number else _NOT_LINEAR
    if op is CONST:
        return _constant(node.value)
    if op not in _OPERATIONS:
        return _NOT_LINEAR
    forms = [part for part in parts if isinstance(part, Form)]
    if len(forms) < len(parts):
        return _NOT_LINEAR
    if op is LINEAR:
        return _exact_sum(node, forms)
    if op is FNEG:
        return _scaled(forms[0], Fraction(-1))
    if op is TO_FLOAT:
        return _rounded(forms[0])
    left, right = forms
    if op is FADD:
        return _rounded(_sum(left, right))
    if op is FSUB:
        return _rounded(_sum(left, _scaled(right, Fraction(-1))))
    if op is FMUL and not left.factors:
        left, right = right, left
    if right.factors or (op is FDIV and right.constant == 0):
        return _NOT_LINEAR
    # A constant that was itself computed (1.0 / 3.0 * x) carries roundings of its own.
    factor = right.constant if op is FMUL else 1 / right.constant
    if right.roundings:
        return _NOT_LINEAR
    return _rounded(_scaled(left, factor), underflow=TINIEST)


def _variable(name: str) -> Form:
    one = Fraction(1)
    return Form(_ZERO, {name: one}, {name: one}, one)


def _constant(value: object) -> Form | _NotLinear:
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        exact = Fraction(value)
        return Form(exact, {}, {"": abs(exact)}, abs(exact))
    return _NOT_LINEAR


def _exact_sum(node: Term, forms: list[Form]) -> Form:
    constant = Fraction(node.args[0])
    total = Form(constant, {}, {"": abs(constant)}, abs(constant))
    for part, factor in zip(forms, node.args[2::2], strict=True):
        total = _sum(total, _scaled(part, Fraction(factor)))
    return total


def _sum(left: Form, right: Form) -> Form:
    return Form(
        left.constant + right.constant,
        _merged(left.factors, right.factors),
        _merged(left.sizes, right.sizes),
        left.peak + right.peak,
        max(left.roundings, right.roundings),
        left.underflow + right.underflow,
    )


def _merged(left: dict[str, Fraction], right: dict[str, Fraction]) -> dict[str, Fraction]:
    merged = dict(left)
    for name, factor in right.items():
        merged[name] = merged.get(name, _ZERO) + factor
    return merged


def _scaled(inner: Form, factor: Fraction) -> Form:
    size = abs(factor)
    return Form(
        inner.constant * factor,
        {name: old * factor for name, old in inner.factors.items()},
        {name: old * size for name, old in inner.sizes.items()},
        inner.peak * max(size, Fraction(1)),
        inner.roundings,
        inner.underflow * size,
    )


def _rounded(inner: Form, *, underflow: Fraction = _ZERO) -> Form:
    return replace(inner, roundings=inner.roundings + 1, underflow=inner.underflow + underflow)
