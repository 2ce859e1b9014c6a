"""Fractions whose numerator and denominator carry terms; lowest terms take an opaque gcd."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from symcrete.terms import floats, integers
from symcrete.terms.logic import conjoin, negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, int_const, intern
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import (
    concolic_float,
    concolic_int,
    float_of,
    int_term,
    tracked,
    untracked,
)
from symcrete.values.tracking.operators import OPERATORS, not_
from symcrete.values.tracking.truth import truth
from symcrete.values.tracking.unchanging_values import Unchanging

_GCD = opaque(math.gcd, Sort.INT, "math.gcd")
_ONE = int_const(1)


class ConcolicFraction(Unchanging, Fraction):
    """A fraction in lowest terms: `above` is its numerator, `below` its denominator."""

    __slots__ = ("above", "below")
    above: Any
    below: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return Fraction

    @property
    def numerator(self) -> Any:
        return self.above

    @property
    def denominator(self) -> Any:
        return self.below

    def as_integer_ratio(self) -> Any:
        return self.above, self.below

    def is_integer(self) -> Any:
        return self.below == 1

    __hash__ = Unchanging.__hash__

    def __bool__(self) -> bool:
        return bool(self.above)

    def __neg__(self) -> Any:
        return concolic_fraction(-self.above, self.below)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return concolic_fraction(abs(self.above), self.below)

    def __trunc__(self) -> Any:
        if self.above < 0:
            return -(-self.above // self.below)
        return self.above // self.below

    def __int__(self) -> int:  # type: ignore[override]
        recording.active().lose("int()")
        return int(untracked(self))

    def __floor__(self) -> Any:
        return self.above // self.below

    def __ceil__(self) -> Any:
        return -(-self.above // self.below)

    def __float__(self) -> float:
        recording.active().lose("float()")
        return float(untracked(self))

    def __eq__(self, other: object) -> Any:
        theirs = _parts(other)
        if theirs is None:
            return _foreign(self, other, "__eq__")
        same = [integers.eq(_term(a), _term(b)) for a, b in zip(self._pair(), theirs, strict=True)]
        return truth(bool(untracked(self) == untracked(other)), conjoin(same))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not_(equal)

    def _pair(self) -> tuple[Any, Any]:
        return self.above, self.below


def coprime(numerator: Term, denominator: Term) -> Term:
    """The condition that two numbers have no common divisor but 1."""
    return integers.eq(intern(_GCD, (numerator, denominator)), _ONE)


def _term(value: Any) -> Term:
    found = int_term(value)
    assert found is not None
    return found


def concolic_fraction(above: Any, below: Any) -> Any:
    """The tracked Fraction of two numbers in lowest terms; a plain one where neither is tracked."""
    plain = Fraction(untracked(above), untracked(below))
    if not tracked(above) and not tracked(below):
        return plain
    made = object.__new__(ConcolicFraction)
    made._numerator, made._denominator = plain.numerator, plain.denominator  # type: ignore[attr-defined]
    made.above, made.below = above, below
    return made


def reduced(above: Any, below: Any) -> Any:
    """The tracked Fraction of any two ints, the second not zero, brought to lowest terms."""
    if below < 0:
        above, below = -above, -below
    divisor = math.gcd(untracked(above), untracked(below))
    common = concolic_int(divisor, _gcd_term(_term(above), _term(below)))
    return concolic_fraction(above // common, below // common)


def _gcd_term(above: Term, below: Term) -> Term:
    if below is _ONE or above is _ONE:
        return _ONE
    if above.is_const and below.is_const:
        return int_const(math.gcd(above.value, below.value))
    return intern(_GCD, (above, below))


def _parts(value: Any) -> tuple[Any, Any] | None:
    """Numerator and denominator of an int or Fraction; None for anything else."""
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    return (value, 1) if int_term(value) is not None else None


def _foreign(left: Any, right: Any, name: str) -> Any:
    """An operator with a float, complex or Decimal, applied to plain values: the term is lost."""
    found = getattr(Fraction, name)(untracked(left), untracked(right))
    if found is not NotImplemented:
        recording.active().lose("Fraction and another kind of number")
    return found


def _operator(name: str, *, reflected: bool) -> Any:
    def method(self: Any, other: Any) -> Any:
        theirs = _parts(other)
        if theirs is None:
            if isinstance(other, float) and name in ("add", "sub", "mul", "truediv"):
                number = as_float(self)
                left, right = (other, number) if reflected else (number, other)
                return OPERATORS[name](left, right)
            return _foreign(self, other, f"__r{name}__" if reflected else f"__{name}__")
        (a, b), (c, d) = (theirs, self._pair()) if reflected else (self._pair(), theirs)
        times = OPERATORS["mul"]
        if name in ("add", "sub"):
            return reduced(OPERATORS[name](times(a, d), times(c, b)), times(b, d))
        if name == "mul":
            return reduced(times(a, c), times(b, d))
        _report_zero(c)
        if name == "truediv":
            return reduced(times(a, d), times(b, c))
        if name == "floordiv":
            return OPERATORS["floordiv"](times(a, d), times(b, c))
        return reduced(OPERATORS["mod"](times(a, d), times(c, b)), times(b, d))

    return method


def _report_zero(divisor: Any) -> None:
    if tracked(divisor):
        well = negate(integers.eq(divisor.term, int_const(0)))
        recording.active().implicit("ZeroDivisionError", well, untracked(divisor) != 0)
    if untracked(divisor) == 0:
        raise ZeroDivisionError("Fraction division by zero")


def _ordered(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        theirs = _parts(other)
        if theirs is None:
            return _foreign(self, other, f"__{name}__")
        left = OPERATORS["mul"](self.above, theirs[1])
        return OPERATORS[name](left, OPERATORS["mul"](theirs[0], self.below))

    return method


def as_float(value: Any) -> Any:
    """`float(fraction)`: the quotient of two ints, rounded once."""
    float_of(value.above, _term(value.above))  # reports whether the numerator fits a float
    plain = untracked(value)
    term = floats.int_div(_term(value.above), _term(value.below))
    return concolic_float(plain.numerator / plain.denominator, term)


def _dropping(name: str) -> Any:
    plain_method = getattr(Fraction, name)

    def method(self: Any, *args: Any) -> Any:
        recording.active().lose(f"Fraction.{name}()")
        return plain_method(untracked(self), *[untracked(arg) for arg in args])

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(ConcolicFraction, f"__{_name}__", _operator(_name, reflected=False))
    setattr(ConcolicFraction, f"__r{_name}__", _operator(_name, reflected=True))
for _name in ("lt", "le", "gt", "ge"):
    setattr(ConcolicFraction, f"__{_name}__", _ordered(_name))
for _name in (
    "__pow__",
    "__rpow__",
    "__divmod__",
    "__rdivmod__",
    "__round__",
    "__repr__",
    "__str__",
):
    setattr(ConcolicFraction, _name, _dropping(_name))
for _name in ("limit_denominator", "__format__"):
    setattr(ConcolicFraction, _name, _dropping(_name))
ConcolicFraction.__name__ = ConcolicFraction.__qualname__ = "Fraction"


def plain_fraction(value: Any) -> Fraction:
    """The plain Fraction behind a tracked one."""
    return Fraction(untracked(value.above), untracked(value.below))


def lifted(value: Any, method: str) -> Any:
    """The operand of an operator as a Fraction, if it is a tracked Fraction or an int; else
    None.
    """
    if type(value) is ConcolicFraction:
        return value
    return concolic_fraction(value, 1) if int_term(value) is not None else None


def fraction_model(*args: Any, **named: Any) -> Any:
    """`Fraction(...)` of ints and Fractions; other arguments drop their terms."""
    if not named and 1 <= len(args) <= 2 and any(tracked(each) for each in args):
        pairs = [_parts(each) for each in args]
        if None not in pairs:
            first = pairs[0]
            second = pairs[1] if len(pairs) == 2 else (1, 1)
            assert first is not None and second is not None
            _report_zero(second[0])
            times = OPERATORS["mul"]
            return reduced(times(first[0], second[1]), times(first[1], second[0]))
    return foreign(Fraction, *args, **named)


MODELS: tuple[ModelRow, ...] = (Model(Fraction, fraction_model),)
