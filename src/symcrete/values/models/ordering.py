"""Sorting, heaps and bisection: CPython's algorithms, with comparisons that keep terms.

CPython's own sort runs wherever asking the elements themselves is enough. It is not where a plain
float or bool meets a tracked int: the former would be asked first, and take the latter for a plain
number.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Iterable
from typing import Any

from symcrete.values.containers import sequences
from symcrete.values.containers.lists import ConcolicList
from symcrete.values.containers.sets import elements
from symcrete.values.tracking import lengths
from symcrete.values.tracking.comparing import TEXTS, raw
from symcrete.values.tracking.modelled import callee, foreign, method_model, model
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, pinned
from symcrete.values.tracking.operators import OPERATORS, family_of, truth_of
from symcrete.values.tracking.truth import Truth

_less = OPERATORS["lt"]
_ASKED_FIRST = frozenset({int, str, bytes, type(None), ConcolicInt, ConcolicFloat, Truth})


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
    """Whether C code that compares these asks the tracked ones, or no tracked one is among them."""
    kinds: set[type] = set()
    _collect(values, kinds, 0)
    if not kinds & {ConcolicInt, ConcolicFloat, Truth}:
        return True
    return kinds <= _ASKED_FIRST | TEXTS


def _collect(values: Iterable[Any], kinds: set[type], depth: int) -> None:
    for value in values:
        kind = type(value)
        family = family_of(kind)
        if family is not None and depth < 4:
            _collect(raw(value, family), kinds, depth + 1)
            if kind not in (list, tuple):
                kinds.add(kind)
        elif kind.__module__ == "builtins" or kind in _ASKED_FIRST:
            kinds.add(kind)
        else:
            _collect(
                getattr(value, "__dict__", {}).values(), kinds, depth + 1
            ) if depth < 4 else None


def sort(items: list[Any], key: Any, reverse: Any) -> None:
    """`items.sort(key=key, reverse=reverse)` in place, for any list."""
    lengths.fixed_kind(items)
    known = key and callee(key)
    if speak_for_themselves(list.__iter__(items)):
        list.sort(items, key=known, reverse=pinned(reverse))
    elif known is None:
        list.sort(items, key=Compared, reverse=pinned(reverse))
    else:
        list.sort(items, key=lambda each: Compared(known(each)), reverse=pinned(reverse))


@method_model(list, "sort")
def sort_model(items: list[Any], *args: Any, key: Any = None, reverse: Any = False) -> None:
    list.sort([], *args)  # refuses what it does not know
    sort(items, key, reverse)


ConcolicList.sort = sort_model  # type: ignore[method-assign]


@model(sorted)
def sorted_model(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    items = elements(iterable)
    sort(items, key, reverse)
    return items


# -- heaps


def _rise(heap: Any, first: int, place: int) -> None:
    """Let the item at `place` rise towards `first` while it is less than its parent."""
    while place > first:
        parent = (place - 1) >> 1
        if not truth_of(_less(heap[place], heap[parent])):
            return
        heap[place], heap[parent] = heap[parent], heap[place]
        place = parent


def _sink(heap: Any, place: int) -> None:
    """Let the hole at `place` sink to a leaf along the smaller children, then rise again."""
    first, end = place, len(heap)
    while place < end >> 1:
        child = 2 * place + 1
        if child + 1 < end and not truth_of(_less(heap[child], heap[child + 1])):
            child += 1
        heap[child], heap[place] = heap[place], heap[child]
        place = child
    _rise(heap, first, place)


def _on_heaps(
    original: Callable[..., Any],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """CPython's function where nothing tracked is at stake, or what it was given is no list."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        @model(original)
        def call(heap: Any, *args: Any) -> Any:
            if not isinstance(heap, list) or family_of(type(heap)) != "list":
                return foreign(original, heap, *args)
            lengths.fixed_kind(heap)
            kinds: set[type] = set()
            _collect((*raw(heap, "list"), *args), kinds, 0)
            if not kinds & {ConcolicInt, ConcolicFloat, Truth}:
                return original(heap, *args)
            return function(heap, *args)

        return function

    return register


@_on_heaps(heapq.heappush)
def _heappush(heap: Any, item: Any) -> None:
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


@_on_heaps(heapq.heappop)
def _heappop(heap: Any) -> Any:
    last = heap.pop()
    if not len(heap):
        return last
    least, heap[0] = heap[0], last
    _sink(heap, 0)
    return least


@_on_heaps(heapq.heapreplace)
def _heapreplace(heap: Any, item: Any) -> Any:
    least, heap[0] = heap[0], item
    _sink(heap, 0)
    return least


@_on_heaps(heapq.heappushpop)
def _heappushpop(heap: Any, item: Any) -> Any:
    if not len(heap) or not truth_of(_less(heap[0], item)):
        return item
    return _heapreplace(heap, item)


@_on_heaps(heapq.heapify)
def _heapify(heap: Any) -> None:
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def _some(original: Callable[..., Any]) -> None:
    """`nlargest` and `nsmallest`: Python code that compares elements and pairs of them."""

    @model(original)
    def call(count: Any, iterable: Any, key: Any = None) -> Any:
        items = elements(iterable)
        known = key and callee(key)
        if speak_for_themselves(items):
            return original(pinned(count), items, known)
        return foreign(original, pinned(count), items, known)


_some(heapq.nlargest)
_some(heapq.nsmallest)


@model(heapq.merge)
def merge_model(*iterables: Any, key: Any = None, reverse: Any = False) -> Any:
    known = key and callee(key)
    if all(family_of(type(each)) in ("list", "tuple") for each in iterables):
        lists = [sequences.elements(each) for each in iterables]
        if speak_for_themselves(lists):
            return heapq.merge(*lists, key=known, reverse=pinned(reverse))
    return foreign(heapq.merge, *iterables, key=known, reverse=pinned(reverse))


# -- bisection


def _searching(original: Callable[..., Any], *, right: bool, inserts: bool) -> None:
    @model(original)
    def call(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        if family_of(type(a)) not in ("list", "tuple"):
            return foreign(original, a, x, lo, hi, key=key)
        items = sequences.elements(a)
        known = key and callee(key)
        low, high = pinned(lo), len(items) if hi is None else pinned(hi)
        original([], 0, low, 0)  # refuses bounds that are none
        sought = known(x) if inserts and known is not None else x
        while low < high:
            middle = (low + high) // 2
            there = items[middle] if known is None else known(items[middle])
            if right:
                low, high = (low, middle) if truth_of(_less(sought, there)) else (middle + 1, high)
            else:
                low, high = (middle + 1, high) if truth_of(_less(there, sought)) else (low, middle)
        return a.insert(low, x) if inserts else low


_searching(bisect.bisect_left, right=False, inserts=False)
_searching(bisect.bisect_right, right=True, inserts=False)
_searching(bisect.insort_left, right=False, inserts=True)
_searching(bisect.insort_right, right=True, inserts=True)
