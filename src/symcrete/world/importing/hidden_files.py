"""Files that are kept from the program: they are this user's, not its own.

That is the user's home, the configuration of the machine below /etc, and in the program's folder
files whose names begin with a dot (`.env`) and those that its repository does not know. What is
installed, and what else lies in the folders that modules are imported from, is the program's. A
hidden file seems not to be there when it is opened: all of them while the program is imported, and
those in its folder for as long as it runs. Other paths are inputs then.
"""

from __future__ import annotations

import errno
import functools
import importlib.machinery
import os
import pwd
import struct
import sys
from pathlib import Path
from typing import Any

_MACHINE = "/etc/"
_MODULES = (*importlib.machinery.all_suffixes(), ".pyi")
_TABLES = "/.hypothesis/"  # what Hypothesis knows of characters: seconds to make, and no secret
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PLAIN_INDEX = (2, 3)  # versions of the index of git in which names stand as they are


# Before anything stands in for them: what is asked here is no input of a run.
_current, _stat, _open = os.getcwd, os.stat, open


class HiddenFiles:
    """Refuses to open some files, as if they were not there, while that is wanted."""

    def __init__(self) -> None:
        self.asked = False  # whether one of them was to be opened
        self._hiding = self._hooked = False
        self._imported = False  # whether the import is done
        self._own: tuple[str, ...] = ()  # folders of this process: their files are the run's
        self._home = ""

    def hide(self) -> None:
        """From now on whoever opens a hidden file does not find it: the import begins."""
        self.asked = False
        try:
            self._home = os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir).rstrip("/") + "/"
        except KeyError:
            self._home = ""
        if not self._hooked:
            self._hooked = True
            sys.addaudithook(self._hook)
        self._hiding, self._imported = True, False

    def show(self) -> None:
        """Whoever opens files finds them all again."""
        self._hiding = False

    def hide_in_runs(self) -> None:
        """The import is done: from now on only files in the program's own folders are hidden."""
        self.asked = False
        # Now, since what a run reads of the environment is noted as its input.
        own = [os.environ.get(each) for each in ("TMPDIR", "HOME")]
        self._own = tuple([f"{each}/" for each in own if each])
        self._imported = True
        self._hiding = self._hooked

    def was_asked(self) -> bool:
        """Whether one of them was to be opened since this was asked last."""
        found, self.asked = self.asked, False
        return found

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not self._hiding:
            return
        path, _, flags = arguments
        if not isinstance(path, str | bytes) or flags & _WRITING:
            return
        self._hiding = False  # while the index of a repository is read
        try:
            name = os.fsdecode(path)
            if self._imported:
                hidden = is_hidden_in_runs(name, self._own)
            else:
                hidden = is_hidden(name, self._home)
        finally:
            self._hiding = True
        if hidden:
            self.asked = True
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def is_hidden(path: str, home: str) -> bool:
    """Whether a file is kept from the program; home: the user's, with a slash at its end."""
    full = os.path.abspath(path)
    if full.endswith(_MODULES):
        return False
    if full.startswith(_MACHINE):
        return True
    around = [each for each in _folders() if full.startswith(f"{each}/")]
    if not around:
        return len(home) > 1 and full.startswith(home)
    # The interpreter may be in a hidden folder of the program's, and the program's in another one.
    inner = max(around, key=len)
    if "/." in full[len(inner) :]:
        return True
    return not is_known(full, inner)


def is_hidden_in_runs(path: str, own: tuple[str, ...]) -> bool:
    """Whether a file in the program's folder is kept from its runs; not those that a run or a test
    has made in these folders, which are its own.
    """
    full = os.path.join(_current(), path)
    if full.endswith(_MODULES) or full.startswith(own):
        return False
    around = [each for each in sys.path if each.startswith("/") and full.startswith(f"{each}/")]
    if not around or _TABLES in full:
        return False
    inner = max(around, key=len)
    return "/." in full[len(inner) :] or not is_known(full, inner)


def is_known(file: str, folder: str) -> bool:
    """Whether the repository that a folder is in knows a file; True if it is in none."""
    installed = (f"{sys.prefix}/", f"{sys.base_prefix}/")  # pyenv's folder is a repository
    if "-packages" in folder or file.startswith(installed) or not _is_there(file):
        return True
    for each in (folder, *[str(parent) for parent in Path(folder).parents]):
        index = os.path.join(each, ".git", "index")
        if _is_there(index):
            return _lists(_read(index), os.path.relpath(file, each))
    return True


def _is_there(path: str) -> bool:
    try:
        _stat(path)
    except (OSError, ValueError):
        return False
    return True


def _lists(index: bytes, file: str) -> bool:
    """Whether the index of a git repository has a file; True for those of another format."""
    head = struct.Struct(">4sI")
    magic, version = head.unpack(index[: head.size]) if len(index) > head.size else (b"", 0)
    if magic != b"DIRC" or version not in _PLAIN_INDEX:
        return True
    name = os.fsencode(file)
    # The length of the name stands before it, a zero after it.
    return struct.pack(">H", min(len(name), 0xFFF)) + name + b"\0" in index  # 12 bits


@functools.lru_cache(maxsize=8)  # files; chosen, not measured
def _read(index: str) -> bytes:
    with _open(index, "rb") as file:
        return file.read()


def _folders() -> list[str]:
    """Folders that modules are found in, the current one, the interpreter's own, and where
    temporary files go.
    """
    own = [sys.prefix, sys.base_prefix, os.environ.get("TMPDIR"), os.environ.get("HOME")]
    return [os.path.abspath(each) for each in [*sys.path, "", *own] if each is not None]
