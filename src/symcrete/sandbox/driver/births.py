"""How a worker's process comes to be: as a new interpreter, or as a fork of one that is ready.

A *zygote* is an interpreter that has imported the engine and nothing of a program. Where the system
lets us, workers are its forks: 5 ms instead of the 0.2 to 0.4 s that imports take.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import IO, Protocol, TypeVar

from symcrete.codec import decoded, encoded, tagged
from symcrete.explore.options import Options
from symcrete.folders import IMPORT_ROOT
from symcrete.sandbox.messages.forking import (
    Fork,
    Forked,
    Learn,
    Reap,
    Reaped,
    Sprout,
    Taught,
    ToZygote,
)
from symcrete.sandbox.messages.jobs import Birth
from symcrete.sandbox.walls.effects import NOTHING, Allowance, allowance
from symcrete.sandbox.worker.seedling import Seedling, seedling
from symcrete.slotted import dataclass

Answer = TypeVar("Answer", Forked, Taught, Reaped)

MARK = "SYMCRETE_WORKER"  # a variable in the environment of whatever a worker starts
_CODE = (
    "import gc, sys\n"
    "gc.disable()\n"  # until the imports are done
    "sys.dont_write_bytecode = False\n"  # our own modules: the program's come later, uncached
    "if {root!r} not in sys.path: sys.path.append({root!r})\n"
    "from symcrete.sandbox.worker.{module} import main\n"
    "main({arguments})"
)
MOST_RESTARTS_PER_JOB = 5  # workers started anew for one job; chosen, not measured
_ZYGOTE_START_LIMIT = 30.0  # seconds that a zygote may take for its imports; chosen, not measured
_ANSWER_LIMIT = 10.0  # seconds in which a zygote that is ready forks or reaps; chosen, not measured


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is to run, and what it may do."""

    entry: str  # "module:function"; trusted code, called with the job and a Link
    allow: Allowance = NOTHING
    memory: int | None = None  # bytes of address space
    forks: bool = False
    confined: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)  # on top of the driver's own
    cwd: str | None = None
    bears: bool = False  # whether it forks, and only when it is told to


def exploring_task(entry: str, options: Options) -> Task:
    """The task of a worker for the engine. Its hash seed is fixed, so that the order of sets
    decides nothing.
    """
    return Task(
        entry,
        allowance(options.allow),
        memory=options.memory,
        confined=options.sandbox,
        environment={"PYTHONHASHSEED": "0"},
    )


@dataclass(frozen=True, slots=True)
class Newborn:
    """A process that is to be, and what it is given."""

    task: Task
    setup: Callable[[int], int]  # a file with the worker's setup, given the number of its parent
    descriptors: tuple[int, ...]  # it inherits
    environment: dict[str, str]


class Process(Protocol):
    """A process as its driver needs it."""

    pid: int

    @property
    def returncode(self) -> int | None:
        """How it ended; None while it runs, and until somebody reaps it."""
        ...

    @property
    def streams(self) -> tuple[IO[bytes], IO[bytes]]:
        """Its stdout and stderr, to be read."""
        ...

    def has_ended(self) -> bool: ...

    def wait(self, seconds: float) -> None:
        """Reap it if it ends within this time."""
        ...


class Births(Protocol):
    """Where processes come from."""

    def bear(self, newborn: Newborn) -> Process:
        """Start a process. Raises OSError where none can be started."""
        ...


# -- new interpreters


class Interpreters:
    """Each process is a new interpreter: slow to start, and always possible."""

    def bear(self, newborn: Newborn) -> Process:
        file = newborn.setup(os.getpid())
        try:
            return _Started(
                subprocess.Popen(
                    _command("worker", str(file)),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    pass_fds=(file, *newborn.descriptors),
                    start_new_session=True,
                    env=newborn.environment,
                    cwd=newborn.task.cwd,
                )
            )
        finally:
            os.close(file)


INTERPRETERS = Interpreters()


class _Started:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.pid = process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    @property
    def streams(self) -> tuple[IO[bytes], IO[bytes]]:
        out, err = self._process.stdout, self._process.stderr
        assert out is not None
        assert err is not None
        return out, err

    def has_ended(self) -> bool:
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll() is not None
        # Left unreaped: until its leftovers are killed nobody else must get its number.
        kind = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self.pid, kind) is not None
        except ChildProcessError:  # another wait has reaped it
            return True

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)


# -- forks of a zygote


def can_fork(task: Task) -> bool:
    """Whether workers of this task may be forks.

    One that may start processes gets an interpreter of its own: what it leaves behind is found by
    the environment that its process was started with, which of a fork is the zygote's.
    """
    told = sys.platform == "linux" and hasattr(os, "pidfd_open")
    return told and task.confined and "processes" not in task.allow


class Zygotes:
    """Interpreters that wait to be forked, one for each kind of task; started when first needed.

    One whose module needs the base's imports and more is a fork of the base's zygote, as long as
    both have the same environment: half of its imports are done then.
    """

    def __init__(self, base: str = "") -> None:
        """`base` is the entry of tasks that will be needed in any case; "": there are none. Where
        this process may be forked, the base's zygote is its fork, made now: later there are
        threads.
        """
        self._base = base.partition(":")[0]
        self._seedling = seedling(self._base) if self._base else None
        self._lock = threading.Lock()
        self._ready: dict[tuple[object, ...], _Zygote] = {}
        self._closed = False

    def bear(self, newborn: Newborn) -> Process:
        """A fork; where that fails, a new interpreter."""
        if can_fork(newborn.task):
            with contextlib.suppress(OSError, ValueError):
                return self._of(newborn).bear(newborn)
        return INTERPRETERS.bear(newborn)

    def teach(self, entry: str, names: tuple[str, ...]) -> None:
        """Have the zygotes for this entry import these modules of ours, or make these methods
        ready.
        """
        with self._lock:
            module = entry.partition(":")[0]
            zygotes = [zygote for key, zygote in self._ready.items() if key[0] == module]
        for zygote in zygotes:
            zygote.teach(names)

    def close(self) -> None:
        """End all zygotes, and with them whatever they bore."""
        with self._lock:
            self._closed = True
            zygotes = list(self._ready.values())
            self._ready.clear()
            unused, self._seedling = self._seedling, None
        for zygote in reversed(zygotes):  # those that others come from are the first
            zygote.close()
        if unused is not None:
            unused.connection.close()
            unused.kill()
            unused.wait()

    def _of(self, newborn: Newborn) -> _Zygote:
        module = newborn.task.entry.partition(":")[0]
        with self._lock:
            if self._closed:
                raise OSError("no more processes are wanted")
            base = None
            if self._base not in ("", module):
                base = self._kept(self._base, newborn, None)
            return self._kept(module, newborn, base)

    def _kept(self, module: str, newborn: Newborn, base: _Zygote | None) -> _Zygote:
        """The zygote with this module, which is made where there is none."""
        at_start = _read_at_start(newborn.environment)
        key = (module, *at_start)
        zygote = self._ready.get(key)
        if zygote is not None and zygote.ended:
            zygote.close()
            zygote = None
        if zygote is None:
            # Whoever kills the leftovers of one worker by its mark must not mean the zygote of all.
            environment = {k: v for k, v in newborn.environment.items() if k != MARK}
            sprung, self._seedling = self._fitting(module, at_start)
            zygote = self._ready[key] = _Zygote(module, environment, base, sprung)
        return zygote

    def _fitting(
        self, module: str, at_start: list[tuple[str, str]]
    ) -> tuple[Seedling | None, Seedling | None]:
        """The seedling to be used, if it fits what is asked for, and the one to be kept for later:
        at most one of them is not None.
        """
        if self._seedling is not None and self._seedling.fits(module, at_start):
            return self._seedling, None
        return None, self._seedling


def _read_at_start(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """The variables that an interpreter and the C library read when they start, and never again."""
    chosen = ("PYTHON", "LC_", "LD_", "LANG", "TZ", "MALLOC_")
    return sorted((name, text) for name, text in environment.items() if name.startswith(chosen))


class _Zygote:
    """One interpreter that forks when it is asked to; it is asked for one thing at a time."""

    def __init__(
        self,
        module: str,
        environment: Mapping[str, str],
        base: _Zygote | None,
        sprung: Seedling | None = None,
    ) -> None:
        """Its process is `sprung`, a fork of the driver, if there is one; else a fork of the base,
        if there is one; else a new interpreter.
        """
        self._asking = threading.Lock()
        self._taught: set[str] = set()
        self.ended = False
        self._process: subprocess.Popen[bytes] | _Sprout | Seedling
        if sprung is not None:
            self._process, self._connection = sprung, sprung.connection
            self._connection.settimeout(_ZYGOTE_START_LIMIT)
            return
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = (
                _new_zygote(module, environment, theirs.fileno())
                if base is None
                else self._sprouted(base, module, theirs.fileno())
            )
        self._connection.settimeout(_ZYGOTE_START_LIMIT)

    def _sprouted(self, base: _Zygote, module: str, descriptor: int) -> _Sprout:
        try:
            return base.sprout(module, descriptor)
        except OSError:
            self._connection.close()
            raise

    def bear(self, newborn: Newborn) -> Process:
        """A fork of the zygote that does what the setup says."""
        file = newborn.setup(self._process.pid)
        out, out_there = os.pipe()
        err, err_there = os.pipe()
        theirs = (file, out_there, err_there, *newborn.descriptors)
        place = newborn.task.cwd or os.getcwd()
        born = Birth(newborn.environment, place, newborn.descriptors)
        letter = nameless_file(json.dumps(encoded(born)).encode())
        try:
            pid = self._ask(Fork(), Forked, (letter, *theirs)).pid
        except BaseException:
            os.close(out)
            os.close(err)
            raise
        else:
            return _Offspring(pid, self, (out, err))
        finally:
            for each in (letter, file, out_there, err_there):
                os.close(each)

    def sprout(self, module: str, descriptor: int) -> _Sprout:
        """A fork that is a zygote itself, with this module besides, and answers on this socket."""
        return _Sprout(self._ask(Sprout(module), Forked, (descriptor,)).pid, self)

    def teach(self, names: tuple[str, ...]) -> None:
        new = [name for name in names if name not in self._taught]
        self._taught.update(new)
        if new:
            with contextlib.suppress(OSError):
                self._ask(Learn(tuple(new)), Taught)

    def reap(self, pid: int) -> int | None:
        """The return code of a fork that has ended; None if the zygote does not know it."""
        try:
            return self._ask(Reap(pid), Reaped).code
        except OSError:
            return None

    def close(self) -> None:
        self.ended = True
        self._connection.close()
        self._process.kill()
        self._process.wait()

    def _ask(
        self, question: ToZygote, answer_of: type[Answer], descriptors: tuple[int, ...] = ()
    ) -> Answer:
        with self._asking:
            if self.ended:
                raise OSError("the zygote has ended")
            try:
                letter = json.dumps(tagged(question)).encode()
                socket.send_fds(self._connection, [letter], descriptors)
                answer = self._connection.recv(1 << 16)  # bytes: answers are short
                if not answer:
                    raise OSError("the zygote has ended")
            except OSError:
                self.ended = True
                raise
            self._connection.settimeout(_ANSWER_LIMIT)
        return decoded(answer_of, json.loads(answer))


class _Sprout:
    """A zygote that is the fork of another one."""

    def __init__(self, pid: int, base: _Zygote) -> None:
        self.pid = pid
        self._base = base

    def kill(self) -> None:
        if not self._base.ended:  # nobody else has its number until it is reaped
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        self._base.reap(self.pid)


class _Offspring:
    """A fork. The zygote reaps it when it is asked to: until then nobody else has its number."""

    def __init__(self, pid: int, zygote: _Zygote, outputs: tuple[int, int]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._zygote = zygote
        out, err = (os.fdopen(each, "rb", buffering=0) for each in outputs)
        self.streams: tuple[IO[bytes], IO[bytes]] = (out, err)
        self._handle = os.pidfd_open(pid)

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._handle)

    def has_ended(self) -> bool:
        return self._ended_within(0.0)

    def wait(self, seconds: float) -> None:
        if self.returncode is None and self._ended_within(seconds):
            self.returncode = self._zygote.reap(self.pid)

    def _ended_within(self, seconds: float) -> bool:
        return bool(select.select([self._handle], [], [], seconds)[0])


def _new_zygote(
    module: str, environment: Mapping[str, str], descriptor: int
) -> subprocess.Popen[bytes]:
    """An interpreter that imports this module and answers on this socket."""
    return subprocess.Popen(
        _command("zygote", f"{descriptor}, {module!r}"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        start_new_session=True,
        env=environment,
    )


def _command(module: str, arguments: str) -> list[str]:
    code = _CODE.format(root=IMPORT_ROOT, module=module, arguments=arguments)
    return [sys.executable, "-P", "-c", code]


def nameless_file(content: bytes = b"") -> int:
    """A descriptor, at its start, of a file with this content that nobody else can open."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("symcrete", os.MFD_CLOEXEC)
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    while content:
        content = content[os.write(descriptor, content) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
