"""Ask a confined worker one question about a target; its replays run in workers of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar, assert_never

from symcrete.errors import ImportFailed, InternalError, SymcreteError
from symcrete.explore.options import Options
from symcrete.explore.reach.reached import Verdict
from symcrete.explore.told_path import Explanation
from symcrete.run.untouched.played import Replayed
from symcrete.sandbox.driver.births import MOST_RESTARTS_PER_JOB, exploring_task
from symcrete.sandbox.driver.ending import failure_of, killed_by_others, note_of
from symcrete.sandbox.driver.replaying import Replays
from symcrete.sandbox.driver.watch import Worker, watch
from symcrete.sandbox.messages.doings import Importing, Running
from symcrete.sandbox.messages.ends import Ended, Failed, Finished, Stopped
from symcrete.sandbox.messages.jobs import Explain, Reach
from symcrete.sandbox.messages.words import (
    OF_ANSWERING,
    Decided,
    Explained,
    Mistake,
    Ready,
    Told,
    WantsReplay,
)

Question: TypeAlias = Reach | Explain
Q = TypeVar("Q", Reach, Explain)
OnProtection: TypeAlias = Callable[[list[str]], None]


class NoAnswer(Exception):
    """The worker ended, or the time did; why, in words."""


class Asking:
    """One question on its way through the workers."""

    def __init__(self, options: Options, on_protection: OnProtection) -> None:
        self._options = options
        self._on_protection = on_protection
        self._worker: Worker | None = None
        self._ends: list[Ended] = []

    def asked(self, entry: str, question: Q) -> Verdict | Explanation:
        """The worker's answer to a question. Raises NoAnswer where there is none; the user's
        mistakes are raised as if they were found in this process.
        """
        source = question.target.source
        with contextlib.closing(Replays(source, self._options)) as replays:
            for message in watch(
                exploring_task(entry, self._options),
                question,
                OF_ANSWERING,
                budget=self._options.budget,
                resume=self._resume,
                started=self._attach,
            ):
                match message:
                    case WantsReplay():
                        self._replay(replays, message)
                    case Ready(protection):
                        self._on_protection(list(protection))
                    case Decided(verdict):
                        return verdict
                    case Explained(explanation):
                        return explanation
                    case Mistake(text, code):
                        raise SymcreteError(text, exit_code=code)
                    case Ended():
                        self._ends.append(message)
                    case _:
                        assert_never(message)
        raise self._nothing()

    def ways(self) -> list[str]:
        """How inputs ended earlier workers, in words."""
        return list(dict.fromkeys(note_of(end) for end in self._ends))

    def _nothing(self) -> Exception:
        """The exception that says why there was no answer."""
        end = self._ends[-1]
        if isinstance(end.doing, Importing) and not isinstance(end.how, Finished):
            return ImportFailed(failure_of(end))
        if isinstance(end.how, Failed):
            return InternalError(end.how.last_line, end.how.traceback)
        if isinstance(end.how, Stopped):
            self._ends.pop()
            return NoAnswer("; ".join(["the budget was spent", *self.ways()]))
        return NoAnswer(note_of(end))

    def _attach(self, worker: Worker) -> None:
        self._worker = worker

    def _resume(self, question: Q, end: Ended) -> Q | None:
        if len(self._ends) > MOST_RESTARTS_PER_JOB:
            return None
        if killed_by_others(end):
            return question
        if not isinstance(end.doing, Running):
            return None
        return replace(question, refused=(*question.refused, end.doing.input))

    def _replay(self, replays: Replays, wanted: WantsReplay) -> None:
        worker = self._worker
        assert worker is not None

        def told(did: Replayed) -> None:
            worker.send(Told(did))

        replays.post(wanted.scope, wanted.call, wanted.seconds, told)
