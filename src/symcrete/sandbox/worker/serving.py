"""What a worker does that replays calls: answer one after the other until there are no more."""

from __future__ import annotations

import time
from typing import assert_never

from symcrete.run import finder
from symcrete.run.played import Replayed
from symcrete.run.replayer import Replayer
from symcrete.sandbox.messages.doings import Calling, Importing, Waiting
from symcrete.sandbox.messages.jobs import ServeCalls
from symcrete.sandbox.messages.words import TO_REPLAYING, Enough, Play, Played
from symcrete.sandbox.walls import audit
from symcrete.sandbox.worker.worker import Link

IMPORT_SECONDS = 20.0


def serve_calls(job: ServeCalls, link: Link) -> None:
    """The entry of a worker."""
    link.doing(Importing(job.module), IMPORT_SECONDS)
    if job.ahead:
        _set_clock_ahead(job.ahead)
    replayer = Replayer(job.path, job.module, job.file, restoring=job.restoring)
    if not job.restoring:
        finder.install()
    unsteady = frozenset(job.unsteady)
    link.doing(Waiting())
    for order in link.orders(TO_REPLAYING):
        match order:
            case Enough():
                return
            case Play(number, scope, call, seconds):
                audit.reset()
                link.doing(Calling(number), seconds)
                did = replayer.answer(scope, call, unsteady)
                stopped = audit.blocked()
                link.doing(Waiting())
                if stopped:
                    did = Replayed("blocked", reason=str(stopped[0]), lines=did.lines)
                link.send(Played(number, did))
            case _:
                assert_never(order)


def _set_clock_ahead(seconds: float) -> None:
    """What depends on the time of day then differs from what the first interpreter gives."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)
