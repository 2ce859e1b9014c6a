"""What `stat` tells of a file or folder that is an input, asked for when it is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.world.files.file_tree import FOLDER, MODE, MODIFIED, Tree

_FOLDER_SIZE = 4096  # bytes, as the commonest file systems say; no test can set it


class Status:
    """The result of `stat`: only what is read of it becomes an input."""

    st_ino = st_dev = st_uid = st_gid = 0
    st_nlink = 1

    def __init__(self, tree: Tree, path: str) -> None:
        self._tree = tree
        self._path = path

    @property
    def st_size(self) -> Any:
        found = self._tree.at(self._path)
        return _FOLDER_SIZE if found is FOLDER else self._tree.length(self._path)

    @property
    def st_mode(self) -> Any:
        if self._tree.at(self._path) is FOLDER:
            return stat.S_IFDIR | 0o755  # as folders mostly are
        return stat.S_IFREG | self._tree.asked(MODE, self._path)

    @property
    def st_mtime(self) -> Any:
        return self._tree.asked(MODIFIED, self._path) + 0.0

    st_atime = st_ctime = st_mtime

    @property
    def st_mtime_ns(self) -> Any:
        return self._tree.asked(MODIFIED, self._path) * 1_000_000_000  # nanoseconds

    st_atime_ns = st_ctime_ns = st_mtime_ns

    def __getitem__(self, index: int) -> Any:
        return getattr(self, _FIELDS[index])


class Marked:
    """The result of `stat` for what the run itself has set the mode, the times or the owner of.
    Nothing is really set, neither in a run nor in a test: an input for which it is asked is none.
    """

    def __init__(self, found: Status | os.stat_result, marks: Collection[str]) -> None:
        """`found` is what is known otherwise; `marks` are the functions called: "chmod", "utime",
        "chown" or "lchown".
        """
        self._found = found
        self._marks = frozenset(marks)

    def __getattr__(self, name: str) -> Any:
        if name == "st_mode" and "chmod" in self._marks:
            raise AssumptionFailed("a mode that the program has set itself is not really set")
        if name.startswith(_TIMES) and "utime" in self._marks:
            raise AssumptionFailed("times that the program has set itself are not really set")
        if name in _OWNERS and not self._marks.isdisjoint(_OWNING):
            raise AssumptionFailed("an owner that the program has set itself is not really set")
        return getattr(self._found, name)

    def __getitem__(self, index: int) -> Any:
        return getattr(self, _FIELDS[index])


_OWNERS, _OWNING = ("st_uid", "st_gid"), ("chown", "lchown")
_TIMES = ("st_mtime", "st_atime", "st_ctime")
_FIELDS = (
    *("st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size"),
    *("st_atime", "st_mtime", "st_ctime"),
)
