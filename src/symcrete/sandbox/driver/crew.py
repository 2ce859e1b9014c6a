"""Many targets, several workers at a time: who explores what, and what they share.

Each worker is a thread of the driver with a lane of its own. A worker stays with its module as long
as there is something left of it, since entering another one costs an import.
"""

from __future__ import annotations

import contextlib
import functools
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.sandbox.driver.births import Zygotes
from symcrete.sandbox.driver.lane import Lane
from symcrete.sandbox.driver.replaying import SERVING_ENTRY, Replays

R = TypeVar("R")

_LOOK_AT_WAITING = 0.2  # seconds between two looks at who waits for a result


class SharedReplays:
    """The interpreters for replays of each module that somebody is at; the last one to leave closes
    them."""

    def __init__(self, options: Options, zygotes: Zygotes) -> None:
        self._options = options
        self._zygotes = zygotes
        self._lock = threading.Lock()
        self._open: dict[Source, tuple[Replays, int]] = {}

    def enter(self, source: Source) -> Replays:
        """The interpreters for a module, started if nobody is at it yet."""
        with self._lock:
            if source not in self._open:
                self._open[source] = (Replays(source, self._options, self._zygotes), 0)
            replays, users = self._open[source]
            self._open[source] = (replays, users + 1)
            return replays

    def leave(self, source: Source) -> None:
        """Say that one who entered needs them no more."""
        with self._lock:
            replays, users = self._open.pop(source)
            if users > 1:
                self._open[source] = (replays, users - 1)
                return
        replays.close()


class Post:
    """The place of one worker: its lane, and the replays of its module."""

    def __init__(self, zygotes: Zygotes, shared: SharedReplays | None, helpers: int = 0) -> None:
        self.lane = Lane(zygotes)
        self.helping = tuple([Lane(zygotes) for _ in range(helpers)])  # for workers beside it
        self._shared = shared
        self.source: Source | None = None
        self.replays: Replays | None = None  # None: nothing is replayed

    def go_to(self, source: Source) -> None:
        """Be at this module from now on, with its replays."""
        if self.source == source:
            return
        self._leave()
        self.source = source
        if self._shared is not None:
            self.replays = self._shared.enter(source)

    def close(self) -> None:
        self._leave()
        for each in (self.lane, *self.helping):
            each.close()

    def _leave(self) -> None:
        if self.source is not None and self._shared is not None:
            self._shared.leave(self.source)
        self.source = self.replays = None


class _Pending:
    """Targets that no worker has taken yet."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._lock = threading.Lock()
        self._targets = list(targets)
        self._at: dict[int, Source] = {}  # worker -> the module it is at

    def take(self, worker: int) -> Target | None:
        """The next target for a worker: of its module, else of one where nobody is, else any; None
        if none is left.
        """
        with self._lock:
            if not self._targets:
                return None
            mine = self._at.get(worker)
            others = {at for each, at in self._at.items() if each != worker}
            ranks = [(t.source != mine, t.source in others) for t in self._targets]
            best = min(range(len(ranks)), key=ranks.__getitem__)
            target = self._targets.pop(best)
            self._at[worker] = target.source
            return target


def shared_out(
    targets: Sequence[Target],
    options: Options,
    work: Callable[[Post, Target, Callable[[], bool]], R],
    *,
    workers: int,
    stop: Callable[[], bool],
    zygotes: Zygotes | None = None,
    helped: bool = False,
) -> Iterator[R]:
    """The results of the work for each target, in the order in which they are done.

    The work is handed a post at the target's module, and whether to stop. Its exceptions are raised
    here. Leaving the iterator early ends everything but the zygotes that were given. `helped`:
    where there are more workers than targets, each post gets its share of the others as helpers.
    """
    with contextlib.ExitStack() as ending:
        if zygotes is None:
            zygotes = ending.enter_context(
                contextlib.closing(Zygotes(SERVING_ENTRY if options.replay else ""))
            )
        shared = SharedReplays(options, zygotes) if options.replay else None
        helpers = max(0, workers // max(1, len(targets)) - 1) if helped else 0
        make_post = functools.partial(Post, zygotes, shared, helpers)
        workers = max(1, min(workers, len(targets)))
        if workers > 1:
            yield from _in_threads(targets, work, workers, stop, make_post)
            return
        post = ending.enter_context(contextlib.closing(make_post()))
        for target in targets:
            if stop():
                return
            post.go_to(target.source)
            yield work(post, target, stop)


def _in_threads(
    targets: Sequence[Target],
    work: Callable[[Post, Target, Callable[[], bool]], R],
    workers: int,
    stop: Callable[[], bool],
    make_post: Callable[[], Post],
) -> Iterator[R]:
    pending = _Pending(targets)
    done: queue.Queue[R | _Broken | _Over] = queue.Queue()
    left = threading.Event()

    def stopped() -> bool:
        return left.is_set() or stop()

    def serve(number: int) -> None:
        try:
            with contextlib.closing(make_post()) as post:
                while not stopped() and (target := pending.take(number)) is not None:
                    post.go_to(target.source)
                    done.put(work(post, target, stopped))
        except BaseException as error:
            done.put(_Broken(error))
        finally:
            done.put(_Over())

    threads = [threading.Thread(target=serve, args=(n,), daemon=True) for n in range(workers)]
    for thread in threads:
        thread.start()
    try:
        yield from _results(done, workers)
    finally:
        left.set()
        for thread in threads:
            thread.join()


class _Broken:
    """A worker's work raised this."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class _Over:
    """A worker has no more to do."""


def _results(done: queue.Queue[R | _Broken | _Over], workers: int) -> Iterator[R]:
    while workers:
        try:
            # With a time limit: signals are seen only between two waits.
            result = done.get(timeout=_LOOK_AT_WAITING)
        except queue.Empty:
            continue
        if isinstance(result, _Over):
            workers -= 1
        elif isinstance(result, _Broken):
            raise result.error
        else:
            yield result
