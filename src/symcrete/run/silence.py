"""Standard streams of a run: what the program prints goes nowhere."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from typing import Any

from symcrete.values.build.late_inputs import late_input
from symcrete.values.tracking import recording
from symcrete.world.setting_roots import is_terminal

_open = open  # a program under test may put another in its place


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Standard streams that swallow what the program prints and have nothing to read."""
    former = sys.stdin, sys.stdout, sys.stderr
    nothing = _open(os.devnull)
    sys.stdin, sys.stdout, sys.stderr = nothing, _Sink("sys.stdout"), _Sink("sys.stderr")
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = former
        with contextlib.suppress(OSError):  # the program may have closed every descriptor there is
            nothing.close()


class _Sink:
    swallows = True  # nothing that is written here can be read again
    encoding = "utf-8"
    errors = "replace"

    def __init__(self, name: str) -> None:
        self._terminal = is_terminal(name)

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> Any:
        return recording.active().given is not None and late_input(self._terminal)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return _nowhere()


@functools.cache
def _nowhere() -> int:
    """A descriptor that swallows what is written to it."""
    return os.open(os.devnull, os.O_WRONLY)
