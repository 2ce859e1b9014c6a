"""The set and frozenset of an input: the length is a term until something depends on it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms.term import Term
from symcrete.values.containers import sets
from symcrete.values.containers.keys import has_key, note_all, raw_keys
from symcrete.values.rows.tables import MEETS, family_of
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.recording import silently


class ConcolicSet(sets.InputSet, set[Any]):
    """A set, and the term of its length while that is open."""

    __slots__ = ("length", "pristine")
    __hash__ = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return set

    add = sets.add
    discard = sets.discard
    remove = sets.remove
    pop = sets.pop
    update = sets.update
    difference_update = sets.difference_update
    intersection_update = sets.intersection_update
    symmetric_difference_update = sets.symmetric_difference_update

    def clear(self) -> None:
        set.clear(lengths.fixed(self))


class ConcolicFrozenset(sets.InputSet, frozenset[Any]):
    """A frozenset, and the term of its length while that is open."""

    __slots__ = ("length", "pristine")

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return frozenset

    def __hash__(self) -> int:
        lengths.fixed(self)
        if traced(self):
            recording.active().lose("hash()")
        return frozenset.__hash__(self)


def concolic_set(kind: Any, items: list[Any], length: Term | None, *, pristine: bool) -> Any:
    """The tracked set or frozenset (`kind`) of these elements, which must differ; `pristine` if a
    loop over it takes them in the order of their variables.
    """
    if kind is set:
        made: Any = set.__new__(ConcolicSet)
        for each in items:
            silently(set.add, made, each)
    else:
        made = silently(frozenset.__new__, ConcolicFrozenset, items)
    made.length, made.pristine = length, pristine
    return made


def _iterated(self: Any) -> Iterator[Any]:
    return sets.steps(self, recording.active().dynamic_site("for"))


def _contains(self: Any, value: object) -> bool:
    found = has_key(self, value)
    return sets.base_of(self).__contains__(self, value) if found is NotImplemented else bool(found)


def _size(self: Any) -> int:
    size: int = sets.base_of(self).__len__(lengths.fixed(self))
    return size


def _shown(self: Any) -> str:
    return repr(sets.copied(self))


def _deep(self: Any, memo: dict[int, Any]) -> Any:
    lengths.fixed(self)
    parts = [copy.deepcopy(each, memo) for each in raw_keys(self)]
    made = memo[id(self)] = silently(sets.base_of(self), parts)
    return note_all(made, parts)


def _reduced(self: Any, protocol: Any) -> Any:
    return sets.base_of(self), (list(raw_keys(lengths.fixed(self))),)


def _binary(name: str, *, swapped: bool = False) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if family_of(type(other)) != "set":
            return NotImplemented
        left, right = (other, self) if swapped else (self, other)
        found = MEETS[("set", "set", name)](left, right)
        if found is NotImplemented:
            return getattr(sets.plain_base(left), f"__{name}__")(left, right)
        return found

    return method


_SHARED: dict[str, Any] = {
    "__len__": _size,
    "__bool__": lambda self: bool(lengths.nonempty(self)),
    "__iter__": _iterated,
    "__contains__": _contains,
    "__repr__": _shown,
    "__copy__": sets.copied,
    "__deepcopy__": _deep,
    "__reduce_ex__": _reduced,
    "copy": sets.copied,
    "union": sets.union,
    "intersection": sets.intersection,
    "difference": sets.difference,
    "symmetric_difference": sets.symmetric_difference,
    "isdisjoint": sets.isdisjoint,
    "issubset": sets.relation("le"),
    "issuperset": sets.relation("ge"),
}
for _kind, _base in ((ConcolicSet, set), (ConcolicFrozenset, frozenset)):
    for _name, _method in _SHARED.items():
        setattr(_kind, _name, _method)
    for _name in ("or", "and", "sub", "xor"):
        setattr(_kind, f"__{_name}__", _binary(_name))
        setattr(_kind, f"__r{_name}__", _binary(_name, swapped=True))
    for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(_kind, f"__{_name}__", _binary(_name))
    _kind.__name__ = _kind.__qualname__ = _base.__name__
for _name in ("ior", "iand", "isub", "ixor"):
    setattr(ConcolicSet, f"__{_name}__", _binary(_name))
