"""When the interpreter is collecting garbage."""

from __future__ import annotations

import gc
import sys
from typing import Any

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
