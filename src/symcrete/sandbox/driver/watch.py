"""Watch over workers: start one, pass on what it says, and go on when it hangs or dies.

The iterator that `watch` gives ends within the budget and two seconds whatever the worker does:
all waiting has a limit, and a worker that is over one is killed with its whole session.
"""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.sandbox.driver.folder import work_folder
from symcrete.sandbox.driver.process import Task, WorkerProcess
from symcrete.sandbox.messages.channel import CUT_OFF, Event

Job = dict[str, Any]
Resume = Callable[[Job, Event], Job | None]

GRACE = 1.0  # seconds a worker has after the budget to end by itself
START_LIMIT = 30.0  # seconds until a worker must be ready
_CUT_OFF_LIMIT = 0.5  # seconds from the end of its channel to the end of a worker
_GLANCE = 0.1  # seconds between looks at the board
_SLACK = 0.2  # seconds a step may go over its limit, for a worker that ends it by itself


class WatchError(SymcreteError):
    """No worker can be started here."""


def carry_on(job: Job, outcome: Event) -> Job | None:
    """The same job, told under "after" what ended its earlier workers.

    None, which means give up, when two in a row ended over the same thing: the job cannot get
    past it.
    """
    after = job.get("after", [])
    if after and after[-1].get("doing") == outcome.get("doing"):
        return None
    short = {key: value for key, value in outcome.items() if key not in ("stdout", "stderr")}
    return {**job, "after": [*after, short]}


def watch(
    task: Task,
    job: Mapping[str, Any],
    *,
    budget: float,
    resume: Resume = carry_on,
    started: Callable[[WorkerProcess], None] = lambda worker: None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Event]:
    """Run the job in workers, one after the other, and give their events.

    The budget is counted from when the first worker is ready: a busy machine, on which processes
    start slowly, does not eat it. The job gets a field "budget", the seconds left. Each worker's
    end is an event too: worker-finished, worker-exited (code), worker-died (signal), worker-hung,
    worker-stopped (at the budget), worker-failed (traceback), worker-cut-off; with what it was
    doing and the tail of its output. After any but the first, while there is budget, `resume` gives
    the next worker's job, or None to stop. Leaving the iterator early kills the worker. `started`
    is given each worker; `stop` is asked several times a second and ends it all when it says so.
    """
    clock = _Clock(budget)
    following: Job | None = dict(job)
    greeting = None
    while following is not None:
        current = following
        outcome: Event = {}
        with _worker(task, {**current, "budget": clock.left()}) as worker:
            started(worker)
            for outcome in _shift(worker, clock, stop):
                if outcome["event"] == "worker-ready":
                    clock.start()
                    if outcome == greeting:
                        continue
                    greeting = outcome  # what is protected is said once, not at every restart
                yield outcome
        ended = outcome["event"] == "worker-finished" or clock.left() <= 0 or stop()
        following = None if ended else resume(current, outcome)


class _Clock:
    """Runs from when the first worker is ready."""

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._end: float | None = None

    def start(self) -> None:
        if self._end is None:
            self._end = time.monotonic() + self._budget

    def left(self) -> float:
        return self._budget if self._end is None else self._end - time.monotonic()


@contextlib.contextmanager
def _worker(task: Task, job: Job) -> Iterator[WorkerProcess]:
    with contextlib.ExitStack() as closing:
        try:
            work = closing.enter_context(work_folder())
            worker = closing.enter_context(contextlib.closing(WorkerProcess(task, job, work)))
        except OSError as error:
            raise WatchError(f"cannot start a worker process: {error}") from error
        yield worker


def _shift(worker: WorkerProcess, clock: _Clock, stop: Callable[[], bool]) -> Iterator[Event]:
    """One worker's events, the last of which says how it ended."""
    attended = looked = heard = begun = time.monotonic()
    ready, ending = False, None
    while ending is None:
        events = worker.pump(min(_GLANCE, clock.left() + GRACE))
        # After the last word of a dead worker there is nothing more to come.
        last = worker.has_ended()
        for event in [*events, *(worker.pump_rest() if last else ())]:
            if event["event"] in ("worker-finished", "worker-failed"):
                ending = event
            elif event["event"] == "worker-ready" or not event["event"].startswith("worker-"):
                ready = True
                away = time.monotonic()
                yield event
                if time.monotonic() - away > _GLANCE:
                    attended = time.monotonic()  # it may have been waiting for us
        now = time.monotonic()
        if not worker.cut_off:
            heard = now
        if ending is not None or last:
            break
        if clock.left() + GRACE <= 0 or stop():
            ending = {"event": "worker-stopped"}
        elif worker.cut_off and now - heard > _CUT_OFF_LIMIT:
            ending = {"event": "worker-cut-off"}
        elif not ready and now - begun > START_LIMIT:
            ending = {"event": "worker-hung", "seconds": START_LIMIT}
        elif now - looked > _GLANCE:
            looked = now
            ending = _overdue(worker, attended)
    yield _outcome(worker, ending)


def _overdue(worker: WorkerProcess, attended: float) -> Event | None:
    doing = worker.doing()
    now = time.monotonic()  # after the look: what is begun later than now is no entry of a worker's
    if doing is None:
        return None
    since = max(attended, doing.started) if doing.started <= now else attended
    if now - since > doing.limit + _SLACK:
        return {"event": "worker-hung", "seconds": doing.limit}
    return None


def _outcome(worker: WorkerProcess, ending: Event | None) -> Event:
    doing = worker.doing()
    code = worker.kill()
    worker.pump_rest()  # for the end of its output
    if ending is None:
        ending = _own_end(code)
    return {
        **ending,
        "doing": doing.what if doing is not None else None,
        "stdout": {"bytes": worker.stdout.count, "tail": worker.stdout.text()},
        "stderr": {"bytes": worker.stderr.count, "tail": worker.stderr.text()},
    }


def _own_end(code: int | None) -> Event:
    if code == CUT_OFF:
        return {"event": "worker-cut-off"}
    if code is None or code >= 0:
        return {"event": "worker-exited", "code": code}
    try:
        name = signal.Signals(-code).name
    except ValueError:  # a real-time signal
        name = f"signal {-code}"
    return {"event": "worker-died", "signal": name}
