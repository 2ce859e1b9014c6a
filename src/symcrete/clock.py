"""The clock: whoever needs the time is handed one, and a test can hand over another."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeAlias

from symcrete.slotted import dataclass

Clock: TypeAlias = Callable[[], float]  # seconds since some moment; never goes back

wall: Clock = time.perf_counter
processor: Clock = time.process_time  # seconds that this process ran, all its threads together

WAITING = 0.1  # seconds of work that each second of the wall's counts for, so that waiting ends too


def work() -> float:
    """A clock that runs about alike on a busy machine and on an idle one: seconds that this process
    ran, and a tenth of the seconds that passed.
    """
    return processor() + WAITING * wall()


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time by a clock, at which something has to end."""

    at: float = math.inf
    clock: Clock = wall

    @property
    def has_come(self) -> bool:
        return self.clock() > self.at

    @property
    def never_comes(self) -> bool:
        """Whether there is no such point; nothing may then depend on how fast the machine is."""
        return self.at == math.inf


def after_work(seconds: float, clock: Clock) -> Moment:
    """The moment after so many seconds by `work`, if the clock is the wall's; by any other clock,
    after so many of its own seconds.
    """
    counted = work if clock is wall else clock
    return Moment(counted() + seconds, counted)
