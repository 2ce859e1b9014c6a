"""What a worker does that replays calls: play each, afresh or after the others, as ordered."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from symcrete.explore.cover.plan import name_of
from symcrete.instrument.conditions import Watched
from symcrete.run.untouched import finder
from symcrete.run.untouched.afresh import Afresh, Chance
from symcrete.run.untouched.another_machine import pretend_another_machine
from symcrete.run.untouched.forks import CannotKill
from symcrete.run.untouched.played import Replayed
from symcrete.run.untouched.replayer import Replayer
from symcrete.run.use import Ending
from symcrete.sandbox.messages.doings import Calling, Importing, Waiting
from symcrete.sandbox.messages.jobs import ServeCalls
from symcrete.sandbox.messages.words import TO_REPLAYING, Enough, Play, Played
from symcrete.sandbox.walls import audit, limits
from symcrete.sandbox.walls.confine import ForkFilter
from symcrete.sandbox.walls.effects import allowance
from symcrete.sandbox.worker.worker import Link
from symcrete.world.importing.concealed import CONCEALED

IMPORT_SECONDS = 20.0  # of the program; chosen: what takes longer is taken to hang
FORK_SLACK = 1.0  # seconds over a call's limit after which the driver ends the worker
FOR_EVER = 60.0  # seconds: more than the driver waits


def serve_calls(job: ServeCalls, link: Link) -> None:
    """The entry of a worker that replays: import the module, then play calls until there are no
    more.
    """
    link.doing(Importing(job.module), IMPORT_SECONDS)
    if job.ahead:
        _set_clock_ahead(job.ahead)
    if job.elsewhere:
        pretend_another_machine()
    chance = Chance(watched=bool(job.unsteady))
    conditions = Watched(job.file) if job.watching else None
    if conditions is not None:
        sys.meta_path.insert(0, conditions)
    replayer = Replayer(
        job.path,
        job.module,
        job.file,
        # What it took to build the objects that are passed is no coverage of the target.
        begin=conditions.start if conditions is not None else _nothing,
        aside=conditions.aside if conditions is not None else contextlib.nullcontext,
        imported=CONCEALED.forget,
    )
    if job.finder:
        finder.install()
    parent = os.getpid()
    walls = ForkFilter(allowance(link.protection.allowed)) if link.protection.walls else None
    order: Play | Enough = Enough()

    def in_child() -> None:
        limits.die_with(parent)
        if walls is not None:
            walls.install()

    def before(seconds: float) -> None:
        assert isinstance(order, Play)
        link.doing(Calling(order.number), seconds + FORK_SLACK)

    def play(scope: str, once: Callable[[], Replayed]) -> Replayed:
        did = _watched(once)
        if conditions is None:
            return did
        return replace(did, sides=sides_taken(conditions, job.within or scope))

    afresh = Afresh(
        replayer,
        chance,
        unsteady=frozenset(job.unsteady),
        before=before,
        in_child=in_child,
        around=play,
    )
    link.doing(Waiting())
    for order in link.orders(TO_REPLAYING):
        match order:
            case Enough():
                return
            case Play():
                with audit.unwatched():
                    did = _played(afresh, order)
                link.doing(Waiting())
                link.send(Played(order.number, did))
            case _:
                assert_never(order)


def _played(afresh: Afresh, order: Play) -> Replayed:
    try:
        return afresh.play(order.scope, order.call, order.seconds, after_others=order.after_others)
    except CannotKill:
        time.sleep(FOR_EVER)  # the driver ends all of us, and knows the call
        raise


def sides_taken(conditions: Watched, within: str) -> frozenset[str] | None:
    """The names of the outcomes that the last call took in the function `within`, which is a scope
    or "module:function"; None if the file was not imported.
    """
    if conditions.sites is None:
        return None
    own = conditions.sites.own(within.rpartition(":")[2] if ":" in within else within)
    first = own[0].number if own else 0
    numbers = {site.number: site for site in own}
    return frozenset(
        [
            name_of(numbers[number], side, first)
            for number, side in conditions.taken()
            if number in numbers
        ]
    )


def _nothing() -> None:
    pass


def _watched(play: Callable[[], Replayed]) -> Replayed:
    """Play a call in the fork; if the sandbox stopped something meanwhile, the outcome is that it
    was blocked.
    """
    with audit.watched():
        audit.reset()
        did = play()
        stopped = audit.blocked()
    return Replayed(Ending.BLOCKED, reason=str(stopped[0]), lines=did.lines) if stopped else did


def _set_clock_ahead(seconds: float) -> None:
    """Let `time.time` tell a later moment, so that results which depend on the time of day differ
    from those of the first interpreter.
    """
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)  # nanoseconds
