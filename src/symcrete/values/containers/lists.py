"""Lists and tuples whose length is an input, and what lists do with tracked elements and indices.

The list that C code sees has the elements of this run; the length stays a term until something
depends on it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from symcrete.terms.term import Term
from symcrete.values.containers import sequences, sorting
from symcrete.values.tracking import lengths
from symcrete.values.tracking.comparing import contains
from symcrete.values.tracking.numeric import ConcolicInt, pinned
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.subscripts import plain_slice, position
from symcrete.values.tracking.truth import Truth


class ConcolicList(lengths.OpenLength, list[Any]):
    """A list, the term of its length while that is open, and how to make further elements."""

    __slots__ = ("length", "make")
    make: Callable[[int], Any]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return list

    def first(self, count: int) -> list[Any]:
        """The first `count` elements; those beyond what the list holds in this run are made."""
        have = list(list.__iter__(self))
        return have[:count] + [self.make(index) for index in range(len(have), count)]

    def __len__(self) -> int:
        return list.__len__(lengths.fixed(self))

    def __bool__(self) -> bool:
        return bool(lengths.nonempty(self))

    __iter__ = sequences.iterated
    __getitem__ = sequences.item
    __mul__ = __rmul__ = sequences.repeated

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is slice:
            lengths.fixed(self)
            list.__setitem__(self, plain_slice(index), value)
            return
        list.__setitem__(self, self._place(index), value)

    def __delitem__(self, index: Any) -> None:
        if type(index) is slice:
            lengths.fixed(self)
            list.__delitem__(self, plain_slice(index))
            return
        place = self._place(index)
        lengths.fixed(self)
        list.__delitem__(self, place)

    def _place(self, index: Any) -> Any:
        kind = type(index)
        if kind is ConcolicInt or kind is Truth:
            lengths.fixed(self)
            return position(index, list.__len__(self))
        if hasattr(kind, "__index__"):
            sequences.reach(self, index.__index__())
        return index

    def __contains__(self, value: object) -> bool:
        found = contains(self, value)
        return list.__contains__(self, value) if found is NotImplemented else bool(found)

    def __reversed__(self) -> Any:
        return list.__reversed__(lengths.fixed(self))

    def __add__(self, other: Any) -> Any:
        lengths.fixed(self)
        if not isinstance(other, list):
            return NotImplemented
        return list.__add__(self, lengths.fixed_kind(other))

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def __imul__(self, times: Any) -> Any:  # type: ignore[misc]
        lengths.fixed(self)
        return list.__imul__(self, pinned(times))

    def __repr__(self) -> str:
        return list.__repr__(lengths.fixed(self))

    def __copy__(self) -> Any:
        return copied(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = copied(self)
        memo[id(self)] = made
        for place, each in enumerate(list.__iter__(self)):
            list.__setitem__(made, place, copy.deepcopy(each, memo))
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(list.__iter__(lengths.fixed(self))),)

    append = sequences.by_base(list, "append")
    clear = sequences.by_base(list, "clear")
    reverse = sequences.by_base(list, "reverse")
    __sizeof__ = sequences.by_base(list, "__sizeof__")

    def copy(self) -> Any:
        return copied(self)

    def extend(self, items: Any) -> None:
        lengths.fixed(self)
        list.extend(self, items)

    def insert(self, index: Any, value: Any) -> None:
        lengths.fixed(self)
        list.insert(self, pinned(index), value)

    def pop(self, index: Any = -1) -> Any:
        place = self._place(index)
        return list.pop(lengths.fixed(self), place)

    def remove(self, value: Any) -> None:
        removed(self, value)

    def index(self, value: Any, *bounds: Any) -> Any:
        return sequences.index(self, value, *bounds)

    def count(self, value: Any) -> Any:
        return sequences.count(self, value)

    def sort(self, *args: Any, key: Any = None, reverse: Any = False) -> None:
        sorting.sort_method(self, *args, key=key, reverse=reverse)


class ConcolicTuple(lengths.OpenLength, tuple[Any, ...]):
    """A tuple, the term of its length while that is open, and how to make further elements."""

    make: Callable[[int], Any]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return tuple

    def first(self, count: int) -> list[Any]:
        """The first `count` elements; those beyond what the tuple holds in this run are made."""
        have = list(tuple.__iter__(self))
        return have[:count] + [self.make(index) for index in range(len(have), count)]

    def __len__(self) -> int:
        return tuple.__len__(lengths.fixed(self))

    def __bool__(self) -> bool:
        return bool(lengths.nonempty(self))

    __iter__ = sequences.iterated
    __getitem__ = sequences.item
    __mul__ = __rmul__ = sequences.repeated
    __repr__ = sequences.by_base(tuple, "__repr__")
    __hash__ = sequences.by_base(tuple, "__hash__")

    def __contains__(self, value: object) -> bool:
        found = contains(self, value)
        return tuple.__contains__(self, value) if found is NotImplemented else bool(found)

    def __add__(self, other: Any) -> Any:
        lengths.fixed(self)
        if not isinstance(other, tuple):
            return NotImplemented
        return tuple.__add__(self, lengths.fixed_kind(other))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        items = [copy.deepcopy(each, memo) for each in tuple.__iter__(self)]
        return concolic_tuple(items, self.length, self.make)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return tuple, (tuple(tuple.__iter__(lengths.fixed(self))),)

    def index(self, value: Any, *bounds: Any) -> Any:
        return sequences.index(self, value, *bounds)

    def count(self, value: Any) -> Any:
        return sequences.count(self, value)


def concolic_list(items: list[Any], length: Term | None, make: Callable[[int], Any]) -> Any:
    """The tracked list of these elements. `length` is the term of its length, None if that is
    fixed; `make` builds the element at an index beyond those of this run.
    """
    made = list.__new__(ConcolicList)
    list.extend(made, items)
    made.length, made.make = length, make
    return made


def concolic_tuple(items: list[Any], length: Term | None, make: Callable[[int], Any]) -> Any:
    """The tracked tuple of these elements; `length` and `make` as for `concolic_list`."""
    made = tuple.__new__(ConcolicTuple, items)
    made.length, made.make = length, make
    return made


def copied(items: Any) -> Any:
    """A shallow copy of a ConcolicList: a plain list if the length is fixed, else one whose length
    is the same term.
    """
    plain = list(list.__iter__(items))
    return plain if items.length is None else concolic_list(plain, items.length, items.make)


def removed(items: Any, value: Any) -> None:
    """`items.remove(value)` for any list."""
    place = sequences.place_of(value, sequences.elements(items))
    if place is None:
        silently(list.remove, [], value)  # raises
    else:
        list.__delitem__(items, place)


def concatenated(left: Any, right: Any) -> Any:
    """Fix the length of an open list on the right of `+`, since C code adds the elements it finds;
    then leave the sum to Python (NotImplemented).
    """
    lengths.fixed_kind(right)
    return NotImplemented


for _kind, _base in ((ConcolicList, list), (ConcolicTuple, tuple)):
    for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(_kind, f"__{_name}__", sequences.compared(_name))
    _kind.__name__ = _kind.__qualname__ = _base.__name__  # as error messages say it
ConcolicList.__hash__ = None
