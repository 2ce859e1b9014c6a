"""Files that are read: none are there, unless a branch needs one.

A path that stays below the current folder is an input: nothing is there, a file with some text, or
a folder. Paths of the program's own that lead elsewhere, and files that are written, are left to
the system; a path that comes from an input stays below the folder.
"""

from __future__ import annotations

import ast
import errno
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    InsteadOfMethod,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_FOLDER = True  # what is at a path, besides None and the text of a file
_SHAPE = ChoiceShape((ConstantShape(None), StrShape(), ConstantShape(_FOLDER)))
_NAME = r"(?!\.\.?(/|$))[ -.0-\[\]-~]+"  # of printable characters, and neither `.` nor `..`
_BELOW = re.compile(f"{_NAME}(/{_NAME})*")
_LONGEST_PATH_TEXT = 100  # characters of a path: the system has a limit too
_READING = frozenset({"r", "rt", "tr"})
_ROOT = "file "
_HERE: dict[str, Any] = {"": None, ".": _FOLDER}  # paths that are the same everywhere


class Text:
    """A file that was opened to be read; its text has terms."""

    mode = "r"
    encoding = "utf-8"

    def __init__(self, name: str, text: Any) -> None:
        self.name = name
        self.closed = False
        self._text = text
        self._lines: Iterator[Any] = self._parted()

    def _parted(self) -> Iterator[Any]:
        *lines, last = self._text.split("\n")
        for line in lines:
            yield line + "\n"
        if last:
            yield last

    def _open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def read(self, size: int | None = -1, /) -> Any:
        self._open()
        if size is not None and size >= 0:
            found, self._text = self._text[:size], self._text[size:]
            return found
        found, self._text, self._lines = self._text, "", iter(())
        return found

    def readline(self) -> Any:
        self._open()
        return next(self._lines, "")

    def readlines(self) -> list[Any]:
        return list(self)

    def __iter__(self) -> Iterator[Any]:
        self._open()
        return self._lines

    def __next__(self) -> Any:
        self._open()
        return next(self._lines)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Text:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    def there(path: Any) -> Any:
        """What is at a path in this run: None, the text of a file, or that it is a folder."""
        if path in _HERE:
            return _HERE[path]
        known: dict[str, Any] = ask.remembered("files", dict)
        if any(value is not _FOLDER for each, value in known.items() if _is_in(path, each)):
            return None  # what should hold it is no folder
        if any(value is not None for each, value in known.items() if _is_in(each, path)):
            return _FOLDER
        found = known[path] = ask.value(Late(f"{_ROOT}{path!r}", _SHAPE, "files"))
        ask.lose("files, of which only those with plain text are built")
        if isinstance(found, str) and not _is_plain(str.__str__(found)):
            raise AssumptionFailed("only files of plain text are built")
        return found

    def ours(path: Any) -> str | None:
        """A path that is an input of the run under way; None if it is the system's."""
        if not ask.running or not isinstance(path, str | os.PathLike):
            return None
        from_input = ask.is_tracked(path)
        plain = ask.plain(os.fspath(path))
        is_text = isinstance(plain, str) and len(plain) <= _LONGEST_PATH_TEXT
        if is_text and (plain in _HERE or _BELOW.fullmatch(plain)):
            return str(plain)
        if from_input:
            raise AssumptionFailed("the path of an input stays below the current folder")
        ask.lose("files outside the current folder, which are those of this machine")
        return None

    def opened(path: str) -> Text:
        found = there(path)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if found is _FOLDER:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        return Text(path, found)

    def open_(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        path = ours(file) if mode in _READING else None
        if path is None:
            return original("builtins", "open")(file, mode, *rest, **named)
        return opened(path)

    yield Instead("builtins", "open", open_)
    tests: dict[str, Callable[[Any], bool]] = {
        "exists": lambda found: found is not None,
        "isfile": lambda found: isinstance(found, str),
        "isdir": lambda found: found is _FOLDER,
    }
    for name, holds in tests.items():
        yield Instead("os.path", name, _question("os.path", name, holds, ours, there))
    for name, like in (("exists", "exists"), ("is_file", "isfile"), ("is_dir", "isdir")):
        yield InsteadOfMethod(
            "pathlib", "Path", name, _of_path(ask, name, tests[like], ours, there)
        )

    def read_text(path: Any, *rest: Any, **named: Any) -> Any:
        own = ours(path)
        if own is None:
            return _really(ask, path, "read_text")(*rest, **named)
        return opened(own).read()

    def open_path(path: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        own = ours(path) if mode in _READING else None
        if own is None:
            return _really(ask, path, "open")(mode, *rest, **named)
        return opened(own)

    yield InsteadOfMethod("pathlib", "Path", "read_text", read_text)
    yield InsteadOfMethod("pathlib", "Path", "open", open_path)


def _question(
    module: str,
    name: str,
    holds: Callable[[Any], bool],
    ours: Callable[[Any], str | None],
    there: Callable[[str], Any],
) -> Callable[[Any], bool]:
    def asked(path: Any) -> bool:
        own = ours(path)
        return bool(original(module, name)(path)) if own is None else holds(there(own))

    return asked


def _really(ask: Asking, path: Any, name: str) -> Callable[..., Any]:
    """The library's own method of this name, bound to the path without its term."""
    plain = ask.plain(path)
    return functools.partial(getattr(type(plain), name), plain)


def _of_path(
    ask: Asking,
    name: str,
    holds: Callable[[Any], bool],
    ours: Callable[[Any], str | None],
    there: Callable[[str], Any],
) -> Callable[..., bool]:
    def asked(path: Any, *rest: Any, **named: Any) -> bool:
        own = ours(path)
        if own is None:
            return bool(_really(ask, path, name)(*rest, **named))
        return holds(there(own))

    return asked


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def _is_plain(text: str) -> bool:
    """Whether every encoding writes the text alike and no reader changes its line ends."""
    return text.isascii() and "\r" not in text


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    yield Setting("current folder", "tmp_path", "monkeypatch.chdir(tmp_path)")
    made: set[str] = set()
    for each in answers:
        path = _path(each.root)
        *above, _ = path.split("/")
        above = ["/".join(above[: index + 1]) for index in range(len(above))]
        for folder in above if each.value is not None else ():
            if folder not in made:
                made.add(folder)
                yield Setting(f"folder {folder!r}", "True", _line(folder, "mkdir(exist_ok=True)"))
        if each.value is _FOLDER:
            yield Setting(f"folder {path!r}", "True", _line(path, "mkdir(exist_ok=True)"))
        elif each.value is not None:
            yield Setting(each.root, each.text, _line(path, f"write_text({each.text})"))


def _line(path: str, call: str) -> str:
    return f"(tmp_path / {literal(path)}).{call}"


def _path(root: str) -> str:
    found: str = ast.literal_eval(root.removeprefix(_ROOT))
    return found


FILES = Source(
    name="files",
    what="`open` to read, `Path.read_text`, `exists`, `isfile`, `isdir`",
    stand_ins=_stand_ins,
    shown=_shown,
)
