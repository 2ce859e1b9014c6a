"""Share out the modules of a project over a Dask cluster, whose scheduler does the rest.

One module is one task. Dask gives a task to another worker when the one that had it is lost.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import queue
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from symcrete.codec import decoded, encoded
from symcrete.errors import BadOption, SymcreteError
from symcrete.explore.cover.plan import plan_of
from symcrete.explore.cover.recount import recounted
from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.sandbox.cluster.unit import Explored, Happened, Known, explored_unit, unit_of
from symcrete.sandbox.messages.before import NOTHING_BEFORE, Before
from symcrete.sandbox.messages.events import Event, InputEvent, TargetEvent

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
_CONNECTING = 10.0  # seconds to reach the scheduler
_LOOK_AT_STOP = 0.2  # seconds between two looks at whether to stop
_CLUSTER_ENDS_WITHIN = 5.0  # seconds in which workers end what they do when all is to stop


@contextlib.contextmanager
def connected(address: str, workers: int) -> Iterator[Client]:
    """A context with a client of the cluster at an address; with `local`, of one of so many worker
    processes on this machine, which ends with the context.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise BadOption("--cluster needs Dask: pip install symcrete[dask]") from None
    with contextlib.ExitStack() as closing:
        where: Any = address
        if address == LOCAL:
            where = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            closing.enter_context(where)
        try:
            client = Client(where, timeout=_CONNECTING, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadOption(f"--cluster {address}: no scheduler answers there: {error}") from None
        yield closing.enter_context(client)


def places(client: Client) -> int:
    """How many modules the cluster explores at a time."""
    threads: dict[str, int] = client.nthreads()
    return max(1, sum(threads.values()))


class OnCluster:
    """Covers targets on a cluster, as `driver.cover_all` does on one machine."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def cover_all(
        self,
        targets: Iterable[Target],
        options: Options,
        *,
        on_target: Callable[[Target], None] = lambda target: None,
        on_input: Callable[[Target, FoundInput], None] = lambda target, found: None,
        on_protection: Callable[[list[str]], None] = lambda lines: None,
        record: Callable[[Target, Event], None] = lambda target, event: None,
        before: Callable[[Target], Before] = lambda target: NOTHING_BEFORE,
        stop: Callable[[], bool] = lambda: False,
        workers: int = 1,  # not used: the cluster knows how many there are
    ) -> Iterator[TargetReport]:
        """The report of each target, in the order in which they are done."""
        left = {target.label: target for target in targets}
        topic = f"symcrete-{secrets.token_hex(6)}"  # 6 bytes: no two are alike
        told: queue.Queue[Happened | Any] = queue.Queue()  # what happened, and tasks that ended
        # Hashes of messages by target: a task that is done again after its worker was lost tells
        # them again.
        told_before: dict[str, set[int]] = {}

        def hear(message: tuple[float, str]) -> None:
            happened = decoded(Happened, json.loads(message[1]))
            known = told_before.setdefault(happened.target, set())
            if hash(message[1]) not in known:
                known.add(hash(message[1]))
                told.put(happened)

        def learn(happened: Happened) -> Iterator[TargetReport]:
            target = left.get(happened.target)
            if happened.gaps:
                on_protection(list(happened.gaps))
            if target is None:
                return
            match happened.event:
                case None:
                    on_target(target)
                case TargetEvent(report):
                    del left[target.label]
                    told_before.pop(target.label, None)
                    record(target, happened.event)
                    yield report
                case InputEvent(found):
                    record(target, happened.event)
                    on_input(target, found)
                case _:
                    record(target, happened.event)

        self._client.subscribe_topic(topic, hear)
        units = dict[str, tuple[Known, ...]]()
        tasks: list[Any] = []
        for text, functions in self._texts(left.values(), options, before):
            # Not by its arguments: the same functions explored again are another task.
            key = f"{topic}-{len(tasks)}"
            task = self._client.submit(explored_unit, text, topic, key=key, pure=False)
            task.add_done_callback(told.put)
            tasks.append(task)
            units[key] = functions
        try:
            while units and not stop():
                try:
                    heard = told.get(timeout=_LOOK_AT_STOP)
                except queue.Empty:
                    continue
                if isinstance(heard, Happened):
                    yield from learn(heard)
                    continue
                for report in _reports_of(heard, units.pop(heard.key)):
                    yield from learn(Happened(report.target, TargetEvent(report)))
        finally:
            if units:
                self._end(topic, tasks)
            with contextlib.suppress(ValueError):
                self._client.unsubscribe_topic(topic)

    def _texts(
        self,
        targets: Iterable[Target],
        options: Options,
        before: Callable[[Target], Before],
    ) -> Iterator[tuple[str, tuple[Known, ...]]]:
        """The units as text to be sent, each with its functions, in the order of the targets."""
        by_module = itertools.groupby(targets, key=lambda target: target.source)
        for _, group in by_module:
            functions = tuple([Known(target, before(target)) for target in group])
            yield json.dumps(encoded(unit_of(functions, options))), functions

    def _end(self, topic: str, tasks: list[Any]) -> None:
        """Have tasks under way end soon, and those that wait never begin."""
        from distributed import Event as Flag
        from distributed import wait

        Flag(topic, client=self._client).set()
        running = [task for task in tasks if not task.done()]
        with contextlib.suppress(Exception):  # whatever they say now, nobody waits for it
            wait(running, timeout=_CLUSTER_ENDS_WITHIN)
        self._client.cancel(running, force=True)


def _reports_of(task: Any, functions: tuple[Known, ...]) -> Iterable[TargetReport]:
    """The reports of a task that ended; where it was lost, a report for each function that says so.
    Mistakes of the user's are raised.
    """
    if task.status == "finished":
        return decoded(Explored, json.loads(task.result())).reports
    error = task.exception() if task.status == "error" else None
    if isinstance(error, SymcreteError):
        raise error
    why = f"{type(error).__name__}: {error}" if error is not None else "the scheduler is gone"
    return [_lost(each.target, f"the cluster could not explore it: {why}") for each in functions]


def _lost(target: Target, why: str) -> TargetReport:
    report = TargetReport(
        target.label, Status.FAILED, error=why, exit_code=1, file=str(target.source.file)
    )
    return recounted(report, plan_of(target), lambda name: why)
