"""Whether a run past its limit got too little of the processor to be judged by the clock."""

from __future__ import annotations

from symcrete.clock import Clock

# the share of the seconds that a run had the processor: one that waited longer than this for it is
# starved; chosen, not measured
WAITED_SHARE = 0.25
MOST_PATIENCE = 3  # times the limit that a starved run may take; chosen, not measured
_open = open  # a program under test may put another in its place


class Lateness:
    """A run past its limit. On a busy machine it may be slow through no fault of its own: then the
    processor's time counts. A run that sleeps or waits has no such excuse.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._run = 0.0
        self._before = (0.0, 0.0, 0.0)  # the clock, seconds run and seconds kept waiting

    def is_starved(self, run: float, limit: float) -> bool:
        """Whether the run that began at this moment got too little of the processor to be judged by
        the clock. It takes two looks to tell, so the answer to the first is yes.
        """
        before, now = self._before, (self._clock(), *_processor_seconds())
        if run != self._run:
            self._run, self._before = run, now
            return True  # the next look tells
        elapsed, ran, waited = (b - a for a, b in zip(before, now, strict=True))
        hardly_ran = waited > ran * WAITED_SHARE and ran < limit
        return hardly_ran and ran + waited > elapsed / 2 and now[0] - run < MOST_PATIENCE * limit


def _processor_seconds() -> tuple[float, float]:
    """How long this thread ran, and how long it waited for a processor; zeros where the system does
    not tell.
    """
    try:
        with _open("/proc/thread-self/schedstat") as file:
            ran, waited, _ = file.read().split()
    except OSError:
        return 0.0, 0.0
    return int(ran) / 1e9, int(waited) / 1e9  # nanoseconds
