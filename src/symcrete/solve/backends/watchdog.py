"""Time limits that hold: one thread that interrupts whatever runs past its deadline."""

from __future__ import annotations

import threading
from collections.abc import Callable

from symcrete.clock import Clock, wall

TICK = 0.05  # seconds between two looks at the deadline: no interrupt is later than this
# seconds between two interrupts of one call, to let it give up after the first
SECONDS_BETWEEN_INTERRUPTS = 0.4
# looks without a call under way, a second in all; then the thread sleeps until the next call
IDLE_LOOKS = 20


class Watchdog:
    """`start` before a call into a solver, `stop` after it; both cost well under a microsecond."""

    def __init__(self, clock: Clock = wall) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._deadline = 0.0  # 0.0: no call is under way
        self._interrupt: Callable[[], object] | None = None
        self._thread: threading.Thread | None = None
        self._caller = 0  # the thread whose call is watched
        self.barked = False  # whether the last call was interrupted

    def start(self, seconds: float, interrupt: Callable[[], object]) -> None:
        """Interrupt the call that follows by `interrupt` if it takes more than `seconds`."""
        self.barked = False
        self._caller = threading.get_ident()
        self._interrupt = interrupt
        self._deadline = self._clock() + seconds
        # A fork leaves the thread behind, hence the question whether it lives.
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(
                target=self._watch, name="symcrete-watchdog", daemon=True
            )
            self._thread.start()
        if not self._wake.is_set():
            self._wake.set()

    def stop(self) -> bool:
        """End the watch over a call; whether it was interrupted.

        A call that was given up ends after the next one has begun, whose watch goes on.
        """
        if self._caller != threading.get_ident():
            return True
        with self._lock:
            self._deadline = 0.0
            self._interrupt = None  # it holds the solver, and that the terms it was told
        return self.barked

    def _watch(self) -> None:
        idle = 0
        while True:
            if idle > IDLE_LOOKS:
                self._wake.clear()
                if not self._deadline:
                    self._wake.wait()
                idle = 0
            threading.Event().wait(TICK)
            with self._lock:
                deadline = self._deadline
                idle = 0 if deadline else idle + 1
                if deadline and self._clock() > deadline and self._interrupt is not None:
                    # Again until the call returns, since an interrupt can come too early; but not
                    # while it is still giving up, which not every solver survives.
                    self.barked = True
                    self._interrupt()
                    self._deadline = self._clock() + SECONDS_BETWEEN_INTERRUPTS


watchdog = Watchdog()
