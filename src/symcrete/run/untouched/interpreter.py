"""A fresh interpreter that plays calls of a module, for whoever runs the engine without a sandbox.

Started by `replay` with `python -m`. Jobs come in as JSON lines on standard input, answers go out
on a copy of standard output; the program gets neither.
"""

from __future__ import annotations

import json
import os
from typing import Any

from symcrete.codec import decoded, encoded
from symcrete.run.untouched import finder
from symcrete.run.untouched.afresh import Afresh, Chance
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.replayer import Replayer
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Begin:
    """The first line: what to import."""

    path: tuple[str, ...]  # folders that make the import work
    module: str
    scope: str  # the function that is called where a job names none
    file: str  # the file whose executed lines are told
    finder: bool  # whether to put a finder of modules first, as test runners do


@dataclass(frozen=True, slots=True)
class Job:
    """Every further line: one call."""

    call: Call
    seconds: float  # seconds that it may take
    scope: str = ""  # the function; "" for the one that `Begin` names
    after_others: bool = False  # whether it is played after all earlier calls, not as the first


@dataclass(frozen=True, slots=True)
class Said:
    """One line back: what a call did; empty once the module is imported, or why nothing can be
    called.
    """

    did: Replayed | None = None
    failed: str = ""


def main() -> None:
    jobs = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    first = decoded(Begin, json.loads(jobs.readline()))
    chance = Chance(watched=True)
    try:
        replayer = Replayer(first.path, first.module, first.file)
        if first.finder:
            finder.install()
    except BaseException as error:
        _say(answers, Said(failed=f"{type(error).__name__}: {error}"))
        return
    _say(answers, Said())
    afresh = Afresh(replayer, chance)
    for line in jobs:
        job = decoded(Job, json.loads(line))
        scope = job.scope or first.scope
        did = afresh.play(scope, job.call, job.seconds, after_others=job.after_others)
        _say(answers, Said(did))


def _say(answers: Any, message: Said) -> None:
    answers.write(json.dumps(encoded(message)) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
