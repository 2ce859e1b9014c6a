"""Opaque applications during a walk: each distinct one made once, and none for longer than it may.

The walk applies a function to thousands of arguments. What it computed is kept, so that a function
with a hidden effect is at least not asked twice, and one that loops for some arguments counts as
"cannot be computed" there instead of ending the search.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.errors import TimeLimit
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.term import Term

CALL_SECONDS_IN_A_WALK = 0.5  # for one application of a function; chosen, not measured
# until a timer that others had set, and that is overdue, goes off: 0 s would switch it off
LEAST_ALARM_SECONDS = 1e-3
MOST_KEPT_RESULTS = 20_000  # results kept per function; chosen, not measured
# functions that are computed sooner than looked up
_CHEAP = frozenset(f for f in vars(math).values() if callable(f))


class Calls:
    """Wraps functions for one solver; `seconds` is the limit for one application."""

    def __init__(self, *, seconds: float, clock: Clock = wall) -> None:
        self.seconds = seconds
        self._clock = clock
        self.made = 0  # applications so far
        self._running = False
        self._seen = -1  # the number of the application that was running at the last tick
        self._wrapped: dict[Callable[..., Any], Callable[..., Any]] = {}

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, made to remember its results and failures unless it is cheap."""
        if function in _CHEAP:
            return function
        found = self._wrapped.get(function)
        if found is None:
            found = self._wrapped[function] = self._remembering(function)
        return found

    def _remembering(self, function: Callable[..., Any]) -> Callable[..., Any]:
        kept: dict[Any, Any] = {}

        def call(*args: Any) -> Any:
            # 2 and 2.0 are equal keys, so their types belong to the key. The zeros 0.0 and -0.0 are
            # of one type, but their texts differ.
            key = repr(args) if 0 in args else (args, *map(type, args))
            try:
                found = kept.get(key, _MISSING)
            except TypeError:  # unhashable
                return self._apply(function, args)
            if found is _MISSING:
                if len(kept) >= MOST_KEPT_RESULTS:
                    kept.clear()
                try:
                    found = self._apply(function, args)
                except (Exception, TimeLimit) as problem:
                    found = _Failure(problem)
                kept[key] = found
            if found.__class__ is _Failure:
                raise ArithmeticError("cannot be computed") from found.problem
            return found

        return call

    def _apply(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        self.made += 1
        try:
            self._running = True
            return function(*args)
        finally:
            self._running = False

    def confirm(self, conditions: Sequence[Term], point: Assignment) -> bool:
        """Whether all conditions hold by plain evaluation; False if that fails or takes too
        long.
        """
        try:
            return bool(self._apply(all_hold, (conditions, point)))
        except (Exception, TimeLimit):
            return False

    @contextmanager
    def limited(self) -> Iterator[None]:
        """A context in which an application that takes too long is cut short.

        An interval timer does it, so that quick applications cost nothing; timers work only in the
        main thread, and elsewhere there is no limit. A timer that was set before goes on
        afterwards.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        began = self._clock()
        before = signal.signal(signal.SIGALRM, self._tick)
        delay, interval = signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds / 2)
        try:
            yield
        finally:
            left = max(delay - (self._clock() - began), LEAST_ALARM_SECONDS) if delay else 0.0
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, left, interval)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self._running and self._seen == self.made:
            raise TimeLimit(f"an application took longer than {self.seconds} s")
        self._seen = self.made


class _Failure:
    __slots__ = ("problem",)

    def __init__(self, problem: BaseException) -> None:
        self.problem = problem


_MISSING = object()
