"""A zygote that is a fork of the driver: the driver's imports are done, and its threads, files and
signals are none of a worker's business.

Only for a driver that is a command of ours and nothing else (`own_process.py`), from its only
thread, before anything of a program is there.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import site
import socket
import sys
import threading
import types
from collections.abc import Mapping
from typing import Any, NoReturn

from symcrete.own_process import HASH_SEED, may_be_forked

_STANDARD_STREAMS = 3  # descriptors: input, output, errors


class Seedling:
    """A fork of this process that imports a module and waits to be asked for forks."""

    def __init__(self, module: str) -> None:
        """Raises OSError where there can be none."""
        self.module = module
        self._environment = {**os.environ, "PYTHONHASHSEED": HASH_SEED}
        self.connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            self.pid = os.fork()
        except OSError:
            self.connection.close()
            theirs.close()
            raise
        if not self.pid:
            _grow(theirs.detach(), module, self._environment)
        theirs.close()

    def fits(self, module: str, read_at_start: list[tuple[str, str]]) -> bool:
        """Whether it has what an interpreter for this module, started with these variables, has."""
        mine = [
            (name, self._environment[name])
            for name, _ in read_at_start
            if name in self._environment
        ]
        # The folder of the user's packages is told to workers, since they get another home.
        wanted = [
            (name, value)
            for name, value in read_at_start
            if (name, value) != ("PYTHONUSERBASE", site.getuserbase())
        ]
        return self.module == module and [each for each in mine if each in wanted] == wanted

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def seedling(module: str) -> Seedling | None:
    """A fork of this process for workers with this module; None where it may not be forked."""
    alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
    if not (may_be_forked() and alone and _has_own_streams()):
        return None
    try:
        return Seedling(module)
    except (OSError, ValueError):
        return None


def _has_own_streams() -> bool:
    return sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__ and sys.stdout is not None


def _grow(connection: int, module: str, environment: Mapping[str, str]) -> NoReturn:
    """Become a zygote as if a new interpreter had been started for it."""
    try:
        os.setsid()
        for sign in signal.valid_signals():
            if callable(signal.getsignal(sign)):
                signal.signal(sign, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for each in [int(name) for name in os.listdir("/proc/self/fd")]:
            if each >= _STANDARD_STREAMS and each != connection:
                with contextlib.suppress(OSError):  # the one that listed them
                    os.close(each)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(_STANDARD_STREAMS):
            os.dup2(nowhere, number)
        os.close(nowhere)
        for name, stream in _new_streams().items():
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        os.environ.clear()
        os.environ.update(environment)
        _forget_the_command()
        gc.disable()
        from symcrete.sandbox.worker import zygote  # the driver itself needs none of it
    except BaseException:
        os._exit(1)
    zygote.main(connection, module)


def _new_streams() -> dict[str, io.TextIOWrapper]:
    """The three streams as a new interpreter makes them that is connected to no terminal."""
    made = {}
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        raw: Any = io.FileIO(number, "rb" if number == 0 else "wb", closefd=False)
        raw.name = f"<{name}>"
        # What PYTHONUNBUFFERED says holds for workers, too; else errors are written line by line.
        unbuffered = number > 0 and bool(getattr(old, "write_through", False))
        stream: Any = io.TextIOWrapper(
            io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw),
            encoding=getattr(old, "encoding", None) or "utf-8",
            errors=getattr(old, "errors", None) or "strict",
            newline="\n" if number else None,
            line_buffering=name == "stderr" and not unbuffered,
            write_through=unbuffered,
        )
        stream.mode = "w" if number else "r"
        made[name] = stream
    return made


def _forget_the_command() -> None:
    """Have the path, the arguments and the main module of an interpreter started with `-P -c`."""
    if not sys.flags.safe_path and sys.path:
        del sys.path[0]  # the folder of the script, or the current one
    sys.dont_write_bytecode = False  # our own modules: the program's come later, uncached
    sys.argv = ["-c"]
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = sys.modules["builtins"]
    sys.modules["__main__"] = main
