"""What a program can change around itself in its interpreter, put back after every run.

The current folder, the environment, built-in functions, the table of modules, the recursion limit,
the state of `random`; and whether it starts threads. Looking at all of them costs as much as a
small run: a program whose text does not mention them is not looked after.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any

_FOLDER = frozenset({"chdir", "fchdir"})
_ENVIRONMENT = frozenset({"environ", "putenv", "setenv", "unsetenv"})
_MODULES = frozenset({"modules", "reload", "import_module", "invalidate_caches"})
_BUILTINS = frozenset({"builtins", "__builtins__"})
_LIMITS = frozenset({"setrecursionlimit"})
_RANDOM = frozenset({"random"})
_THREADS = frozenset({"threading", "_thread", "concurrent", "to_thread", "run_in_executor"})
_WORDS = _FOLDER | _ENVIRONMENT | _MODULES | _BUILTINS | _LIMITS | _RANDOM | _THREADS


class Surroundings:
    """The interpreter around a program, as it was when this was made."""

    def __init__(
        self, words: Collection[str], seed: int = 0, own_builtins: ModuleType | None = None
    ) -> None:
        """`words`: every name that the program's text mentions; `own_builtins`: the copy of the
        built-in functions that the program has, and may change.
        """
        self._words = _WORDS.intersection(words)
        self._seed = seed
        self._folder = os.getcwd() if self._words & _FOLDER else None
        # That of the first run: while the program is imported, most variables are concealed.
        self._environment: dict[str, str] | None = None
        self._modules = dict(sys.modules) if self._words & _MODULES else None
        self._own = own_builtins
        self._builtins = dict(vars(own_builtins)) if own_builtins is not None else {}
        self._limit = sys.getrecursionlimit()
        self.starts_threads = self.replaces_builtins = False
        # whether a run is under way: between runs solvers start threads, too
        self._in_a_run = False
        if self._words & _THREADS:
            _notice_threads(self._on_thread)

    @property
    def watched(self) -> bool:
        """Whether the program's text mentions anything that is looked after."""
        return bool(self._words)

    def _on_thread(self) -> None:
        self.starts_threads = self.starts_threads or self._in_a_run

    def settle(self) -> None:
        """Prepare for a run: chance begins at the same point every time."""
        self._in_a_run = True
        if self._environment is None and self._words & _ENVIRONMENT:
            self._environment = _variables()
        if self._own is not None:
            sys.modules["builtins"] = self._own
        if self._words & _RANDOM and "random" in sys.modules:
            sys.modules["random"].seed(self._seed)

    def restore(self) -> None:
        """Put everything back after a run."""
        self._in_a_run = False
        if self._own is not None:
            sys.modules["builtins"] = builtins
            now = vars(self._own)
            if now != self._builtins:
                self.replaces_builtins = True
                now.clear()
                now.update(self._builtins)
        if self._limit != sys.getrecursionlimit():
            sys.setrecursionlimit(self._limit)
        if self._folder is not None:
            with contextlib.suppress(OSError):
                os.chdir(self._folder)
        if self._environment is not None and self._environment != _variables():
            os.environ.clear()
            os.environ.update(self._environment)
        if self._modules is not None:
            self._restore_modules(self._modules)

    def _restore_modules(self, former: dict[str, ModuleType]) -> None:
        """Put back the modules that were taken away; modules imported since then may stay."""
        for name, module in former.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        for name in [name for name, module in sys.modules.items() if module is None]:
            del sys.modules[name]


def _variables() -> dict[str, str]:
    """The environment as it is, read past the stand-in that notes what a run reads."""
    held: Any = os.environ
    return {held.decodekey(name): held.decodevalue(held._data[name]) for name in held._data}


def _notice_threads(started: Callable[[], None]) -> None:
    # What `Thread.start` calls: another function since 3.13.
    joinable = hasattr(threading, "_start_joinable_thread")
    name = "_start_joinable_thread" if joinable else "_start_new_thread"
    ordinary: Any = getattr(threading, name)

    def start(*arguments: Any, **keywords: Any) -> Any:
        started()
        return ordinary(*arguments, **keywords)

    setattr(threading, name, start)
