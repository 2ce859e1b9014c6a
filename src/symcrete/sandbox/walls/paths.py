"""Whether a file operation would change anything outside the folders that may be written."""

import os
import re
from collections.abc import Sequence

from symcrete.slotted import dataclass

# Operations that act on a link itself, not on what it leads to.
_ON_THE_NAME = frozenset({"remove", "rename", "link", "symlink", "mkdir", "mknod"})
# Paths that may always be written to.
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr")
_OWN_DESCRIPTOR = re.compile(r"/(dev|proc/self)/fd/\d+")


@dataclass(frozen=True, slots=True)
class FileOperation:
    """What is to be done, to which paths: absolute, as written ("a/link/.." stays as it is)."""

    name: str
    paths: tuple[str, ...]
    flags: int = 0  # of open


def within(operation: FileOperation, folders: Sequence[str]) -> bool:
    """Whether every place the operation touches is below one of the (real) folders."""
    follow = operation.name not in _ON_THE_NAME
    return all(_inside(path, folders, follow) for path in operation.paths)


def _inside(path: str, folders: Sequence[str], follow: bool) -> bool:
    if path in _HARMLESS or _OWN_DESCRIPTOR.fullmatch(path):
        return True
    try:
        if follow:
            place = os.path.realpath(path)
        else:
            head, tail = os.path.split(path.rstrip("/") or "/")
            place = os.path.join(os.path.realpath(head), tail)
    except (OSError, ValueError):
        return False
    return any(place == folder or place.startswith(folder + os.sep) for folder in folders)


def changes_nothing(operation: FileOperation) -> bool:
    """Whether the system itself will refuse it (no such file, exists already): then nobody need be
    told.
    """
    try:
        return _futile(operation)
    except (OSError, ValueError):
        return False


def _futile(operation: FileOperation) -> bool:
    path = operation.paths[-1]
    match operation.name:
        case "remove" | "attributes" | "truncate":
            return not os.path.lexists(path)
        case "rename":
            return not os.path.lexists(operation.paths[0])
        case "link":
            return not os.path.lexists(operation.paths[0]) or os.path.lexists(path)
        case "symlink" | "mkdir" | "mknod":
            return os.path.lexists(path) or not _has_folder(path)
        case "open":
            return _open_fails(path, operation.flags)
    return False


def _open_fails(path: str, flags: int) -> bool:
    if os.path.lexists(path):
        exclusive = os.O_CREAT | os.O_EXCL
        return os.path.isdir(path) or flags & exclusive == exclusive
    return not flags & os.O_CREAT or not _has_folder(path)


def _has_folder(path: str) -> bool:
    return os.path.isdir(os.path.dirname(path.rstrip("/")) or "/")
