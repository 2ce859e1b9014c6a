"""Numbers that carry a term.

They subclass what they stand for, so that C code and `isinstance` see the concrete value. Their
operators are in `arithmetic`; here is what makes them behave as plain numbers everywhere else.
"""

from __future__ import annotations

import sys
from typing import Any

from symcrete.terms import integers
from symcrete.terms.floats import is_nan, to_float
from symcrete.terms.logic import conjoin
from symcrete.terms.operations import CEIL, FLOOR, ROUND, TRUNC, opaque
from symcrete.terms.term import CONST, Sort, Term, const, int_const, intern
from symcrete.values.rows.tables import PLAIN
from symcrete.values.tracking import recording
from symcrete.values.tracking.truth import Truth

# The largest integer that still rounds to a finite double.
LARGEST_INT_AS_FLOAT = 2**1024 - 2**970 - 1

new_int = int.__new__
_new_float = float.__new__
_BIT_COUNT = opaque(int.bit_count, Sort.INT, "int.bit_count")


class ConcolicInt(int):
    """An int and the term it was computed by."""

    term: Term

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return int.__hash__(self)

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return int.__repr__(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        recording.active().lose("format()")
        return int.__format__(self, spec)

    def __int__(self) -> int:
        recording.active().lose("int()")
        return int.__int__(self)

    def __float__(self) -> float:
        recording.active().lose("float()")
        return int.__float__(self)

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return int, (int.__int__(self),)

    def __copy__(self) -> ConcolicInt:
        return self

    def __deepcopy__(self, memo: Any) -> ConcolicInt:
        return self

    @property
    def real(self) -> Any:
        return self

    @property
    def numerator(self) -> Any:
        return self

    def conjugate(self) -> Any:
        return self

    def is_integer(self) -> bool:
        return True

    def as_integer_ratio(self) -> Any:
        return self, 1

    def bit_length(self) -> Any:
        return concolic_int(int.bit_length(self), integers.bit_length(self.term))

    def bit_count(self) -> Any:
        return concolic_int(int.bit_count(self), intern(_BIT_COUNT, (self.term,)))


class ConcolicFloat(float):
    """A float and the term it was computed by."""

    __slots__ = ("term",)
    term: Term

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return float

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return float.__hash__(self)

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return float.__repr__(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        recording.active().lose("format()")
        return float.__format__(self, spec)

    def __int__(self) -> int:
        recording.active().lose("int()")
        return float.__int__(self)

    def __float__(self) -> float:
        recording.active().lose("float()")
        return float.__pos__(self)

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return float, (float.__pos__(self),)

    def __copy__(self) -> ConcolicFloat:
        return self

    def __deepcopy__(self, memo: Any) -> ConcolicFloat:
        return self

    @property
    def real(self) -> Any:
        return self

    def conjugate(self) -> Any:
        return self


def concolic_int(value: int, term: Term) -> Any:
    """The int with its term; a plain int where the term is constant."""
    if term.op is CONST:
        return value
    made = new_int(ConcolicInt, value)
    made.term = term
    return made


def concolic_float(value: float, term: Term) -> Any:
    """The float with its term; a plain float where the term is constant."""
    if term.op is CONST:
        return value
    made = _new_float(ConcolicFloat, value)
    made.term = term
    return made


def int_term(value: Any) -> Term | None:
    """The term of an int-like value that behaves as a plain int; None for anything else."""
    kind = type(value)
    if kind is ConcolicInt:
        return value.term  # type: ignore[no-any-return]
    if kind is int:
        return int_const(value)
    if kind is Truth:
        return integers.from_truth(value.term)
    if kind is bool:
        return int_const(int(value))
    if issubclass(kind, int) and kind.__add__ is int.__add__ and kind.__lt__ is int.__lt__:
        return int_const(int.__int__(value))  # IntEnum and other plain subclasses
    return None


def number_term(value: Any) -> Term | None:
    """The term of an int, bool or float; None for anything else."""
    kind = type(value)
    if kind is ConcolicFloat:
        return value.term  # type: ignore[no-any-return]
    if kind is float:
        return const(value)
    return int_term(value)


def tracked(value: Any) -> bool:
    """Whether a value carries a term; containers do not, their elements may."""
    return type(value) in PLAIN


def term_of(value: Any) -> Term:
    """The term of a tracked number or Truth; of any other value the constant."""
    kind = type(value)
    if kind is ConcolicInt or kind is ConcolicFloat or kind is Truth:
        return value.term  # type: ignore[no-any-return]
    return const(value)


def untracked(value: Any) -> Any:
    """The plain value behind a tracked one."""
    kind = type(value)
    if kind is ConcolicInt:
        return int.__int__(value)
    found = PLAIN.get(kind)
    return value if found is None else found(value)


def pinned(value: Any) -> Any:
    """The plain value of a tracked int or Truth, which is a branch: on this path the input gives
    just this one.
    """
    kind = type(value)
    if kind is Truth:
        return bool(value)
    if kind is not ConcolicInt:
        return value
    concrete = int.__int__(value)
    term = value.term
    recording.active().fork(
        "value", term, concrete, lambda each: integers.eq(term, int_const(each))
    )
    return concrete


def float_of(value: Any, term: Term) -> tuple[float, Term]:
    """A number as a float with its term, as arithmetic with a float has it; that an int fits is a
    branch.
    """
    if term.sort is not Sort.INT:
        return value, term
    note_fits_float(value, term)
    return float(untracked(value)), to_float(term)


def note_fits_float(value: Any, term: Term) -> bool:
    """Report as branches whether an int is within the range of doubles, and return it."""
    if term.op in _ROUNDED:
        return True  # it was a double before
    record, concrete = recording.active(), untracked(value)
    below = record.implicit("OverflowError", integers.le(term, _MOST), concrete <= _MOST.value)
    above = record.implicit("OverflowError", integers.le(_LEAST, term), concrete >= _LEAST.value)
    return below and above


_ROUNDED = frozenset({FLOOR, CEIL, TRUNC, ROUND})
_MOST, _LEAST = int_const(LARGEST_INT_AS_FLOAT), int_const(-LARGEST_INT_AS_FLOAT)


def ask_for_one_nan(left: Any, right: Any, first: Term, second: Term) -> None:
    """Make it a branch whether two floats are both nan. Where they are, what comes next is not
    known: they are two objects here, but a call may give one nan twice, which is equal to itself
    in a container.
    """
    if first.sort is not Sort.FLOAT or second.sort is not Sort.FLOAT:
        return
    open_ones = [each for each in (first, second) if not each.is_const]
    known = [each.value for each in (first, second) if each.is_const]
    if not open_ones or any(each == each for each in known):  # a constant that is no nan
        return
    record = recording.active()
    both = conjoin([is_nan(each) for each in open_ones])
    if record.implicit("nan", both, _is_nan(left) and _is_nan(right)):
        record.lose("a nan that may be the same object as another")


def _is_nan(value: Any) -> bool:
    plain = untracked(value)
    return bool(plain != plain)


def ask_in_generated_code(left: Any, right: Any, first: Term, second: Term) -> None:
    """The same where code that has no file compares, such as the `__eq__` that `dataclass` writes:
    before CPython 3.13 it compares the tuples of all fields.
    """
    if sys._getframe(2).f_code.co_filename.startswith("<"):
        ask_for_one_nan(left, right, first, second)
