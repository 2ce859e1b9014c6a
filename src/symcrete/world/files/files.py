"""The files of the run under way: none are there, unless its input says so.

A path below the current folder or a few folders above it, or an absolute one that is not this
interpreter's or this program's own, is an input: nothing is there, a file with some content, or a
folder with some names.
What a run writes goes to a folder of its own, and only that run sees it.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import symcrete
from symcrete.errors import AssumptionFailed
from symcrete.folders import real_folder
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.files.as_lines import DENIED, HERE, MOVED, ORDERED
from symcrete.world.files.file_tree import FOLDER, MOST_ABOVE, NAME, NAME_IN_PATH, Tree
from symcrete.world.files.opened import Opened
from symcrete.world.files.status import Marked, Status
from symcrete.world.source import Asking

# An absolute path, or one from the current folder or from those right above it.
_BELOW = re.compile(rf"(?:/|(?:\.\./){{0,{MOST_ABOVE}}}){NAME_IN_PATH}(/{NAME_IN_PATH})*")
_BACK = re.compile(f"({NAME_IN_PATH})/\\.\\.(/|$)")  # into a folder, and out of it again
_LONGEST_PATH_TEXT = 100  # characters of a path that is an input: the system has a limit too
READING = frozenset({"r", "rt", "tr", "rb", "br"})
_REFUSED = ChoiceShape((ConstantShape(False), ConstantShape(True)))
_REFUSALS = ("PermissionError", "EACCES")  # names in programs that are ready for a refusal
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
        """The path, in the form that the tree knows, of something that is an input of the run under
        way; None if it is the machine's. `functions` are those through which the library gets
        there, noted for the test, which replaces them where the path is absolute.
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
            self.note(HERE)
        else:
            for each in functions:
                self.note(f"{MOVED}{each}")
        return found

    def _found(self, plain: str) -> str | None:
        """The path in the form that the tree knows; None if it is the machine's."""
        if plain in ("", "."):
            return plain
        path = re.sub(r"/(\./|/)+", "/", plain).removeprefix("./")
        bare = path.removesuffix("/.").removesuffix("/") or "/"
        as_folder, path = bare != path, self._without_detours(bare)
        if len(path) > _LONGEST_PATH_TEXT or not _BELOW.fullmatch(path):
            return None
        if path.startswith("/") and self._is_of_the_machine(path):
            return None
        if as_folder and self.tree.at(path) is not FOLDER:
            return f"{path}/nowhere"  # `name/` and `name/.` are there only where a folder is
        return path

    def _without_detours(self, path: str) -> str:
        """The path without `data/..`; where there is no such folder, a path at which nothing is."""
        while (found := _BACK.search(path)) is not None:
            folder = path[: found.end(1)]
            known = _BELOW.fullmatch(folder) and not self._is_of_the_machine(folder)
            if known and self.tree.at(folder) is not FOLDER:
                return f"{folder}/nowhere"
            path = (path[: found.start(1)] + path[found.end() :]).removesuffix("/") or "."
        return path

    def _is_of_the_machine(self, path: str) -> bool:
        folders = self._machine if self._ask.by_program else (*self._machine, *_OF_THE_SYSTEM)
        return any(
            path == each or path.startswith(f"{each}/") or each.startswith(f"{path}/")
            for each in folders
        )

    def note(self, root: str) -> None:
        """Note a root for the test, which has to do what it stands for."""
        self._ask.value(Late(root, ConstantShape(None), NAME))

    # -- looking

    def allow(self, function: str, path: str, name: Any) -> None:
        """Raise PermissionError if the input says that the system refuses this path to a function;
        it is asked in programs that speak of such errors.
        """
        if any(self._ask.mentions(each) for each in _REFUSALS):
            late = Late(f"{DENIED}{(function, path)!r}", _REFUSED, NAME)
            if self._ask.value(late):
                raise _error(errno.EACCES, name)

    def check(self, path: str, name: Any, function: str) -> None:
        """Raise what the system does where no file is at a path, or where `function`, which is to
        open it, is refused. Errors tell the `name` that the program gave.
        """
        found = self.tree.at(path)
        if found is None:
            raise _error(errno.ENOENT, name)
        if found is FOLDER:
            raise _error(errno.EISDIR, name)
        self.allow(function, path, name)

    def open(
        self,
        path: str,
        name: Any,
        mode: str,
        function: str,
        encoding: Any = None,
        errors: Any = None,
    ) -> Opened:
        """The file at a path, opened to be read. Errors tell the `name` that the program gave;
        `function` is what it called.
        """
        self.check(path, name, function)
        if "b" in mode:
            return Opened(os.fspath(name), self.tree.content(path, binary=True))
        how = [self._ask.pinned(each) for each in (encoding, errors)]
        # Python's own errors, for a name that means no encoding.
        with io.TextIOWrapper(io.BytesIO(), *how):
            pass
        content = self.tree.content(path, binary=False)
        return Opened(os.fspath(name), self._decoded(content, *how))

    def _decoded(self, content: Any, encoding: Any, errors: Any) -> Any:
        """The text that a program reads from a file with this content, which tests write as
        UTF-8.
        """
        name = "utf-8" if encoding in (None, "locale") else codecs.lookup(encoding).name
        plain = self._ask.plain(content)
        if name == "utf-8":
            return content
        self._ask.lose("files that are not read as UTF-8")
        read: str = plain.encode(errors="surrogateescape").decode(encoding, errors or "strict")
        return content if read == plain else read

    def names(self, path: str, name: Any, function: str) -> list[Any]:
        """The names in a folder, in the order of the input; `function` is what was called."""
        found = self.tree.at(path)
        if found is None:
            raise _error(errno.ENOENT, name)
        if found is not FOLDER:
            raise _error(errno.ENOTDIR, name)
        self.allow(function, path, name)
        names = self.tree.names(path)
        if len(names) > 1:
            self.note(f"{ORDERED}{function}")
        return names

    def status(self, path: str, name: Any) -> Any:
        """What `stat` gives for a path; raises its error if nothing is there."""
        if self.tree.at(path) is None:
            raise _error(errno.ENOENT, name)
        changed, marks = self.tree.is_changed(path), self.tree.marks(path)
        found = self.really(_stat, path, name) if changed else Status(self.tree, path)
        return Marked(found, marks) if marks else found

    # -- really

    def really(
        self, function: Callable[..., Any], path: str, name: Any, *rest: Any, **named: Any
    ) -> Any:
        """Call a function of the system on the place of a path on disk; errors tell the `name` that
        the program gave.
        """
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
