"""How a worker ended, and over what."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from symcrete.sandbox.messages.doings import Doing
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """It did its job."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The code of its job raised an exception that is not the program's."""

    traceback: str

    @property
    def last_line(self) -> str:
        return self.traceback.strip().rpartition("\n")[2]


@dataclass(frozen=True, slots=True)
class Exited:
    """It ended the process by itself."""

    code: int | None


@dataclass(frozen=True, slots=True)
class Died:
    """A signal ended it."""

    signal: str


@dataclass(frozen=True, slots=True)
class Hung:
    """What it did took longer than it may; the driver ended it."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """It was at work when the budget was spent or the user stopped it; the driver ended it."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """It lost the channel to its driver."""


How: TypeAlias = Finished | Failed | Exited | Died | Hung | Stopped | CutOff


@dataclass(frozen=True, slots=True)
class Printed:
    """What it wrote to one of its streams."""

    bytes: int = 0
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of one worker."""

    how: How
    doing: Doing | None = None  # None: it had begun nothing, or the program scribbled over it
    stdout: Printed = Printed()
    stderr: Printed = Printed()

    @property
    def said(self) -> str:
        """The last line of its complaints."""
        return self.stderr.tail.strip().rpartition("\n")[2]

    def short(self) -> Ended:
        """The same without what it printed; the last complaint stays of a worker that did not
        begin.
        """
        complaint = Printed(self.stderr.bytes, self.said) if self.doing is None else Printed()
        return replace(self, stdout=Printed(), stderr=complaint)
