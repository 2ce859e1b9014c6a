"""The shared memory of multiprocessing for a program that can start no process.

The real one is a file that others can see and that outlives the program, so the walls refuse it,
and packages that make some when they are imported could not be loaded. Here it is memory of this
process alone, found by its name as the real one is.
"""

from __future__ import annotations

import errno
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_SHARED, _TRACKER = "_posixshmem", "multiprocessing.resource_tracker"
_HEAP = "multiprocessing.heap"  # it holds `Value` and `Array`
_HEAP_FOLDERS = "_dir_candidates"  # its attribute: folders it prefers to the temporary one


class Memory:
    """What `_posixshmem` does, seen by this process alone."""

    def __init__(self) -> None:
        self._descriptors: dict[str, int] = {}

    def shm_open(self, path: str, flags: int, mode: int = 0o777) -> int:
        """A descriptor of the memory of this name."""
        is_there = path in self._descriptors
        if is_there and flags & os.O_CREAT and flags & os.O_EXCL:
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if not is_there and not flags & os.O_CREAT:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if not is_there:
            self._descriptors[path] = os.memfd_create(path.strip("/") or "memory")
        if flags & os.O_TRUNC:
            os.ftruncate(self._descriptors[path], 0)
        return os.dup(self._descriptors[path])

    def shm_unlink(self, path: str) -> None:
        """From now on nothing has this name."""
        if path not in self._descriptors:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        os.close(self._descriptors.pop(path))


def _nothing(*_: Any) -> None:
    """There is nothing that somebody else would have to tidy up."""


class _InTemporaryFolder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the heap of multiprocessing, which then takes its memory from the temporary folder:
    that of a worker is its own, `/dev/shm` is everybody's.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != _HEAP:
            return None
        self._found = importlib.machinery.PathFinder.find_spec(name, path)
        if self._found is None or self._found.origin is None:
            return None
        return importlib.util.spec_from_file_location(name, self._found.origin, loader=self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert self._found is not None and self._found.loader is not None
        self._found.loader.exec_module(module)
        setattr(vars(module)["Arena"], _HEAP_FOLDERS, [])


def stand_in() -> None:
    """From now on multiprocessing has its memory here, if it has not been imported yet."""
    if sys.platform == "win32" or not hasattr(os, "memfd_create"):
        return
    memory, shared, tracker = Memory(), ModuleType(_SHARED), ModuleType(_TRACKER)
    vars(shared).update(shm_open=memory.shm_open, shm_unlink=memory.shm_unlink)
    vars(tracker).update(register=_nothing, unregister=_nothing, ensure_running=_nothing)
    sys.modules.setdefault(_SHARED, shared)
    sys.modules.setdefault(_TRACKER, tracker)
    if _HEAP not in sys.modules:
        sys.meta_path.insert(0, _InTemporaryFolder())
