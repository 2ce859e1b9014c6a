"""The operators of tracked numbers: Python's own result beside the term that computes it.

Each operator is one row of a table below; the two classes get their methods from it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from symcrete.errors import TooExpensive
from symcrete.terms import floats, integers
from symcrete.terms.logic import choose, disjoin, negate
from symcrete.terms.operations import FPOW, opaque
from symcrete.terms.term import CONST, INTS, Sort, Term, const, int_const, intern
from symcrete.values.rows.tables import class_name
from symcrete.values.tracking import recording
from symcrete.values.tracking.followed import drops_terms
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    ask_in_generated_code,
    concolic_float,
    concolic_int,
    float_of,
    int_term,
    new_int,
    note_fits_float,
    number_term,
    pinned,
    untracked,
)
from symcrete.values.tracking.truth import truth

ZERO = int_const(0)
_SEQUENCES = (str, bytes, bytearray, list, tuple)  # `[0] * n` repeats
# bits of a power that is still computed; one of 2**24 bits takes 3.4 s of processor time, one of
# four times as many bits nine times that, and no clock can interrupt it
LARGEST_POWER = 1 << 24
# places before the point of `round(n, -places)` that has a term; chosen, not measured
MOST_ROUNDED = 100
# bits; a left shift by more is pinned to its amount, as the result grows by a bit per unit; chosen,
# not measured
LARGEST_SHIFT = 1 << 16
SHIFT_OVERFLOW = 1 << 66  # bits: an int of CPython has no digits for more of them


def number(value: Any, term: Term) -> Any:
    """The int or float with its term; a plain one where the term is constant."""
    return concolic_int(value, term) if type(value) is int else concolic_float(value, term)


# -- what each operator does, given both values and both terms


def _sum_like(
    concrete: Callable[[Any, Any], Any],
    of_ints: Callable[[Term, Term], Term],
    of_floats: Callable[[Term, Term], Term],
) -> Callable[[Any, Any, Term, Term], Any]:
    def apply(left: Any, right: Any, a: Term, b: Term) -> Any:
        if a.sort is Sort.INT and b.sort is Sort.INT:
            return concolic_int(concrete(untracked(left), untracked(right)), of_ints(a, b))
        left, a = float_of(left, a)
        right, b = float_of(right, b)
        return concolic_float(concrete(untracked(left), untracked(right)), of_floats(a, b))

    return apply


def _nonzero(value: Any, term: Term) -> None:
    """Record that a divisor is not zero; CPython raises the error itself if it is."""
    if term.op is CONST:
        return
    if term.sort is Sort.INT:
        well = negate(integers.eq(term, ZERO))
    else:
        well = negate(floats.eq(term, const(0.0)))
    recording.active().implicit("ZeroDivisionError", well, untracked(value) != 0)


def _division(
    concrete: Callable[[Any, Any], Any],
    of_ints: Callable[[Term, Term], Term],
    of_floats: Callable[[Term, Term], Term],
) -> Callable[[Any, Any, Term, Term], Any]:
    inner = _sum_like(concrete, of_ints, of_floats)

    def apply(left: Any, right: Any, a: Term, b: Term) -> Any:
        _nonzero(right, b)
        return inner(left, right, a, b)

    return apply


def _true_division(left: Any, right: Any, a: Term, b: Term) -> Any:
    _nonzero(right, b)
    if a.sort is Sort.INT and b.sort is Sort.INT:
        plain_left, plain_right = untracked(left), untracked(right)
        if not note_fits_float(left, a):  # a quotient of a dividend that fits cannot overflow
            fits = _quotient_fits(plain_left, plain_right)
            recording.active().implicit("OverflowError", intern(_QUOTIENT_FITS, (a, b)), fits)
        return concolic_float(plain_left / plain_right, floats.int_div(a, b))
    left, a = float_of(left, a)
    right, b = float_of(right, b)
    return concolic_float(untracked(left) / untracked(right), floats.div(a, b))


def _quotient_fits(left: int, right: int) -> bool:
    try:
        return isinstance(left / right, float)
    except ArithmeticError:
        return False


_QUOTIENT_FITS = opaque(_quotient_fits, Sort.BOOL, "quotient_fits")


def _divmod(left: Any, right: Any, a: Term, b: Term) -> Any:
    return _FLOORDIV(left, right, a, b), _MOD(left, right, a, b)


def _shift(left: Any, right: Any, a: Term, b: Term, *, by_left: bool) -> Any:
    if a.sort is not Sort.INT or b.sort is not Sort.INT:
        return NotImplemented
    amount = untracked(right)
    recording.active().implicit("ValueError", integers.le(ZERO, b), amount >= 0)
    small = integers.le(b, int_const(LARGEST_SHIFT))
    if by_left and not recording.active().implicit("shift", small, amount <= LARGEST_SHIFT):
        fits = disjoin([integers.eq(a, ZERO), integers.lt(b, int_const(SHIFT_OVERFLOW))])
        is_fit = untracked(left) == 0 or amount < SHIFT_OVERFLOW
        recording.active().implicit("OverflowError", fits, is_fit)
        # The result grows by a bit per unit, until it does not fit: continue with this amount only.
        return concolic_int(untracked(left) << amount, integers.lshift(a, int_const(pinned(right))))
    concrete = operator.lshift if by_left else operator.rshift
    build = integers.lshift if by_left else integers.rshift
    return concolic_int(concrete(untracked(left), amount), build(a, b))


def _lshift(left: Any, right: Any, a: Term, b: Term) -> Any:
    return _shift(left, right, a, b, by_left=True)


def _rshift(left: Any, right: Any, a: Term, b: Term) -> Any:
    return _shift(left, right, a, b, by_left=False)


def _bitwise(
    concrete: Callable[[int, int], int], build: Callable[[Term, Term], Term]
) -> Callable[[Any, Any, Term, Term], Any]:
    def apply(left: Any, right: Any, a: Term, b: Term) -> Any:
        if a.sort is not Sort.INT or b.sort is not Sort.INT:
            return NotImplemented
        return concolic_int(concrete(untracked(left), untracked(right)), build(a, b))

    return apply


def _power(left: Any, right: Any, a: Term, b: Term) -> Any:
    base, exponent = untracked(left), untracked(right)
    if a.sort is Sort.INT and b.sort is Sort.INT:
        recording.active().implicit("exponent", integers.le(ZERO, b), exponent >= 0)
        if exponent >= 0:
            _affordable(base, exponent)
            return concolic_int(base**exponent, integers.power(a, b))
        _nonzero(left, a)
    left, a = float_of(left, a)
    right, b = float_of(right, b)
    base, exponent = untracked(left), untracked(right)
    record = recording.active()
    goes_well = intern(_POWER_IS_REAL, (a, b))
    if not record.implicit("power", goes_well, _power_is_real(base, exponent)):
        record.lose("**")  # raises or gives a complex number: no term for it
        return base**exponent
    return concolic_float(base**exponent, intern(FPOW, (a, b)))


def _affordable(base: int, exponent: int) -> None:
    """Raise TooExpensive for a power that takes seconds: it is one step in C, which no clock can
    interrupt.
    """
    bits = base.bit_length() * exponent
    if abs(base) > 1 and bits > LARGEST_POWER:
        raise TooExpensive(f"too expensive to run: a power with about {bits:.0e} bits")


def _power_is_real(base: float, exponent: float) -> bool:
    try:
        return isinstance(base**exponent, float)
    except ArithmeticError:
        return False


_POWER_IS_REAL = opaque(_power_is_real, Sort.BOOL, "power_is_real")
_FLOORDIV = _division(operator.floordiv, integers.floordiv, floats.floordiv)
_MOD = _division(operator.mod, integers.mod, floats.mod)

BINARY: dict[str, Callable[[Any, Any, Term, Term], Any]] = {
    "add": _sum_like(operator.add, integers.add, floats.add),
    "sub": _sum_like(operator.sub, integers.sub, floats.sub),
    "mul": _sum_like(operator.mul, integers.mul, floats.mul),
    "floordiv": _FLOORDIV,
    "mod": _MOD,
    "divmod": _divmod,
    "truediv": _true_division,
    "pow": _power,
    "lshift": _lshift,
    "rshift": _rshift,
    "and": _bitwise(operator.and_, integers.bitand),
    "or": _bitwise(operator.or_, integers.bitor),
    "xor": _bitwise(operator.xor, integers.bitxor),
}

COMPARE: dict[str, tuple[Callable[[Any, Any], bool], Callable[[Term, Term], Term]]] = {
    "lt": (operator.lt, integers.lt),
    "le": (operator.le, integers.le),
    "gt": (operator.gt, integers.gt),
    "ge": (operator.ge, integers.ge),
    "eq": (operator.eq, integers.eq),
    "ne": (operator.ne, integers.ne),
}
COMPARE_FLOATS: dict[str, Callable[[Term, Term], Term]] = {
    "lt": floats.lt,
    "le": floats.le,
    "gt": lambda a, b: floats.lt(b, a),
    "ge": lambda a, b: floats.le(b, a),
    "eq": floats.eq,
    "ne": lambda a, b: negate(floats.eq(a, b)),
}


# -- the methods


# Operators with a fast path for ints: what builds the term, and the terms that were built so far.
_QUICK = {
    "add": (integers.add, integers.SUMS),
    "sub": (integers.sub, integers.DIFFERENCES),
    "mul": (integers.mul, integers.PRODUCTS),
}


def _forward(name: str, owner: type) -> Callable[[Any, Any], Any]:
    apply = BINARY[name]
    fast, built = _QUICK.get(name, (None, None))
    concrete = getattr(int, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        right = number_term(other)
        if right is None:
            return _with_stranger(self, other, name, reflected=False)
        return apply(self, other, self.term, right)

    def quick(self: Any, other: Any) -> Any:
        # benchmarks/paths.py: two thirds of all operators are sums of two integers
        kind = type(other)
        if kind is ConcolicInt:
            key = (self.term, other.term)
        elif kind is int:
            key = (self.term, INTS.get(other) or int_const(other))
        else:
            return method(self, other)
        term = built.get(key) or fast(*key)  # type: ignore[union-attr,misc]
        if term.op is CONST:
            return concrete(self, other)
        made = new_int(ConcolicInt, concrete(self, other))
        made.term = term
        return made

    return quick if fast is not None and owner is ConcolicInt else method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    apply = BINARY[name]

    def method(self: Any, other: Any) -> Any:
        left = number_term(other)
        if left is None:
            return _with_stranger(self, other, name, reflected=True)
        return apply(other, self, left, self.term)

    return method


def _with_stranger(number: Any, other: Any, name: str, *, reflected: bool) -> Any:
    """An operator between a tracked number and an operand that is no number.

    Code that is followed keeps the term (NotImplemented: Python asks it); other code takes the
    number for a plain one. So an int is pinned to its value first, which is a branch; a float loses
    its term.
    """
    repeats = name == "mul" and isinstance(other, _SEQUENCES)
    theirs = f"__{name}__" if reflected else f"__r{name}__"
    methods = (theirs, "__mul__") if name == "mul" else (theirs,)
    if not repeats and not drops_terms(type(other), *methods):
        return NotImplemented
    if type(number) is not ConcolicInt:
        recording.active().lose(f"{class_name(other)} and a number")
        return NotImplemented
    plain = pinned(number)
    operate = divmod if name == "divmod" else getattr(operator, _FUNCTIONS.get(name, name))
    return operate(other, plain) if reflected else operate(plain, other)


_FUNCTIONS = {"and": "and_", "or": "or_"}


def _compared(name: str, owner: type) -> Callable[[Any, Any], Any]:
    concrete, of_ints = COMPARE[name]
    of_floats = COMPARE_FLOATS[name]
    slot = getattr(int, f"__{name}__")

    def of_int(self: Any, other: Any) -> Any:
        right = int_term(other)
        if right is None:
            return of_float(self, other)
        return truth(slot(self, other), of_ints(self.term, right))

    def of_float(self: Any, other: Any) -> Any:
        right = number_term(other)
        if right is None:
            return NotImplemented
        if name == "eq":
            ask_in_generated_code(self, other, self.term, right)
        return truth(concrete(untracked(self), untracked(other)), of_floats(self.term, right))

    return of_int if owner is ConcolicInt else of_float


def _pow(self: Any, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return modular_power(self, other, modulus)
    right = number_term(other)
    if right is None:
        return _with_stranger(self, other, "pow", reflected=False)
    return _power(self, other, self.term, right)


def _rpow(self: Any, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return modular_power(other, self, modulus)
    left = number_term(other)
    if left is None:
        return _with_stranger(self, other, "pow", reflected=True)
    return _power(other, self, left, self.term)


def modular_power(base: Any, exponent: Any, modulus: Any) -> Any:
    """`pow(base, exponent, modulus)`; that there is such a number, else ValueError, is a branch."""
    numbers = untracked(base), untracked(exponent), untracked(modulus)
    a, b, m = int_term(base), int_term(exponent), int_term(modulus)
    if a is None or b is None or m is None:
        recording.active().lose("pow()")
        return pow(*numbers)
    exists = intern(_HAS_POWER, (a, b, m))
    recording.active().implicit("ValueError", exists, _has_power(*numbers))
    return concolic_int(pow(*numbers), intern(_POW_MOD, (a, b, m)))


def _has_power(base: int, exponent: int, modulus: int) -> bool:
    try:
        pow(base, exponent, modulus)
    except ValueError:
        return False
    return True


_POW_MOD = opaque(pow, Sort.INT, "pow")
_HAS_POWER = opaque(_has_power, Sort.BOOL, "has_power")


def _operators(owner: type, names: str) -> dict[str, Callable[..., Any]]:
    """The methods of a class of numbers by name: these operators, from either side, and the
    comparisons.
    """
    words = names.split()
    return {
        **{f"__{name}__": _forward(name, owner) for name in words},
        **{f"__r{name}__": _reflected(name) for name in words},
        **{f"__{name}__": _compared(name, owner) for name in COMPARE},
        "__pow__": _pow,
        "__rpow__": _rpow,
    }


def _int_truth(self: ConcolicInt) -> bool:
    term = negate(integers.eq(self.term, ZERO))
    return recording.active().implicit("truth", term, int.__bool__(self))


def _float_truth(self: ConcolicFloat) -> bool:
    return recording.active().implicit("truth", float_truth_term(self), float.__bool__(self))


def float_truth_term(value: ConcolicFloat) -> Term:
    return negate(floats.eq(value.term, const(0.0)))


def finite(value: ConcolicFloat) -> bool:
    """Whether a float can become an int; that it is no nan and no infinity are branches."""
    record = recording.active()
    plain = untracked(value)
    record.implicit("ValueError", negate(floats.is_nan(value.term)), plain == plain)
    if plain != plain:
        return False
    infinite = plain in (float("inf"), float("-inf"))
    record.implicit("OverflowError", negate(floats.is_inf(value.term)), not infinite)
    return not infinite


def to_int(
    value: ConcolicFloat, concrete: Callable[[float], int], build: Callable[[Term], Term]
) -> Any:
    """`int`, `floor`, `ceil` or `round` of a tracked float, by `concrete` and as the term that
    `build` makes.
    """
    if not finite(value):
        return concrete(untracked(value))  # raises
    return concolic_int(concrete(untracked(value)), build(value.term))


def _rounded_int(self: ConcolicInt, digits: Any = None) -> Any:
    places = pinned(digits)
    if places is None:
        return self
    places = operator.index(places)
    if places >= 0:
        return self
    value = int.__round__(untracked(self), places)
    if -places > MOST_ROUNDED:
        recording.active().lose("round()")
        return value
    return concolic_int(value, _to_tens(self.term, 10**-places))


def _to_tens(term: Term, unit: int) -> Term:
    """The multiple of the unit nearest to a number; of two as near, the even multiple."""
    below, rest = integers.floordiv(term, int_const(unit)), integers.mod(term, int_const(unit))
    twice = integers.scale(rest, 2)
    even = integers.eq(integers.mod(below, int_const(2)), ZERO)
    above = integers.add(below, int_const(1))
    at_half = choose(even, below, above)
    nearest = choose(
        integers.lt(twice, int_const(unit)),
        below,
        choose(integers.eq(twice, int_const(unit)), at_half, above),
    )
    return integers.scale(nearest, unit)


def _rounded_float(self: ConcolicFloat, digits: Any = None) -> Any:
    if digits is None:
        return to_int(self, round, floats.round_half_even)
    places = pinned(digits)
    term = intern(opaque(_round_to, Sort.FLOAT, "round"), (self.term, int_const(places)))
    return concolic_float(_round_to(untracked(self), places), term)


def _round_to(value: float, places: int) -> float:
    return round(value, places)


def _same(self: Any) -> Any:
    return self


def _is_integer(self: ConcolicFloat) -> Any:
    value = float.is_integer(self)
    return truth(
        value, intern(opaque(float.is_integer, Sort.BOOL, "float.is_integer"), (self.term,))
    )


# What the kinds' table puts on the two classes, which are defined before terms can be computed.
INT_METHODS: dict[str, Callable[..., Any]] = {
    **_operators(ConcolicInt, "add sub mul floordiv mod divmod truediv lshift rshift and or xor"),
    "__bool__": _int_truth,
    "__neg__": lambda self: concolic_int(int.__neg__(self), integers.neg(self.term)),
    "__pos__": _same,
    "__abs__": lambda self: concolic_int(int.__abs__(self), integers.absolute(self.term)),
    "__invert__": lambda self: concolic_int(int.__invert__(self), integers.invert(self.term)),
    "__round__": _rounded_int,
    "__trunc__": _same,
    "__floor__": _same,
    "__ceil__": _same,
}
FLOAT_METHODS: dict[str, Callable[..., Any]] = {
    **_operators(ConcolicFloat, "add sub mul floordiv mod divmod truediv"),
    "__bool__": _float_truth,
    "__neg__": lambda self: concolic_float(float.__neg__(self), floats.neg(self.term)),
    "__pos__": _same,
    "__abs__": lambda self: concolic_float(float.__abs__(self), floats.absolute(self.term)),
    "__round__": _rounded_float,
    "__trunc__": lambda self: to_int(self, int, floats.trunc),
    "__floor__": lambda self: to_int(self, float.__floor__, floats.floor),
    "__ceil__": lambda self: to_int(self, float.__ceil__, floats.ceil),
    "is_integer": _is_integer,
}
