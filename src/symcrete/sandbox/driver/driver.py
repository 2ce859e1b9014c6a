"""The driver: one target explored in a confined worker, its inputs replayed in others.

It imports neither the program nor a solver. Whatever the program does to its process, what was
found until then is reported, and another worker goes on from there.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from symcrete.explore.findings import FoundInput, TargetReport, input_from, report_from, to_plain
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.sandbox.driver.confirming import Confirming
from symcrete.sandbox.driver.process import Task
from symcrete.sandbox.driver.replaying import Replays, how_it_ended
from symcrete.sandbox.driver.watch import watch
from symcrete.sandbox.messages.job import job_of
from symcrete.sandbox.walls.effects import allowance

ENTRY = "symcrete.sandbox.worker.exploring:explore_target"
AFTER_BUDGET = 1.4  # seconds after the budget at which the last replay has to be done
AFTER_INTERRUPT = 0.4
FOR_REPLAYS = 0.3  # seconds at least, for those still to come when a worker was ended
MOST_RESTARTS = 5

Listener = Callable[[FoundInput], None]
Record = Callable[[str, dict[str, Any]], None]


def _silent(found: FoundInput) -> None:
    pass


def _unrecorded(event: str, fields: dict[str, Any]) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier run knew of a target when it was stopped."""

    kept: tuple[tuple[str, FoundInput], ...] = ()  # assignments, and what they did
    ends: tuple[dict[str, Any], ...] = ()  # of workers, with the inputs to blame


NOTHING_BEFORE = Before()


def cover(target: Target, options: Options, on_input: Listener = _silent) -> TargetReport:
    """Explore, replay and report one target."""
    return next(iter(cover_all([target], options, on_input=lambda target, found: on_input(found))))


def cover_all(
    targets: Iterable[Target],
    options: Options,
    *,
    on_target: Callable[[Target], None] = lambda target: None,
    on_input: Callable[[Target, FoundInput], None] = lambda target, found: None,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    record: Callable[[Target, str, dict[str, Any]], None] = lambda target, event, fields: None,
    before: Callable[[Target], Before] = lambda target: NOTHING_BEFORE,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[TargetReport]:
    """The report of each target; interpreters for replays serve all targets of a module."""
    with contextlib.ExitStack() as closing:
        replays: Replays | None = None
        for target in targets:
            if stop():
                return
            on_target(target)
            if options.replay and (replays is None or replays.source != target.source):
                closing.close()
                replays = closing.enter_context(contextlib.closing(Replays(target.source, options)))
            work = Cover(
                target,
                options,
                replays,
                on_input=lambda found, target=target: on_input(target, found),  # type: ignore[misc]
                record=lambda event, fields, target=target: record(target, event, fields),  # type: ignore[misc]
                before=before(target),
                stop=stop,
                on_protection=on_protection,
            )
            yield work.run()


@dataclass(slots=True)
class Cover:
    """One target on its way through the workers."""

    target: Target
    options: Options
    replays: Replays | None
    on_input: Listener = _silent
    record: Record = _unrecorded
    before: Before = NOTHING_BEFORE
    stop: Callable[[], bool] = lambda: False
    on_protection: Callable[[list[str]], None] = lambda lines: None
    _began: float = field(default_factory=time.perf_counter)
    _ready: float | None = None  # when the first worker was
    _kept: dict[str, FoundInput] = field(default_factory=dict)
    _report: TargetReport | None = None
    _ends: list[dict[str, Any]] = field(default_factory=list)
    _blamed_args: dict[str, dict[str, str]] = field(default_factory=dict)
    _confirming: Confirming | None = None

    def run(self) -> TargetReport:
        if self.replays is not None:
            self._confirming = Confirming(self.target, self.options, self.replays, self._told)
        self._kept.update(self.before.kept)
        self._ends += self.before.ends
        self._explore()
        report = self._report or self._rest()
        if not report.error:
            report = self._finished(report)
        report = replace(report, seconds=self._seconds())
        if not self.stop():
            self.record("target", {"report": to_plain(report)})
        return report

    def _finished(self, report: TargetReport) -> TargetReport:
        found = [*report.inputs, *[each for each, known in self._blamed() if known]]
        notes = [*report.notes, *dict.fromkeys(_note(end) for end in self._ends)]
        if self._confirming is not None:
            until = time.monotonic() + self._time_left()
            found = self._confirming.finish(found, until)
            notes += self._confirming.notes()
        found += [each for each, known in self._blamed() if not known]
        if self.stop():
            notes.append("interrupted")
        for each in found:
            if each.outcome in ("crashed", "blocked") or self._confirming is None:
                self._told(each)
        return replace(report, inputs=tuple(found), notes=tuple(notes))

    def _told(self, found: FoundInput) -> None:
        self.record("input", {"input": to_plain(found)})
        self.on_input(found)

    def _seconds(self) -> float:
        return time.perf_counter() - self._began

    def _time_left(self) -> float:
        if self.stop():
            return AFTER_INTERRUPT
        if self.options.max_runs is not None:
            return 3600.0
        end = (self._ready or self._began) + self.options.budget + AFTER_BUDGET
        return max(FOR_REPLAYS, end - time.perf_counter())

    def _explore(self) -> None:
        options = self.options
        task = exploring_task(ENTRY, options)
        budget = options.budget if options.max_runs is None else 3600.0
        job = {**job_of(self.target, options), "starts": list(self._kept), "after": self._ends[:]}
        events = watch(task, job, budget=budget, resume=self._resume, stop=self.stop)
        for event in events:
            match event["event"]:
                case "kept":
                    self._keep(event)
                case "blamed":
                    self._blamed_args[event["input"]] = event["args"]
                case "report":
                    self._report = report_from(event["report"])
                case "worker-ready":
                    self._ready = self._ready or time.perf_counter()
                    self.on_protection(event["protection"])
                case "worker-finished":
                    pass
                case _ if event["event"].startswith("worker-"):
                    self._note_end(event)

    def _keep(self, event: dict[str, Any]) -> None:
        found = input_from(event["input"])
        if event["assignment"] not in self._kept:
            self.record("kept", {"assignment": event["assignment"], "input": event["input"]})
        self._kept[event["assignment"]] = found
        if self._confirming is not None and found.outcome in ("returned", "raised"):
            self._confirming.post(found)

    def _note_end(self, outcome: dict[str, Any]) -> None:
        if outcome["event"] == "worker-stopped" and (self._report is not None or self.stop()):
            return
        short = {key: value for key, value in outcome.items() if key not in ("stdout", "stderr")}
        if outcome.get("doing") is None:
            short["said"] = outcome["stderr"]["tail"].strip().rpartition("\n")[2]
        self.record("ended", {"outcome": short})
        self._ends.append(short)

    def _resume(self, job: dict[str, Any], outcome: dict[str, Any]) -> dict[str, Any] | None:
        """The same job, without what ended the worker, for the time that is left."""
        doing = outcome.get("doing") or {}
        known = "input" in doing or "solving" in doing or killed_by_others(outcome)
        if not known or len(self._ends) > MOST_RESTARTS:
            return None
        return {**job, "starts": list(self._kept), "after": self._ends[:]}

    def _rest(self) -> TargetReport:
        """What is known although no worker came to its end."""
        end = self._ends[-1] if self._ends else {}
        doing = end.get("doing") or {}
        label = self.target.label
        unable = not doing or end.get("event") == "worker-failed"
        if self._ends and ("importing" in doing or (unable and not self._kept)):
            file = str(self.target.source.file)
            return TargetReport(
                label, "failed", error=import_end(end), exit_code=_code(end), file=file
            )
        source = self.target.source
        return TargetReport(
            target=label,
            status="budget",
            inputs=tuple(self._kept.values()),
            module=source.module,
            root=str(source.root),
            scope=self.target.scope,
            file=str(source.file),
        )

    def _blamed(self) -> list[tuple[FoundInput, bool]]:
        """Inputs that ended a worker, one for each way to end; and whether they can be called."""
        found: dict[str, tuple[FoundInput, bool]] = {}
        for end in self._ends:
            shown = (end.get("doing") or {}).get("input")
            how = how_it_ended(end)
            ours = end["event"] in ("worker-failed", "worker-stopped")
            if shown is not None and not ours and how.reason not in found:
                args = self._blamed_args.get(shown)
                given = args or {"input": shown}
                told = FoundInput(given, how.outcome, None, None, (), "", reason=how.reason)
                found[how.reason] = (told, args is not None)
        return list(found.values())


def killed_by_others(outcome: dict[str, Any]) -> bool:
    """While it runs nothing of the program, a worker does not send this signal to itself."""
    return not outcome.get("doing") and outcome.get("signal") == "SIGKILL"


def exploring_task(entry: str, options: Options) -> Task:
    """A worker for the engine. Its hash seed is fixed: the order of sets decides nothing."""
    return Task(
        entry,
        allowance(options.allow),
        memory=options.memory,
        confined=options.sandbox,
        environment={"PYTHONHASHSEED": "0"},
    )


def _note(end: dict[str, Any]) -> str:
    if end["event"] == "worker-failed":
        last = end["traceback"].strip().rpartition("\n")[2]
        return f"internal error in the worker, please report it: {last}"
    if end["event"] == "worker-stopped":
        return "the worker did not come to an end by itself when the budget was spent"
    if "solving" in (end.get("doing") or {}):
        return "a solver did not come back and was ended with its worker"
    return how_it_ended(end).reason


def _code(end: dict[str, Any]) -> int:
    ours = end.get("event") == "worker-failed" or "said" in end
    return 3 if ours else 4


def import_end(end: dict[str, Any]) -> str:
    doing = end.get("doing") or {}
    module = doing.get("importing", "the module")
    if end.get("event") == "worker-exited" and "said" not in end:
        return f"importing {module} ended the process (code {end['code']})"
    if end.get("event") in ("worker-hung", "worker-stopped"):
        within = f" within {end['seconds']:g} s" if "seconds" in end else " within the budget"
        return f"importing {module} does not end{within}"
    if end.get("event") == "worker-failed":
        return f"internal error in the worker:\n{end['traceback']}"
    if "said" in end:
        return f"a worker process cannot start here: {end['said'] or how_it_ended(end).reason}"
    return f"importing {module}: {how_it_ended(end).reason}"
