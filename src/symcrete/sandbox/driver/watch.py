"""Watch over workers: start one, pass on what it says, and go on when it hangs or dies.

Once a worker is ready, the iterator that `watch` gives ends within the budget and two seconds
whatever the worker does, and within as much more as a busy machine is slower: all waiting has a
limit, and a worker that is over one is killed with its whole session.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from symcrete.clock import Clock, wall
from symcrete.codec import Vocabulary
from symcrete.errors import SymcreteError
from symcrete.sandbox.driver.births import INTERPRETERS, Births, Task
from symcrete.sandbox.driver.folder import work_folder
from symcrete.sandbox.driver.process import AtWork, WorkerProcess
from symcrete.sandbox.messages.channel import CUT_OFF, Event
from symcrete.sandbox.messages.ends import (
    CutOff,
    Died,
    Ended,
    Exited,
    Failed,
    Finished,
    How,
    Hung,
    Printed,
    Stopped,
)
from symcrete.sandbox.messages.output import Tail
from symcrete.sandbox.messages.words import OF_ANY_WORKER, Ready

Job = TypeVar("Job")
Message = TypeVar("Message")

# seconds a worker has after the budget to end by itself, on a machine of its own: its report takes
# up to 0.7 s, and is lost with it; chosen, not measured
END_GRACE = 1.0
MOST_SLOWNESS = 6.0  # times slower than alone; more is not waited for; chosen, not measured
WORKER_START_LIMIT = 30.0  # seconds until a worker must be ready; chosen, not measured
_CUT_OFF_LIMIT = 0.5  # seconds after which a worker is ended that has lost its channel
_GLANCE = 0.1  # seconds between looks at the board
_STEP_GRACE = 0.2  # seconds a step may go over its limit, for a worker that ends it by itself


class WatchError(SymcreteError):
    """No worker can be started here."""


def watch(
    task: Task,
    job: Job,
    words: Vocabulary[Message],
    *,
    budget: float,
    resume: Callable[[Job, Ended], Job | None],
    started: Callable[[Worker], None] = lambda worker: None,
    stop: Callable[[], bool] = lambda: False,
    workers: Workers | None = None,
    clock: Clock = wall,
) -> Iterator[Ready | Message | Ended]:
    """Run the job in workers, one after the other, and give their messages.

    The budget is counted from when the first worker is ready: a busy machine, on which processes
    start slowly, does not eat it. Each worker's end is a message too. After any but `Finished`,
    while there is budget, `resume` gives the next worker's job, or None to stop. Leaving the
    iterator early kills the worker. `started` is given each worker; `stop` is asked several times a
    second and ends it all when it says so. `workers` is where workers come from; None: each is an
    interpreter of its own.
    """
    workers = workers or Fresh()
    left = _Left(budget, clock)
    following: Job | None = job
    greeting = None
    while following is not None:
        current = following
        end: Ended | None = None
        with workers.worker(task, current, left()) as worker:
            started(worker)
            for message in _shift(worker, words, left, stop, clock):
                match message:
                    case Ready():
                        left.start()
                        if message == greeting:
                            continue
                        greeting = message  # what is protected is said once, not at every restart
                    case Ended():
                        end = message
                yield message
        assert end is not None
        over = isinstance(end.how, Finished) or left() <= 0 or stop()
        following = None if over else resume(current, end)


class _Left:
    """Seconds of the budget that are left, which counts from when the first worker is ready."""

    def __init__(self, budget: float, clock: Clock) -> None:
        self._budget = budget
        self._clock = clock
        self._end: float | None = None

    def start(self) -> None:
        if self._end is None:
            self._end = self._clock() + self._budget

    def __call__(self) -> float:
        return self._budget if self._end is None else self._end - self._clock()


class Worker(Protocol):
    """A process at work, as its watcher sees it."""

    @property
    def stdout(self) -> Tail: ...

    @property
    def stderr(self) -> Tail: ...

    @property
    def cut_off(self) -> bool:
        """Whether it cannot tell anything any more."""
        ...

    def send(self, order: object) -> None: ...

    def pump(self, timeout: float) -> list[Event]:
        """The events that it tells, waiting for them at most this many seconds."""
        ...

    def pump_rest(self) -> list[Event]:
        """The events that a dead worker told last."""
        ...

    def at_work(self) -> AtWork | None: ...

    def has_ended(self) -> bool: ...

    def kill(self) -> int | None:
        """End it with everything it started; its return code, if the system tells."""
        ...


class Workers(Protocol):
    """Where workers come from."""

    def worker(
        self, task: Task, job: object, budget: float
    ) -> contextlib.AbstractContextManager[Worker]: ...


class Fresh:
    """Every worker is a process of its own, with a folder of its own."""

    def __init__(self, births: Births = INTERPRETERS) -> None:
        self._births = births

    @contextlib.contextmanager
    def worker(self, task: Task, job: object, budget: float) -> Iterator[WorkerProcess]:
        with contextlib.ExitStack() as closing:
            yield started(task, job, budget, self._births, closing)[0]


def started(
    task: Task, job: object, budget: float, births: Births, closing: contextlib.ExitStack
) -> tuple[WorkerProcess, str]:
    """A worker and its folder, both of which end with `closing`."""
    try:
        work = closing.enter_context(work_folder())
        process = WorkerProcess(task, job, work, budget, births)
    except OSError as error:
        raise WatchError(f"cannot start a worker process: {error}") from error
    return closing.enter_context(contextlib.closing(process)), work


def _shift(
    worker: Worker,
    words: Vocabulary[Message],
    seconds_left: _Left,
    stop: Callable[[], bool],
    clock: Clock,
) -> Iterator[Ready | Message | Ended]:
    """One worker's messages, the last of which says how it ended."""
    attended = looked = heard = begun = clock()
    ready = False
    how: How | None = None
    grace = END_GRACE
    while how is None:
        if seconds_left() <= 0:
            grace = END_GRACE * slowness()
        events = worker.pump(min(_GLANCE, seconds_left() + grace))
        # After the last word of a dead worker there is nothing more to come.
        last = worker.has_ended()
        for event in [*events, *(worker.pump_rest() if last else ())]:
            message = _understood(event, words)
            match message:
                case None:
                    continue
                case Finished() | Failed():
                    how = message
                case _:
                    ready = True
                    away = clock()
                    yield message
                    if clock() - away > _GLANCE:
                        attended = clock()  # while nobody listened, it may have been waiting for us
        now = clock()
        if not worker.cut_off:
            heard = now
        if how is not None or last:
            break
        if seconds_left() + grace <= 0 or stop():
            how = Stopped()
        elif worker.cut_off and now - heard > _CUT_OFF_LIMIT:
            how = CutOff()
        elif not ready and now - begun > WORKER_START_LIMIT:
            how = Hung(WORKER_START_LIMIT)
        elif now - looked > _GLANCE:
            looked = now
            how = _overdue(worker, attended, clock)
    yield _ended(worker, how)


def slowness() -> float:
    """How many times slower than alone a process is here, guessed from how many want to run; at
    most MOST_SLOWNESS.
    """
    try:
        return min(MOST_SLOWNESS, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
    except (AttributeError, OSError):  # the system does not tell
        return 1.0


def _understood(
    event: Event, words: Vocabulary[Message]
) -> Ready | Finished | Failed | Message | None:
    return OF_ANY_WORKER.heard(event) or words.heard(event)


def _overdue(worker: Worker, attended: float, clock: Clock) -> Hung | None:
    """That a worker hangs, if what it does takes longer than it said, counted from `attended` at
    the earliest; None if not.
    """
    at_work = worker.at_work()
    # Asked after the look: an entry that was begun later than now is the program's scribble.
    now = clock()
    if at_work is None:
        return None
    since = max(attended, at_work.started) if at_work.started <= now else attended
    if now - since > at_work.limit + _STEP_GRACE:
        return Hung(at_work.limit)
    return None


def _ended(worker: Worker, how: How | None) -> Ended:
    at_work = worker.at_work()
    code = worker.kill()
    worker.pump_rest()  # for the end of its output
    return Ended(
        how or _own_end(code),
        at_work.doing if at_work is not None else None,
        Printed(worker.stdout.count, worker.stdout.text()),
        Printed(worker.stderr.count, worker.stderr.text()),
    )


def _own_end(code: int | None) -> How:
    if code == CUT_OFF:
        return CutOff()
    if code is None or code >= 0:
        return Exited(code)
    try:
        return Died(signal.Signals(-code).name)
    except ValueError:  # a real-time signal
        return Died(f"signal {-code}")
