"""What a fork had to make ready: its parent does so too, for the forks to come.

Strategies, solvers and the backward search are imported when they are first needed. z3 takes 0.1 s:
paid by one function of a module, not by each. Methods of our dataclasses, too, are made when they
are first called, which takes 0.2 ms each.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import mmap
import sys

from symcrete import slotted

_PAGE_BYTES = 1 << 16  # bytes of the page
# How the names of modules begin that do nothing when they are imported but define things.
_PLACES = ("symcrete.search.", "symcrete.solve.", "symcrete.backward.", "symcrete.explore.reach.")


class Learned:
    """A page that a process shares with its forks, one at a time: they say there what they had to
    make ready.
    """

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _PAGE_BYTES)
        self._known = {*sys.modules, *slotted.in_use()}
        self._said: set[str] = set()

    def new(self) -> tuple[str, ...]:
        """In a fork: modules that it had to import, and methods of data classes that it called."""
        names = (*sys.modules, *slotted.in_use())
        return tuple([name for name in names if name not in self._known and is_ours(name)])

    def news(self) -> tuple[str, ...]:
        """In a fork: what is new and was not given by this before."""
        names = tuple([name for name in self.new() if name not in self._said])
        self._said.update(names)
        return names

    def tell(self) -> None:
        """In a fork: write on the page what it had to make ready."""
        names = self.new()
        told = json.dumps(names).encode()
        if len(told) < _PAGE_BYTES:
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
        """In the parent: make ready what these names stand for."""
        learn(names)
        self._known |= {*sys.modules, *slotted.in_use()}


def is_ours(name: str) -> bool:
    """Whether a name is of a module in one of the places, or of a method of our dataclasses."""
    return name.startswith(_PLACES) or (":" in name and name.startswith("symcrete."))


def learn(names: tuple[str, ...]) -> None:
    """Import these modules of ours, as far as they can be imported here, and make these methods
    ready.
    """
    for name in names:
        if not is_ours(name):
            continue
        if ":" in name:
            slotted.make_ready(name)
        elif name not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
