"""The truth of a comparison between tracked values.

`bool` cannot be subclassed, so this is an int that shows itself as a bool; it becomes a plain
`bool` when it leaves rewritten code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import conjoin, disjoin, negate, same_truth
from symcrete.terms.term import CONST, FALSE, TRUE, Term
from symcrete.values.tracking import recording
from symcrete.values.tracking.followed import drops_terms

_new = int.__new__


class Truth(int):
    """True or False, and the condition that decides which."""

    term: Term

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        return recording.active().implicit("truth", self.term, int.__bool__(self))

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return "True" if int.__bool__(self) else "False"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        recording.active().lose("format()")
        return format(int.__bool__(self), spec)

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return int.__hash__(self)

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return bool, (int.__bool__(self),)

    def __copy__(self) -> Truth:
        return self

    def __deepcopy__(self, memo: Any) -> Truth:
        return self

    def __and__(self, other: Any) -> Any:
        return _logical(self, other, conjoin, int.__and__, "__and__")

    def __or__(self, other: Any) -> Any:
        return _logical(self, other, disjoin, int.__or__, "__or__")

    def __xor__(self, other: Any) -> Any:
        return _logical(self, other, _differ, int.__xor__, "__xor__")

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Any:
        _ = ~int.__bool__(self)  # deprecated for a bool since 3.12: the warning is the program's
        return as_int(self).__invert__()

    def __eq__(self, other: object) -> Any:
        right = truth_term(other)
        if right is None:
            return as_int(self).__eq__(other)
        return truth(int.__eq__(self, other), same_truth(self.term, right))

    def __ne__(self, other: object) -> Any:
        right = truth_term(other)
        if right is None:
            return as_int(self).__ne__(other)
        equal = same_truth(self.term, right)
        return truth(int.__ne__(self, other), negate(equal))


def truth(value: bool, term: Term) -> Any:
    """The truth with its condition; a plain bool where the condition is constant."""
    if term.op is CONST:
        return value
    made = _new(Truth, value)
    made.term = term
    return made


def truth_term(value: object) -> Term | None:
    """The condition of a Truth or bool; None for anything else."""
    kind = type(value)
    if kind is Truth:
        return value.term  # type: ignore[attr-defined,no-any-return]
    if kind is bool:
        return TRUE if value else FALSE
    return None


def plain(value: Any) -> Any:
    """A Truth as the bool it stands for, its term dropped; anything else as it is."""
    return int.__bool__(value) if type(value) is Truth else value


def as_int(value: Truth) -> Any:
    """The 0 or 1 that a Truth is in arithmetic, with its term."""
    from symcrete.values.tracking.numeric import (
        concolic_int,  # the two kinds of number need each other
    )

    return concolic_int(int.__int__(value), integers.from_truth(value.term))


def _differ(terms: list[Term]) -> Term:
    return negate(same_truth(*terms))


def _logical(
    left: Truth,
    right: Any,
    build: Callable[[list[Term]], Term],
    concrete: Callable[[Any, Any], int],
    name: str,
) -> Any:
    other = truth_term(right)
    if other is None:
        return getattr(as_int(left), name)(right)
    return truth(bool(concrete(left, right)), build([left.term, other]))


def _by_int(name: str) -> Callable[..., Any]:
    bare = name.strip("_")
    mirrored = f"__{bare[1:]}__" if bare.startswith("r") else f"__r{bare}__"

    def method(self: Truth, *args: Any) -> Any:
        if len(args) == 1 and drops_terms(type(args[0]), mirrored):
            # Code that is not followed gets a plain bool; that it is this one is a branch.
            plain = bool(self)
            ours, theirs = getattr(plain, name), getattr(type(args[0]), mirrored)
            found = ours(args[0])
            return theirs(args[0], plain) if found is NotImplemented else found
        return getattr(as_int(self), name)(*args)

    method.__name__ = name
    return method


_AS_INT = (
    "lt le gt ge add radd sub rsub mul rmul floordiv rfloordiv mod rmod truediv rtruediv pow rpow "
    "divmod rdivmod lshift rlshift rshift rrshift neg pos abs round trunc floor ceil"
)
for _name in _AS_INT.split():
    setattr(Truth, f"__{_name}__", _by_int(f"__{_name}__"))
for _name in ["bit_length", "bit_count", "conjugate", "as_integer_ratio", "is_integer", "to_bytes"]:
    setattr(Truth, _name, _by_int(_name))
for _name in ("real", "numerator"):
    setattr(Truth, _name, property(as_int))
