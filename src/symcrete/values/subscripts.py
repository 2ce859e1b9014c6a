"""Subscripts with a tracked index or key into untracked containers.

An index into few numbers is an if-then-else term; into anything else each element is a branch of
its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin
from symcrete.terms.term import Sort, Term, int_const
from symcrete.values import recording
from symcrete.values.numeric import (
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
MOST_KEYS = 256
_INDEXED = frozenset({list, tuple, str, bytes, bytearray, range})
GETITEM: dict[type, Callable[[Any, Any], Any]] = {}  # filled by the kinds of tracked containers


def item(container: Any, index: Any) -> Any:
    """`container[index]`."""
    kind = type(index)
    if kind is not ConcolicInt and kind is not Truth and kind is not ConcolicFloat:
        if kind is not slice:
            return container[index]
        return container[plain_slice(index)]
    if type(container) in _INDEXED and kind is not ConcolicFloat:
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
    container[index if type(container) is dict else key(index)] = value


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


def _looked_up(container: dict[Any, Any], index: Any) -> Any:
    """Which of few numeric keys it is, is a chain of branches."""
    if len(container) > MOST_KEYS or any(number_term(each) is None for each in container):
        return container[index]  # hashing says that the term was dropped
    record = recording.active()
    plain = untracked(index)
    for each in container:
        condition = equal_term(index, each)
        assert condition is not None
        if record.implicit("KeyError", condition, bool(plain == untracked(each))):
            return container[each]
    return container[plain]  # raises, or asks __missing__
