"""The files of the run under way: none are there, unless its input says so.

A path below the current folder, or an absolute one that is not this interpreter's or this
program's own, is an input: nothing is there, a file with some content, or a folder with some names.
What a run writes goes to a folder of its own, and only that run sees it.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import symcrete
from symcrete.errors import AssumptionFailed
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.program.source.folders import real_folder
from symcrete.world.files.as_lines import HERE, MOVED, ORDERED
from symcrete.world.files.file_tree import FOLDER, NAME, NAME_IN_PATH, Tree
from symcrete.world.files.opened import Opened
from symcrete.world.files.status import Status
from symcrete.world.source import Asking

_BELOW = re.compile(f"/?{NAME_IN_PATH}(/{NAME_IN_PATH})*")
_LONGEST_PATH_TEXT = 100  # characters of a path: the system has a limit too
READING = frozenset({"r", "rt", "tr", "rb", "br"})
_stat = os.stat  # before anything stands in for it
# Absolute paths that are the system's own where a library asks for them: time zones, processes.
_OF_THE_SYSTEM = ("/usr/share/zoneinfo", "/proc", "/sys")


class Files:
    """The files of the run under way, for the functions that stand in for those of the library."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._machine = _folders_of_the_machine()

    @property
    def tree(self) -> Tree:
        found: Tree = self._ask.remembered(NAME, lambda: Tree(self._ask))
        return found

    def key(self, path: Any, *functions: str) -> str | None:
        """The path of something that is an input of the run under way; None if it is the
        machine's. `functions` are those through which the library gets there.
        """
        if not self._ask.running or not isinstance(path, str | os.PathLike):
            return None
        from_input = self._ask.is_tracked(path)
        plain = os.fspath(self._ask.pinned(path) if from_input else path)
        found = self._found(plain) if isinstance(plain, str) else None
        if found is None and from_input:
            raise AssumptionFailed("the path of an input stays among the files that are inputs")
        if found is None:
            if self._ask.by_program:  # of what a library reads, the call of it is noted
                self._ask.lose("files of this machine")
        elif not found.startswith("/"):
            self._note(HERE)
        else:
            for each in functions:
                self._note(f"{MOVED}{each}")
        return found

    def _found(self, plain: str) -> str | None:
        if plain in ("", "."):
            return plain
        path = re.sub(r"/(\./|/)+", "/", plain).removeprefix("./")
        path = path.removesuffix("/.").removesuffix("/") or "/"
        if len(path) > _LONGEST_PATH_TEXT or not _BELOW.fullmatch(path):
            return None
        if path.startswith("/") and self._is_of_the_machine(path):
            return None
        return path

    def _is_of_the_machine(self, path: str) -> bool:
        folders = self._machine if self._ask.by_program else (*self._machine, *_OF_THE_SYSTEM)
        return any(
            path == each or path.startswith(f"{each}/") or each.startswith(f"{path}/")
            for each in folders
        )

    def _note(self, root: str) -> None:
        self._ask.value(Late(root, ConstantShape(None), NAME))

    # -- looking

    def open(self, path: str, name: Any, mode: str) -> Opened:
        """A file opened to be read."""
        found = self.tree.at(path)
        if found is None:
            raise _error(errno.ENOENT, name)
        if found is FOLDER:
            raise _error(errno.EISDIR, name)
        return Opened(os.fspath(name), self.tree.content(path, binary="b" in mode))

    def names(self, path: str, name: Any, function: str) -> list[Any]:
        """The names in a folder, in order."""
        found = self.tree.at(path)
        if found is None:
            raise _error(errno.ENOENT, name)
        if found is not FOLDER:
            raise _error(errno.ENOTDIR, name)
        names = self.tree.names(path)
        if len(names) > 1:
            self._note(f"{ORDERED}{function}")
        return names

    def status(self, path: str, name: Any) -> Any:
        """What `stat` gives."""
        if self.tree.at(path) is None:
            raise _error(errno.ENOENT, name)
        return (
            self.really(_stat, path, name)
            if self.tree.is_changed(path)
            else Status(self.tree, path)
        )

    # -- really

    def really(
        self, function: Callable[..., Any], path: str, name: Any, *rest: Any, **named: Any
    ) -> Any:
        """Call a function of the system on the place of a path; errors tell the path as given."""
        try:
            return function(self.tree.place(path), *rest, **named)
        except OSError as error:
            if error.filename is not None:
                error.filename = os.fspath(name)
            raise


def _error(number: int, name: Any) -> OSError:
    return OSError(number, os.strerror(number), os.fspath(name))


def _folders_of_the_machine() -> tuple[str, ...]:
    """Folders that the interpreter, the program and this process need as they are."""
    found = [os.path.dirname(os.__file__), *[each for each in sys.path if each.startswith("/")]]
    found += [sys.prefix] if sys.prefix != sys.base_prefix else []
    found += [tempfile.gettempdir(), os.path.dirname(symcrete.__file__), "/dev"]
    return tuple(dict.fromkeys([place for each in found for place in (each, real_folder(each))]))
