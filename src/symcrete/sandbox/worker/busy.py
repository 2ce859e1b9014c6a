"""Whether the machine let a worker work: seconds that it ran, and seconds that it had to wait."""

from __future__ import annotations

from collections.abc import Callable

from symcrete.clock import Clock, wall
from symcrete.slotted import dataclass

STARVED = 0.25  # share of the time that a thread may wait for a processor without a complaint
# share of the time: a thread that ran for less found what the machine let it find, and another run
# may find more
TOO_LITTLE = 0.5
_open = open  # a program under test may put another in its place


@dataclass(frozen=True, slots=True)
class Spent:
    """How many seconds one thread ran, and how many it waited."""

    ran: float
    waited: float  # ready to run, while others did


def spent() -> Spent:
    """What the calling thread has spent since it began; zeros where the system does not tell."""
    try:
        with _open("/proc/thread-self/schedstat") as file:
            ran, waited, _ = file.read().split()
    except (OSError, ValueError):
        return Spent(0.0, 0.0)
    return Spent(int(ran) / 1e9, int(waited) / 1e9)  # nanoseconds


@dataclass(frozen=True, slots=True)
class Complaint:
    """That a thread got too little of the processor."""

    ran: float  # seconds
    seconds: float  # that passed meanwhile

    @property
    def is_serious(self) -> bool:
        """Whether it was so little that another run may find much more."""
        return self.ran < TOO_LITTLE * self.seconds

    def __str__(self) -> str:
        too = "too " if self.is_serious else ""
        spent = f"{self.ran:.1f} s of processor time in {self.seconds:.1f} s"
        return f"the machine was {too}busy: {spent}"


class Share:
    """The share of the machine that the calling thread gets from here on."""

    def __init__(self, clock: Clock = wall, look: Callable[[], Spent] = spent) -> None:
        self._clock = clock
        self._look = look
        self._began = clock()
        self._before = look()

    def complaint(self) -> Complaint | None:
        """That the thread got too little of the processor; None if it got enough."""
        seconds, now = self._clock() - self._began, self._look()
        if now.waited - self._before.waited < STARVED * seconds:
            return None
        return Complaint(now.ran - self._before.ran, seconds)
