"""Replay calls in confined workers, one for each of two hash seeds, in the order they are posted.

The first takes back what each call leaves in the program's modules, the second does not: a result
that depends on earlier calls shows. Where hashes are asked for, two more seeds have a say.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.options import Options
from symcrete.program.source.chance import Asked, chance_in
from symcrete.program.source.module import Source
from symcrete.program.source.target import counted
from symcrete.run import finder
from symcrete.run.replay import Call, Replayed, combined, replayed_from
from symcrete.run.replayer import Replayer
from symcrete.sandbox.driver.process import Task, WorkerProcess
from symcrete.sandbox.driver.watch import watch
from symcrete.sandbox.walls import audit
from symcrete.sandbox.walls.effects import allowance
from symcrete.sandbox.worker.worker import Link

HASH_SEEDS = ("0", "1")
MORE_HASH_SEEDS = ("2", "3")
ENTRY = "symcrete.sandbox.driver.replaying:serve_calls"
IMPORT_SECONDS = 20.0
_MOST_RESTARTS = 50
_ANOTHER_TIME = 400.37 * 86400  # seconds by which the second interpreter's clock is ahead
_LAST_WORDS = 0.3  # seconds an interpreter has to end by itself

Done = Callable[[Replayed], None]


def serve_calls(job: dict[str, Any], link: Link) -> None:
    """The entry of a worker: answers calls until there are no more."""
    link.doing(IMPORT_SECONDS, importing=job["module"])
    if job["ahead"]:
        _set_clock_ahead(job["ahead"])
    replayer = Replayer(job["path"], job["module"], "", job["file"], restoring=job["restoring"])
    if not job["restoring"]:
        finder.install()
    unsteady = frozenset(job["unsteady"])
    link.doing(waiting=True)
    for order in link.orders:
        if "end" in order:
            return
        audit.reset()
        link.doing(order["seconds"], call=order["number"])
        answer = replayer.answer(order["call"], unsteady)
        stopped = audit.blocked()
        link.doing(waiting=True)
        if stopped:
            lines = answer.get("lines", [])
            answer = {"outcome": "blocked", "reason": str(stopped[0]), "lines": lines}
        link.send("replayed", number=order["number"], answer=answer)


def _set_clock_ahead(seconds: float) -> None:
    """What depends on the time of day then differs from what the first interpreter gives."""
    import time as clock

    now, now_ns = clock.time, clock.time_ns
    clock.time = lambda: now() + seconds
    clock.time_ns = lambda: now_ns() + int(seconds * 1e9)


class ReplayLine:
    """One interpreter that answers posted calls one after the other; a new one after a crash."""

    def __init__(
        self, task: Task, job: dict[str, Any], answered: Callable[[int, Replayed], None]
    ) -> None:
        self._task = task
        self._job = job
        self._answered = answered
        self._lock = threading.Lock()
        self._waiting: dict[int, dict[str, Any]] = {}  # orders without an answer
        self._worker: WorkerProcess | None = None
        self._closed = False
        self._failure: Replayed | None = None
        self._restarts = 0
        self._printed = 0  # by earlier workers
        # The thread lives as long as its worker: the kernel ends a worker with its thread.
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def post(self, number: int, call: dict[str, Any], seconds: float) -> None:
        order = {"number": number, "call": call, "seconds": seconds}
        with self._lock:
            failure = self._failure
            if failure is None:
                self._waiting[number] = order
                if self._worker is not None:
                    self._worker.send(order)
        if failure is not None:
            self._answered(number, failure)

    def printed(self) -> tuple[int, str]:
        """How many bytes the program printed, and the last of it."""
        worker = self._worker
        if worker is None:
            return self._printed, ""
        return self._printed + worker.stdout.count, worker.stdout.text()

    def close(self, seconds: float = _LAST_WORDS) -> None:
        with self._lock:
            self._closed = True
            worker = self._worker
        if worker is not None:
            worker.send({"end": True})
            self._thread.join(seconds)
            if self._thread.is_alive():
                worker.kill()
                self._thread.join(1.0)

    def _work(self) -> None:
        try:
            for event in watch(
                self._task,
                self._job,
                budget=float("inf"),
                resume=self._resume,
                started=self._attach,
            ):
                if event["event"] == "replayed":
                    self._answer(event["number"], replayed_from(event["answer"]))
        except SymcreteError as error:
            self._fail(Replayed("failed", reason=str(error)))
        finally:
            self._fail(Replayed("failed", reason="the interpreter for replays ended"))

    def _attach(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._worker = worker
            for order in self._waiting.values():
                worker.send(order)
            if self._closed:
                worker.send({"end": True})

    def _resume(self, job: dict[str, Any], outcome: dict[str, Any]) -> dict[str, Any] | None:
        doing = outcome.get("doing") or {}
        self._restarts += 1
        with self._lock:
            self._printed += outcome["stdout"]["bytes"]
            self._worker = None
        if "importing" in doing:
            self._fail(Replayed("failed", reason="a fresh interpreter cannot import the module"))
            return None
        if "call" in doing:
            self._answer(doing["call"], how_it_ended(outcome))
        return None if self._closed or self._restarts > _MOST_RESTARTS else job

    def _answer(self, number: int, answer: Replayed) -> None:
        with self._lock:
            known = self._waiting.pop(number, None) is not None
        if known:
            self._answered(number, answer)

    def _fail(self, failure: Replayed) -> None:
        with self._lock:
            self._failure = self._failure or failure
            self._worker = None
            numbers = list(self._waiting)
        for number in numbers:
            self._answer(number, self._failure)


@dataclass(slots=True)
class _Asked:
    call: dict[str, Any]
    seconds: float
    done: Done
    answers: dict[str, Replayed] = field(default_factory=dict)
    wanted: tuple[str, ...] = HASH_SEEDS


class Replays:
    """The interpreters that replay the calls of one module."""

    def __init__(self, source: Source, options: Options) -> None:
        self.source = source
        self.chance: dict[int, Asked] = chance_in(source.tree())
        self._options = options
        self._numbers = itertools.count()
        self._asked: dict[int, _Asked] = {}
        self._lock = threading.Lock()
        self._lines: dict[str, ReplayLine] = {}
        self._hashed = {line for line, asked in self.chance.items() if asked.kind == "hash"}
        for seed in HASH_SEEDS:
            self._line(seed)

    def post(self, scope: str, call: Call, seconds: float, done: Done) -> None:
        """Have a call replayed; `done` gets what all interpreters agree on, in another thread."""
        said = {"scope": scope, **call.as_plain()}
        with self._lock:
            number = next(self._numbers)
            self._asked[number] = _Asked(said, seconds, done)
        for seed in HASH_SEEDS:
            self._line(seed).post(number, said, seconds)

    def printed(self) -> tuple[int, str]:
        return self._line(HASH_SEEDS[0]).printed()

    def close(self) -> None:
        until = time.monotonic() + _LAST_WORDS
        for line in list(self._lines.values()):
            line.close(max(0.05, until - time.monotonic()))

    def _line(self, seed: str) -> ReplayLine:
        with self._lock:
            if seed not in self._lines:
                self._lines[seed] = self._new_line(seed)
            return self._lines[seed]

    def _new_line(self, seed: str) -> ReplayLine:
        options, source = self._options, self.source
        task = Task(
            ENTRY,
            allowance(options.allow),
            memory=options.memory,
            confined=options.sandbox,
            environment={"PYTHONHASHSEED": seed},
        )
        clocked = any(asked.kind == "clock" for asked in self.chance.values())
        job = {
            "path": [str(source.root)],
            "module": source.module,
            "file": counted(source, "", options.within)[0],  # where lines are watched
            "restoring": seed == HASH_SEEDS[0],
            "ahead": _ANOTHER_TIME if clocked and seed == HASH_SEEDS[1] else 0,
            "unsteady": [n for n, asked in self.chance.items() if asked.kind != "hash"],
        }
        return ReplayLine(task, job, lambda number, answer: self._answered(seed, number, answer))

    def _answered(self, seed: str, number: int, answer: Replayed) -> None:
        with self._lock:
            asked = self._asked[number]
            asked.answers[seed] = answer
            if len(asked.answers) < len(asked.wanted):
                return
            found = reduce(combined, [asked.answers[each] for each in asked.wanted])
            more: tuple[str, ...] = ()
            if asked.wanted == HASH_SEEDS and found.outcome in ("returned", "raised"):
                more = MORE_HASH_SEEDS if self._hashed & found.lines else ()
            asked.wanted += more
            if not more:
                del self._asked[number]
        for each in more:
            self._line(each).post(number, asked.call, asked.seconds)
        if not more:
            asked.done(found)


def how_it_ended(outcome: dict[str, Any]) -> Replayed:
    """The end of a worker as an outcome of the input it was running."""
    match outcome["event"]:
        case "worker-died":
            return Replayed("crashed", reason=f"target crashed: {outcome['signal']}")
        case "worker-exited":
            return Replayed("crashed", reason=f"target ended the process (code {outcome['code']})")
        case "worker-hung":
            return Replayed("timeout", reason=f"does not end within {outcome['seconds']:g} s")
        case "worker-cut-off":
            return Replayed("crashed", reason="target closed the descriptors of its process")
        case _:
            return Replayed("crashed", reason="the process of the target ended")
