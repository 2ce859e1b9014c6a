"""The locks and semaphores of multiprocessing for a program that can start no process.

The real ones are files that others can see, so the walls refuse them, and packages that make one
when they are imported could not be loaded. Where there is one process only, these do the same.
"""

from __future__ import annotations

import sys
import threading
from types import ModuleType

_MODULE = "_multiprocessing"
_RECURSIVE = 0  # the kind of a lock that its owner can take again


class SemLock:
    """What `_multiprocessing.SemLock` is, seen by this process alone."""

    SEM_VALUE_MAX = 2**31 - 1

    def __init__(self, kind: int, value: int, maxvalue: int, name: str, unlink: bool) -> None:
        self.kind, self.maxvalue, self.name, self.handle = kind, maxvalue, None, 0
        self._value = value
        self._taken = 0  # how often, and by which thread last
        self._owner = 0
        self._changed = threading.Condition()

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        with self._changed:
            if self.kind == _RECURSIVE and self._is_mine():
                self._taken += 1
                return True
            seconds = 0.0 if not block else timeout
            if not self._changed.wait_for(lambda: self._value > 0, seconds):
                return False
            self._value -= 1
            self._taken += 1
            self._owner = threading.get_ident()
            return True

    def release(self) -> None:
        with self._changed:
            if self.kind == _RECURSIVE and not self._is_mine():
                raise AssertionError("attempt to release recursive lock not owned by thread")
            if self.kind == _RECURSIVE and self._taken > 1:
                self._taken -= 1
                return
            if self._value >= self.maxvalue:
                raise ValueError("semaphore or lock released too many times")
            self._value += 1
            self._taken -= 1
            self._changed.notify()

    def _is_mine(self) -> bool:
        return self._taken > 0 and self._owner == threading.get_ident()

    def _count(self) -> int:
        return self._taken

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        self._taken = 0

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def stand_in() -> None:
    """From now on multiprocessing makes its locks here, if it has not been imported yet."""
    made = ModuleType(_MODULE)
    flags = {"HAVE_SEM_OPEN": 1}
    vars(made).update(SemLock=SemLock, sem_unlink=lambda name: None, flags=flags)
    sys.modules.setdefault(_MODULE, made)
