"""Watch the entries of this folder; what they say and how they end, as small dictionaries."""

import os
from collections.abc import Iterator
from typing import Any

from tests.sandbox.entries import Said

from symcrete.codec import Vocabulary, encoded
from symcrete.sandbox.driver.births import Task
from symcrete.sandbox.driver.watch import watch
from symcrete.sandbox.messages.doings import Doing, Running
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
from symcrete.sandbox.messages.words import Ready

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PLACE = {"PYTHONPATH": HERE}
WORDS: Vocabulary[Said] = Vocabulary(Said)
ENDS = {
    Finished: "worker-finished",
    Failed: "worker-failed",
    Exited: "worker-exited",
    Died: "worker-died",
    Hung: "worker-hung",
    Stopped: "worker-stopped",
    CutOff: "worker-cut-off",
}

Job = dict[str, Any]


def carry_on(job: Job, end: Ended) -> Job | None:
    """The same job, told under "after" what ended its earlier workers; None, which means give up,
    when two in a row ended over the same thing.
    """
    after = job.get("after", [])
    doing = plain_doing(end.doing)
    if after and after[-1]["doing"] == doing:
        return None
    return {**job, "after": [*after, {"doing": doing}]}


def watched(task: Task, job: Job, *, resume: Any = carry_on, **options: Any) -> Iterator[Job]:
    for message in watch(task, job, WORDS, resume=resume, **options):
        yield plain(message)


def plain(message: Ready | Said | Ended) -> Job:
    match message:
        case Ready(protection):
            return {"event": "worker-ready", "protection": list(protection)}
        case Said(name, fields):
            return {"event": name, **fields}
        case Ended():
            return {
                "event": ENDS[type(message.how)],
                **encoded(message.how),
                "doing": plain_doing(message.doing),
                "stdout": encoded(message.stdout),
                "stderr": encoded(message.stderr),
            }


def plain_doing(doing: Doing | None) -> Job | None:
    match doing:
        case None:
            return None
        case Running(way):
            return {"way": way}
        case _:
            return encoded(doing)
