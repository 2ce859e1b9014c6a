"""Subscripts with a tracked index into untracked containers.

An index into few numbers is an if-then-else term; into anything else each element is a branch of
its own.
"""

from __future__ import annotations

import gc
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin
from symcrete.terms.term import Sort, Term, int_const
from symcrete.values.rows.tables import DELITEM, GETITEM, SETITEM, class_name, family_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.followed import drops_terms
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    concolic_float,
    concolic_int,
    number_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.operators import PLAIN
from symcrete.values.tracking.recording import holders
from symcrete.values.tracking.truth import Truth

# elements that one if-then-else term chooses from; of more each is a branch; chosen, not measured
MOST_IN_ONE_TERM = 32
_INDEXED = frozenset({list, tuple, bytearray, range})
_SEQUENCES = _INDEXED | {str, bytes}


def item(container: Any, index: Any) -> Any:
    """`container[index]`."""
    kind, what = type(index), type(container)
    if kind is int and what in _SEQUENCES:
        return container[index]
    if what is dict and kind in PLAIN and id(container) not in holders:
        return container[index]
    if what in _INDEXED:
        if kind is ConcolicInt or kind is Truth:
            return element(container, +index)
        return container[plain_slice(index) if kind is slice else index]
    found = GETITEM.get(what) or GETITEM.get(family_of(what) or what)
    return container[key(container, index)] if found is None else found(container, index)


def plain_slice(index: slice) -> slice:
    """A slice whose tracked bounds are fixed to their values, each as a branch."""
    parts = (index.start, index.stop, index.step)
    return slice(*map(pinned, parts)) if any(tracked(part) for part in parts) else index


def set_item(value: Any, container: Any, index: Any) -> None:
    """`container[index] = value`, in the order in which Python evaluates it."""
    what = type(container)
    if type(index) in PLAIN and (what is list or (what is dict and id(container) not in holders)):
        container[index] = value
        return
    found = SETITEM.get(what) or SETITEM.get(family_of(what) or what)
    if found is None:
        container[key(container, index)] = value
        _kept_as_it_is(container, value)
    else:
        found(container, index, value)


def _kept_as_it_is(container: Any, value: Any) -> None:
    """Note the loss of a stored value that its container does not refer to now: an array and a
    memoryview keep numbers, code of a library whatever it likes.
    """
    if not carries([value]) or not drops_terms(type(container), "__setitem__"):
        return
    if not any(each is value for each in gc.get_referents(container)):
        recording.active().lose(f"an item stored in {class_name(container)}")


def del_item(container: Any, index: Any) -> None:
    """`del container[index]`."""
    what = type(container)
    found = DELITEM.get(what) or DELITEM.get(family_of(what) or what)
    if found is None:
        del container[key(container, index)]
    else:
        found(container, index)


def key(container: Any, index: Any) -> Any:
    """An index as the container may have it: as it is for code that keeps terms, pinned to its
    value for C code.
    """
    if type(index) is slice:
        return plain_slice(index)
    if not tracked(index):
        return index
    if isinstance(container, list | bytearray):
        return position(index, len(container))
    if not drops_terms(type(container), "__getitem__"):
        return index
    if type(index) is not ConcolicInt and type(index) is not Truth:
        recording.active().lose(f"subscript of {class_name(container)}")
    return pinned(index)


def position(index: Any, count: int) -> Any:
    """A tracked index as a plain one: that it is inside is a branch, and so is which one it is."""
    if type(index) is not ConcolicInt and type(index) is not Truth:
        return index
    number: Any = +index
    plain = int.__int__(number)
    inside = conjoin(
        [integers.le(int_const(-count), number.term), integers.lt(number.term, int_const(count))]
    )
    recording.active().implicit("IndexError", inside, -count <= plain < count)
    return pinned(number)


def plain_index(index: Any) -> Any:
    """An index pinned to its value, for places where Python itself stores: `a, b[i] = ...`."""
    if type(index) is int:
        return index
    return plain_slice(index) if type(index) is slice else pinned(index)


def element(container: Any, index: Any) -> Any:
    """The element at a tracked index of a plain sequence."""
    count, plain = len(container), untracked(index)
    record = recording.active()
    inside = conjoin(
        [integers.le(int_const(-count), index.term), integers.lt(index.term, int_const(count))]
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
