"""The dict of an input: its length is a term until it matters, its keys carry terms."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from symcrete.terms.term import Term
from symcrete.values.containers import dicts
from symcrete.values.containers.keys import has_key, note_copy
from symcrete.values.rows.tables import MEETS, family_of
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.operators import OPERATORS, in_
from symcrete.values.tracking.recording import silently


class ConcolicDict(lengths.OpenLength, dict[Any, Any]):
    """A dict, and the term of its length while that is open."""

    __slots__ = ("length",)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def __len__(self) -> int:
        return dict.__len__(lengths.fixed(self))

    def __bool__(self) -> bool:
        return bool(lengths.nonempty(self))

    def __iter__(self) -> Iterator[Any]:
        return steps(self, recording.active().dynamic_site("for"))

    def __reversed__(self) -> Any:
        return dict.__reversed__(lengths.fixed(self))

    def __contains__(self, key: object) -> bool:
        found = has_key(self, key)
        return dict.__contains__(self, key) if found is NotImplemented else bool(found)

    __getitem__ = dicts.read
    __setitem__ = dicts.store
    __delitem__ = dicts.delete
    get = dicts.get
    setdefault = dicts.setdefault
    pop = dicts.pop
    popitem = dicts.popitem
    update = dicts.update
    copy = __copy__ = dicts.copied

    def clear(self) -> None:
        dict.clear(lengths.fixed(self))

    def keys(self) -> Any:
        return dict.keys(self) if self.length is None else OpenView(self, "keys")

    def values(self) -> Any:
        return dict.values(self) if self.length is None else OpenView(self, "values")

    def items(self) -> Any:
        return dict.items(self) if self.length is None else OpenView(self, "items")

    def __or__(self, other: Any) -> Any:
        return dicts.merged(self, other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return dicts.merged(other, self) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        dicts.update(self, other)
        return self

    def __eq__(self, other: object) -> Any:
        return _compared(self, other, "eq")

    def __ne__(self, other: object) -> Any:
        return _compared(self, other, "ne")

    __hash__ = None

    def __repr__(self) -> str:
        return dict.__repr__(lengths.fixed(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        lengths.fixed(self)
        made: dict[Any, Any] = {}
        memo[id(self)] = made
        for key, value in dict.items(self):
            silently(dict.__setitem__, made, copy.deepcopy(key, memo), copy.deepcopy(value, memo))
        return note_copy(made, self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (list(dict.items(lengths.fixed(self))),)


def _compared(left: Any, right: Any, name: str) -> Any:
    row = MEETS.get(("dict", family_of(type(right)), name))
    found = NotImplemented if row is None else row(left, right)
    if found is NotImplemented and isinstance(right, dict):
        return getattr(dict, f"__{name}__")(left, right)
    return found


def concolic_dict(pairs: list[tuple[Any, Any]], length: Term | None) -> Any:
    """The tracked dict of these pairs, whose keys must differ; `length` is the term of its length,
    None if that is fixed.
    """
    made = dict.__new__(ConcolicDict)
    made.length = length
    for key, value in pairs:
        silently(dict.__setitem__, made, key, value)
    return made


def steps(items: Any, site: int, view: str = "keys") -> Iterator[Any]:
    """Keys, values or items; whether there is a next one is an outcome of `site`.

    CPython's own iterator brings them, with its error for a dict that changes meanwhile.
    """
    record = recording.active()
    source = iter(getattr(dict, view)(items))
    count, index = dict.__len__(items), 0
    while True:
        if items.length is not None:
            term, more = lengths.has(items, index)
            record.passed(site, term, more)
        try:
            yield next(source)
        except StopIteration:
            return
        index += 1
        assert index <= count + 1


class OpenView:
    """`keys()`, `values()` or `items()` of an open dict; once it is asked for more than its
    elements in turn, the length is fixed and CPython's own view takes over."""

    def __init__(self, items: ConcolicDict, view: str) -> None:
        self.of, self.view = items, view

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._plain_kind())

    def _plain_kind(self) -> Any:
        return getattr(dict, self.view)({})

    def real(self) -> Any:
        """CPython's own view of the dict, whose length is fixed by this."""
        return getattr(dict, self.view)(lengths.fixed(self.of))

    def __iter__(self) -> Iterator[Any]:
        return steps(self.of, recording.active().dynamic_site("for"), self.view)

    def __len__(self) -> int:
        return len(self.of)

    def __contains__(self, value: object) -> bool:
        return bool(in_(value, self.real()))

    def __reversed__(self) -> Any:
        return reversed(self.real())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real(), name)

    def __eq__(self, other: object) -> Any:
        return OPERATORS["eq"](self.real(), real(other))

    def __hash__(self) -> int:
        return hash(self.real())

    def __repr__(self) -> str:
        return repr(self.real())


def real(value: Any) -> Any:
    """CPython's own view in place of an OpenView; anything else as it is."""
    return value.real() if type(value) is OpenView else value


def _by_real(name: str, *, swapped: bool = False) -> Any:
    def method(self: OpenView, other: Any) -> Any:
        left, right = self.real(), real(other)
        return OPERATORS[name](right, left) if swapped else OPERATORS[name](left, right)

    return method


for _name in ("and_", "or_", "sub", "xor"):
    setattr(OpenView, f"__{_name.rstrip('_')}__", _by_real(_name))
    setattr(OpenView, f"__r{_name.rstrip('_')}__", _by_real(_name, swapped=True))
for _name in ("lt", "le", "gt", "ge", "ne"):
    setattr(OpenView, f"__{_name}__", _by_real(_name))

ConcolicDict.__name__ = ConcolicDict.__qualname__ = "dict"
