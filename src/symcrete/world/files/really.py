"""Stand-ins for functions of the system, for libraries too: they find the run's files, on disk.

Functions of the library that look at files by themselves end here, and so does all that writes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.files.as_lines import ACCESS, ENTRIES, MARKED
from symcrete.world.files.file_tree import FOLDER, NAME
from symcrete.world.files.files import READING, Files
from symcrete.world.source import Asking, Everywhere, StandIn

_CHANGING = ("mkdir", "rmdir", "unlink", "remove")
# The walls refuse them everywhere: in a run they change nothing. Root sets the owner of what it
# extracts from an archive; not every system has owners.
_MARKING = ("chmod", "utime", *(each for each in ("chown", "lchown") if hasattr(os, each)))
_LOOKING = ("stat", "lstat", "readlink")
_TWICE = ("rename", "replace", "link")  # functions of two paths
_ALLOWED = ChoiceShape((ConstantShape(True), ConstantShape(False)))
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Before anything stands in for them.
_open, _access, _listdir, _scandir, _open_low = open, os.access, os.listdir, os.scandir, os.open


def really(ask: Asking, files: Files) -> Iterable[StandIn]:
    """The functions that stand in for those of the system."""
    for name in _LOOKING:
        yield Everywhere("os", name, _look(ask, files, name))
    for name in _CHANGING:
        yield Everywhere("os", name, _change(files, name))
    for name in _MARKING:
        yield Everywhere("os", name, _mark(files, name))
    if hasattr(os, "listxattr"):
        yield Everywhere("os", "listxattr", _without_attributes(files))
    for name in _TWICE:
        yield Everywhere("os", name, _change_two(files, name))
    yield Everywhere("os", "open", _opening(files))
    yield Everywhere("os", "access", _accessing(ask, files))
    yield Everywhere("os", "listdir", _listing(ask, files))
    yield Everywhere("os", "scandir", _scanning(ask, files))
    for module in ("io", "builtins"):  # one function: the program calls it by the second name
        yield Everywhere(module, "open", _file(ask, files, f"{module}.open"))
    if "tarfile" in sys.modules or ask.mentions("tarfile"):  # which has a name of its own for it
        yield Everywhere("tarfile", "bltn_open", _file(ask, files, "tarfile.bltn_open"))


def _look(ask: Asking, files: Files, name: str) -> Callable[..., Any]:
    system = getattr(os, name)

    def look(path: Any, *rest: Any, **named: Any) -> Any:
        key = None if named.get("dir_fd") is not None else files.key(path, f"os.{name}")
        if key is None:
            return system(path, *rest, **named)
        if ask.by_program and name != "readlink":
            return files.status(key, path)
        files.tree.at(key)
        return files.really(system, key, path, *rest, **named)

    return look


def _change(files: Files, name: str) -> Callable[..., Any]:
    system = getattr(os, name)

    def change(path: Any, *rest: Any, **named: Any) -> Any:
        key = None if named.get("dir_fd") is not None else files.key(path, f"os.{name}")
        if key is None:
            return system(path, *rest, **named)
        files.tree.settle(key)
        files.allow(f"os.{name}", key, path)
        result = files.really(system, key, path, *rest, **named)
        files.tree.changed(key)
        return result

    return change


def _mark(files: Files, name: str) -> Callable[..., None]:
    system = getattr(os, name)

    def mark(path: Any, *rest: Any, **named: Any) -> None:
        key = None if named.get("dir_fd") is not None else files.key(path, f"os.{name}")
        if key is None:
            system(path, *rest, **named)
        else:
            files.status(key, path)
            files.note(f"{MARKED}os.{name}")
            files.tree.marked(key, name)

    return mark


def _without_attributes(files: Files) -> Callable[..., list[str]]:
    """Files of the run have no extended attributes, which `shutil.copy2` asks for."""
    system: Callable[..., list[str]] = vars(os)["listxattr"]

    def listing(path: Any = None, **named: Any) -> list[str]:
        key = files.key(path, "os.listxattr")
        if key is None:
            return system(path, **named)
        files.status(key, path)
        return []

    return listing


def _change_two(files: Files, name: str) -> Callable[..., Any]:
    system = getattr(os, name)

    def change(first: Any, second: Any, **named: Any) -> Any:
        keys = [files.key(each, f"os.{name}") for each in (first, second)]
        places = []
        for key, given in zip(keys, (first, second), strict=True):
            if key is not None:
                files.tree.settle(key)
            places.append(given if key is None else files.tree.place(key))
        result = system(*places, **named)
        inside = [key for key in keys if key is not None]
        if len(inside) == len(keys):
            files.tree.marked_as(*inside)
        for key in inside:
            files.tree.changed(key)
        return result

    return change


def _opening(files: Files) -> Callable[..., int]:
    def opening(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        key = None if named.get("dir_fd") is not None else files.key(path, "os.open")
        if key is None:
            return _open_low(path, flags, *rest, **named)
        files.tree.settle(key)
        files.allow("os.open", key, path)
        found: int = files.really(_open_low, key, path, flags, *rest, **named)
        if flags & _WRITES:
            files.tree.changed(key)
        return found

    return opening


_TEXT_OPTIONS = ("buffering", "encoding", "errors", "newline")  # of `open`, after the mode


def _file(ask: Asking, files: Files, function: str) -> Callable[..., Any]:
    def opened(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        key = files.key(file, function)
        if key is None or "opener" in named:
            return _open(file, mode, *rest, **named)
        reads = mode in READING
        if reads and ask.by_program and not files.tree.is_changed(key):
            given = dict(zip(_TEXT_OPTIONS, rest, strict=False)) | named
            return files.open(key, file, mode, function, given.get("encoding"), given.get("errors"))
        if mode[0] == "w":
            files.tree.settle_above(key)
        else:
            files.tree.settle(key)
        files.allow(function, key, file)
        found = files.really(_open, key, file, mode, *rest, **named)
        if not reads:
            files.tree.changed(key)
        return found

    return opened


def _accessing(ask: Asking, files: Files) -> Callable[..., Any]:
    def access(path: Any, mode: int, **named: Any) -> Any:
        key = None if named.get("dir_fd") is not None else files.key(path, "os.access")
        if key is None:
            return _access(path, mode, **named)
        if files.tree.at(key) is None:
            return False
        return ask.value(Late(f"{ACCESS}{(key, mode)!r}", _ALLOWED, NAME))

    return access


def _listing(ask: Asking, files: Files) -> Callable[..., Any]:
    def listing(path: Any = ".") -> Any:
        key = files.key(path, "os.listdir")
        if key is None:
            return _listdir(path)
        names = files.names(key, path, "os.listdir")
        return names if ask.by_program else [str.__str__(each) for each in names]

    return listing


def _scanning(ask: Asking, files: Files) -> Callable[..., Any]:
    def scanning(path: Any = ".") -> Any:
        key = files.key(path, "os.scandir")
        if key is None:
            return _scandir(path)
        names = files.names(key, path, "os.scandir")
        if ask.by_program:
            return InOrder([Entry(files, key, path, each) for each in names])
        place = {str.__str__(each): index for index, each in enumerate(names)}
        with files.really(_scandir, key, path) as entries:
            return InOrder(sorted(entries, key=lambda each: place[each.name]))

    return scanning


class Entry:
    """What the program gets from `os.scandir`: the name has a term."""

    def __init__(self, files: Files, folder: str, given: Any, name: Any) -> None:
        self.name = name
        text = os.fspath(given)
        self.path = text + name if text.endswith("/") else text + "/" + name
        plain = str.__str__(name)
        self._files, self._key = files, plain if folder == "." else f"{folder}/{plain}"

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return self._files.tree.at(self._key) is FOLDER

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return not self.is_dir()

    def is_symlink(self) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool = True) -> Any:
        self._files.note(ENTRIES)
        return self._files.status(self._key, self.path)

    def __fspath__(self) -> Any:
        return self.path


class InOrder:
    """The entries of a folder, in an order of ours, as `os.scandir` gives them."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def close(self) -> None:
        self._entries = iter(())

    def __enter__(self) -> InOrder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
