"""Less garbage collection while exploring: terms and trees only grow, and looking through them for
cycles that are not there took a fifth of the time (benchmarks/paths.py, gcd).
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

NEW_OBJECTS = 50_000  # new objects between two collections within one run; Python's own: 700
# objects set aside before all of them are looked through for the first time; chosen, not measured
FIRST_LOOK = 2_000_000


class RarelyCollecting:
    """A context in which the objects that exist between two runs are set aside, and looked through
    only when they have doubled.
    """

    def __enter__(self) -> RarelyCollecting:
        self._former = gc.get_threshold()
        self._on = gc.isenabled() and self._former[0] > 0
        self._aside, self._enough = 0, FIRST_LOOK
        if self._on:
            gc.set_threshold(max(self._former[0], NEW_OBJECTS), *self._former[1:])
        return self

    def between_runs(self) -> None:
        """Set aside what the last run made; to be called between runs."""
        young = gc.get_count()[0]
        if not self._on or young < NEW_OBJECTS // 2:
            return
        self._aside += young
        if self._aside >= self._enough:
            self._enough = 2 * self._aside
            gc.unfreeze()
            gc.collect()
        gc.freeze()

    def __exit__(self, *_: object) -> None:
        gc.set_threshold(*self._former)
        gc.unfreeze()


def rarely_collecting(work: Callable[P, R]) -> Callable[P, R]:
    """The same function, executed within `RarelyCollecting`: preparing an exploration and reporting
    on it makes objects that stay, too (benchmarks/paths.py, triangle: 4 of 40 ms were collections).
    """

    @functools.wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> R:
        with RarelyCollecting():
            return work(*args, **kwargs)

    return done
