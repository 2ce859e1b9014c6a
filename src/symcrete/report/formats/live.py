"""One line that changes while many functions are explored: how far, how fast, how long still."""

from __future__ import annotations

import shutil
from typing import TextIO

from symcrete.clock import Clock, wall
from symcrete.explore.findings import TargetReport


class Live:
    """The line, on a terminal that somebody watches; nothing anywhere else."""

    def __init__(self, out: TextIO, total: int, *, shown: bool, clock: Clock = wall) -> None:
        self._out = out
        self._total = total
        self._shown = shown
        self._clock = clock
        self._began = clock()
        self._at: dict[str, None] = {}
        self._done = self._covered = self._branches = self._runs = 0

    def begin(self, label: str) -> None:
        """A worker takes up this target."""
        self._at[label] = None
        self.draw()

    def end(self, report: TargetReport) -> None:
        """A target is done."""
        self._at.pop(report.target, None)
        self._done += 1
        self._covered += report.branches.covered
        self._branches += report.branches.total
        self._runs += report.runs
        self.draw()

    def draw(self) -> None:
        if self._shown:
            width = shutil.get_terminal_size((100, 24)).columns - 1
            self._out.write(f"\r\033[K{self.text()[:width]}")
            self._out.flush()

    def clear(self) -> None:
        """Remove the line from the terminal before anything else is written there."""
        if self._shown:
            self._out.write("\r\033[K")
            self._out.flush()

    def text(self) -> str:
        """The line as it is now."""
        seconds = max(self._clock() - self._began, 1e-9)
        parts = [f"{self._done} of {self._total} functions"]
        if self._done:
            parts.append(f"{self._covered} of {self._branches} branches")
            parts.append(f"{self._runs / seconds:.0f} runs/s")
            left = seconds / self._done * (self._total - self._done)
            parts.append(f"about {_duration(left)} left")
        return ", ".join(parts) + (f": {', '.join(self._at)} ..." if self._at else "")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
