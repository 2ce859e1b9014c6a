"""Built-in containers: making them, and the methods of plain ones that hold tracked values."""

from __future__ import annotations

from typing import Any

from symcrete.values.containers import dict_inputs, dicts, lists, sequences, sets
from symcrete.values.rows.model_rows import Method, Model, ModelRow, TransparentMethods
from symcrete.values.rows.tables import family_of
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import pinned, tracked
from symcrete.values.tracking.subscripts import position

# -- making them


def list_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) != 1 or kwargs:
        return list(*args, **kwargs)
    items = args[0]
    if type(items) is lists.ConcolicList:
        return lists.copied(items)
    if type(items) is lists.ConcolicTuple and items.length is not None:
        return lists.concolic_list(list(tuple.__iter__(items)), items.length, items.make)
    return list(sets.ordered(items))


def tuple_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) != 1 or kwargs:
        return tuple(*args, **kwargs)
    items = args[0]
    if type(items) is lists.ConcolicTuple:
        return items
    if type(items) is lists.ConcolicList and items.length is not None:
        return lists.concolic_tuple(list(list.__iter__(items)), items.length, items.make)
    return tuple(sets.ordered(items))


def set_model(*args: Any, **kwargs: Any) -> Any:
    return set(*args, **kwargs) if len(args) != 1 or kwargs else sets.made(set, args[0])


def frozenset_model(*args: Any, **kwargs: Any) -> Any:
    return frozenset(*args, **kwargs) if len(args) != 1 or kwargs else sets.made(frozenset, args[0])


def dict_model(*args: Any, **kwargs: Any) -> Any:
    if len(args) != 1:
        return dict(*args, **kwargs)
    made: dict[Any, Any] = {}
    origin = dicts.copied(args[0]) if type(args[0]) is dict_inputs.ConcolicDict else args[0]
    dicts.update(made, origin, **kwargs)
    return made


def fromkeys_model(kind: Any, keys: Any, value: Any = None, /) -> Any:
    if kind is not dict:
        return foreign(kind.fromkeys, keys, value)
    made: dict[Any, Any] = {}
    for key in spread(keys):
        dicts.store(made, key, value)
    return made


# -- displays and comprehensions, which rewritten code turns into calls of these


def set_of(items: list[Any]) -> Any:
    """`{a, b}` or `{f(x) for x in xs}`."""
    return sets.made(set, items)


def dict_of(pairs: list[tuple[Any, Any]]) -> Any:
    """`{a: b}` or `{f(x): x for x in xs}`."""
    made: dict[Any, Any] = {}
    for key, value in pairs:
        dicts.store(made, key, value)
    return made


def dict_with(made: Any, other: Any) -> Any:
    """The dict `made` with the keys of a mapping put in: the next part of `{**a, ...}`."""
    if not hasattr(other, "keys"):
        dict(**other)  # raises
    dicts.update(made, other)
    return made


def hashable(value: Any) -> Any:
    """The value, which is about to become an element of a set or a key; raises at once if it has
    no hash.
    """
    if type(value) in _UNHASHABLE:
        hash(value)
    return value


_UNHASHABLE = frozenset({list, dict, set, bytearray})


def spread(items: Any) -> Any:
    """The iterable that is about to be unpacked; the order of a set with tracked elements is noted
    as a loss.
    """
    return sets.ordered(items) if family_of(type(items)) == "set" else items


# -- methods of plain lists, tuples, dicts and sets


def list_extend(items: list[Any], other: Any) -> None:
    items.extend(spread(other))


def list_insert(items: list[Any], index: Any, value: Any) -> None:
    items.insert(pinned(index), value)


def list_pop(items: list[Any], *args: Any) -> Any:
    if args and tracked(args[0]):
        return items.pop(position(args[0], len(items)), *args[1:])
    return items.pop(*args)


def list_copy(items: list[Any]) -> list[Any]:
    return items.copy()


def list_remove(items: list[Any], value: Any) -> None:
    if traced(value) or traced(items):
        lists.removed(items, value)
    else:
        items.remove(value)


def _sought(base: Any) -> tuple[Method, Method]:
    """The models of `index` and `count` of a list or tuple."""

    def index(items: Any, *args: Any) -> Any:
        if len(args) in (1, 2, 3) and (traced(args) or traced(items)):
            return sequences.index(items, *args)
        return base.index(items, *args)

    def count(items: Any, *args: Any) -> Any:
        if len(args) == 1 and (traced(args[0]) or traced(items)):
            return sequences.count(items, *args)
        return base.count(items, *args)

    return Method(base, "index", index), Method(base, "count", count)


def _of_any_set(base: type) -> tuple[Method, ...]:
    """The methods that sets and frozensets share."""
    return (
        Method(base, "union", sets.union),
        Method(base, "intersection", sets.intersection),
        Method(base, "difference", sets.difference),
        Method(base, "symmetric_difference", sets.symmetric_difference),
        Method(base, "isdisjoint", sets.isdisjoint),
        Method(base, "copy", sets.copied),
        Method(base, "issubset", sets.relation("le")),
        Method(base, "issuperset", sets.relation("ge")),
    )


MODELS: tuple[ModelRow, ...] = (
    Model(list, list_model),
    Model(tuple, tuple_model),
    Model(set, set_model),
    Model(frozenset, frozenset_model),
    Model(dict, dict_model),
    Method(dict, "fromkeys", fromkeys_model),
    TransparentMethods(list, "append reverse clear"),
    TransparentMethods(dict, "clear keys values items"),
    TransparentMethods(set, "clear"),
    Method(list, "extend", list_extend),
    Method(list, "insert", list_insert),
    Method(list, "pop", list_pop),
    Method(list, "copy", list_copy),
    Method(list, "remove", list_remove),
    *_sought(list),
    *_sought(tuple),
    Method(dict, "copy", dicts.copied),
    Method(dict, "get", dicts.get),
    Method(dict, "setdefault", dicts.setdefault),
    Method(dict, "pop", dicts.pop),
    Method(dict, "popitem", dicts.popitem),
    Method(dict, "update", dicts.update),
    Method(set, "add", sets.add),
    Method(set, "discard", sets.discard),
    Method(set, "remove", sets.remove),
    Method(set, "pop", sets.pop),
    Method(set, "update", sets.update),
    Method(set, "difference_update", sets.difference_update),
    Method(set, "intersection_update", sets.intersection_update),
    Method(set, "symmetric_difference_update", sets.symmetric_difference_update),
    *_of_any_set(set),
    *_of_any_set(frozenset),
)
