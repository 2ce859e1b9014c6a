"""A lane: one module process after the other, each with a fork for every function of its module.

The module process is a worker that holds a module (`worker/holding.py`). Its forks are watched like
any other worker; when one hangs or dies, the module process stays.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from symcrete.clock import Clock, wall
from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.sandbox.driver.births import Task, Zygotes, can_fork
from symcrete.sandbox.driver.folder import TEMPORARY, emptied
from symcrete.sandbox.driver.process import AtWork, WorkerProcess
from symcrete.sandbox.driver.watch import Fresh, Worker, started
from symcrete.sandbox.messages.channel import Event
from symcrete.sandbox.messages.doings import Waiting
from symcrete.sandbox.messages.ends import Finished
from symcrete.sandbox.messages.jobs import Explore, HoldModule
from symcrete.sandbox.messages.output import Tail
from symcrete.sandbox.messages.words import OF_HOLDING, Alone, Bear, Born, Left, Stays, Unforkable

EXPLORING = "symcrete.sandbox.worker.exploring:explore_target"
HOLDING_ENTRY = "symcrete.sandbox.worker.holding:hold_module"
_KILLED_FORK_SECONDS = 1.0  # seconds in which the end of a fork that was killed is told


class Lane:
    """Workers for functions, module by module."""

    def __init__(self, births: Zygotes) -> None:
        self._births = births
        self._numbers = itertools.count(1)
        self._unlearned: tuple[str, ...] = ()  # what forks learned and zygotes were not taught yet
        self._closing = contextlib.ExitStack()
        self._holds: tuple[Task, Source, Options] | None = None
        self._holder: WorkerProcess | None = None
        self._staying: int | None = None  # the fork that waits for another function
        self._work = ""

    @contextlib.contextmanager
    def worker(self, task: Task, job: object, budget: float) -> Iterator[Worker]:
        """A context with a fork of the process that holds the job's module; with a process of its
        own where none can fork or the task is another.
        """
        if not (can_fork(task) and task.entry == EXPLORING and isinstance(job, Explore)):
            with Fresh(self._births).worker(task, job, budget) as worker:
                yield worker
            return
        holder = self._held(replace(task, entry=HOLDING_ENTRY, bears=True), job, budget)
        fork = _Fork(holder, Bear(job, budget, next(self._numbers)), self._staying)
        try:
            yield fork
        finally:
            fork.kill()
            self._unlearned += fork.learned
            self._staying = fork.staying
            if holder.has_ended() or not emptied(os.path.join(self._work, TEMPORARY)):
                self.close()

    def close(self) -> None:
        """End the module process."""
        self._holder = self._holds = self._staying = None
        self._closing.close()

    def _held(self, task: Task, job: Explore, budget: float) -> WorkerProcess:
        wanted = (task, job.target.source, job.options)
        if self._holder is None or self._holds != wanted or self._holder.has_ended():
            self.close()
            # Only now: a run over one module needs no zygote that knows more.
            self._births.teach(HOLDING_ENTRY, self._unlearned)
            self._unlearned = ()
            held = HoldModule(job.target.source, job.options, job.target)
            self._holder, self._work = started(task, held, budget, self._births, self._closing)
            self._holds = wanted
        return self._holder


class _Fork:
    """One fork of a module process, from before it is there until after its end."""

    def __init__(
        self, holder: WorkerProcess, order: Bear, staying: int | None = None, clock: Clock = wall
    ) -> None:
        """`staying` is the fork of an earlier order that waits for this one; None: a new one is
        to be made.
        """
        self._holder = holder
        self._clock = clock
        self._pid = staying
        self._code: int | None = None
        self._stays = self._has_finished = False
        self.learned: tuple[str, ...] = ()  # what it had to import or make ready
        holder.read_anew()
        assert holder.nursing is not None
        self._nursing = holder.nursing
        self._nursing.expect()
        self._order = order
        self._only_waited = staying is not None  # it has said nothing since it got the order
        holder.send(order)

    @property
    def staying(self) -> int | None:
        """The number of the fork if it waits for another function; None if it has ended."""
        return self._pid if self._is_waiting and not self._holder.has_ended() else None

    @property
    def _is_waiting(self) -> bool:
        return self._stays and self._has_finished and self._code is None

    @property
    def stdout(self) -> Tail:
        return self._holder.stdout

    @property
    def stderr(self) -> Tail:
        return self._holder.stderr

    @property
    def cut_off(self) -> bool:
        return self._holder.cut_off

    def send(self, order: object) -> None:
        self._holder.send(order)

    def pump(self, timeout: float) -> list[Event]:
        return self._heard(self._holder.pump(timeout))

    def pump_rest(self) -> list[Event]:
        return self._heard(self._holder.pump_rest())

    def at_work(self) -> AtWork | None:
        at_work = self._holder.at_work()
        waits = at_work is not None and isinstance(at_work.doing, Waiting)
        return None if waits else at_work

    def has_ended(self) -> bool:
        return self._code is not None or self._holder.has_ended()

    def kill(self) -> int | None:
        if self._is_waiting:
            return 0  # it has done what it was asked for
        if self._code is None and self._pid is not None and not self._holder.has_ended():
            # Its number is its own until the module process gets the next order.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, signal.SIGKILL)
            until = self._clock() + _KILLED_FORK_SECONDS
            while not self.has_ended() and self._clock() < until:
                self.pump(until - self._clock())
        if self._code is None:
            self._code = self._holder.kill()
        return self._code

    def _heard(self, events: list[Event]) -> list[Event]:
        """Those of the events that are the fork's own; what its parent says of it is noted."""
        own = []
        for event in events:
            match OF_HOLDING.heard(event):
                case None:
                    own.append(event)
                    self._only_waited = False
                    self._has_finished = event.get("event") == Finished.__name__
                case Born(pid):
                    self._pid = pid
                case Left(_, learned) if self._only_waited:
                    # It died before it said that it has the order, which may be gone with it.
                    self._pid, self._only_waited, self.learned = None, False, learned
                    self._holder.send(self._order)
                case Left(code, learned):
                    self._code, self.learned = code, self.learned + learned
                case Stays(learned):
                    self._stays, self.learned = True, learned
                case Unforkable():
                    self._nursing.expect_none()
                    self._holder.send(Alone())
                case heard:
                    assert_never(heard)
        return own
