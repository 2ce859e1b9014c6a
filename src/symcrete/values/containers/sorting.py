"""Sorting with comparisons that keep terms.

CPython's own sort runs wherever asking the elements themselves is enough. It is not where a plain
float or bool meets a tracked int: the former would be asked first, and take the latter for a plain
number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.values.rows.tables import TEXTS, family_of
from symcrete.values.tracking import lengths
from symcrete.values.tracking.comparing import raw
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, pinned
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.truth import Truth

_less = OPERATORS["lt"]
# Classes that may be compared with a tracked number by Python's own `<`: it asks the tracked one.
_ASKED_FIRST = frozenset({int, str, bytes, type(None), ConcolicInt, ConcolicFloat, Truth})
# levels of containers and objects in which tracked kinds are looked for; chosen, not measured
_DEEPEST_LEVEL = 4


class Compared:
    """A value whose comparisons are those of rewritten code."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Compared) -> Any:
        return _less(self.value, other.value)

    def __eq__(self, other: object) -> Any:
        assert type(other) is Compared
        if self.value is other.value:
            return True
        return OPERATORS["eq"](self.value, other.value)

    __hash__ = None  # type: ignore[assignment]


def speak_for_themselves(values: Iterable[Any]) -> bool:
    """Whether CPython's sort keeps the terms of these values: it asks each tracked one, or there
    is none.
    """
    kinds: set[type] = set()
    kinds_inside(values, kinds)
    if not kinds & {ConcolicInt, ConcolicFloat, Truth}:
        return True
    return kinds <= _ASKED_FIRST | TEXTS


def kinds_inside(values: Iterable[Any], kinds: set[type], depth: int = 0) -> None:
    """Add to `kinds` the classes of these values and, some levels deep, of what they hold."""
    for value in values:
        kind = type(value)
        family = family_of(kind)
        if family is not None and depth < _DEEPEST_LEVEL:
            kinds_inside(raw(value, family), kinds, depth + 1)
            if kind not in (list, tuple):
                kinds.add(kind)
        elif kind.__module__ == "builtins" or kind in _ASKED_FIRST:
            kinds.add(kind)
        elif depth < _DEEPEST_LEVEL:
            kinds_inside(getattr(value, "__dict__", {}).values(), kinds, depth + 1)


def compared_by(key: Any) -> Any:
    """The key that makes CPython compare as rewritten code does, by this key or by the elements."""
    if key is None:
        return Compared
    known = callee(key)
    return lambda each: Compared(known(each))


def sort(items: list[Any], key: Any, reverse: Any) -> None:
    """`items.sort(key=key, reverse=reverse)` in place, for any list."""
    lengths.fixed_kind(items)
    if key is None:
        asked: list[Any] = list(list.__iter__(items))
    else:
        # The keys are what is compared, whatever the elements are.
        known = callee(key)
        asked = [known(each) for each in list.__iter__(items)]
    if key is None and speak_for_themselves(asked):
        list.sort(items, reverse=pinned(reverse))
        return
    # CPython asks for the key of each element once and in order.
    keys = iter(asked) if speak_for_themselves(asked) else map(Compared, asked)
    list.sort(items, key=lambda _: next(keys), reverse=pinned(reverse))


def sort_method(items: list[Any], *args: Any, key: Any = None, reverse: Any = False) -> None:
    """`items.sort(...)`, also where it refuses its arguments."""
    list.sort([], *args)  # refuses what it does not know
    sort(items, key, reverse)
