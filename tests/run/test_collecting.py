"""When the interpreter is collecting garbage."""

from __future__ import annotations

import gc
import sys
from typing import Any
from weakref import WeakSet

from symcrete.run.collecting import is_collecting


def test_only_what_the_collector_calls_is_collecting() -> None:
    seen: list[bool] = []

    def inner() -> None:
        seen.append(is_collecting(sys._getframe()))

    def callback(phase: str, info: dict[str, Any]) -> None:
        inner()

    inner()
    gc.callbacks.append(callback)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(callback)

    assert seen == [False, True, True]
    assert not is_collecting(None)


def test_a_weak_set_that_loses_an_object_is_collecting() -> None:
    seen: list[bool] = []

    class Noting(set[Any]):
        def discard(self, item: Any) -> None:
            seen.append(is_collecting(sys._getframe()))

    class Held:
        pass

    held, weak = Held(), WeakSet[Held]()
    weak.add(held)
    weak.data = Noting(weak.data)  # type: ignore[attr-defined]
    del held

    assert seen == [True]
