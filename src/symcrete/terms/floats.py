"""Float terms: IEEE doubles as CPython computes them, and their meeting with integers.

Nothing is reordered or simplified that could change a rounding, a signed zero or a nan.
"""

from __future__ import annotations

import math
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import negate
from symcrete.terms.operations import (
    CEIL,
    FABS,
    FADD,
    FDIV,
    FEQ,
    FFLOORDIV,
    FLE,
    FLOOR,
    FLT,
    FMOD,
    FMUL,
    FNEG,
    FSQRT,
    FSUB,
    ISINF,
    ISNAN,
    ROUND,
    TO_FLOAT,
    TRUEDIV,
    TRUNC,
)
from symcrete.terms.term import FALSE, TRUE, Operation, Sort, Term, const, int_const, intern


def to_float(term: Term) -> Term:
    """The nearest double of an integer term; the caller has made sure that it does not overflow."""
    return const(float(term.value)) if term.is_const else intern(TO_FLOAT, (term,))


def as_float(term: Term) -> Term:
    """The term as a double, converted if it is an integer."""
    return to_float(term) if term.sort is Sort.INT else term


def add(left: Term, right: Term) -> Term:
    return _apply(FADD, left, right)


def sub(left: Term, right: Term) -> Term:
    return _apply(FSUB, left, right)


def mul(left: Term, right: Term) -> Term:
    return _apply(FMUL, left, right)


def div(left: Term, right: Term) -> Term:
    """The quotient; the divisor must not be zero."""
    return _apply(FDIV, left, right)


def int_div(left: Term, right: Term) -> Term:
    """True division of two integers, rounded once, as CPython does it."""
    if left.is_const and right.is_const:
        return const(left.value / right.value)
    return intern(TRUEDIV, (left, right))


def floordiv(left: Term, right: Term) -> Term:
    """`left // right` of doubles; the divisor must not be zero."""
    return _apply(FFLOORDIV, left, right)


def mod(left: Term, right: Term) -> Term:
    """`left % right` of doubles; the divisor must not be zero."""
    return _apply(FMOD, left, right)


def neg(term: Term) -> Term:
    return intern(FNEG, (term,))


def absolute(term: Term) -> Term:
    return intern(FABS, (term,))


def sqrt(term: Term) -> Term:
    return intern(FSQRT, (as_float(term),))


def is_nan(term: Term) -> Term:
    return FALSE if term.sort is Sort.INT else intern(ISNAN, (term,))


def is_inf(term: Term) -> Term:
    return FALSE if term.sort is Sort.INT else intern(ISINF, (term,))


def trunc(term: Term) -> Term:
    """`int(term)`; the double must be finite, here as for `floor`, `ceil` and `round_half_even`."""
    return _to_int(TRUNC, term)


def floor(term: Term) -> Term:
    return _to_int(FLOOR, term)


def ceil(term: Term) -> Term:
    return _to_int(CEIL, term)


def round_half_even(term: Term) -> Term:
    return _to_int(ROUND, term)


def lt(left: Term, right: Term) -> Term:
    """`left < right`; exact also between an integer and a double, as in CPython."""
    if left.sort is Sort.INT and right.is_const:
        return _int_below(left, right.value, strict=True)
    if right.sort is Sort.INT and left.is_const:
        return _int_above(right, left.value, strict=True)
    return intern(FLT, (left, right))


def le(left: Term, right: Term) -> Term:
    """`left <= right`; exact also between an integer and a double, as in CPython."""
    if left.sort is Sort.INT and right.is_const:
        return _int_below(left, right.value, strict=False)
    if right.sort is Sort.INT and left.is_const:
        return _int_above(right, left.value, strict=False)
    return intern(FLE, (left, right))


def eq(left: Term, right: Term) -> Term:
    """`left == right`; exact also between an integer and a double, as in CPython."""
    if right.sort is Sort.INT:
        left, right = right, left
    if left.sort is Sort.INT and right.is_const:
        value = right.value
        if not math.isfinite(value) or value != math.floor(value):
            return FALSE
        return integers.eq(left, int_const(int(value)))
    if left.index > right.index:
        left, right = right, left
    return intern(FEQ, (left, right))


def _int_below(term: Term, bound: Any, *, strict: bool) -> Term:
    """The condition term < bound, or term <= bound, for an integer term and a constant double."""
    if math.isnan(bound):
        return FALSE
    if math.isinf(bound):
        return TRUE if bound > 0 else FALSE
    last = math.ceil(bound) - 1 if strict else math.floor(bound)
    return integers.le(term, int_const(last))


def _int_above(term: Term, bound: Any, *, strict: bool) -> Term:
    """The condition bound < term, or bound <= term, for an integer term and a constant double."""
    if math.isnan(bound):
        return FALSE
    return negate(_int_below(term, bound, strict=not strict))


def _apply(op: Operation, left: Term, right: Term) -> Term:
    return intern(op, (as_float(left), as_float(right)))


def _to_int(op: Operation, term: Term) -> Term:
    """The integer that an operation makes of a double, which must be finite."""
    return intern(op, (term,))
