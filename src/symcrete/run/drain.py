"""What a call really computed: generators run, coroutines awaited."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

MOST_ITEMS = 100  # of an iterator that may not end


def drained_as(result: Any) -> str:
    """What has to be done with a result to see it: a generator, coroutine or asyncgen; or none."""
    if inspect.isgenerator(result):
        return "generator"
    if inspect.iscoroutine(result):
        return "coroutine"
    return "asyncgen" if inspect.isasyncgen(result) else ""


def drain(result: Any, most: int = MOST_ITEMS) -> Any:
    """A generator's first items, a coroutine's result; anything else as it is."""
    if inspect.isgenerator(result):
        return list(itertools.islice(result, most))
    if inspect.iscoroutine(result) or inspect.isasyncgen(result):
        import asyncio  # a quarter of a worker's start-up, for the few programs that need it

        return asyncio.run(result if inspect.iscoroutine(result) else _collect(result, most))
    return result


async def _collect(items: Any, most: int) -> list[Any]:
    found: list[Any] = []
    async for item in items:
        found.append(item)
        if len(found) >= most:
            break
    return found
