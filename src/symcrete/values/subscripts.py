"""Subscripts with a tracked index or key into untracked containers.

An index into few numbers is an if-then-else term; into anything else each element is a branch of
its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, disjoin
from symcrete.terms.term import FALSE, Sort, Term, int_const
from symcrete.values import recording
from symcrete.values.numeric import (
    KINDS,
    ConcolicFloat,
    ConcolicInt,
    concolic_float,
    concolic_int,
    number_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.operators import equal_term
from symcrete.values.truth import Truth

MOST_IN_ONE_TERM = 32
MOST_KEYS = 64
_INDEXED = frozenset({list, tuple, str, bytes, bytearray, range})
GETITEM: dict[type, Callable[[Any, Any], Any]] = {}  # filled by the kinds of tracked containers


def item(container: Any, index: Any) -> Any:
    """`container[index]`."""
    kind = type(index)
    if kind is int or kind is str:
        return container[index]
    found = GETITEM.get(type(container))
    if found is not None:
        return found(container, +index if kind is Truth else index)
    if kind not in KINDS:
        if kind is not slice:
            return container[index]
        return container[plain_slice(index)]
    if type(container) in _INDEXED and (kind is ConcolicInt or kind is Truth):
        return _element(container, index if kind is ConcolicInt else +index)
    if type(container) is dict:
        return _looked_up(container, index)
    return container[index]


def plain_slice(index: slice) -> slice:
    """A slice whose tracked bounds are fixed to their values, each as a branch."""
    parts = (index.start, index.stop, index.step)
    return slice(*map(pinned, parts)) if any(tracked(part) for part in parts) else index


def set_item(value: Any, container: Any, index: Any) -> None:
    """`container[index] = value`, in the order in which Python evaluates it."""
    if type(container) is dict:
        container[dict_key(container, index)] = value
    else:
        container[key(index)] = value


def dict_key(container: dict[Any, Any], index: Any) -> Any:
    """The key to store under: one that is there and equal, or the plain value; each is a branch."""
    if type(index) not in PINNED:
        return index
    found = which_key(container, index)
    return PINNED[type(index)](index) if found is MISSING else found


def key(index: Any) -> Any:
    """An index in a place that takes plain ones only."""
    if type(index) is slice:
        return plain_slice(index)
    return pinned(index)


def _element(container: Any, index: Any) -> Any:
    count, plain = len(container), untracked(index)
    record = recording.active()
    inside = conjoin(
        [
            integers.le(int_const(-count), index.term),
            integers.lt(index.term, int_const(count)),
        ]
    )
    if not record.implicit("IndexError", inside, -count <= plain < count):
        return container[plain]  # raises
    record.implicit("index", integers.le(int_const(0), index.term), plain >= 0)
    term = index.term if plain >= 0 else integers.add(index.term, int_const(count))
    terms = _number_terms(container, count)
    if terms is None:
        return container[pinned(index)]
    chosen = terms[-1]
    for position in range(count - 2, -1, -1):
        chosen = choose(integers.eq(term, int_const(position)), terms[position], chosen)
    value = untracked(container[plain])
    return concolic_int(value, chosen) if chosen.sort is Sort.INT else concolic_float(value, chosen)


def _number_terms(container: Any, count: int) -> list[Term] | None:
    """The elements' terms, if they are few and all ints or all floats."""
    if count > MOST_IN_ONE_TERM or type(container) is str:
        return None
    kinds = {type(element) for element in container}
    if not (kinds <= {int, ConcolicInt} or kinds <= {float, ConcolicFloat}):
        return None
    terms = [number_term(element) for element in container]
    return [term for term in terms if term is not None]


MISSING: Any = object()
PINNED: dict[type, Callable[[Any], Any]] = {ConcolicInt: pinned}  # how a key is made plain


def which_key(container: Any, index: Any, kind: str = "key") -> Any:
    """The key of a dict or set that equals a tracked one, or MISSING; which one, are branches.

    That it is there at all comes first, as a branch of this kind: one flip leads to a missing key.
    """
    conditions = key_conditions(container, index)
    if conditions is None:
        recording.active().lose("hash()")
        return MISSING
    record, plain = recording.active(), untracked(index)
    there = plain in container
    if not record.implicit(kind, disjoin(list(conditions.values())), there):
        return MISSING
    for each, condition in conditions.items():
        if record.implicit("key", condition, bool(plain == untracked(each))):
            return each
    raise AssertionError("a key that is there equals one of them")


def key_conditions(container: Any, index: Any) -> dict[Any, Term] | None:
    """When a tracked key equals each of few keys; None where they are many or of a strange kind."""
    if len(container) > MOST_KEYS or any(tracked(each) for each in container):
        return None
    found: dict[Any, Term] = {}
    for each in container:
        condition = equal_term(index, each)
        if condition is None:
            return None
        if condition is not FALSE:
            found[each] = condition
    return found


def _looked_up(container: dict[Any, Any], index: Any) -> Any:
    """Few numbers are one term; anything else is found by a chain of branches."""
    conditions = key_conditions(container, index)
    if conditions is None:
        return container[index]  # hashing says that the term was dropped
    plain = untracked(index)
    values = [container[each] for each in conditions]
    kinds = {type(value) for value in values}
    numbers = kinds <= {int, ConcolicInt} or kinds <= {float, ConcolicFloat}
    if not numbers or not values or len(values) > MOST_IN_ONE_TERM:
        found = which_key(container, index, "KeyError")
        return container[plain] if found is MISSING else container[found]
    there = disjoin(list(conditions.values()))
    if not recording.active().implicit("KeyError", there, plain in container):
        return container[plain]  # raises, or asks __missing__
    chosen: Term | None = None
    for value, condition in zip(reversed(values), reversed(conditions.values()), strict=True):
        term = number_term(value)
        assert term is not None
        chosen = term if chosen is None else choose(condition, term, chosen)
    assert chosen is not None
    value = untracked(container[plain])
    return concolic_int(value, chosen) if chosen.sort is Sort.INT else concolic_float(value, chosen)
