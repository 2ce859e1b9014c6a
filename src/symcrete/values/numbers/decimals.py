"""Decimals as an integer that carries a term and a plain number of decimal places.

Sums and products are exact as long as the digits fit the context's precision, which is a branch;
comparisons are those of integers. Quotients, powers and functions are computed on plain values, and
the loss is noted.
"""

from __future__ import annotations

import decimal
import fractions
from decimal import Decimal
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

from symcrete.inputs.shapes.library import scaled
from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, int_const, intern
from symcrete.values.tracking import recording
from symcrete.values.tracking.arithmetic import COMPARE
from symcrete.values.tracking.numeric import (
    concolic_float,
    concolic_int,
    int_term,
    tracked,
    untracked,
)
from symcrete.values.tracking.truth import truth

_ZERO = int_const(0)
# powers of ten, up or down; an operand with a larger exponent drops the term; chosen, not measured
LARGEST_DECIMAL_EXPONENT = 1000
# digits of precision when `quantize` is evaluated, so that no input has too many; chosen, not
# measured
ENOUGH_DIGITS = 10_000


class ConcolicDecimal(Decimal):
    """A finite Decimal: digits / 10 ** places, where `digits` is a term."""

    digits: Term
    places: int

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return Decimal

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return Decimal.__hash__(self)

    def __bool__(self) -> bool:
        term = negate(integers.eq(self.digits, _ZERO))
        return recording.active().implicit("truth", term, Decimal.__bool__(self))

    def __neg__(self) -> Any:
        return _kept(-untracked(self), integers.neg(self.digits), self.places)

    def __pos__(self) -> Any:
        return _kept(+untracked(self), self.digits, self.places)

    def __abs__(self) -> Any:
        return _kept(abs(untracked(self)), integers.absolute(self.digits), self.places)

    def __int__(self) -> Any:
        recording.active().lose("int()")
        return int(untracked(self))

    def __float__(self) -> float:
        recording.active().lose("float()")
        return float(untracked(self))

    def __round__(self, places: Any = None) -> Any:
        if places is None:
            return _rounded_to_int(self, "ROUND_HALF_EVEN")
        plain = untracked(self)
        return _requantized(self, Decimal.__round__(plain, places), decimal.ROUND_HALF_EVEN)

    def __floor__(self) -> Any:
        return _rounded_to_int(self, decimal.ROUND_FLOOR)

    def __ceil__(self) -> Any:
        return _rounded_to_int(self, decimal.ROUND_CEILING)

    def __trunc__(self) -> Any:
        return as_int(self)

    def quantize(self, exp: Any, rounding: Any = None, context: Any = None) -> Any:
        result = Decimal.quantize(untracked(self), exp, rounding, context)
        if context is not None or tracked(exp) or not result.is_finite():
            recording.active().lose("Decimal.quantize()")
            return result
        return _requantized(self, result, rounding or decimal.getcontext().rounding)

    def is_nan(self) -> bool:
        return False

    is_qnan = is_snan = is_infinite = is_nan

    def is_finite(self) -> bool:
        return True

    def is_zero(self) -> Any:
        return truth(Decimal.is_zero(self), integers.eq(self.digits, _ZERO))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return Decimal, (str(untracked(self)),)


def concolic_decimal(digits: Any, places: int) -> Any:
    """The tracked Decimal of an int with so many places; a plain one where that is plain."""
    term = int_term(digits)
    assert term is not None
    plain = scaled(untracked(digits), places)
    return plain if term.is_const else _made(plain, term, places)


def _made(plain: Decimal, digits: Term, places: int) -> Any:
    made = Decimal.__new__(ConcolicDecimal, plain)
    made.digits, made.places = digits, places
    return made


def _kept(result: Decimal, digits: Term, places: int) -> Any:
    """The tracked result if it needed no rounding, which is a branch; else the plain result, with
    a loss.
    """
    if digits.is_const:
        return result
    limit = int_const(10 ** decimal.getcontext().prec)
    fits = conjoin([integers.lt(digits, limit), integers.lt(integers.neg(limit), digits)])
    exact = Decimal.as_tuple(result).exponent == -places and _fits(result)
    if not recording.active().implicit("rounding", fits, exact):
        recording.active().lose("rounding of a Decimal")
        return result
    return _made(result, digits, places)


def _fits(result: Decimal) -> bool:
    return len(result.as_tuple().digits) <= decimal.getcontext().prec


def parts(value: Any) -> tuple[Term, int] | None:
    """Digits and decimal places of an int or finite Decimal; None for anything else."""
    if type(value) is ConcolicDecimal:
        return value.digits, value.places
    term = int_term(value)
    if term is not None:
        return term, 0
    if isinstance(value, Decimal) and value.is_finite():
        sign, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int) or abs(exponent) > LARGEST_DECIMAL_EXPONENT:
            return None
        number = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
        return int_const(number * 10 ** max(exponent, 0)), max(-exponent, 0)
    return None


def _aligned(left: tuple[Term, int], right: tuple[Term, int]) -> tuple[Term, Term, int]:
    places = max(left[1], right[1])
    one, two = [integers.scale(term, 10 ** (places - have)) for term, have in (left, right)]
    return one, two, places


def _as_counted(value: Any) -> bool:
    """Whether `parts` tells all about a plain operand: not if its exponent is positive or it is a
    negative zero.
    """
    if type(value) is ConcolicDecimal or not isinstance(value, Decimal):
        return True
    exponent = value.as_tuple().exponent
    counted = isinstance(exponent, int) and exponent <= 0
    return counted and not (value.is_zero() and value.is_signed())


def _truncated(left: Term, right: Term) -> Term:
    """The quotient without its fraction, as Decimal's `//` has it."""
    quotient = integers.floordiv(integers.absolute(left), integers.absolute(right))
    negative = integers.lt(left, _ZERO)
    apart = choose(integers.lt(right, _ZERO), negate(negative), negative)
    return choose(apart, integers.neg(quotient), quotient)


def _operator(name: str, *, reflected: bool) -> Any:
    plain_method = getattr(Decimal, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        mine, theirs = parts(self), parts(other)
        one, two = untracked(self), untracked(other)
        if reflected:
            one, two = two, one
        if not isinstance(one, Decimal):
            if not isinstance(one, int):
                return NotImplemented
            one = Decimal(one)
        known = theirs is not None and _as_counted(other)
        if known and name in _DIVISIONS:
            assert mine is not None and theirs is not None
            dividend, divisor = (other, self) if reflected else (self, other)
            _report_zero(dividend, divisor)
            if untracked(divisor) and name != "truediv":
                _report_impossible((theirs, mine) if reflected else (mine, theirs), one, two)
        if not known or name not in _TERMS:
            recording.active().lose(f"Decimal {name}")
            return plain_method(one, two)
        result = plain_method(one, two)
        if not isinstance(result, Decimal):
            return result
        assert mine is not None and theirs is not None
        left, right = (theirs, mine) if reflected else (mine, theirs)
        if name == "mul":
            return _kept(result, integers.mul(left[0], right[0]), left[1] + right[1])
        first, second, places = _aligned(left, right)
        if name == "floordiv":
            return _kept(result, _truncated(first, second), 0)
        if name == "mod":
            rest = integers.sub(first, integers.mul(_truncated(first, second), second))
            return _kept(result, rest, places)
        return _kept(result, getattr(integers, name)(first, second), places)

    return method


_TERMS = frozenset({"add", "sub", "mul", "floordiv", "mod"})  # whose result has a term
_DIVISIONS = frozenset({"truediv", "floordiv", "mod", "divmod"})  # which raise for zero


def _report_zero(dividend: Any, divisor: Any) -> None:
    """Report as branches that a divisor is not zero (ZeroDivisionError), else that the dividend is
    not (InvalidOperation).
    """
    for value, kind in ((divisor, "ZeroDivisionError"), (dividend, "InvalidOperation")):
        found = parts(value)
        if found is not None and not found[0].is_const:
            well = negate(integers.eq(found[0], _ZERO))
            recording.active().implicit(kind, well, bool(untracked(value)))
        if untracked(value):
            return


def _report_impossible(
    pair: tuple[tuple[Term, int], tuple[Term, int]], dividend: Any, divisor: Any
) -> None:
    """Report as a branch that the quotient has no more digits than the precision; with more, `//`
    and `%` raise InvalidOperation.
    """
    left, right, _ = _aligned(*pair)
    limit = int_const(10 ** decimal.getcontext().prec)
    quotient = integers.floordiv(integers.absolute(left), integers.absolute(right))
    fits = abs(fractions.Fraction(dividend) / fractions.Fraction(divisor)) < limit.value
    recording.active().implicit("InvalidOperation", integers.lt(quotient, limit), fits)


def _compared(name: str) -> Any:
    concrete, build = COMPARE[name]

    def method(self: Any, other: Any) -> Any:
        theirs = parts(other)
        mine = (self.digits, self.places)
        if theirs is None:
            if isinstance(other, float | fractions.Fraction) and not tracked(other):
                return _compared_exactly(self, other, name)
            found = getattr(Decimal, f"__{name}__")(untracked(self), untracked(other))
            if found is not NotImplemented and tracked(other):
                recording.active().lose("comparison of a Decimal")
            return found
        left, right, _ = _aligned(mine, theirs)
        return truth(bool(concrete(untracked(self), untracked(other))), build(left, right))

    return method


def _compared_exactly(value: Any, other: Any, name: str) -> Any:
    """Compare with a float or a Fraction exactly: both as integers over one denominator."""
    concrete, build = COMPARE[name]
    if isinstance(other, float) and (other != other or other in (float("inf"), float("-inf"))):
        return concrete(untracked(value), other)
    exact = fractions.Fraction(other)
    left = integers.scale(value.digits, exact.denominator)
    right = int_const(exact.numerator * 10**value.places)
    return truth(bool(concrete(untracked(value), other)), build(left, right))


def as_int(value: Any) -> Any:
    """`int(decimal)`: towards zero."""
    return concolic_int(
        int(untracked(value)), _truncated(value.digits, int_const(10**value.places))
    )


def as_float(value: Any) -> Any:
    """`float(decimal)`, as an opaque function of the digits."""

    def convert(digits: int) -> float:
        return float(scaled(digits, value.places))

    op = opaque(_cached(convert, ("float", value.places)), Sort.FLOAT, f"float/{value.places}")
    return concolic_float(float(untracked(value)), intern(op, (value.digits,)))


_functions: dict[Any, Any] = {}


def _cached(function: Any, key: Any) -> Any:
    """The function first given for a key, so that the same application is the same term."""
    return _functions.setdefault(key, function)


def _requantized(value: Any, result: Decimal, rounding: str) -> Any:
    """The `result` of rounding a tracked Decimal, with digits that are an opaque function of its
    own.
    """
    exponent = result.as_tuple().exponent
    assert isinstance(exponent, int)

    def convert(digits: int) -> int:
        places = Decimal(1).scaleb(exponent)
        with decimal.localcontext(prec=ENOUGH_DIGITS):
            return int(scaled(digits, value.places).quantize(places, rounding).scaleb(-exponent))

    key = ("quantize", value.places, exponent, rounding)
    op = opaque(_cached(convert, key), Sort.INT, f"quantize{key[1:]}")
    term = intern(op, (value.digits,))
    if exponent > 0:
        return _kept(result, integers.scale(term, 10**exponent), 0)
    return _kept(result, term, -exponent)


def _rounded_to_int(value: Any, rounding: str) -> Any:
    """A tracked Decimal rounded to an int, as an opaque function of its digits."""

    def convert(digits: int) -> int:
        return int(scaled(digits, value.places).to_integral_value(rounding))

    op = opaque(
        _cached(convert, ("int", value.places, rounding)), Sort.INT, f"{rounding}/{value.places}"
    )
    result = int(untracked(value).to_integral_value(rounding))
    return concolic_int(result, intern(op, (value.digits,)))


def plain_decimal(value: Any) -> Decimal:
    """The plain Decimal behind a tracked one."""
    return Decimal.__new__(Decimal, value)


def _dropping(name: str) -> Any:
    plain_method = getattr(Decimal, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        recording.active().lose(f"Decimal.{name}()")
        return plain_method(untracked(self), *[untracked(arg) for arg in args], **kwargs)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod"):
    setattr(ConcolicDecimal, f"__{_name}__", _operator(_name, reflected=False))
    setattr(ConcolicDecimal, f"__r{_name}__", _operator(_name, reflected=True))
for _name in COMPARE:
    setattr(ConcolicDecimal, f"__{_name}__", _compared(_name))
_PLAIN_METHODS = [name for name in vars(Decimal) if not name.startswith("_")]
for _name in (*_PLAIN_METHODS, "__repr__", "__str__", "__format__", "__complex__"):
    _is_method = isinstance(vars(Decimal)[_name], MethodDescriptorType | WrapperDescriptorType)
    if _is_method and _name not in vars(ConcolicDecimal):
        setattr(ConcolicDecimal, _name, _dropping(_name))
ConcolicDecimal.__name__ = ConcolicDecimal.__qualname__ = "Decimal"


def lifted(value: Any, method: str) -> Any:
    """The operand of an operator as a Decimal, if it is a tracked Decimal or an int; else None."""
    if type(value) is ConcolicDecimal:
        return value
    return concolic_decimal(value, 0) if int_term(value) is not None else None
