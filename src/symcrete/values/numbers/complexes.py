"""Complex numbers whose parts carry terms."""

from __future__ import annotations

import sys
from typing import Any

from symcrete.terms import floats
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.term import Term, const
from symcrete.values.models.math_functions import applied
from symcrete.values.models.number_functions import float_model
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import number_term, tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.truth import truth

# The formulas below are those of CPython before 3.14. Since 3.14 a real operand is not made complex
# first, and products of infinities are mended.
_PLAIN_FORMULAS = sys.version_info < (3, 14)
_ZERO = const(0.0)


class ConcolicComplex(complex):
    """A complex number and its two parts as tracked floats."""

    __slots__ = ("_imag", "_real")
    _real: Any
    _imag: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return complex

    @property
    def real(self) -> Any:
        return self._real

    @property
    def imag(self) -> Any:
        return self._imag

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return complex.__hash__(self)

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return complex.__repr__(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        recording.active().lose("format()")
        return complex.__format__(self, spec)

    def __complex__(self) -> complex:
        recording.active().lose("complex()")
        return complex.__pos__(self)

    def __bool__(self) -> bool:
        nonzero = [negate(floats.eq(_term(part), _ZERO)) for part in (self._real, self._imag)]
        return recording.active().implicit("truth", disjoin(nonzero), complex.__bool__(self))

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        return concolic_complex(-self._real, -self._imag)

    def __abs__(self) -> Any:
        return applied(_magnitude, (self._real, self._imag))

    def conjugate(self) -> Any:
        return concolic_complex(self._real, -self._imag)

    def __eq__(self, other: object) -> Any:
        parts = _parts(other)
        if parts is None:
            return NotImplemented
        real, imag = parts
        if not isinstance(other, complex):
            real, imag = other, 0.0  # an int is compared exactly
        equal = [_equal(self._real, real), _equal(self._imag, imag)]
        value = all(
            untracked(a) == untracked(b) for a, b in ((self._real, real), (self._imag, imag))
        )
        return truth(value, conjoin(equal))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else OPERATORS["not_"](equal)

    def __getnewargs__(self) -> Any:
        return untracked(self._real), untracked(self._imag)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        recording.active().lose("pickling")
        return complex, self.__getnewargs__()


def concolic_complex(real: Any, imag: Any) -> Any:
    """The tracked complex number of two parts; a plain one where neither is tracked."""
    value = complex(untracked(real), untracked(imag))
    if not tracked(real) and not tracked(imag):
        return value
    made = complex.__new__(ConcolicComplex, value)
    made._real, made._imag = real, imag
    return made


def _magnitude(real: float, imag: float) -> float:
    return abs(complex(real, imag))


def _term(part: Any) -> Term:
    found = number_term(part)
    assert found is not None
    return found


def _equal(left: Any, right: Any) -> Term:
    return floats.eq(_term(left), _term(right))


def _parts(other: Any) -> tuple[Any, Any] | None:
    """Real and imaginary part of a number as arithmetic sees them; None if it is no number."""
    if isinstance(other, complex):
        return other.real, other.imag
    if number_term(other) is None:
        return None
    return float_model(other), 0.0


def _add(name: str, left: Any, right: Any) -> Any:
    combine = OPERATORS[name]
    return concolic_complex(combine(left[0], right[0]), combine(left[1], right[1]))


def _multiply(left: Any, right: Any) -> Any:
    times, add, sub = OPERATORS["mul"], OPERATORS["add"], OPERATORS["sub"]
    (a, b), (c, d) = left, right
    return concolic_complex(sub(times(a, c), times(b, d)), add(times(a, d), times(b, c)))


def _operator(name: str, *, reflected: bool) -> Any:
    plain = getattr(complex, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        theirs = _parts(other)
        if theirs is None:
            return NotImplemented
        mine = (self._real, self._imag)
        left, right = (theirs, mine) if reflected else (mine, theirs)
        if _PLAIN_FORMULAS and name in ("add", "sub"):
            return _add(name, left, right)
        if _PLAIN_FORMULAS and name == "mul":
            return _multiply(left, right)
        recording.active().lose(f"complex {name}")
        one, two = (
            (untracked(other), untracked(self)) if reflected else map(untracked, (self, other))
        )
        return plain(one, two) if isinstance(one, complex) else plain(complex(one), two)

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(ConcolicComplex, f"__{_name}__", _operator(_name, reflected=False))
    setattr(ConcolicComplex, f"__r{_name}__", _operator(_name, reflected=True))
ConcolicComplex.__name__ = ConcolicComplex.__qualname__ = "complex"


def lifted(value: Any, method: str) -> Any:
    """The operand of an operator as a complex number; None if it is no number, and for `==` and
    `!=`, which compare ints exactly.
    """
    if type(value) is ConcolicComplex:
        return value
    if number_term(value) is None or method in ("__eq__", "__ne__"):
        return None  # an int is compared exactly, not as a float
    return concolic_complex(float_model(value), 0.0)


def complex_model(*args: Any, **named: Any) -> Any:
    """`complex(real, imag)` of one or two numbers; other arguments drop their terms."""
    if len(args) == 1 and not named and type(args[0]) is ConcolicComplex:
        return args[0]
    if named or not 1 <= len(args) <= 2 or not any(tracked(each) for each in args):
        return foreign(complex, *args, **named)
    if any(number_term(each) is None for each in args):
        return foreign(complex, *args)
    parts = [float_model(each) for each in args]
    return concolic_complex(parts[0], parts[1] if len(parts) == 2 else 0.0)


MODELS: tuple[ModelRow, ...] = (Model(complex, complex_model),)
