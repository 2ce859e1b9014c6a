"""Sorting, heaps and bisection: CPython's algorithms, with comparisons that keep terms."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

from symcrete.values.containers import sequences, sorting
from symcrete.values.containers.sets import compared
from symcrete.values.rows.model_rows import Method, Model, ModelRow
from symcrete.values.rows.tables import family_of
from symcrete.values.tracking import lengths
from symcrete.values.tracking.comparing import raw
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, pinned
from symcrete.values.tracking.operators import OPERATORS, truth_of
from symcrete.values.tracking.truth import Truth

_less = OPERATORS["lt"]


def sorted_model(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    items = compared(iterable, key)
    sorting.sort(items, key, reverse)
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
    """Let the item at `place` sink to a leaf along the smaller children, then rise to where it
    belongs.
    """
    first, end = place, len(heap)
    while place < end >> 1:
        child = 2 * place + 1
        if child + 1 < end and not truth_of(_less(heap[child], heap[child + 1])):
            child += 1
        heap[child], heap[place] = heap[place], heap[child]
        place = child
    _rise(heap, first, place)


def _on_heaps(original: Callable[..., Any], function: Callable[..., Any]) -> Model:
    """The model of a function on heaps: `function` where a heap holds a tracked number.

    CPython's own where it holds none, or where what it was given is no list.
    """

    def call(heap: Any, *args: Any) -> Any:
        if not isinstance(heap, list) or family_of(type(heap)) != "list":
            return foreign(original, heap, *args)
        lengths.fixed_kind(heap)
        kinds: set[type] = set()
        sorting.kinds_inside((*raw(heap, "list"), *args), kinds)
        if not kinds & {ConcolicInt, ConcolicFloat, Truth}:
            return original(heap, *args)
        return function(heap, *args)

    return Model(original, call)


def _heappush(heap: Any, item: Any) -> None:
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def _heappop(heap: Any) -> Any:
    last = heap.pop()
    if not len(heap):
        return last
    least, heap[0] = heap[0], last
    _sink(heap, 0)
    return least


def _heapreplace(heap: Any, item: Any) -> Any:
    least, heap[0] = heap[0], item
    _sink(heap, 0)
    return least


def _heappushpop(heap: Any, item: Any) -> Any:
    if not len(heap) or not truth_of(_less(heap[0], item)):
        return item
    return _heapreplace(heap, item)


def _heapify(heap: Any) -> None:
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def _some(original: Callable[..., Any]) -> Model:
    """The model of `nlargest` or `nsmallest`: CPython's own code, with comparisons that keep terms
    wherever there is a key or a plain float or bool meets a tracked int.
    """

    def call(count: Any, iterable: Any, key: Any = None) -> Any:
        items = compared(iterable, key)
        if key is None and sorting.speak_for_themselves(items):
            return original(pinned(count), items)
        return original(pinned(count), items, sorting.compared_by(key))

    return Model(original, call)


def merge_model(*iterables: Any, key: Any = None, reverse: Any = False) -> Any:
    """`heapq.merge(...)`; iterables other than lists and tuples drop their terms."""
    if all(family_of(type(each)) in ("list", "tuple") for each in iterables):
        lists = [sequences.elements(each) for each in iterables]
        if key is None and sorting.speak_for_themselves(lists):
            return heapq.merge(*lists, reverse=pinned(reverse))
        return heapq.merge(*lists, key=sorting.compared_by(key), reverse=pinned(reverse))
    known = key and callee(key)
    return foreign(heapq.merge, *iterables, key=known, reverse=pinned(reverse))


# -- bisection


def _searching(original: Callable[..., Any], *, right: bool, inserts: bool) -> Model:
    """The model of a function of `bisect`: each comparison on the way is a branch."""

    def call(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
        if family_of(type(a)) not in ("list", "tuple"):
            return foreign(original, a, x, lo, hi, key=key)
        items = sequences.elements(a)
        known = key and callee(key)
        low, high = pinned(lo), len(items) if hi is None else pinned(hi)
        original([], 0, low, 0)  # raises for a lower bound that it refuses
        sought = known(x) if inserts and known is not None else x
        while low < high:
            middle = (low + high) // 2
            there = items[middle] if known is None else known(items[middle])
            if right:
                low, high = (low, middle) if truth_of(_less(sought, there)) else (middle + 1, high)
            else:
                low, high = (middle + 1, high) if truth_of(_less(there, sought)) else (low, middle)
        return a.insert(low, x) if inserts else low

    return Model(original, call)


MODELS: tuple[ModelRow, ...] = (
    Method(list, "sort", sorting.sort_method),
    Model(sorted, sorted_model),
    _on_heaps(heapq.heappush, _heappush),
    _on_heaps(heapq.heappop, _heappop),
    _on_heaps(heapq.heapreplace, _heapreplace),
    _on_heaps(heapq.heappushpop, _heappushpop),
    _on_heaps(heapq.heapify, _heapify),
    _some(heapq.nlargest),
    _some(heapq.nsmallest),
    Model(heapq.merge, merge_model),
    _searching(bisect.bisect_left, right=False, inserts=False),
    _searching(bisect.bisect_right, right=True, inserts=False),
    _searching(bisect.insort_left, right=False, inserts=True),
    _searching(bisect.insort_right, right=True, inserts=True),
)
