"""Archives of the run under way: the members of a file that the program opens as one are inputs.

Only those that it opens itself, to be read: zip files, and tar files as they are or in gzip.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.world.files.files import Files
from symcrete.world.source import Asking, Instead, StandIn, original

# By the mode of `tarfile.open`, the forms of archives that it reads; the first is built.
_TAR_FORMS = {
    **dict.fromkeys(("r", "r:*"), ("tar", "gz")),
    "r:": ("tar",),
    **dict.fromkeys(("r:gz", "r|gz"), ("gz",)),
}
_ZIP_FORMS = ("zip",)
_ANY_TAR = ("gz", "tar")  # one in gzip is read by the modes that name it, and by those that do not
# Functions that open them first in these modes, which are therefore refused.
_REFUSED = {"r:": "tarfile.bltn_open", "r|gz": "os.open"}
_REFUSED_OTHERWISE = "builtins.open"  # by way of `gzip`, which is tried first
# Functions through which the library opens them, which a test replaces for absolute paths.
_OPENING = {
    "zipfile": ("io.open",),
    "tarfile": ("tarfile.bltn_open", "builtins.open", "bz2._builtin_open"),
}


def archives(ask: Asking, files: Files) -> Iterable[StandIn]:
    """The functions that stand in for those that open archives."""
    if "zipfile" in sys.modules or ask.mentions("zipfile"):  # imported in a function, it may be
        yield Instead("zipfile", "ZipFile", _zip(ask, files))
        yield Instead("zipfile", "is_zipfile", _is_zip(ask, files))
    if "tarfile" in sys.modules or ask.mentions("tarfile"):
        yield Instead("tarfile", "open", _tar(ask, files))
        yield Instead("tarfile", "is_tarfile", _is_tar(ask, files))


def _key(files: Files, file: Any, module: str) -> str | None:
    """The path, as the tree knows it, of a file that may be an archive of the input; None if the
    library itself is to read it, as one that is the machine's or that the run has changed.
    `module` is the library's.
    """
    key = files.key(file, *_OPENING[module])
    return None if key is None or files.tree.is_changed(key) else key


def _members(ask: Asking, files: Files, path: str, forms: Sequence[str]) -> Any:
    ask.lose("archives, of which only small ones with plain texts are built")
    return files.tree.members(path, forms)


def _is_zip(ask: Asking, files: Files) -> Callable[..., bool]:
    def is_zipfile(filename: Any) -> bool:
        key = _key(files, filename, "zipfile")
        if key is None:
            found: bool = original("zipfile", "is_zipfile")(filename)
            return found
        return _is_one(ask, files, key, _ZIP_FORMS)

    return is_zipfile


def _is_tar(ask: Asking, files: Files) -> Callable[..., bool]:
    def is_tarfile(name: Any) -> bool:
        key = _key(files, name, "tarfile")
        if key is None:
            found: bool = original("tarfile", "is_tarfile")(name)
            return found
        if not isinstance(files.tree.at(key), str | bytes):
            files.check(key, name, _REFUSED_OTHERWISE)  # raises that there is no file
        return _is_one(ask, files, key, _ANY_TAR)

    return is_tarfile


def _is_one(ask: Asking, files: Files, path: str, forms: Sequence[str]) -> bool:
    """Whether what is at a path is an archive of one of these forms."""
    there = files.tree.at(path)
    return isinstance(there, str | bytes) and _members(ask, files, path, forms) is not None


def _zip(ask: Asking, files: Files) -> Callable[..., Any]:
    def opened(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        key = _key(files, file, "zipfile") if mode == "r" else None
        if key is None:
            return original("zipfile", "ZipFile")(file, mode, *rest, **named)
        files.check(key, file, _OPENING["zipfile"][0])
        members = _members(ask, files, key, _ZIP_FORMS)
        return _classes().Zip(_plain_bytes(ask, files, key), members or (), os.fspath(file))

    return opened


def _tar(ask: Asking, files: Files) -> Callable[..., Any]:
    def opened(
        name: Any = None, mode: str = "r", fileobj: Any = None, *rest: Any, **named: Any
    ) -> Any:
        forms = _TAR_FORMS.get(mode, ()) if fileobj is None else ()
        key = _key(files, name, "tarfile") if forms else None
        if key is None:
            return original("tarfile", "open")(name, mode, fileobj, *rest, **named)
        files.check(key, name, _REFUSED.get(mode, _REFUSED_OTHERWISE))
        members = _members(ask, files, key, forms)
        made = _classes().Tar.open(None, mode, io.BytesIO(_plain_bytes(ask, files, key)))
        made.has(members or ())
        return made

    return opened


def _plain_bytes(ask: Asking, files: Files, path: str) -> bytes:
    found = ask.plain(files.tree.at(path))
    return found if isinstance(found, bytes) else str(found).encode()


def _classes() -> Any:
    """The classes of archives with terms; a program that uses none does not import the library."""
    return importlib.import_module("symcrete.world.files.opened_archives")
