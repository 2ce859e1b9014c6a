"""The `collections` module and the views of dicts, where they hold or meet tracked values."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.values.containers import dicts, keys, sequences
from symcrete.values.containers.dict_inputs import OpenView, real
from symcrete.values.containers.sets import ordered
from symcrete.values.tracking import comparing
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.model_rows import Method, Model, ModelRow, TransparentMethods
from symcrete.values.tracking.numeric import pinned, tracked
from symcrete.values.tracking.operators import (
    CONTAINS,
    FAMILY_CONTAINS,
    MEETS,
    OPERATORS,
    join_family,
)
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.subscripts import GETITEM, element

# -- deque: the elements in turn are all that matters

_deque = collections.deque
join_family(_deque, "deque")
comparing._ITERATORS["deque"] = _deque.__iter__


def _deques(name: str) -> Callable[[Any, Any], Any]:
    row = MEETS[("list", "list", name)]
    return lambda left, right: row(list(left), list(right))


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    MEETS[("deque", "deque", _name)] = _deques(_name)
comparing.EQUALITIES["deque"] = lambda left, right: comparing.equality(list(left), list(right))


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


def _deque_item(items: Any, index: Any) -> Any:
    if tracked(index) and hasattr(index, "__index__"):
        return element(list(items), +index)
    return items[index]


def _deque_has(items: Any, value: Any) -> Any:
    return comparing.contains(list(items), value)


GETITEM[_deque] = _deque_item
FAMILY_CONTAINS["deque"] = _deque_has

# -- views of dicts: as sets of keys or of pairs, whose members are known to differ

_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.items()))
for _kind in (*_VIEWS, type({}.values())):
    join_family(_kind, "view")
comparing._ITERATORS["view"] = iter


def _view_has(view: Any, value: Any) -> Any:
    return comparing.contains(list(view), value)


FAMILY_CONTAINS["view"] = _view_has
CONTAINS[OpenView] = lambda view, value: OPERATORS["in_"](value, view.real())


def as_set(view: Any) -> Any:
    """A view as a set; anything else as it is."""
    found = real(view)
    if type(found) in _VIEWS:
        made = silently(set, list(found))
        return keys.note_all(made, list(found))
    return found


def _views(name: str) -> Callable[[Any, Any], Any]:
    row = MEETS[("set", "set", name)]

    def meet(left: Any, right: Any) -> Any:
        if type(left) not in _VIEWS and type(right) not in _VIEWS:
            return NotImplemented
        if not traced(left) and not traced(right):
            return NotImplemented
        return row(as_set(left), as_set(right))

    return meet


for _name in ("or", "and", "sub", "xor", "eq", "ne", "lt", "le", "gt", "ge"):
    for _pair in (("view", "view"), ("view", "set"), ("set", "view")):
        MEETS[(*_pair, _name)] = _views(_name)

# -- dicts that know more


def move_to_end(items: Any, key: Any, last: Any = True) -> None:
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
    """The keys of an OrderedDict, which CPython's iterator would hash again."""
    if not keys.keyed(items):
        yield from items
        return
    stored = silently(list, items)
    for key in stored:
        if len(items) != len(stored):
            raise RuntimeError("OrderedDict mutated during iteration")
        yield key


def _arithmetic(name: str, of_both: Callable[[Any, Any], Any], *, of_right: str) -> None:
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

    MEETS[("dict", "dict", name)] = meet


def _keep(made: Any, key: Any, count: Any) -> None:
    if OPERATORS["gt"](count, 0):
        dicts.store(made, key, count)


_arithmetic("add", OPERATORS["add"], of_right="kept")
_arithmetic("sub", OPERATORS["sub"], of_right="negated")
_arithmetic("and", lambda one, two: one if OPERATORS["lt"](one, two) else two, of_right="")


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
