"""Replay calls in confined workers, one for each of two hash seeds, in the order they are posted.

The first plays each call afresh on the untouched module. The second plays it after all earlier
ones, so that a result that depends on them shows, on a module whose conditions tell their sides.
Where hashes are asked for, two more seeds have a say.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import field, replace
from functools import reduce
from typing import assert_never

from symcrete.clock import Clock, wall
from symcrete.errors import SymcreteError
from symcrete.explore.options import Options
from symcrete.program.source.chance import Asked, chance_in
from symcrete.program.source.module import Source
from symcrete.program.source.target import counted
from symcrete.run.untouched.agreement import (
    HASH_SEEDS,
    MORE_TIME,
    Agreed,
    LookInto,
    first_look,
    second_look,
)
from symcrete.run.untouched.played import Call, Replayed, combined
from symcrete.run.use import FINISHED, Ending
from symcrete.sandbox.driver.births import INTERPRETERS, Births, Task
from symcrete.sandbox.driver.ending import how_it_ended
from symcrete.sandbox.driver.watch import Fresh, Worker, watch
from symcrete.sandbox.messages.doings import Calling, Importing
from symcrete.sandbox.messages.ends import Ended
from symcrete.sandbox.messages.jobs import ServeCalls
from symcrete.sandbox.messages.words import OF_REPLAYING, Enough, Play, Played, Ready
from symcrete.sandbox.walls.effects import allowance
from symcrete.slotted import dataclass

MORE_HASH_SEEDS = ("2", "3")
SERVING_ENTRY = "symcrete.sandbox.worker.serving:serve_calls"
# interpreters started anew for one module, after calls that ended one; chosen, not measured
_MOST_REPLAY_RESTARTS = 50
# seconds by which the second interpreter's clock is ahead: another year, day and hour
_ANOTHER_TIME = 400.37 * 86400
_LEAST_LAST_WORDS = 0.05  # seconds at least for each one of several to end; chosen, not measured
_LAST_WORDS = 0.3  # seconds that all interpreters of a module have to end by themselves

Done = Callable[[Replayed], None]


class ReplayLine:
    """One interpreter that answers posted calls one after the other; a new one after a crash."""

    def __init__(
        self,
        task: Task,
        job: ServeCalls,
        answered: Callable[[int, Replayed], None],
        births: Births = INTERPRETERS,
        clock: Clock = wall,
    ) -> None:
        self._clock = clock
        self._workers = Fresh(births)
        self._task = task
        self._job = job
        self._answered = answered
        self._lock = threading.Lock()
        self._waiting: dict[int, Play] = {}  # orders without an answer
        self._worker: Worker | None = None
        self._closed = False
        self._failure: Replayed | None = None
        self._restarts = 0
        self.first_answer: float | None = None  # when it was given
        self._printed = 0  # by earlier workers
        # The thread lives as long as its worker: the kernel ends a worker with its thread.
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def post(self, order: Play) -> None:
        """Have a call played; its answer, or that there can be none, is told to `answered`."""
        with self._lock:
            failure = self._failure
            if failure is None:
                self._waiting[order.number] = order
                if self._worker is not None:
                    self._worker.send(order)
        if failure is not None:
            self._answered(order.number, failure)

    def printed(self) -> tuple[int, str]:
        """How many bytes the program printed, and the end of it."""
        worker = self._worker
        if worker is None:
            return self._printed, ""
        return self._printed + worker.stdout.count, worker.stdout.text()

    def close(self, seconds: float = _LAST_WORDS) -> None:
        with self._lock:
            self._closed = True
            worker = self._worker
        if worker is not None:
            worker.send(Enough())
            self._thread.join(seconds)
            if self._thread.is_alive():
                worker.kill()
                self._thread.join(1.0)

    def _work(self) -> None:
        try:
            for message in watch(
                self._task,
                self._job,
                OF_REPLAYING,
                budget=float("inf"),
                resume=self._resume,
                started=self._attach,
                workers=self._workers,
            ):
                match message:
                    case Played(number, did):
                        self._answer(number, did)
                    case Ready() | Ended():
                        pass
                    case _:
                        assert_never(message)
        except SymcreteError as error:
            self._fail(Replayed(Ending.FAILED, reason=str(error)))
        finally:
            self._fail(Replayed(Ending.FAILED, reason="the interpreter for replays ended"))

    def _attach(self, worker: Worker) -> None:
        with self._lock:
            self._worker = worker
            for order in self._waiting.values():
                worker.send(order)
            if self._closed:
                worker.send(Enough())

    def _resume(self, job: ServeCalls, end: Ended) -> ServeCalls | None:
        self._restarts += 1
        with self._lock:
            self._printed += end.stdout.bytes
            self._worker = None
        if isinstance(end.doing, Importing):
            self._fail(
                Replayed(Ending.FAILED, reason="a fresh interpreter cannot import the module")
            )
            return None
        if isinstance(end.doing, Calling):
            self._answer(end.doing.number, how_it_ended(end))
        return None if self._closed or self._restarts > _MOST_REPLAY_RESTARTS else job

    def _answer(self, number: int, answer: Replayed) -> None:
        with self._lock:
            self.first_answer = self.first_answer or self._clock()
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
class _Posted:
    """A call on its way through the interpreters."""

    order: Play
    done: Done
    expected: Ending  # the outcome while exploring
    # the answers of this round, by hash seed
    answers: dict[str, Replayed] = field(default_factory=dict)
    wanted: tuple[str, ...] = HASH_SEEDS
    before: dict[str, Replayed] = field(default_factory=dict)  # the answers of the first round
    agreed: Replayed | None = None  # what the first two interpreters agree on


class Replays:
    """The interpreters that replay the calls of one module."""

    def __init__(
        self,
        source: Source,
        options: Options,
        births: Births = INTERPRETERS,
        clock: Clock = wall,
    ) -> None:
        self.source = source
        self._births = births
        self._clock = clock
        self.chance: dict[int, Asked] = chance_in(source.tree())
        self._options = options
        self._numbers = itertools.count()
        self._asked: dict[int, _Posted] = {}
        self._lock = threading.Lock()
        self._lines: dict[str, ReplayLine] = {}
        self._hashed = {line for line, asked in self.chance.items() if asked.kind == "hash"}
        for seed in HASH_SEEDS:
            self._line(seed)

    def post(
        self,
        scope: str,
        call: Call,
        seconds: float,
        done: Done,
        *,
        expected: Ending = Ending.UNTOLD,
    ) -> None:
        """Have a call replayed; `done` gets what all interpreters agree on, in another thread."""
        with self._lock:
            order = Play(next(self._numbers), scope, call, seconds)
            self._asked[order.number] = _Posted(order, done, expected)
        one, other = HASH_SEEDS
        self._line(one).post(order)
        self._line(other).post(replace(order, after_others=True))

    def at_work_since(self) -> float | None:
        """When both interpreters had answered for the first time; None if they have not yet."""
        one, other = (self._line(seed).first_answer for seed in HASH_SEEDS)
        return None if one is None or other is None else max(one, other)

    def printed(self) -> tuple[int, str]:
        """How many bytes the program printed in the first interpreter, and the end of it."""
        return self._line(HASH_SEEDS[0]).printed()

    def close(self) -> None:
        until = self._clock() + _LAST_WORDS
        for line in list(self._lines.values()):
            line.close(max(_LEAST_LAST_WORDS, until - self._clock()))

    def _line(self, seed: str) -> ReplayLine:
        with self._lock:
            if seed not in self._lines:
                self._lines[seed] = self._new_line(seed)
            return self._lines[seed]

    def _new_line(self, seed: str) -> ReplayLine:
        options, source = self._options, self.source
        task = Task(
            SERVING_ENTRY,
            allowance(options.allow),
            memory=options.memory,
            forks=True,
            confined=options.sandbox,
            environment={"PYTHONHASHSEED": seed},
        )
        clocked = any(asked.kind == "clock" for asked in self.chance.values())
        job = ServeCalls(
            path=source.path,
            module=source.module,
            file=counted(source, "", options.within)[0],  # where lines are watched
            watching=seed == HASH_SEEDS[1],
            within=options.within,
            finder=seed == HASH_SEEDS[1],
            ahead=_ANOTHER_TIME if clocked and seed == HASH_SEEDS[1] else 0.0,
            # A program that may start processes needs the interpreter where it is.
            elsewhere=seed == HASH_SEEDS[1] and "processes" not in options.allow,
            unsteady=tuple([n for n, asked in self.chance.items() if asked.kind != "hash"]),
        )
        return ReplayLine(
            task,
            job,
            lambda number, answer: self._answered(seed, number, answer),
            self._births,
            self._clock,
        )

    def _answered(self, seed: str, number: int, answer: Replayed) -> None:
        with self._lock:
            asked = self._asked[number]
            asked.answers[seed] = answer
            if len(asked.answers) < len(asked.wanted):
                return
            round_ = asked.answers
            orders = self._next_round(asked)
            if not orders:
                del self._asked[number]
        for each, order in orders.items():
            self._line(each).post(order)
        if not orders:
            assert asked.agreed is not None
            rest = [round_[each] for each in round_ if each not in HASH_SEEDS]
            asked.done(reduce(combined, rest, asked.agreed))

    def _next_round(self, asked: _Posted) -> dict[str, Play]:
        """The calls that have still to be played, by hash seed; empty when the call is decided."""
        one, other = HASH_SEEDS
        answers, asked.answers = asked.answers, {}
        if asked.agreed is not None:
            return {}
        if asked.before:
            first, later = asked.before[one], asked.before[other]
            asked.agreed = second_look(first, later, answers[one], answers[other])
        else:
            match first_look(answers[one], answers[other], asked.expected):
                case LookInto():
                    asked.before = answers
                    order = replace(asked.order, seconds=MORE_TIME * asked.order.seconds)
                    return {one: order, other: order}
                case Agreed(did):
                    asked.agreed = did
        hashed = asked.agreed.outcome in FINISHED and self._hashed & asked.agreed.lines
        asked.wanted = MORE_HASH_SEEDS if hashed else ()
        return dict.fromkeys(asked.wanted, asked.order)
