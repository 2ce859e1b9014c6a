"""Less garbage collection while exploring: terms and trees only grow, and looking through them for
cycles that are not there took an eighth of the time (benchmarks/paths.py, gcd).
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

NEW_OBJECTS = 50_000  # between two collections of young objects; Python's own: 700


@contextlib.contextmanager
def rarely_collecting() -> Iterator[None]:
    former = gc.get_threshold()
    if former[0]:  # not where it is switched off
        gc.set_threshold(max(former[0], NEW_OBJECTS), *former[1:])
    try:
        yield
    finally:
        gc.set_threshold(*former)
