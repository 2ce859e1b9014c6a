"""What a worker can be about to do: the driver blames this when the worker hangs or dies."""

from __future__ import annotations

from typing import TypeAlias

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Importing:
    """The program's module runs for the first time."""

    module: str


@dataclass(frozen=True, slots=True)
class Exploring:
    """It chooses what to run next: nothing of the program is at work."""


@dataclass(frozen=True, slots=True)
class Running:
    """The program runs on an input."""

    input: str


@dataclass(frozen=True, slots=True)
class Solving:
    """A solver looks for an input that takes the side of a branch of an earlier run."""

    input: str  # of the earlier run
    depth: int  # of the branch on its path
    side: bool


@dataclass(frozen=True, slots=True)
class Calling:
    """The untouched program replays a call."""

    number: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """It waits for the next order, or for an answer."""


@dataclass(frozen=True, slots=True)
class Ending:
    """It makes the report, which is all that is left to do."""


Doing: TypeAlias = Importing | Exploring | Running | Solving | Calling | Waiting | Ending
