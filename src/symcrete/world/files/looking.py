"""What the program itself calls to look at files: the answers have terms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from symcrete.world.files.file_tree import FOLDER
from symcrete.world.files.files import READING, Files
from symcrete.world.files.patterns import matching
from symcrete.world.source import Asking, Instead, InsteadOfMethod, StandIn, original

_Question = Callable[[Files, str], Any]
# Functions through which the library would get there, which a test replaces for absolute paths.
_STAT, _LISTED, _WALKED = ("os.stat",), ("os.listdir",), ("os.scandir", "os.stat", "os.lstat")
_QUESTIONS: dict[str, _Question] = {
    "exists": lambda files, path: files.tree.at(path) is not None,
    "lexists": lambda files, path: files.tree.at(path) is not None,
    "isfile": lambda files, path: (
        files.tree.at(path) is not None and files.tree.at(path) is not FOLDER
    ),
    "isdir": lambda files, path: files.tree.at(path) is FOLDER,
    "islink": lambda files, path: False,
}
_OF_PATHS = {"exists": "exists", "is_file": "isfile", "is_dir": "isdir", "is_symlink": "islink"}
_MEASURES = {"getsize": "st_size", "getmtime": "st_mtime"}


def looking(ask: Asking, files: Files) -> Iterable[StandIn]:
    """The functions and methods that stand in for those that look at a path."""
    for name, question in _QUESTIONS.items():
        yield Instead("os.path", name, _function(files, name, question))
    for name, attribute in _MEASURES.items():
        yield Instead("os.path", name, _measure(files, name, attribute))
    for name, like in _OF_PATHS.items():
        yield InsteadOfMethod("pathlib", "Path", name, _method(ask, files, name, _QUESTIONS[like]))
    for name, by in _READERS.items():
        yield InsteadOfMethod("pathlib", "Path", name, _reader(ask, files, name, by))
    yield Instead("os", "walk", _walk(files))
    yield Instead("glob", "glob", _glob(ask, files))


def _function(files: Files, name: str, question: _Question) -> Callable[[Any], Any]:
    low = ("os.lstat",) if name in ("lexists", "islink") else _STAT

    def asked(path: Any) -> Any:
        key = files.key(path, *low)
        return original("os.path", name)(path) if key is None else question(files, key)

    return asked


def _measure(files: Files, name: str, attribute: str) -> Callable[[Any], Any]:
    def asked(path: Any) -> Any:
        key = files.key(path, *_STAT)
        if key is None:
            return original("os.path", name)(path)
        return getattr(files.status(key, path), attribute)

    return asked


def _method(ask: Asking, files: Files, name: str, question: _Question) -> Callable[..., Any]:
    def asked(path: Any, *rest: Any, **named: Any) -> Any:
        key = files.key(path, *_STAT)
        return _really(ask, path, name, *rest, **named) if key is None else question(files, key)

    return asked


def _really(ask: Asking, path: Any, name: str, *rest: Any, **named: Any) -> Any:
    """What the library's own method of this name gives for the path, without terms."""
    plain = ask.plain(path)
    return getattr(type(plain), name)(plain, *rest, **named)


# Computes the result of a method of paths from (ask, files, key, path, *arguments of the call).
_Reader = Callable[..., Any]


def _reader(ask: Asking, files: Files, name: str, by: tuple[tuple[str, ...], _Reader]) -> _Reader:
    functions, read = by

    def asked(path: Any, *rest: Any, **named: Any) -> Any:
        writes = name == "open" and (rest[0] if rest else named.get("mode", "r")) not in READING
        key = None if writes else files.key(path, *functions)
        if key is None or (name in _CONTENTS and files.tree.is_changed(key)):
            return _really(ask, path, name, *rest, **named)
        return read(ask, files, key, path, *rest, **named)

    return asked


def _read_text(
    ask: Asking,
    files: Files,
    key: str,
    path: Any,
    encoding: Any = None,
    errors: Any = None,
    *_: Any,
    **__: Any,
) -> Any:
    return files.open(key, path, "r", "io.open", encoding, errors).read()


def _read_bytes(ask: Asking, files: Files, key: str, path: Any) -> Any:
    return files.open(key, path, "rb", "io.open").read()


def _open(
    ask: Asking,
    files: Files,
    key: str,
    path: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: Any = None,
    errors: Any = None,
    *_: Any,
    **__: Any,
) -> Any:
    return files.open(key, path, mode, "io.open", encoding, errors)


def _stat(ask: Asking, files: Files, key: str, path: Any, **_: Any) -> Any:
    return files.status(key, path)


def _iterdir(ask: Asking, files: Files, key: str, path: Any) -> Iterator[Any]:
    names = files.names(key, path, "os.listdir")
    return iter([_joined(ask, path, name) for name in names])


def _globbed(
    ask: Asking, files: Files, key: str, path: Any, pattern: Any, **_: Any
) -> Iterator[Any]:
    found = matching(ask, files, key, ask.plain(pattern), hidden=True)
    return iter([_joined(ask, path, each) for each in found])


def _globbed_below(
    ask: Asking, files: Files, key: str, path: Any, pattern: Any, **_: Any
) -> Iterator[Any]:
    return _globbed(ask, files, key, path, f"**/{ask.plain(pattern)}")


def _joined(ask: Asking, path: Any, name: Any) -> Any:
    """`path / name`, with the term of the name."""
    text = str(path)
    return ask.callee(type(ask.plain(path)))(name if text == "." else text + "/" + name)


# Methods that read what is in a file: one that the run has changed is read from the disk.
_CONTENTS = frozenset({"read_text", "read_bytes", "open"})
_READERS: dict[str, tuple[tuple[str, ...], _Reader]] = {
    "read_text": (("io.open",), _read_text),
    "read_bytes": (("io.open",), _read_bytes),
    "open": (("io.open",), _open),
    "stat": (_STAT, _stat),
    "iterdir": (_LISTED, _iterdir),
    "glob": (_WALKED, _globbed),
    "rglob": (_WALKED, _globbed_below),
}


# -- many at once


def _walk(files: Files) -> Callable[..., Iterator[Any]]:
    def walk(top: Any, topdown: bool = True, **named: Any) -> Iterator[Any]:
        key = files.key(top, *_WALKED) if topdown else None
        if key is None:
            yield from original("os", "walk")(top, topdown, **named)
            return
        if files.tree.at(key) is not FOLDER:
            return
        names = files.names(key, top, "os.scandir")
        inside = [each for each in names if _is_folder(files, key, each)]
        others = [each for each in names if not _is_folder(files, key, each)]
        yield top, inside, others
        for name in inside:
            yield from walk(os.path.join(top, name), **named)

    return walk


def _is_folder(files: Files, folder: str, name: Any) -> bool:
    plain = str.__str__(name)
    return files.tree.at(plain if folder == "." else f"{folder}/{plain}") is FOLDER


def _glob(ask: Asking, files: Files) -> Callable[..., list[Any]]:
    def glob(pattern: Any, *rest: Any, **named: Any) -> Any:
        plain = ask.plain(pattern)
        top = os.path.dirname(plain)
        while any(each in top for each in "*?["):
            top = os.path.dirname(top)
        key = None if named.get("root_dir") is not None else files.key(top or ".", *_WALKED)
        if key is None:
            return original("glob", "glob")(plain, *rest, **named)
        rest_of_it = plain[len(top) :].lstrip("/")
        if not named.get("recursive"):
            rest_of_it = rest_of_it.replace("**", "*")
        found = matching(ask, files, key, rest_of_it, hidden=bool(named.get("include_hidden")))
        return [top + "/" + each if top else each for each in found]

    return glob
