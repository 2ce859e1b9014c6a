"""What lists and tuples have in common when their elements, indices or length are tracked.

These functions work on plain lists and tuples too: rewritten code calls them wherever something
tracked is involved, and Python's own methods otherwise.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms import integers
from symcrete.terms.term import int_const
from symcrete.values.rows.tables import MEETS, family_of
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import equality, member, raw, same
from symcrete.values.tracking.numeric import ConcolicInt, concolic_int, pinned
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.subscripts import element, plain_slice
from symcrete.values.tracking.truth import Truth, truth_term

# elements compared in one condition when one is sought; in longer lists each is a branch; chosen,
# not measured
MOST_POSITIONS = 64


def elements(sequence: Any) -> list[Any]:
    """The elements of a list or tuple; its length is fixed if it was open."""
    lengths.fixed_kind(sequence)
    family = family_of(type(sequence))
    assert family is not None
    return list(raw(sequence, family))


def base_of(sequence: Any) -> Any:
    """The built-in class whose own methods work on the elements."""
    return list if isinstance(sequence, list) else tuple


def steps(sequence: Any, site: int) -> Iterator[Any]:
    """The elements in turn; whether there is a next one is an outcome of `site`."""
    found: Iterator[Any] = lengths.stepped(sequence, site, base_of(sequence).__getitem__)
    return found


def iterated(self: Any) -> Iterator[Any]:
    """`iter(sequence)` by code that has no loop of its own to report."""
    return steps(self, recording.active().dynamic_site("for"))


def item(sequence: Any, index: Any) -> Any:
    """`sequence[index]` for a list or tuple of ours."""
    kind = type(index)
    if kind is slice:
        lengths.fixed(sequence)
        return base_of(sequence).__getitem__(sequence, plain_slice(index))
    if kind is ConcolicInt or kind is Truth:
        return element(elements(sequence), +index)
    if kind is int or hasattr(kind, "__index__"):
        reach(sequence, index.__index__())
    return base_of(sequence).__getitem__(sequence, index)


def reach(sequence: Any, index: int) -> None:
    """Report whether a plain index is inside; one that counts from the end fixes the length."""
    if sequence.length is None:
        return
    needed = index if index >= 0 else -index - 1
    if needed <= sys.maxsize:
        term, holds = lengths.has(sequence, needed)
        recording.active().implicit("IndexError", term, holds)
    if index < 0:
        lengths.fixed(sequence)


def count(sequence: Any, value: Any) -> Any:
    """`sequence.count(value)` as a tracked int: the sum of the conditions that an element is
    equal.
    """
    found, total = 0, int_const(0)
    for each in elements(sequence):
        equal = equality(each, value)
        if equal is None:
            equal = same(each, value)
        term = truth_term(equal)
        assert term is not None
        total = integers.add(total, integers.from_truth(term))
        found += int.__bool__(equal)
    return concolic_int(found, total)


def index(sequence: Any, value: Any, *bounds: Any) -> Any:
    """`sequence.index(value, start, stop)`: whether the value is there is a branch, and so is
    where.
    """
    plain = [pinned(each) for each in bounds]
    base = base_of(sequence)
    with contextlib.suppress(ValueError):
        base.index(base(), None, *plain)  # raises TypeError for bounds that are no integers
    items = elements(sequence)
    first, last, _ = slice(*(plain if len(plain) == 2 else [*plain, None][:2])).indices(len(items))
    if not plain:
        first, last = 0, len(items)
    place = place_of(value, items[first:last])
    if place is None:
        silently(base.index, base(), value)  # raises
        raise AssertionError
    return first + place


def place_of(value: Any, window: list[Any]) -> int | None:
    """The index of the first element equal to a value; None if there is none, which is a
    ValueError.
    """
    found = member(value, window) if len(window) <= MOST_POSITIONS else None
    if found is not None and not decided("ValueError", found):
        return None
    last = len(window) - 1 if found is not None else -1
    for place, each in enumerate(window):
        if place == last or same(each, value):
            return place
    return None


def decided(kind: str, well: Any) -> bool:
    """Report as a branch of that kind whether an operation goes well, and return it."""
    if type(well) is Truth:
        return recording.active().implicit(kind, well.term, int.__bool__(well))
    return bool(well)


def by_base(base: Any, name: str) -> Callable[..., Any]:
    """A method that fixes the length and then calls the one of `base`."""
    method = getattr(base, name)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        lengths.fixed(self)
        return method(self, *args, **kwargs)

    call.__name__ = name
    return call


def repeated(self: Any, times: Any) -> Any:
    """`sequence * n`, `n * sequence`."""
    lengths.fixed(self)
    return base_of(self).__mul__(self, pinned(times))


def compared(name: str) -> Callable[[Any, Any], Any]:
    """The comparison method `name` of tracked lists and tuples, for C code and untouched code: it
    gives a Truth or bool, or NotImplemented for an operand of another kind.
    """

    def compare(self: Any, other: Any) -> Any:
        mine = family_of(type(self))
        row = MEETS.get((mine, family_of(type(other)), name)) if mine is not None else None
        if row is None:
            return NotImplemented
        found = row(self, other)
        if found is NotImplemented:  # nothing tracked on either side
            return getattr(base_of(self), f"__{name}__")(self, other)
        return found

    return compare
