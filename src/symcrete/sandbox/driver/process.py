"""One worker process as its driver sees it: started, listened to, killed with all it left."""

import contextlib
import json
import os
import selectors
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import IO

from symcrete.codec import encoded, untagged
from symcrete.sandbox.driver.births import (
    INTERPRETERS,
    MARK,
    Births,
    Newborn,
    Task,
    nameless_file,
)
from symcrete.sandbox.driver.folder import furnished
from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.messages.channel import Event, Receiver
from symcrete.sandbox.messages.doings import Doing
from symcrete.sandbox.messages.jobs import Setup
from symcrete.sandbox.messages.output import Tail
from symcrete.sandbox.walls import notices
from symcrete.slotted import dataclass

_ROUNDS_OF_KILLING = 5  # since one process may start another meanwhile; chosen, not measured
_CHANNEL_PIECE = 1 << 16  # bytes: what a pipe holds
_LAST_PIECES = 1000  # pieces read of a dead worker's pipes, which hold far fewer


@dataclass(frozen=True, slots=True)
class AtWork:
    """What a worker last said it was about to do, when (monotonic clock) and for how long."""

    doing: Doing | None  # None: the program scribbled over it
    started: float
    limit: float  # seconds


class WorkerProcess:
    """A running worker. Nothing here ever waits for it longer than it is told to."""

    def __init__(
        self,
        task: Task,
        job: object,
        work: str,
        budget: float = float("inf"),
        births: Births = INTERPRETERS,
    ) -> None:
        """`job`: a dataclass, or JSON for an entry that declares no type; `budget`: seconds."""
        self._births = births
        self._token = os.urandom(8).hex()  # 64 bits that the program cannot guess
        self._folders = (work, *task.allow.folders)
        self._receiver = Receiver(self._token)
        self._may_leave_others = task.forks or not task.confined or "processes" in task.allow
        self.stdout, self.stderr = Tail(), Tail()
        self.cut_off = False  # whether it cannot tell anything any more
        with contextlib.ExitStack() as closing:
            self._selector = closing.enter_context(selectors.DefaultSelector())
            self._start(task, job, work, budget, closing)
            self._closing = closing.pop_all()

    def _start(
        self, task: Task, job: object, work: str, budget: float, closing: contextlib.ExitStack
    ) -> None:
        channel, channel_there = os.pipe()
        closing.callback(os.close, channel)
        orders_there, self._orders = os.pipe()
        os.set_blocking(self._orders, False)
        closing.callback(os.close, self._orders)
        self._unsent = b""
        self._sending = threading.Lock()
        self._told, told_there = socket.socketpair()
        closing.enter_context(self._told)
        board = nameless_file()
        theirs = (board, channel_there, orders_there, told_there.detach())

        def setup(parent: int) -> int:
            told = Setup(
                driver=parent,
                entry=task.entry,
                job=encoded(job) if is_dataclass(job) else job,
                budget=budget,
                token=self._token,
                channel=channel_there,
                board=board,
                notices=theirs[-1],
                orders=orders_there,
                work=work,
                allow=tuple(task.allow.texts()),
                memory=task.memory,
                forks=task.forks,
                confined=task.confined,
                bears=task.bears,
            )
            return nameless_file(json.dumps(encoded(told)).encode())

        environment = {**os.environ, **furnished(work), MARK: self._token, **task.environment}
        try:
            self._board = Board(board)
            closing.callback(self._board.close)
            self._process = self._births.bear(Newborn(task, setup, theirs, environment))
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self.nursing = notices.Nursing(self._process.pid) if task.bears else None
        closing.callback(self.kill)
        self._listen(channel, closing)

    def read_anew(self) -> None:
        """Forget what it has printed, which was the last order's."""
        self.stdout, self.stderr = Tail(), Tail()

    def _listen(self, channel: int, closing: contextlib.ExitStack) -> None:
        read = selectors.EVENT_READ
        self._channel = channel
        self._selector.register(channel, read, self._on_channel)
        self._selector.register(self._told, read, self._on_told)
        out, err = self._process.streams
        for stream in (out, err):
            closing.enter_context(stream)
        self._selector.register(out, read, self._on_output(out, lambda: self.stdout))
        self._selector.register(err, read, self._on_output(err, lambda: self.stderr))
        with contextlib.suppress(AttributeError, OSError):  # without it, exits are polled for
            handle = os.pidfd_open(self._process.pid)
            closing.callback(os.close, handle)
            self._selector.register(handle, read, _nothing)

    def send(self, order: object) -> None:
        """Ask something of the worker; what its pipe has no room for goes out later."""
        line = json.dumps({"event": type(order).__name__, **encoded(order)})
        with self._sending:
            self._unsent += line.encode() + b"\n"
        self._send_on()

    def _send_on(self) -> None:
        with self._sending:
            try:
                while self._unsent:
                    self._unsent = self._unsent[os.write(self._orders, self._unsent) :]
            except BlockingIOError:
                return
            except OSError:  # it is gone, and its end will say so
                self._unsent = b""

    def pump(self, timeout: float) -> list[Event]:
        """The events that the worker tells, waiting for them at most this many seconds."""
        events: list[Event] = []
        if self._unsent:
            self._send_on()
        for key, _ in self._selector.select(max(timeout, 0)):
            events += key.data()
        return events

    def pump_rest(self) -> list[Event]:
        """The last events of a dead worker."""
        events: list[Event] = []
        for _ in range(_LAST_PIECES):
            waiting = [key for key, _ in self._selector.select(0) if key.data is not _nothing]
            if not waiting:
                break
            for key in waiting:
                events += key.data()
        return events

    @property
    def garbage(self) -> int:
        """The number of lines on its channel that were not its own."""
        return self._receiver.garbage

    def at_work(self) -> AtWork | None:
        """What it last said it was about to do; None if it has not said anything."""
        entry = self._board.read()
        if entry is None:
            return None
        return AtWork(untagged(Doing, entry.what), entry.started, entry.limit)

    def has_ended(self) -> bool:
        return self._process.returncode is not None or self._process.has_ended()

    def kill(self) -> int | None:
        """End it and everything it started, at once; its return code, if the system tells."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._kill_others()
            self._process.wait(1.0)
        return self._process.returncode

    def close(self) -> None:
        self._closing.close()

    def _kill_others(self) -> None:
        """Kill processes that left the worker's group, found by their session or by the mark they
        carry.
        """
        rounds = _ROUNDS_OF_KILLING if self._may_leave_others else 0
        for _ in range(rounds):  # one may start another while we look
            others = [pid for pid in _processes() if self._belongs(pid)]
            if not others:
                return
            for pid in others:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)

    def _belongs(self, pid: int) -> bool:
        """Whether the worker, or something it started, started this process, which still runs."""
        if pid in (self._process.pid, os.getpid()):
            return False
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                state, _, _, session = file.read().rpartition(b")")[2].split()[:4]  # proc(5)
            if int(session) == self._process.pid:
                return state != b"Z"
            with open(f"/proc/{pid}/environ", "rb") as file:
                return f"{MARK}={self._token}".encode() in file.read()
        except (OSError, ValueError):
            return False

    def _on_channel(self) -> list[Event]:
        key = self._channel
        data = _read(key)
        if not data:
            self.cut_off = True
            self._selector.unregister(key)
        return self._receiver.feed(data)

    def _on_told(self) -> list[Event]:
        self._selector.unregister(self._told)
        found = notices.receive(self._told)
        if found is not None:
            descriptor, facts = found
            self._listener = notices.Listener(
                descriptor, facts.machine, self._folders, facts.landlocked, self.nursing
            )
            self._closing.callback(self._listener.close)
            self._selector.register(self._listener, selectors.EVENT_READ, self._on_notice)
        return []

    def _on_notice(self) -> list[Event]:
        assert self._listener is not None
        self._listener.serve(lambda record: notices.tell(self._told, self._board, record))
        if self._listener.is_over():
            self._selector.unregister(self._listener)
        return []

    def _on_output(self, stream: IO[bytes], tail: Callable[[], Tail]) -> Callable[[], list[Event]]:
        def take() -> list[Event]:
            data = _read(stream.fileno())
            if not data:
                self._selector.unregister(stream)
            tail().feed(data)
            return []

        return take


def _nothing() -> list[Event]:
    return []


def _read(descriptor: int) -> bytes:
    """The bytes that are there; empty at the end or after an error."""
    with contextlib.suppress(OSError):
        return os.read(descriptor, _CHANNEL_PIECE)
    return b""


def _processes() -> Iterator[int]:
    with contextlib.suppress(OSError):  # no /proc here
        yield from (int(name) for name in os.listdir("/proc") if name.isdecimal())
