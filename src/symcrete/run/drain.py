"""What a call really computed: generators run, coroutines awaited."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

# The packages whose iterators are run to see their items; open files are iterators as well, and are
# not. Classes of ours stand in for others while a run is under way.
_ITERATORS = ("builtins", "itertools", "symcrete")
MOST_ITEMS = 100  # items taken of an iterator, which may have no end; chosen, not measured


def drained_as(result: Any) -> str:
    """Which kind of result has to be run before its values are known: "generator", "coroutine" or
    "asyncgen"; "" for any other.
    """
    if _is_lazy(result):
        return "generator"
    if inspect.iscoroutine(result):
        return "coroutine"
    return "asyncgen" if inspect.isasyncgen(result) else ""


def drain(result: Any, most: int = MOST_ITEMS) -> Any:
    """What a result computes when it is run: a list of the first items of a generator, `map` and
    the like, the result of a coroutine; any other value is returned unchanged.
    """
    if _is_lazy(result):
        return list(itertools.islice(result, most))
    if inspect.iscoroutine(result) or inspect.isasyncgen(result):
        import asyncio  # a quarter of a worker's start-up, for the few programs that need it

        return asyncio.run(result if inspect.iscoroutine(result) else _collect(result, most))
    return result


def _is_lazy(result: Any) -> bool:
    """Whether it computes its items one by one: a generator, or an iterator of the language."""
    if inspect.isgenerator(result):
        return True
    top = type(result).__module__.partition(".")[0]
    return top in _ITERATORS and isinstance(result, Iterator)


async def _collect(items: Any, most: int) -> list[Any]:
    found: list[Any] = []
    async for item in items:
        found.append(item)
        if len(found) >= most:
            break
    return found
