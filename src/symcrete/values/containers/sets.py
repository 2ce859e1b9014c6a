"""Sets with tracked elements or an open length: what each operation asks, then CPython's own.

Which elements of two sets are equal decides the structure of their union or difference, so each
such question is a branch; then CPython's own operation runs on the same elements in silence, and
gives the very set, in the very order, that it would have given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.term import Term
from symcrete.values.containers import keys
from symcrete.values.containers.keys import (
    ABSENT,
    asked_keys,
    has_key,
    keyed,
    note,
    note_all,
    raw_keys,
    stored_key,
)
from symcrete.values.rows.tables import MEETS, OPEN, STANDS_FOR, family_of
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import equality, raw, traced
from symcrete.values.tracking.operators import PLAIN
from symcrete.values.tracking.recording import holders, silently
from symcrete.values.tracking.truth import truth, truth_term


class InputSet(lengths.OpenLength):
    """A base for sets of the input."""

    __slots__ = ()
    # Whether a loop still takes the elements in the order of their variables; `touched` ends that.
    pristine: bool


def base_of(items: Any) -> Any:
    """The built-in class of a set: `set` or `frozenset`."""
    return set if isinstance(items, set) else frozenset


def plain_base(items: Any) -> Any:
    """The class whose methods do the plain operation: the built-in one for a set of ours, whose own
    methods ask questions; else the class of `items`, so that a subclass keeps its methods.
    """
    return base_of(items) if type(items) in OPEN else type(items)


def made(kind: Any, iterable: Any = ()) -> Any:
    """`set(iterable)` or `frozenset(iterable)`."""
    family = family_of(type(iterable))
    if family == "set" or family == "dict":
        if kind is frozenset and STANDS_FOR.get(type(iterable), type(iterable)) is frozenset:
            return iterable
        lengths.fixed_kind(iterable)
        if not keyed(iterable):
            return kind(iterable)
        # From a set or dict CPython makes its table in another way than from elements in turn.
        origin = dict.copy(iterable) if family == "dict" else iterable
        result = silently(kind, origin)
        return note_all(result, list(raw_keys(result)))
    items = list(iterable)
    if not any(traced(each) for each in items):
        return kind(items)
    keys.distinct(items)
    result = silently(kind, items)
    return note_all(result, items)


def elements(iterable: Any) -> list[Any]:
    """The elements of an iterable. Those of a set with tracked elements come in an order that does
    not depend on their values; whoever needs the set's own order calls `in_turn`.
    """
    family = family_of(type(iterable))
    if family == "set" and keyed(iterable):
        return asked_keys(lengths.fixed_kind(iterable))
    if family == "dict":
        return list(raw_keys(lengths.fixed_kind(iterable)))
    return list(iterable)


def ordered(items: Any) -> Any:
    """The set itself, whose elements are about to be taken in their order.

    Where the order depends on tracked values the loss is noted; where it depends on the hash seed,
    a read of the world is. The variables of a set that is an input are numbered in that order, as
    long as nobody changes it.
    """
    if family_of(type(items)) != "set" or getattr(items, "pristine", False):
        return items
    if not keyed(items):
        recording.read_order(items)
        return items
    if len(list(raw_keys(items))) > 1 and any(traced(each) for each in raw_keys(items)):
        recording.active().lose("the order of a set")
    return items


def in_turn(iterable: Any) -> list[Any]:
    """The elements of an iterable as Python takes them in turn, noted as `ordered` does."""
    if family_of(type(iterable)) != "set":
        return elements(iterable)
    return list(raw_keys(ordered(lengths.fixed_kind(iterable))))


def compared(iterable: Any, key: Any = None) -> list[Any]:
    """The elements of an iterable that are to be sorted, by this key or by themselves: in turn
    unless any two of them are told apart by `<`, whatever their order was.
    """
    if family_of(type(iterable)) != "set" or key is not None:
        return in_turn(iterable)
    items = elements(iterable)
    return items if all(_told_apart(each) for each in items) else in_turn(iterable)


def _told_apart(value: Any) -> bool:
    """Whether a value that differs from another one is less or greater: sets and NaN may be
    neither.
    """
    family = family_of(type(value))
    if family == "tuple":
        return all(_told_apart(each) for each in raw(value, family))
    return family != "set" and not (isinstance(value, float) and math.isnan(value))


def touched(items: Any) -> None:
    """Note that a set of the input was changed: its order is no longer that of the variables."""
    if type(items) in OPEN:
        items.pristine = False


def add(items: Any, value: Any, /) -> None:
    """`items.add(value)`; whether the value is there already is a branch."""
    if type(items) is set and type(value) in PLAIN and id(items) not in holders:
        items.add(value)
        return
    base = plain_base(items)
    place = stored_key(items, value) if keys.concerns(items, value) else NotImplemented
    if place is NotImplemented:
        base.add(items, value)
    elif place is ABSENT:
        touched(items)
        silently(base.add, items, value)
        note(items, value)


def discard(items: Any, value: Any, /) -> None:
    """`items.discard(value)`; which element it is equal to is a branch."""
    _taken_out(items, value, "discard", "key")


def remove(items: Any, value: Any, /) -> None:
    """`items.remove(value)`; which element it is equal to is a branch."""
    _taken_out(items, value, "remove", "KeyError")


def _taken_out(items: Any, value: Any, name: str, kind: str) -> None:
    method = getattr(plain_base(items), name)
    place = stored_key(items, value, kind) if keys.concerns(items, value) else NotImplemented
    touched(items)
    if place is NotImplemented:
        method(items, value)
    else:
        silently(method, items, value if place is ABSENT else place)


def pop(items: Any) -> Any:
    """`items.pop()`; that the set is not empty is a branch, where its length is open."""
    if lengths.is_open(items):
        term, holds = lengths.has(items, 0)
        recording.active().implicit("KeyError", term, holds)
        lengths.fixed(items)
    ordered(items)
    touched(items)
    return plain_base(items).pop(items)


def copied(items: Any) -> Any:
    """`items.copy()`; the copy of a set of ours is a plain one."""
    lengths.fixed_kind(items)
    result = plain_base(items).copy(items)
    return note_all(result, result) if keyed(items) else result


def _concerned(left: Any, right: Any) -> bool:
    return keyed(left) or keyed(right) or any(traced(each) for each in raw_keys(right))


def algebra(name: str) -> Callable[[Any, Any], Any]:
    """A function that does the operator `name` (`or` for `|`, `ior` for `|=`) for two sets; it
    gives NotImplemented where nothing is tracked.
    """

    def meet(left: Any, right: Any) -> Any:
        if not _concerned(left, right):
            return NotImplemented
        method = getattr(plain_base(left), f"__{name}__", None)
        if method is None:  # `frozenset |= set` makes a new one
            method = getattr(plain_base(left), f"__{name[1:]}__")
        _meets(left, right)
        result = silently(method, left, right)
        if result is left:
            touched(left)
        return result if result is NotImplemented else note_all(result, list(raw_keys(result)))

    return meet


def _as_set(iterable: Any) -> Any:
    """A set or dict as it is, for CPython's own ways with them; any other iterable as a list."""
    return iterable if family_of(type(iterable)) in ("set", "dict") else list(iterable)


def _meets(items: Any, other: Any) -> bool:
    """Ask which elements of the two are equal, so that the operation can run in silence; False if
    nothing is tracked.
    """
    if not keyed(items) and not traced(other):
        return False
    lengths.fixed_kind(items)
    lengths.fixed_kind(other)
    for each in elements(other):
        if keys.concerns(items, each):
            stored_key(items, each)
    return True


def _new(name: str) -> Callable[..., Any]:
    """`union`, `difference` and the like: a new set from any number of iterables in turn."""

    def call(items: Any, *others: Any) -> Any:
        lengths.fixed_kind(items)
        result = items
        for each in [_as_set(other) for other in others] or [()]:
            method = getattr(plain_base(result), name)
            if not _meets(result, each):
                result = method(result, each)
                continue
            if name in ("union", "symmetric_difference"):
                keys.distinct([*asked_keys(result), *elements(each)])
            result = silently(method, result, each)
            note_all(result, list(raw_keys(result)))
        return result

    call.__name__ = name
    return call


def _in_place(name: str, one: Callable[[Any, Any], None]) -> Callable[..., None]:
    """`update` and `difference_update`: sets at once, the elements of other iterables in turn."""

    def call(items: Any, *others: Any) -> None:
        method = getattr(plain_base(items), name)
        lengths.fixed_kind(items)
        touched(items)
        for each in others:
            if family_of(type(each)) not in ("set", "dict"):
                for value in each:
                    one(items, value)
            elif _meets(items, each):
                silently(method, items, dict.copy(each) if isinstance(each, dict) else each)
                note_all(items, list(raw_keys(items)))
            else:
                method(items, each)

    call.__name__ = name
    return call


def intersection_update(items: Any, *others: Any) -> None:
    _replaced(items, intersection(items, *others))


def symmetric_difference_update(items: Any, other: Any) -> None:
    if not _meets(items, brought := _as_set(other)):
        plain_base(items).symmetric_difference_update(items, brought)
        return
    touched(items)
    keys.distinct([*asked_keys(items), *elements(brought)])
    silently(plain_base(items).symmetric_difference_update, items, brought)
    note_all(items, list(raw_keys(items)))


def _replaced(items: Any, result: Any) -> None:
    touched(items)
    silently(plain_base(items).intersection_update, items, result)


union, intersection = _new("union"), _new("intersection")
difference, symmetric_difference = _new("difference"), _new("symmetric_difference")
update = _in_place("update", add)
difference_update = _in_place("difference_update", discard)


# -- comparisons, each one condition


def subset_terms(left: Any, right: Any) -> tuple[Term, bool] | None:
    """The condition that every element of the left set is equal to some element of the right one,
    and whether it holds; None where it cannot be told.
    """
    conditions: list[Term] = []
    everything = True
    others = asked_keys(right)
    for each in asked_keys(left):
        found: list[Term] = []
        holds = False
        for other in others:
            equal = equality(each, other)
            if equal is None:
                return None
            term = truth_term(equal)
            assert term is not None
            found.append(term)
            holds = holds or int.__bool__(equal)
        conditions.append(disjoin(found))
        everything = everything and holds
    return conjoin(conditions), everything


def equal(left: Any, right: Any) -> Any:
    """Whether two sets are equal, as a Truth or bool; None if the program's `__eq__` has to be
    asked.
    """
    return _compared("eq", left, right)


def _compared(name: str, left: Any, right: Any) -> Any:
    """A comparison of two sets as a Truth or bool; None if the program's `__eq__` has to be asked.

    The elements of a set differ, so a subset of the same size is the whole.
    """
    if name in ("gt", "ge"):
        left, right, name = right, left, {"gt": "lt", "ge": "le"}[name]
    lengths.fixed_kind(left)
    lengths.fixed_kind(right)
    mine, theirs = len(list(raw_keys(left))), len(list(raw_keys(right)))
    possible = {
        "eq": mine == theirs,
        "ne": mine == theirs,
        "lt": mine < theirs,
        "le": mine <= theirs,
    }
    if not possible[name]:
        return name == "ne"
    inside = subset_terms(left, right)
    if inside is None:
        return None
    term, holds = inside
    return truth(not holds, negate(term)) if name == "ne" else truth(holds, term)


def comparison(name: str) -> Callable[[Any, Any], Any]:
    """A function that does the comparison `name` for two sets; it gives NotImplemented where
    nothing is tracked or the program's `__eq__` has to be asked.
    """

    def meet(left: Any, right: Any) -> Any:
        if not _concerned(left, right):
            return NotImplemented
        found = _compared(name, left, right)
        if found is None:
            recording.active().lose("comparison of sets")
            return NotImplemented
        return found

    return meet


def isdisjoint(items: Any, other: Any) -> Any:
    """`items.isdisjoint(other)`, as one condition."""
    brought = elements(other)
    if not keyed(items) and not traced(brought):
        return plain_base(items).isdisjoint(items, brought)
    lengths.fixed_kind(items)
    conditions: list[Term] = []
    holds = True
    for each in brought:
        found = has_key(items, each) if keys.concerns(items, each) else each in items
        if found is NotImplemented:
            return plain_base(items).isdisjoint(items, brought)
        term = truth_term(found)
        assert term is not None
        conditions.append(negate(term))
        holds = holds and not int.__bool__(found)
    return truth(holds, conjoin(conditions))


def relation(name: str) -> Callable[[Any, Any], Any]:
    """`issubset` and `issuperset`, which take any iterable."""

    def call(items: Any, other: Any) -> Any:
        right = other if family_of(type(other)) == "set" else made(set, other)
        found = MEETS[("set", "set", name)](items, right)
        if found is NotImplemented:
            plain = plain_base(items)
            return (plain.issubset if name == "le" else plain.issuperset)(items, right)
        return found

    return call


def steps(items: Any, site: int) -> Iterator[Any]:
    """The elements of an open set; whether there is a next one is an outcome of `site`."""
    record = recording.active()
    ordered(items)
    source = base_of(items).__iter__(items)
    index = 0
    while True:
        if items.length is not None:
            term, more = lengths.has(items, index)
            record.passed(site, term, more)
        try:
            yield next(source)
        except StopIteration:
            return
        index += 1


_ALGEBRA = ("or", "and", "sub", "xor", "ior", "iand", "isub", "ixor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
# What an operator gives for two sets; NotImplemented leaves it to Python.
OPERATORS_OF_SETS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: algebra(name) for name in _ALGEBRA},
    **{name: comparison(name) for name in _COMPARISONS},
}
