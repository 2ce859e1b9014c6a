"""One of a kind per thread: a z3 context takes 20 ms to make, and outlives its solvers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_local = threading.local()


def shared(key: str, make: Callable[[], T]) -> T:
    """The object that this thread made under the key before, else the one that `make` gives now."""
    held: dict[str, T] = _local.__dict__.setdefault("held", {})
    if key not in held:
        held[key] = make()
    return held[key]
