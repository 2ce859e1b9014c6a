"""The clock of solving: this is the one place that names it, everybody else is given one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]  # seconds since some moment, never going back
MONOTONIC: Clock = time.monotonic
