"""The driver: one target explored in a confined worker, its inputs replayed in others.

It imports neither the program nor a solver. Whatever the program does to its process, what was
found until then is reported, and another worker goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symcrete.explore.findings import FoundInput, TargetReport, input_from, report_from
from symcrete.explore.options import Options
from symcrete.program.target import Target
from symcrete.sandbox.effects import Allowance, allowance
from symcrete.sandbox.job import job_of
from symcrete.sandbox.process import Task
from symcrete.sandbox.replaying import confirm_all, how_it_ended
from symcrete.sandbox.watch import watch

ENTRY = "symcrete.sandbox.exploring:explore_target"
AFTER_BUDGET = 1.5  # seconds for replays and the report when the whole budget was spent exploring
START_ALLOWANCE = 0.4  # seconds to start a worker that the budget does not pay for
MOST_RESTARTS = 5

Listener = Callable[[FoundInput], None]


def cover(
    target: Target, options: Options, on_input: Listener = lambda found: None
) -> TargetReport:
    """Explore, replay and report one target."""
    return Cover(target, options, on_input).run()


class Cover:
    """One target on its way through the workers."""

    def __init__(self, target: Target, options: Options, on_input: Listener) -> None:
        self._target = target
        self._options = options
        self._on_input = on_input
        self._allow: Allowance = allowance(options.allow)
        self._began = time.perf_counter()
        self._kept: dict[str, FoundInput] = {}
        self._report: TargetReport | None = None
        self._ends: list[dict[str, Any]] = []
        self._blamed_args: dict[str, dict[str, str]] = {}
        self.protection: list[str] = []
        self.interrupted = False

    def run(self) -> TargetReport:
        try:
            self._explore()
        except KeyboardInterrupt:
            self.interrupted = True
        report = self._report or self._rest()
        if report.error:
            return replace(report, seconds=self._seconds())
        inputs = tuple(self._replayed(report.inputs))
        for found in inputs:
            self._on_input(found)
        notes = (*report.notes, *[_note(end) for end in self._ends])
        if self.interrupted:
            notes = (*notes, "interrupted")
        return replace(report, inputs=inputs, notes=notes, seconds=self._seconds())

    def _seconds(self) -> float:
        return time.perf_counter() - self._began

    def _explore(self) -> None:
        options = self._options
        task = Task(ENTRY, self._allow, memory=options.memory, confined=options.sandbox)
        budget = options.budget if options.max_runs is None else 3600.0
        job = job_of(self._target, options)
        # The clock of the whole machine: starting the worker counts, but for a moment's allowance.
        job["deadline"] = time.monotonic() + budget + START_ALLOWANCE
        for event in watch(task, job, budget=budget + 2 * START_ALLOWANCE, resume=self._resume):
            match event["event"]:
                case "kept":
                    found = input_from(event["input"])
                    self._kept[repr(found.args)] = found
                case "blamed":
                    self._blamed_args[event["input"]] = event["args"]
                case "report":
                    self._report = report_from(event["report"])
                case "worker-ready":
                    self.protection = list(event["protection"])
                case "worker-finished":
                    pass
                case _ if event["event"].startswith("worker-"):
                    self._note_end(event)

    def _note_end(self, outcome: dict[str, Any]) -> None:
        if outcome["event"] != "worker-stopped" or self._report is None:
            self._ends.append(outcome)

    def _resume(self, job: dict[str, Any], outcome: dict[str, Any]) -> dict[str, Any] | None:
        """The same job, without the input that ended the worker, for the time that is left."""
        if "input" not in (outcome.get("doing") or {}) or len(self._ends) > MOST_RESTARTS:
            return None
        return {**job, "after": [*job.get("after", ()), outcome]}

    def _rest(self) -> TargetReport:
        """What is known although no worker came to its end."""
        end = self._ends[-1] if self._ends else {}
        doing = end.get("doing") or {}
        label = self._target.label
        if "importing" in doing or (end.get("event") == "worker-failed" and not self._kept):
            return TargetReport(label, "failed", error=_import_end(end), exit_code=4)
        source = self._target.source
        return TargetReport(
            target=label,
            status="budget",
            inputs=tuple(self._kept.values()),
            module=source.module,
            root=str(source.root),
            scope=self._target.scope,
        )

    def _blamed(self) -> list[FoundInput]:
        """Inputs that ended a worker, each once."""
        found = []
        for end in self._ends:
            shown = (end.get("doing") or {}).get("input")
            if shown is None or end["event"] == "worker-stopped":  # the budget's fault
                continue
            how = how_it_ended(end)
            args = self._blamed_args.get(shown, {"input": shown})
            found.append(FoundInput(args, how.outcome, None, None, (), "", reason=how.reason))
        return found

    def _replayed(self, inputs: tuple[FoundInput, ...]) -> list[FoundInput]:
        found = [*inputs, *self._blamed()]
        plain = tuple([each for each in found if each.outcome in ("returned", "raised")])
        left = max(AFTER_BUDGET, self._options.budget + AFTER_BUDGET - self._seconds())
        if not self._options.replay or not plain:
            return found
        confirmed = confirm_all(
            self._target,
            plain,
            self._allow,
            confined=self._options.sandbox,
            memory=self._options.memory,
            seconds=self._options.run_seconds + 1.0,
            budget=left,
        )
        others = [each for each in found if each.outcome not in ("returned", "raised")]
        return [*confirmed, *others]


def _note(end: dict[str, Any]) -> str:
    if end["event"] == "worker-stopped":
        return "stopped at the end of the budget, before its report"
    return how_it_ended(end).reason


def _import_end(end: dict[str, Any]) -> str:
    doing = end.get("doing") or {}
    module = doing.get("importing", "the module")
    if end.get("event") == "worker-exited":
        return f"importing {module} ended the process (code {end['code']})"
    if end.get("event") == "worker-hung":
        return f"importing {module} does not end within {end['seconds']:g} s"
    if end.get("event") == "worker-failed":
        return f"internal error in the worker:\n{end['traceback']}"
    return f"importing {module}: {how_it_ended(end).reason}"
