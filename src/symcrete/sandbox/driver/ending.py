"""The end of a worker in the user's words: what the input did, or what went wrong."""

from __future__ import annotations

from typing import assert_never

from symcrete.errors import INTERNAL_ERROR, ImportFailed
from symcrete.run.untouched.played import Replayed
from symcrete.run.use import Ending
from symcrete.sandbox.messages.doings import Calling, Importing, Running, Solving
from symcrete.sandbox.messages.ends import (
    CutOff,
    Died,
    Ended,
    Exited,
    Failed,
    Finished,
    Hung,
    Stopped,
)

_BEYOND_BUDGET = "the worker did not come to an end by itself when the budget was spent"


def how_it_ended(end: Ended) -> Replayed:
    """The end of a worker as an outcome of the input it was running."""
    match end.how:
        case Died(signal):
            return Replayed(Ending.CRASHED, reason=f"target crashed: {signal}")
        case Exited(code):
            return Replayed(Ending.CRASHED, reason=f"target ended the process (code {code})")
        case Hung(seconds):
            return Replayed(Ending.TIMEOUT, reason=f"does not end within {seconds:g} s")
        case CutOff():
            return Replayed(Ending.CRASHED, reason="target closed the descriptors of its process")
        case Failed() | Stopped() | Finished():
            return Replayed(Ending.CRASHED, reason="the process of the target ended")
        case _:
            assert_never(end.how)


def is_ours(end: Ended) -> bool:
    """Whether an error of ours, the end of the budget or the user ended it, and not the program."""
    return isinstance(end.how, Failed | Stopped)


def killed_by_others(end: Ended) -> bool:
    """Whether something outside killed the worker: while it runs nothing of the program, it does
    not send this signal to itself.
    """
    return end.doing is None and end.how == Died("SIGKILL")


def note_of(end: Ended) -> str:
    """What a report says about a worker that did not come to its end."""
    if isinstance(end.how, Failed):
        return f"internal error: {end.how.last_line}"
    if isinstance(end.how, Stopped):
        return _BEYOND_BUDGET
    if isinstance(end.doing, Solving):
        return "a solver did not come back and was ended with its worker"
    if isinstance(end.how, Hung) and not isinstance(end.doing, Running | Calling):
        # Nothing of the program was at work: its inputs are not to blame.
        late = f"a worker process did not start within {end.how.seconds:g} s"
        return late if end.doing is None else _BEYOND_BUDGET
    return how_it_ended(end).reason


def failure_of(end: Ended) -> str:
    """Why nothing of a target could be explored."""
    module = end.doing.module if isinstance(end.doing, Importing) else "the module"
    if isinstance(end.how, Failed):
        return f"internal error: {end.how.last_line}"
    if end.doing is None and not isinstance(end.how, Hung | Stopped):
        return f"a worker process cannot start here: {end.said or how_it_ended(end).reason}"
    match end.how:
        case Exited(code):
            return f"importing {module} ended the process (code {code})"
        case Hung(seconds):
            return f"importing {module} does not end within {seconds:g} s"
        case Stopped():
            return f"importing {module} does not end within the budget"
        case Died() | CutOff() | Finished():
            return f"importing {module}: {how_it_ended(end).reason}"
        case _:
            assert_never(end.how)


def exit_code_of(end: Ended) -> int:
    """The exit code for a target that failed by this end: that of our errors, or of a program that
    cannot be imported.
    """
    ours = isinstance(end.how, Failed) or end.doing is None
    return INTERNAL_ERROR if ours else ImportFailed.exit_code
