"""Modules of ours that a fork had to import: its parent imports them too, for the forks to come.

Strategies, solvers and the backward search are imported when they are first needed. z3 takes 0.1 s:
paid by one function of a module, not by each.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import mmap
import sys

_ROOM = 1 << 16  # bytes
_PLACES = ("symcrete.search.", "symcrete.solve.", "symcrete.backward.", "symcrete.explore.reach.")


class Learned:
    """A page that a process shares with its forks, one at a time."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _ROOM)
        self._known = set(sys.modules)

    def new(self) -> tuple[str, ...]:
        """In a fork: what it had to import."""
        return tuple([name for name in sys.modules if name not in self._known and is_ours(name)])

    def tell(self) -> None:
        """In a fork: say what it had to import."""
        names = self.new()
        told = json.dumps(names).encode()
        if len(told) < _ROOM:
            self._page[: len(told) + 1] = told + b"\0"

    def by_fork(self) -> tuple[str, ...]:
        """In the parent: what the last fork told; nothing if it did not come to its end."""
        told = self._page[:].partition(b"\0")[0]
        self._page[0] = 0
        try:
            names = json.loads(told) if told else []
        except ValueError:  # the program scribbled over it
            return ()
        return tuple([name for name in names if isinstance(name, str) and is_ours(name)])

    def follow(self, names: tuple[str, ...]) -> None:
        """In the parent: import them."""
        learn(names)
        self._known = set(sys.modules)


def is_ours(name: str) -> bool:
    """Whether a module is one of those that importing does nothing but define."""
    return name.startswith(_PLACES)


def learn(names: tuple[str, ...]) -> None:
    """Import these modules of ours, as far as they can be imported here."""
    for name in names:
        if is_ours(name) and name not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
