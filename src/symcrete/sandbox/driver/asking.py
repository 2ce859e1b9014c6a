"""Ask a confined worker one question about a target; its replays run in workers of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from symcrete.errors import ImportFailed, SymcreteError
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.run.replay import Call, Replayed, replayed_from
from symcrete.sandbox.driver.driver import (
    MOST_RESTARTS,
    exploring_task,
    import_end,
    killed_by_others,
)
from symcrete.sandbox.driver.process import WorkerProcess
from symcrete.sandbox.driver.replaying import Replays, how_it_ended
from symcrete.sandbox.driver.watch import watch
from symcrete.sandbox.worker.worker import Link

Plain = dict[str, Any]


class NoAnswer(Exception):
    """The worker ended, or the time did; why, in words."""


def ask(
    entry: str,
    job: Plain,
    target: Target,
    options: Options,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
) -> Plain:
    """What the worker answers. The user's mistakes are raised as in this process."""
    with contextlib.closing(Replays(target.source, options)) as replays:
        return _Question(replays, options, on_protection).asked(entry, job)


class _Question:
    def __init__(
        self, replays: Replays, options: Options, on_protection: Callable[[list[str]], None]
    ) -> None:
        self._replays = replays
        self._options = options
        self._on_protection = on_protection
        self._worker: WorkerProcess | None = None
        self._ends: list[Plain] = []

    def asked(self, entry: str, job: Plain) -> Plain:
        options = self._options
        task = exploring_task(entry, options)
        budget = options.budget
        for event in watch(task, job, budget=budget, resume=self._resume, started=self._attach):
            match event["event"]:
                case "replay":
                    self._replay(event)
                case "worker-ready":
                    self._on_protection(event["protection"])
                case "answer":
                    return {**event["answer"], "ways": self._ways()}
                case "mistake":
                    error = SymcreteError(event["text"])
                    error.exit_code = event["code"]
                    raise error
                case _ if event["event"].startswith("worker-") and "doing" in event:
                    self._ends.append(event)
        return self._nothing()

    def _nothing(self) -> Plain:
        end = self._ends[-1]
        if "importing" in (end.get("doing") or {}):
            raise ImportFailed(import_end(end))
        if end["event"] == "worker-failed":
            last = end["traceback"].strip().rpartition("\n")[2]
            raise NoAnswer(f"an internal error in the worker, please report it: {last}")
        if end["event"] == "worker-stopped":
            self._ends.pop()
            raise NoAnswer("; ".join(["the budget was spent", *self._ways()]))
        raise NoAnswer(how_it_ended(end).reason)

    def _ways(self) -> list[str]:
        """How inputs ended earlier workers."""
        return list(dict.fromkeys(how_it_ended(end).reason for end in self._ends))

    def _attach(self, worker: WorkerProcess) -> None:
        self._worker = worker

    def _resume(self, job: Plain, outcome: Plain) -> Plain | None:
        if len(self._ends) > MOST_RESTARTS:
            return None
        if killed_by_others(outcome):
            return job
        if "input" not in (outcome.get("doing") or {}):
            return None
        refused = [*job.get("refused", ()), outcome["doing"]["input"]]
        return {**job, "refused": refused}

    def _replay(self, event: Plain) -> None:
        worker = self._worker
        assert worker is not None

        def told(did: Replayed) -> None:
            worker.send({**asdict(did), "lines": sorted(did.lines)})

        call = event["call"]
        imports = tuple([(module, name) for module, name in call["imports"]])
        self._replays.post(
            event["scope"],
            Call(call["args"], tuple(call["keywords"]), imports),
            event["seconds"],
            told,
        )


def replay_by(link: Link, target: Target, call: Call, seconds: float) -> Replayed:
    """In the worker: have a call replayed elsewhere and wait for what it did."""
    link.doing(2 * seconds + 10.0, waiting=True)
    link.send("replay", scope=target.called, call=asdict(call), seconds=seconds)
    return replayed_from(next(link.orders))
