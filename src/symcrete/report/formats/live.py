"""What changes on the terminal while many functions are explored: one line for each that a worker
is at, and one for how far, how fast and how long still.
"""

from __future__ import annotations

import shutil
import threading
from typing import Self, TextIO

from symcrete.clock import Clock, wall
from symcrete.explore.findings import TargetReport

_BETWEEN_DRAWINGS = 0.5  # seconds between two drawings, so that one sees that something happens
_UP = "\033[A"
_CLEAR_BELOW = "\r\033[J"


class Live:
    """The lines, on a terminal that somebody watches; nothing anywhere else. Several threads may
    tell it things.
    """

    def __init__(self, out: TextIO, total: int, *, shown: bool, clock: Clock = wall) -> None:
        self._out = out
        self._total = total
        self._shown = shown
        self._clock = clock
        self._began = clock()
        self._lock = threading.RLock()
        self._at: dict[str, tuple[float, int]] = {}  # since when, and inputs found since
        self._done = self._covered = self._branches = self._runs = 0
        self._drawn = 0  # lines that are on the terminal
        self._over = threading.Event()

    def __enter__(self) -> Self:
        if self._shown:
            threading.Thread(target=self._tick, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.clear()

    def begin(self, label: str) -> None:
        """A worker takes up this target."""
        with self._lock:
            self._at[label] = (self._clock(), 0)
            self.draw()

    def found(self, label: str) -> None:
        """An input of a target was confirmed."""
        with self._lock:
            since, inputs = self._at.get(label, (self._clock(), 0))
            self._at[label] = (since, inputs + 1)

    def end(self, report: TargetReport) -> None:
        """A target is done."""
        with self._lock:
            self._at.pop(report.target, None)
            self._done += 1
            self._covered += report.branches.covered
            self._branches += report.branches.total
            self._runs += report.runs
            self.draw()

    def draw(self) -> None:
        """Put the lines as they are now in place of those that are there."""
        if not self._shown or self._over.is_set():
            return
        with self._lock:
            size = shutil.get_terminal_size((100, 24))
            lines = [each[: size.columns - 1] for each in self.lines()[-(size.lines - 1) :]]
            self._out.write(self._back() + "\n".join(lines))
            self._out.flush()
            self._drawn = len(lines)

    def clear(self) -> None:
        """Remove the lines from the terminal before anything else is written there."""
        with self._lock:
            if self._drawn:
                self._out.write(self._back())
                self._out.flush()
                self._drawn = 0

    def lines(self) -> list[str]:
        """What is to be seen now, the sum of all last."""
        now = self._clock()
        lines = [
            f"  {label}: {now - since:.0f} s, {inputs} input{'s' * (inputs != 1)}"
            for label, (since, inputs) in self._at.items()
        ]
        seconds = max(now - self._began, 1e-9)
        parts = [f"{self._done} of {self._total} functions"]
        if self._done:
            parts.append(f"{self._covered} of {self._branches} branches")
            parts.append(f"{self._runs / seconds:.0f} runs/s")
            left = seconds / self._done * (self._total - self._done)
            parts.append(f"about {_duration(left)} left")
        return [*lines, ", ".join(parts)]

    def _back(self) -> str:
        """What moves to the beginning of the lines that are there and removes them."""
        return _UP * (self._drawn - 1) + _CLEAR_BELOW

    def _tick(self) -> None:
        while not self._over.wait(_BETWEEN_DRAWINGS):
            with self._lock:
                if self._drawn:
                    self.draw()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
