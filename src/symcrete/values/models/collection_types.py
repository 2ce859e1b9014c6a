"""The `collections` module and the views of dicts, where they hold or meet tracked values."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.values.containers import dicts, keys, sequences, sets
from symcrete.values.containers.dict_inputs import OpenView, real
from symcrete.values.containers.sets import ordered
from symcrete.values.rows.model_rows import Method, Model, ModelRow, TransparentMethods
from symcrete.values.tracking import comparing
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.numeric import pinned, tracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.subscripts import element

# -- deque: the elements in turn are all that matters

_deque = collections.deque


def _as_lists(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda left, right: compare(list(left), list(right))


def deques_equal(left: Any, right: Any) -> Any:
    """Whether two deques are equal, as a Truth or bool; None if elements cannot be compared in one
    condition.
    """
    return comparing.equality(list(left), list(right))


# What a comparison gives for two deques: that of the lists of their elements.
OPERATORS_OF_DEQUES: dict[str, Callable[[Any, Any], Any]] = {
    name: _as_lists(compare) for name, compare in comparing.COMPARISONS_OF_SEQUENCES.items()
}


def deque_extend(items: Any, other: Any) -> None:
    items.extend(ordered(other))


def deque_extendleft(items: Any, other: Any) -> None:
    items.extendleft(ordered(other))


def deque_rotate(items: Any, *steps: Any) -> None:
    items.rotate(*[pinned(each) for each in steps])


def deque_insert(items: Any, index: Any, value: Any) -> None:
    items.insert(pinned(index), value)


def deque_count(items: Any, value: Any) -> Any:
    return sequences.count(list(items), value)


def deque_index(items: Any, value: Any, *bounds: Any) -> Any:
    if not traced(value) and not traced(items):
        return items.index(value, *[pinned(each) for each in bounds])
    return sequences.index(list(items), value, *bounds)


def deque_remove(items: Any, value: Any) -> None:
    if not traced(value) and not traced(items):
        items.remove(value)
        return
    place = sequences.place_of(value, list(items))
    if place is None:
        silently(_deque().remove, value)  # raises
    else:
        del items[place]


def deque_item(items: Any, index: Any) -> Any:
    if tracked(index) and hasattr(index, "__index__"):
        return element(list(items), +index)
    return items[index]


def deque_has(items: Any, value: Any) -> Any:
    """`value in items`."""
    return comparing.contains(list(items), value)


# -- views of dicts: as sets of keys or of pairs, whose members are known to differ

_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.items()))


def view_has(view: Any, value: Any) -> Any:
    """`value in view` for a view of a plain dict."""
    return comparing.contains(list(view), value)


def open_view_has(view: OpenView, value: Any) -> Any:
    """`value in view` for a view of a dict whose length is an input."""
    return OPERATORS["in_"](value, view.real())


def as_set(view: Any) -> Any:
    """A view as a set; anything else as it is."""
    found = real(view)
    if type(found) in _VIEWS:
        made = silently(set, list(found))
        return keys.note_all(made, list(found))
    return found


def _as_sets(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def meet(left: Any, right: Any) -> Any:
        if type(left) not in _VIEWS and type(right) not in _VIEWS:
            return NotImplemented
        if not traced(left) and not traced(right):
            return NotImplemented
        return compare(as_set(left), as_set(right))

    return meet


# What an operator gives where one operand is a view: what it gives for sets.
_OF_VIEWS = ("or", "and", "sub", "xor", "eq", "ne", "lt", "le", "gt", "ge")
OPERATORS_OF_VIEWS: dict[str, Callable[[Any, Any], Any]] = {
    name: _as_sets(sets.OPERATORS_OF_SETS[name]) for name in _OF_VIEWS
}

# -- OrderedDict, defaultdict and Counter


def move_to_end(items: Any, key: Any, last: Any = True) -> None:
    """`OrderedDict.move_to_end`; which stored key is equal to the key is a branch."""
    place = keys.stored_key(items, key, "KeyError") if keys.concerns(items, key) else NotImplemented
    if place is NotImplemented:
        items.move_to_end(key, last)
    else:
        silently(items.move_to_end, key if place is keys.ABSENT else place, last)


def _of_pairs(kind: Any) -> Model:
    """The model of a class of dicts that is called with pairs or a mapping, as `dict` is."""

    def call(*args: Any, **named: Any) -> Any:
        first = args[:1] if kind is collections.defaultdict else ()
        made = kind(*first)
        rest = args[len(first) :]
        if len(rest) > 1:
            return kind(*args, **named)  # refuses
        dicts.update(made, *rest, **named)
        return made

    return Model(kind, call)


def counter_model(*args: Any, **named: Any) -> Any:
    made = collections.Counter(*args[2:])
    if len(args) > 1:
        return collections.Counter(*args, **named)  # refuses
    counter_update(made, *args, **named)
    return made


def counter_update(counts: Any, /, *args: Any, **named: Any) -> None:
    _counted(counts, args, named, "add")


def counter_subtract(counts: Any, /, *args: Any, **named: Any) -> None:
    _counted(counts, args, named, "sub")


def _counted(counts: Any, args: Any, named: dict[str, Any], name: str) -> None:
    """Add (`name` is "add") or subtract ("sub") the counts of an iterable or mapping."""
    combine = OPERATORS[name]
    for other in (*args[:1], named):
        if other is None:
            continue
        if isinstance(other, collections.abc.Mapping):
            if not counts and name == "add":
                dicts.update(counts, other)
                continue
            pairs = dicts.pairs(other)
        else:
            pairs = ((each, 1) for each in ordered(other))
        for key, value in pairs:
            dicts.store(counts, key, combine(dicts.get(counts, key, 0), value))
    if len(args) > 1:
        collections.Counter.update(counts, *args)  # refuses


def counter_elements(counts: Any) -> Any:
    for key, count in list(counts.items()):
        for _ in range(pinned(count)):
            yield key


def ordered_steps(items: Any) -> Iterator[Any]:
    """The keys of an OrderedDict in turn, as they are stored: CPython's own iterator hashes each
    key again.
    """
    if not keys.keyed(items):
        yield from items
        return
    stored = silently(list, items)
    for key in stored:
        if len(items) != len(stored):
            raise RuntimeError("OrderedDict mutated during iteration")
        yield key


def _arithmetic(of_both: Callable[[Any, Any], Any], *, of_right: str) -> Callable[[Any, Any], Any]:
    """`left + right` and the like for Counters: only positive counts are kept.

    `of_right` says what becomes of a key that only the right one has: kept, negated or dropped.
    """

    def meet(left: Any, right: Any) -> Any:
        if type(left) is not collections.Counter or type(right) is not collections.Counter:
            return NotImplemented
        if not traced(left) and not traced(right):
            return NotImplemented
        made: Any = collections.Counter()
        for key, mine in dicts.pairs(left):
            _keep(made, key, of_both(mine, dicts.read(right, key)))
        for key, theirs in dicts.pairs(right) if of_right else ():
            if not OPERATORS["in_"](key, left):
                _keep(made, key, 0 - theirs if of_right == "negated" else theirs)
        return made

    return meet


def _keep(made: Any, key: Any, count: Any) -> None:
    if OPERATORS["gt"](count, 0):
        dicts.store(made, key, count)


# What an operator gives for two Counters; NotImplemented leaves it to Python.
OPERATORS_OF_COUNTERS: dict[str, Callable[[Any, Any], Any]] = {
    "add": _arithmetic(OPERATORS["add"], of_right="kept"),
    "sub": _arithmetic(OPERATORS["sub"], of_right="negated"),
    "and": _arithmetic(lambda one, two: one if OPERATORS["lt"](one, two) else two, of_right=""),
}


MODELS: tuple[ModelRow, ...] = (
    TransparentMethods(_deque, "append appendleft pop popleft clear copy reverse"),
    Method(_deque, "extend", deque_extend),
    Method(_deque, "extendleft", deque_extendleft),
    Method(_deque, "rotate", deque_rotate),
    Method(_deque, "insert", deque_insert),
    Method(_deque, "count", deque_count),
    Method(_deque, "index", deque_index),
    Method(_deque, "remove", deque_remove),
    Method(collections.OrderedDict, "move_to_end", move_to_end),
    _of_pairs(collections.OrderedDict),
    _of_pairs(collections.defaultdict),
    Model(collections.Counter, counter_model),
    Method(collections.Counter, "update", counter_update),
    Method(collections.Counter, "subtract", counter_subtract),
    TransparentMethods(collections.Counter, "most_common total"),
    Method(collections.Counter, "elements", counter_elements),
)
