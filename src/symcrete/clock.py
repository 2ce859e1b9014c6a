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

WAITING = 0.1  # seconds of work that a second of waiting counts for, so that it ends as well


def work() -> float:
    """Seconds of work, on a busy machine as on an idle one: of the processor, and a tenth of those
    that pass.
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
        """Then nothing may depend on how fast the machine is."""
        return self.at == math.inf


def after_work(seconds: float, clock: Clock) -> Moment:
    """The moment when so much was done as takes these seconds of the wall's time on an idle
    machine; by another clock, after them.
    """
    counted = work if clock is wall else clock
    return Moment(counted() + seconds, counted)
