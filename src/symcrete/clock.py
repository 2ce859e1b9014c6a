"""The clock: whoever needs the time is handed one, and a test can hand over another."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]  # seconds since some moment; never goes back

wall: Clock = time.perf_counter
