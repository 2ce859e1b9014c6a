"""What replays of one call agree on: only then it is a fact about the program.

Under the first hash seed a call is played afresh, under the second after all earlier calls. Where
the two differ it is looked into before the program is blamed: both play it afresh, alone and with
more time. A machine that was busy then has no say, earlier calls are known to be the reason, and
only what still differs is flaky.
"""

from __future__ import annotations

from dataclasses import replace

from symcrete.run.untouched.played import Replayed, all_idle, all_saw, combined, unsteady
from symcrete.run.use import FINISHED, MOST_NAMES_TOLD, Ending
from symcrete.slotted import dataclass

# times the usual limit, for a call on which two interpreters differ; chosen, not measured
MORE_TIME = 3.0
# `PYTHONHASHSEED` of the two interpreters that replay a call: sets have another order in each
HASH_SEEDS = ("0", "1")

_FACTS = FINISHED


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer that two replays agree on."""

    did: Replayed


@dataclass(frozen=True, slots=True)
class LookInto:
    """The two interpreters differ: both have to play the call afresh."""


def first_look(
    first: Replayed, later: Replayed, expected: Ending = Ending.UNTOLD
) -> Agreed | LookInto:
    """What follows from a call played afresh (`first`) and after earlier ones (`later`).

    `expected` is its outcome while exploring: a time limit that was not expected may be the fault
    of a busy machine, and is looked into.
    """
    if first.outcome == Ending.FLAKY:
        return Agreed(first)
    in_time = first.outcome != Ending.TIMEOUT or expected in (Ending.TIMEOUT, Ending.UNTOLD)
    same_way = first.lines == later.lines or first.outcome not in _FACTS
    if first.did == later.did and in_time and same_way:
        seen, idle = all_saw(first, later), all_idle(first, later)
        sides, only_later = later.sides, later.sides_later
        told = replace(first, sides=sides, sides_later=only_later, seen=seen, idle=idle)
        return Agreed(told)
    return LookInto()


def second_look(first: Replayed, later: Replayed, again: Replayed, elsewhere: Replayed) -> Replayed:
    """What the call does, after both interpreters played it afresh: `again` under the first seed,
    `elsewhere` under the second.
    """
    if again.did != elsewhere.did:
        return combined(again, elsewhere)
    if first.outcome in _FACTS and first.did != again.did:
        return unsteady("the result differs between two calls", first, again)
    if later.outcome in _FACTS and later.did != again.did:
        changed = tuple(sorted({*again.changed, *later.changed}))
        names = f", which change {', '.join(changed[:MOST_NAMES_TOLD])}" if changed else ""
        told = unsteady(f"it depends on earlier calls{names}", again, later)
        return replace(told, lines=again.lines, sides=elsewhere.sides)
    only_later = later.sides_later | (
        (later.sides or frozenset()) - (elsewhere.sides or frozenset())
    )
    seen, idle = all_saw(again, elsewhere, later), all_idle(again, elsewhere, later)
    return replace(again, sides=elsewhere.sides, sides_later=only_later, seen=seen, idle=idle)
