"""The zygote: an interpreter with everything a worker imports and nothing of any program.

Its driver asks it for forks; each becomes a worker. It does nothing else, so that no thread, no
solver and no open file of one worker is ever another's. It ends with its driver.
"""

import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
from typing import NoReturn, assert_never

from symcrete.codec import decoded, encoded, untagged
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
from symcrete.sandbox.worker import worker
from symcrete.sandbox.worker.learned import learn

_MOST_DESCRIPTORS = 16  # in one letter; a worker inherits fewer
_LETTER = 1 << 16  # bytes; what is longer comes in a file


def main(descriptor: int, module: str) -> NoReturn:
    """Answer the driver on this socket: fork a worker or another zygote, or say how one ended."""
    connection = socket.socket(fileno=descriptor)
    gc.disable()  # importing leaves no garbage, and looking for it took a tenth of the time
    ready = getattr(importlib.import_module(module), "before_forks", None)
    if ready is not None:
        ready()
    gc.enable()
    gc.freeze()  # collections in a fork then leave these pages shared
    while True:
        data, descriptors, _, _ = socket.recv_fds(connection, _LETTER, _MOST_DESCRIPTORS)
        if not data:
            os._exit(0)
        asked: ToZygote = untagged(ToZygote, json.loads(data))
        answer: Reaped | Taught | Forked
        match asked:
            case Reap(pid):
                answer = Reaped(_code_of(pid))
            case Learn(modules):
                learn(modules)
                gc.freeze()
                answer = Taught()
            case Sprout(name):
                pid = os.fork()
                if pid == 0:
                    connection.close()
                    os.setsid()
                    (ours,) = descriptors
                    main(ours, name)
                answer = Forked(pid)
            case Fork():
                pid = os.fork()
                if pid == 0:
                    _become_worker(connection, descriptors)
                answer = Forked(pid)
            case _:
                assert_never(asked)
        for each in descriptors:
            os.close(each)
        connection.send(json.dumps(encoded(answer)).encode())


def _code_of(pid: int) -> int | None:
    """The exit code of a fork that has ended, negative for a signal."""
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:
        return None
    return os.waitstatus_to_exitcode(status)


def _become_worker(connection: socket.socket, descriptors: list[int]) -> NoReturn:
    """Turn this fork into a worker, as if a new interpreter had been started and had done its
    imports.
    """
    try:
        connection.close()
        os.setsid()
        letter, setup, out, err, *theirs = descriptors
        with os.fdopen(letter) as file:
            born = decoded(Birth, json.load(file))
        for each, stream in ((out, 1), (err, 2)):
            os.dup2(each, stream)
            os.close(each)
        os.environ.clear()
        os.environ.update(born.environment)
        tempfile.tempdir = None
        os.chdir(born.cwd)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    worker.main(setup, dict(zip(born.descriptors, theirs, strict=True)))
