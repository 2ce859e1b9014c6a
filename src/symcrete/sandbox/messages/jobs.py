"""What a worker is to do, for each kind of worker."""

from __future__ import annotations

from typing import Any

from symcrete.explore.options import Options
from symcrete.explore.reach.reached import Goal
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.sandbox.messages.ends import Ended
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Explore:
    """Cover the branches of a target."""

    target: Target
    options: Options
    starts: tuple[str, ...] = ()  # inputs known to be worth a run
    after: tuple[Ended, ...] = ()  # of earlier workers: what they did last is not tried again
    learned: tuple[str, ...] = ()  # inputs as people write them, which may fit or not


@dataclass(frozen=True, slots=True)
class HoldModule:
    """Import a module, and fork a worker for each of its functions that is asked for."""

    source: Source
    options: Options
    first: Target  # the function that is asked for first


@dataclass(frozen=True, slots=True)
class Reach:
    """Find an input that reaches a goal."""

    target: Target
    options: Options
    goal: Goal
    entry: str | None  # the function to start from, if not the one around the goal
    refused: tuple[str, ...] = ()  # inputs that ended earlier workers


@dataclass(frozen=True, slots=True)
class Explain:
    """Tell the path of one input."""

    target: Target
    options: Options
    input: str
    refused: tuple[str, ...] = ()  # inputs that ended earlier workers


@dataclass(frozen=True, slots=True)
class ServeCalls:
    """Replay the calls that are ordered."""

    path: tuple[str, ...]  # folders that make the import work
    module: str
    file: str  # whose executed lines are told
    watching: bool  # tell the sides of conditions that a call takes; else the module is untouched
    within: str  # "module:function" whose conditions are told; "": those of the function called
    finder: bool  # with a finder of modules as test runners have one
    ahead: float  # seconds by which the clock is set ahead
    elsewhere: bool  # as if on another machine
    unsteady: tuple[int, ...]  # lines that ask for chance or the time


@dataclass(frozen=True, slots=True)
class Birth:
    """What a fork of a zygote takes over from its driver before it is a worker."""

    environment: dict[str, str]
    cwd: str
    descriptors: tuple[int, ...]  # as the driver numbers them


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a worker process needs to know when it starts."""

    driver: int  # its process number
    entry: str  # "module:function", called with the job and a Link
    job: Any  # of the type that the entry's first parameter is annotated with
    budget: float  # seconds left for it
    token: str  # begins each of its messages
    channel: int  # descriptors
    board: int
    notices: int
    orders: int
    work: str  # the one folder that can be written to
    allow: tuple[str, ...]
    memory: int | None  # bytes of address space
    forks: bool
    confined: bool
    bears: bool = False  # it forks at the driver's word
