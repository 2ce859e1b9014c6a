"""What a call does to the interpreter it runs in, beyond the program's own modules.

A function that closes standard output or blocks a module does so to everything else in its
process: its result is real, but no test suite would survive a test of it.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
from typing import Any

MOST_HARM_NAMED = 3  # names in one sentence: the others are left out; chosen, not measured


class Interpreter:
    """This interpreter as it was when this was made; what a call changed in it is told and, but
    for folder and environment, undone.
    """

    def __init__(self) -> None:
        self._builtins = dict(vars(builtins))
        self._modules: dict[str, Any] = dict(sys.modules)
        self._folder = os.getcwd()
        self._environment = dict(os.environ)
        self._limit = sys.getrecursionlimit()

    def harm(self) -> str:
        """What was done to it since, in words; empty if nothing was. It is undone now."""
        found = []
        now = vars(builtins)
        if now != self._builtins:
            names = [name for name in self._builtins if now.get(name) is not self._builtins[name]]
            now.clear()
            now.update(self._builtins)
            told = ", ".join(names[:MOST_HARM_NAMED]) or "built-in functions"
            found.append(f"replaces {told} for everybody")
        closed = [number for number in (0, 1, 2) if not _is_open(number)]
        if closed:
            found.append(f"closes descriptor {', '.join(map(str, closed))} of its process")
            _reopen(closed)
        blocked = [name for name in self._modules if sys.modules.get(name) is None]
        if blocked:
            found.append(f"makes {', '.join(blocked[:MOST_HARM_NAMED])} impossible to import")
            sys.modules.update({name: self._modules[name] for name in blocked})
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        return "; ".join(found)

    def moved(self) -> list[str]:
        """Which of the current folder and the environment have changed, in words."""
        found = []
        with contextlib.suppress(OSError):
            if os.getcwd() != self._folder:
                found.append("the current folder")
        if dict(os.environ) != self._environment:
            found.append("os.environ")
        return found


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _reopen(numbers: list[int]) -> None:
    with contextlib.suppress(OSError):
        for number in numbers:
            found = os.open(os.devnull, os.O_RDWR)
            if found != number:
                os.dup2(found, number)
                os.close(found)
