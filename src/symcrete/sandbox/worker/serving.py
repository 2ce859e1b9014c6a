"""What a worker does that replays calls: play each of them afresh until it is told: enough."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import assert_never

from symcrete.run.untouched import finder
from symcrete.run.untouched.afresh import Afresh, Chance
from symcrete.run.untouched.forks import CannotKill
from symcrete.run.untouched.played import Replayed
from symcrete.run.untouched.replayer import Replayer
from symcrete.sandbox.messages.doings import Calling, Importing, Waiting
from symcrete.sandbox.messages.jobs import ServeCalls
from symcrete.sandbox.messages.words import TO_REPLAYING, Enough, Play, Played
from symcrete.sandbox.walls import audit, limits
from symcrete.sandbox.walls.confine import ForkFilter
from symcrete.sandbox.walls.effects import allowance
from symcrete.sandbox.worker.worker import Link

IMPORT_SECONDS = 20.0
SLACK = 1.0  # seconds after which a fork that was not ended here is the driver's to end


def serve_calls(job: ServeCalls, link: Link) -> None:
    """The entry of a worker."""
    link.doing(Importing(job.module), IMPORT_SECONDS)
    if job.ahead:
        _set_clock_ahead(job.ahead)
    chance = Chance(watched=bool(job.unsteady))
    replayer = Replayer(job.path, job.module, job.file)
    if job.finder:
        finder.install()
    serving = _Serving(link)
    parent = os.getpid()
    walls = ForkFilter(allowance(link.protection.allowed)) if link.protection.walls else None

    def in_child() -> None:
        limits.die_with(parent)
        if walls is not None:
            walls.install()

    afresh = Afresh(
        replayer,
        chance,
        unsteady=frozenset(job.unsteady),
        before=serving.plays,
        in_child=in_child,
        around=_watched,
    )
    link.doing(Waiting())
    for order in link.orders(TO_REPLAYING):
        match order:
            case Enough():
                return
            case Play():
                serving.number = order.number
                with audit.unwatched():
                    did = serving.played(afresh, order)
                link.doing(Waiting())
                link.send(Played(order.number, did))
            case _:
                assert_never(order)


class _Serving:
    """Tells the driver which call is under way."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.number = 0

    def plays(self, seconds: float) -> None:
        self._link.doing(Calling(self.number), seconds + SLACK)

    def played(self, afresh: Afresh, order: Play) -> Replayed:
        try:
            return afresh.play(
                order.scope, order.call, order.seconds, after_others=order.after_others
            )
        except CannotKill:
            time.sleep(float(SLACK) * 60)  # the driver ends all of us, and knows the call
            raise


def _watched(play: Callable[[], Replayed]) -> Replayed:
    """In the fork: what the sandbox stopped during the call is its outcome."""
    with audit.watched():
        audit.reset()
        did = play()
        stopped = audit.blocked()
    return Replayed("blocked", reason=str(stopped[0]), lines=did.lines) if stopped else did


def _set_clock_ahead(seconds: float) -> None:
    """What depends on the time of day then differs from what the first interpreter gives."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)
