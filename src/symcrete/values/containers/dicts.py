"""Dicts with tracked keys or an open length: what each operation asks, then CPython's own.

The functions here take any dict: the ConcolicDict of an input, a plain one that the program has put
tracked keys into, or a defaultdict, OrderedDict or Counter.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from symcrete.terms.logic import choose, conjoin, disjoin
from symcrete.terms.term import Term
from symcrete.values.containers.keys import (
    ABSENT,
    candidates,
    concerns,
    keyed,
    note,
    note_copy,
    picked,
    raw_keys,
    stored_key,
    words,
)
from symcrete.values.rows.tables import OPEN
from symcrete.values.tracking import comparing, lengths, recording
from symcrete.values.tracking.arithmetic import number
from symcrete.values.tracking.comparing import equality, traced
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, number_term, untracked
from symcrete.values.tracking.operators import PLAIN, not_
from symcrete.values.tracking.recording import holders, silently
from symcrete.values.tracking.subscripts import MOST_IN_ONE_TERM
from symcrete.values.tracking.truth import truth, truth_term

_MISSING = object()


def base_of(items: Any) -> Any:
    """The class whose methods do the plain operation: `dict` for a ConcolicDict, whose own methods
    ask questions; else the class of `items`.
    """
    return dict if type(items) in OPEN else type(items)


def own(items: Any, name: str) -> bool:
    """Whether the dict's class has a method `name` that is written in Python; its code then runs
    as it is, and reports what it asks itself.
    """
    return type(getattr(base_of(items), name, None)) is FunctionType


def read(items: Any, key: Any) -> Any:
    """`items[key]`."""
    if not concerns(items, key) or own(items, "__getitem__"):
        return items[key]
    base = base_of(items)
    may_miss = hasattr(base, "__missing__")
    if words(items, key) is not None:
        place = stored_key(items, key, "key" if may_miss else "KeyError")
        return _missing(items, key) if place is ABSENT else silently(base.__getitem__, items, place)
    answer = candidates(items, key)
    if answer is None:
        return base.__getitem__(items, key)
    found, present = answer
    if not may_miss and len(found) > 1 and (picture := _one_number(items, found)) is not None:
        if not _is_there(found, present):
            raise KeyError(key)
        return picture
    place = picked(found, present, "key" if may_miss else "KeyError")
    return _missing(items, key) if place is ABSENT else silently(base.__getitem__, items, place)


def _is_there(found: list[tuple[Any, Any]], present: bool) -> bool:
    conditions = [truth_term(equal) for _, equal in found]
    term = disjoin([each for each in conditions if each is not None])
    return recording.active().implicit("KeyError", term, present)


def _one_number(items: Any, found: list[tuple[Any, Any]], default: Any = _MISSING) -> Any:
    """The value of whichever key is equal, as one tracked number; None unless all values are ints
    or all floats, and few.
    """
    if not 0 < len(found) <= MOST_IN_ONE_TERM:
        return None
    values = [silently(dict.__getitem__, items, each) for each, _ in found]
    everything = values if default is _MISSING else [*values, default]
    kinds = {type(each) for each in everything}
    if not (kinds <= {int, ConcolicInt} or kinds <= {float, ConcolicFloat}):
        return None
    terms = [number_term(each) for each in everything]
    chosen, value = terms[-1], everything[-1]
    for (_, equal), term, each in zip(
        reversed(found), reversed(terms[: len(found)]), reversed(values), strict=True
    ):
        condition = truth_term(equal)
        assert condition is not None and term is not None and chosen is not None
        chosen = choose(condition, term, chosen)
        value = each if int.__bool__(equal) else value
    assert chosen is not None
    return number(untracked(value), chosen)


def _missing(items: Any, key: Any) -> Any:
    if isinstance(items, collections.defaultdict) and not own(items, "__missing__"):
        if items.default_factory is None:
            raise KeyError(key)
        value = callee(items.default_factory)()
        _insert(items, key, value)
        return value
    if hasattr(type(items), "__missing__"):
        return type(items).__missing__(items, key)
    raise KeyError(key)


def _insert(items: Any, key: Any, value: Any) -> None:
    silently(base_of(items).__setitem__, items, key, value)
    note(items, key)


def store(items: Any, key: Any, value: Any) -> None:
    """`items[key] = value`."""
    if not concerns(items, key) or own(items, "__setitem__"):
        items[key] = value
        return
    place = stored_key(items, key)
    if place is NotImplemented:
        base_of(items).__setitem__(items, key, value)
    else:
        _insert(items, key if place is ABSENT else place, value)


def delete(items: Any, key: Any) -> None:
    """`del items[key]`."""
    if not concerns(items, key) or own(items, "__delitem__"):
        del items[key]
        return
    base = base_of(items)
    place = stored_key(items, key, "KeyError")
    if place is NotImplemented:
        base.__delitem__(items, key)
    elif place is ABSENT:
        raise KeyError(key)
    else:
        silently(base.__delitem__, items, place)


def get(items: Any, key: Any, default: Any = None, /) -> Any:
    """`items.get(key, default)`."""
    if type(items) is dict and type(key) in PLAIN and id(items) not in holders:
        return items.get(key, default)
    base = base_of(items)
    if not concerns(items, key):
        return base.get(items, key, default)
    if words(items, key) is not None:
        place = stored_key(items, key)
        return default if place is ABSENT else silently(base.get, items, place)
    answer = candidates(items, key)
    if answer is None:
        return base.get(items, key, default)
    picture = _one_number(items, answer[0], default)
    if picture is not None:
        return picture
    place = picked(*answer)
    return default if place is ABSENT else silently(base.get, items, place)


def setdefault(items: Any, key: Any, default: Any = None, /) -> Any:
    """`items.setdefault(key, default)`."""
    base = base_of(items)
    place = stored_key(items, key) if concerns(items, key) else NotImplemented
    if place is NotImplemented:
        return base.setdefault(items, key, default)
    if place is ABSENT:
        _insert(items, key, default)
        return default
    return silently(base.get, items, place)


def pop(items: Any, key: Any, *default: Any) -> Any:
    """`items.pop(key)`, or with a default `items.pop(key, default)`."""
    base = base_of(items)
    kind = "key" if default else "KeyError"
    place = stored_key(items, key, kind) if concerns(items, key) else NotImplemented
    if place is NotImplemented:
        return base.pop(items, key, *default)
    if place is ABSENT:
        return silently(base.pop, items, key, *default)  # the default, or raises
    return silently(base.pop, items, place)


def popitem(items: Any, *args: Any, **kwargs: Any) -> Any:
    """`items.popitem()`; that the dict is not empty is a branch, where its length is open."""
    if lengths.is_open(items):
        term, holds = lengths.has(items, 0)
        recording.active().implicit("KeyError", term, holds)
        lengths.fixed(items)
    return base_of(items).popitem(items, *args, **kwargs)


def update(items: Any, *others: Any, **named: Any) -> None:
    """`items.update(...)`: each pair in turn."""
    brought = len(others) == 1 and _brings_keys(others[0])
    if len(others) > 1 or not (keyed(items) or brought):
        base_of(items).update(items, *others, **named)
        return
    if own(items, "__setitem__"):  # CPython's `update` may call it or not
        recording.active().lose("update()")
        base_of(items).update(items, *others, **named)
        return
    for other in (*others, named):
        for key, value in pairs(other):
            store(items, key, value)


def _brings_keys(other: Any) -> bool:
    if isinstance(other, dict):
        return keyed(other)
    if isinstance(other, list | tuple):
        return traced(other)
    return not hasattr(other, "keys")  # an iterator: what it brings is seen when it comes


def pairs(other: Any) -> Iterable[tuple[Any, Any]]:
    """The keys and values that `dict(other)` reads, one after the other, with its errors."""
    if isinstance(other, dict):
        lengths.fixed_kind(other)
        for key in list(raw_keys(other)):
            yield key, silently(base_of(other).__getitem__, other, key)
        return
    if hasattr(other, "keys"):
        for key in other.keys():  # noqa: SIM118  (a mapping of any kind)
            yield key, other[key]
        return
    for index, each in enumerate(other):
        try:
            parts = list(each)
        except TypeError:
            message = f"cannot convert dictionary update sequence element #{index} to a sequence"
            raise TypeError(message) from None
        if len(parts) != 2:
            where = f"dictionary update sequence element #{index}"
            raise ValueError(f"{where} has length {len(parts)}; 2 is required")
        yield parts[0], parts[1]


def copied(items: Any) -> Any:
    """`items.copy()`; the copy of a ConcolicDict is a plain dict."""
    if type(items) not in OPEN:
        return note_copy(type(items).copy(items), items)
    made = silently(dict, list(dict.items(lengths.fixed(items))))
    return note_copy(made, items)


def merged(left: Any, right: Any) -> Any:
    """`left | right`; NotImplemented if Python should do it."""
    if not keyed(left) and not keyed(right):
        return NotImplemented
    if own(left, "__or__") or own(right, "__ror__"):
        recording.active().lose("|")
        return NotImplemented
    result = copied(left)
    update(result, right)
    return result


def merged_in_place(left: Any, right: Any) -> Any:
    """`left |= right`; NotImplemented if Python should do it."""
    if own(left, "__ior__") or (not keyed(left) and not keyed(right)):
        return NotImplemented
    update(left, right)
    return left


def equal(left: Any, right: Any) -> Any:
    """Whether two dicts are equal, as a Truth or bool; None if keys or values cannot be compared
    in one condition.
    """
    lengths.fixed_kind(left)
    lengths.fixed_kind(right)
    if dict.__len__(left) != dict.__len__(right):
        return False
    conditions: list[Term] = []
    everything = True
    for key in raw_keys(left):
        mine = silently(dict.__getitem__, left, key)
        found: list[Term] = []
        holds = False
        for other in raw_keys(right):
            same_key = equality(key, other)
            same_value = equality(silently(dict.__getitem__, right, other), mine)
            if same_key is None or same_value is None:
                return None
            one, two = truth_term(same_key), truth_term(same_value)
            assert one is not None and two is not None
            found.append(conjoin([one, two]))
            holds = holds or (int.__bool__(same_key) and int.__bool__(same_value))
        conditions.append(disjoin(found))
        everything = everything and holds
    return truth(everything, conjoin(conditions))


def _compared(left: Any, right: Any) -> Any:
    if not _plain_equality(left) or not _plain_equality(right):
        if keyed(left) or keyed(right):
            recording.active().lose("==")
        return NotImplemented
    if not traced(left) and not traced(right):
        return NotImplemented
    found = equal(left, right)
    if found is not None:
        return found
    for key in list(raw_keys(left)):
        place = stored_key(right, key)
        if place is NotImplemented:
            return silently(dict.__eq__, left, right)
        if place is ABSENT:
            return False
        mine = silently(dict.__getitem__, left, key)
        if not comparing.same(silently(dict.__getitem__, right, place), mine):
            return False
    return True


def _plain_equality(items: Any) -> bool:
    own: Any = type(items).__eq__
    return type(items) in OPEN or own is dict.__eq__


def _different(left: Any, right: Any) -> Any:
    found = _compared(left, right)
    return found if found is NotImplemented else not_(found)


def dicts_equal(left: Any, right: Any) -> Any:
    """Whether two dicts are equal, as a Truth or bool; None where one of them has an `__eq__` of
    its own, or where one condition cannot say it.
    """
    return equal(left, right) if _plain_equality(left) and _plain_equality(right) else None


# What an operator gives for two dicts; NotImplemented leaves it to Python.
OPERATORS_OF_DICTS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": _compared,
    "ne": _different,
    "or": merged,
    "ior": merged_in_place,
}
