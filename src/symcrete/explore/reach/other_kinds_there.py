"""Whether a call with a value of another kind executes a line that seems to be unreachable."""

from __future__ import annotations

from symcrete.clock import Moment
from symcrete.explore.attack.other_call import OtherCall
from symcrete.explore.attack.other_kinds import variants
from symcrete.explore.loop.loop import Explored
from symcrete.explore.reach.line_confirmed import Confirmation, confirmed_call
from symcrete.explore.reach.reached import Goal
from symcrete.inputs.literal import NoLiteral
from symcrete.run.untouched.replay import ReplayOnce
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class There:
    """A call that executed the line while exploring."""

    shown: str
    confirmed: Confirmation | None  # None if it was not replayed, or not seen to do so again


def first_that_is_there(
    exploration: Explored, goal: Goal, until: Moment, replay: ReplayOnce | None, seconds: float
) -> There | None:
    """The first call that executes the line of the goal, replayed for at most so many seconds where
    there is a `replay`; None if none did in time, or if more is asked for than a line.
    """
    parts, watch = exploration.parts, exploration.parts.watch
    assert watch is not None, "a quest is for a line"
    if goal.side is not None or goal.error is not None:
        return None
    with parts.runner:
        for each in variants(parts, exploration.progress):
            if until.has_come:
                return None
            watch.begin()
            parts.runner.run_values(each.values)
            if watch.seen:
                return There(each.shown(parts), _replayed(each, exploration, goal, replay, seconds))
    return None


def _replayed(
    call: OtherCall,
    exploration: Explored,
    goal: Goal,
    replay: ReplayOnce | None,
    seconds: float,
) -> Confirmation | None:
    if replay is None:
        return None
    try:
        written = call.call(exploration.parts.arguments)
    except NoLiteral:
        return None
    return confirmed_call(written, goal, exploration.parts, replay, seconds)
