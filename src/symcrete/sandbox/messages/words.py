"""What driver and worker say to each other, and who may say what."""

from __future__ import annotations

from typing import TypeAlias

from symcrete.codec import Vocabulary
from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.explore.reach.reached import Reached, Undecided, Unreachable
from symcrete.explore.told_path import Explanation
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending
from symcrete.sandbox.messages.ends import Failed, Finished
from symcrete.sandbox.messages.jobs import Explore
from symcrete.slotted import dataclass

# -- of every worker


@dataclass(frozen=True, slots=True)
class Ready:
    """It is confined and begins its job."""

    protection: tuple[str, ...]  # what is protected and what is not, in words


# -- of one that explores


@dataclass(frozen=True, slots=True)
class Begun:
    """The target can be called, and how."""

    kind: str  # function, generator, ...
    is_method: bool
    guessed: bool = False  # no declaration tells the types of all inputs
    leaves_nothing: bool = False  # no call of it can change what another one does


@dataclass(frozen=True, slots=True)
class Found:
    """A path that no run took before, where every one is asked for."""

    input: FoundInput


@dataclass(frozen=True, slots=True)
class Kept:
    """A run covered something new."""

    input: FoundInput
    assignment: str  # the input as the engine has it


@dataclass(frozen=True, slots=True)
class Blamed:
    """An input that ended an earlier worker, as a call."""

    input: str  # as the engine has it, which is no expression: infinities have no literal
    called: FoundInput


def call_blamed(args: dict[str, str]) -> FoundInput:
    """A call that is to blame, of which nobody has told yet how it ended."""
    return FoundInput(args, Ending.UNTOLD, None, None, (), "")


@dataclass(frozen=True, slots=True)
class Reported:
    """What the exploration found: it is over, or does not end although its budget is spent."""

    report: TargetReport


# -- of one that holds a module


@dataclass(frozen=True, slots=True)
class Born:
    """It forked a worker for the function that was asked for."""

    pid: int


@dataclass(frozen=True, slots=True)
class Left:
    """Its fork has ended."""

    code: int  # negative for a signal
    learned: tuple[str, ...] = ()  # modules and methods of ours that it had to make ready


@dataclass(frozen=True, slots=True)
class Stays:
    """The fork's target left nothing behind: it waits for another one instead of ending."""

    learned: tuple[str, ...] = ()  # modules and methods of ours that it had to make ready


@dataclass(frozen=True, slots=True)
class Unforkable:
    """It cannot fork: the system does not let it, or the module started threads."""

    reason: str


# -- of one that was asked a question


@dataclass(frozen=True, slots=True)
class Decided:
    """The answer about a goal."""

    verdict: Reached | Unreachable | Undecided


@dataclass(frozen=True, slots=True)
class Explained:
    """The path of the input."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake of the user, which the driver raises again."""

    text: str
    code: int


@dataclass(frozen=True, slots=True)
class WantsReplay:
    """A call to be replayed elsewhere; the worker waits for a `Told`."""

    scope: str
    call: Call
    seconds: float


# -- of one that replays


@dataclass(frozen=True, slots=True)
class Played:
    """What an ordered call did."""

    number: int
    did: Replayed


# -- orders of the driver


@dataclass(frozen=True, slots=True)
class Play:
    """Replay a call of the function with this name; it may take so many seconds."""

    number: int
    scope: str
    call: Call
    seconds: float
    after_others: bool = False  # play it after all earlier calls, not as the first


@dataclass(frozen=True, slots=True)
class Bear:
    """Fork a worker that explores a function, or have the one do it that stays; it has so many
    seconds.
    """

    job: Explore
    budget: float
    number: int  # of the order: one that may be lost is sent twice, and done once


@dataclass(frozen=True, slots=True)
class Alone:
    """The answer to `Unforkable`: explore the function in this process, and end."""


@dataclass(frozen=True, slots=True)
class Enough:
    """There are no more calls."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the call did that the worker wanted replayed."""

    did: Replayed


OfAnyWorker: TypeAlias = Ready | Finished | Failed
OfExploring: TypeAlias = Begun | Kept | Found | Blamed | Reported
OfHolding: TypeAlias = Born | Left | Stays | Unforkable
OfAnswering: TypeAlias = Decided | Explained | Mistake | WantsReplay
ToHolding: TypeAlias = Bear | Alone
ToReplaying: TypeAlias = Play | Enough

OF_ANY_WORKER: Vocabulary[OfAnyWorker] = Vocabulary(Ready, Finished, Failed)
OF_EXPLORING: Vocabulary[OfExploring] = Vocabulary(Begun, Kept, Found, Blamed, Reported)
OF_HOLDING: Vocabulary[OfHolding] = Vocabulary(Born, Left, Stays, Unforkable)
OF_ANSWERING: Vocabulary[OfAnswering] = Vocabulary(Decided, Explained, Mistake, WantsReplay)
OF_REPLAYING: Vocabulary[Played] = Vocabulary(Played)
TO_REPLAYING: Vocabulary[ToReplaying] = Vocabulary(Play, Enough)
TO_HOLDING: Vocabulary[ToHolding] = Vocabulary(Bear, Alone)
TO_ANSWERING: Vocabulary[Told] = Vocabulary(Told)
