"""What is where, for one run: what its input says, and what the run itself has changed.

As long as a run only looks, everything is answered from here. Once it writes, or a library reads by
itself, all that is known is put into a folder on disk, and what the run changes is looked up there.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.documents import Form
from symcrete.inputs.draw.text import BytesShape, StrShape, note_document
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    ConstantShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.world.source import Asking

NAME = "files"
FOLDER = True  # what is at a path, besides None and the content of a file
# What is asked about a path, or about the nth name of a folder: how a root begins.
FILE, LISTED, NAMES = "file", "entry", "names in"
BYTES, MODIFIED, MODE = "bytes of", "time of", "mode of"
ARCHIVES = ("zip", "tar", "gz")  # the members of a file, if it is such an archive
_MEMBERS = SequenceShape(TupleShape((StrShape(least=1, odd=False), StrShape(odd=False))), most=3)
_SHAPES: dict[str, Shape] = {
    FILE: ChoiceShape((ConstantShape(None), StrShape(odd=False), ConstantShape(FOLDER))),
    LISTED: ChoiceShape((StrShape(odd=False), ConstantShape(FOLDER))),
    NAMES: SequenceShape(StrShape(least=1, odd=False), most=3),
    BYTES: BytesShape(),
    **dict.fromkeys(ARCHIVES, ChoiceShape((_MEMBERS, ConstantShape(None)))),
    MODIFIED: IntShape(0, 4_000_000_000),  # seconds since 1970
    MODE: ChoiceShape(tuple([ConstantShape(each) for each in (0o644, 0o755, 0o600)])),
}
_FORMS: dict[str, Form] = {  # by what a program mentions that reads them
    **dict.fromkeys(("ConfigParser", "RawConfigParser"), "ini"),
    **dict.fromkeys(("DictReader", "reader"), "csv"),
    "tomllib": "toml",
}
_DEEPEST_FOLDER = 3  # levels of folders: those further below are empty
MOST_ABOVE = 3  # levels above the current folder that a path may begin with
# The current folder on disk, below the run's own: there have to be some above it.
_CURRENT = "/".join(["current"] * MOST_ABOVE)
# What is at these paths, whatever the input says.
_HERE: dict[str, Any] = {
    "": None,
    ".": FOLDER,
    **{"/".join([".."] * (level + 1)): FOLDER for level in range(MOST_ABOVE)},
}
NAME_IN_PATH = r"(?!\.\.?(/|$))[ -.0-\[\]-~]+"  # of printable characters, and neither `.` nor `..`
_NAME_IN_FOLDER = re.compile(NAME_IN_PATH)
_NAME_IN_ARCHIVE = re.compile(r"[ -~]{0,60}[!-.0-~]")  # a path that names no folder
# Before anything stands in for them.
_exists, _is_folder, _names_in = os.path.lexists, os.path.isdir, os.listdir


class Tree:
    """The files and folders of one run, by their paths as the program gives them."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._known: dict[str, Any] = {}  # None, a content or FOLDER, as the input says
        self._roots: dict[str, str] = {}  # the names of the inputs that say what is known
        self._names: dict[str, dict[str, Any]] = {}  # of folders: plain names, with their terms
        self._read_as_text: set[str] = set()  # files whose bytes are therefore those of a text
        self._members: dict[str, tuple[str, Any]] = {}  # of archives: form, members with terms
        self._no_archives: dict[str, set[str]] = {}  # forms that the files at these paths are not
        self._changed: set[str] = set()  # by the run: what is there is on disk
        self._marked: dict[str, set[str]] = {}  # by the run: functions, by path
        self._top: str | None = None  # the folder on disk, if there is one

    def at(self, path: str) -> Any:
        """None if nothing is there, FOLDER, or the content of a file; that of one which the run
        has changed is not read.
        """
        if path in _HERE:
            return _HERE[path]
        if self.is_changed(path):
            place = self.place(path)
            return FOLDER if _is_folder(place) else "" if _exists(place) else None
        if path not in self._known:
            implied = self._implied(path)
            if implied is not None:
                return implied[0]
            folder, number = self._listed(path)
            root = f"{FILE} {path!r}" if number is None else f"{LISTED} {number} of {folder!r}"
            found = self._ask.value(Late(root, _SHAPES[FILE if number is None else LISTED], NAME))
            self._ask.lose("files, of which only those with plain text are built")
            if isinstance(found, str) and not _is_plain(str.__str__(found)):
                raise AssumptionFailed("only files of plain text are built")
            self._known[path] = found
            self._roots[path] = root
            self._put(path)
        return self._known[path]

    def content(self, path: str, *, binary: bool) -> Any:
        """What a file holds that the run has not changed, with terms."""
        found = self.at(path)
        self._note_forms(self._roots.get(path, ""))
        if not binary:
            self._read_as_text.add(path)
            return self._decoded(found) if isinstance(found, bytes) else found
        if isinstance(found, bytes):
            return found
        if path in self._read_as_text:
            return found.encode()
        self._note_forms(f"{BYTES} {path!r}")
        found = self._known[path] = self.asked(BYTES, path)
        self._put(path)
        return found

    def members(self, path: str, forms: Sequence[str]) -> Any:
        """The members of an archive, names and contents; None if the file is none of these forms.
        Asked for is the first one that it may still be.
        """
        if path in self._members:
            known, found = self._members[path]
            return found if known in forms else None
        refuted = self._no_archives.setdefault(path, set())
        form = next((each for each in forms if each not in refuted), None)
        if form is None:
            return None
        if self.is_changed(path) or isinstance(self.at(path), bytes) or path in self._read_as_text:
            return None
        found = self.asked(form, path)
        if found is None:
            refuted.update(forms)
        else:
            self._members[path] = form, found
            self._check([name for name, _ in found], _NAME_IN_ARCHIVE)
            plain = [(self._ask.plain(name), self._ask.plain(each)) for name, each in found]
            made = importlib.import_module("symcrete.world.files.opened_archives")
            self._known[path] = made.written(form, plain, path)
            self._put(path)
        return found

    def _note_forms(self, root: str) -> None:
        """Have documents drawn for the content of a file, in the forms that the program reads."""
        for word, form in _FORMS.items():
            if self._ask.mentions(word):
                note_document(root, form)

    def length(self, path: str) -> Any:
        """How many bytes a file has."""
        if self.is_changed(path):
            return os.path.getsize(self.place(path))
        found = self.at(path)
        if not isinstance(found, bytes):
            self._read_as_text.add(path)
        return self._ask.callee(len)(found)

    def names(self, folder: str) -> list[Any]:
        """The names of what is in a folder, with terms where the input says them.

        The system lists them in any order; so that of the input is as good as any.
        """
        said: dict[str, Any] = {} if self.is_changed(folder) else self._said(folder)
        if self._top is not None:
            there = _names_in(self.place(folder))
        else:
            inside = [path for path, what in self._known.items() if what is not None]
            there = [*said, *[_first(path, folder) for path in inside if _is_in(path, folder)]]
        first = [each for name, each in said.items() if name in there]
        return [*first, *sorted(set(there).difference(said))]

    def asked(self, what: str, path: str) -> Any:
        """The input's answer to a question about a path: BYTES, MODIFIED, MODE or NAMES."""
        return self._ask.value(Late(f"{what} {path!r}", _SHAPES[what], NAME))

    def settle(self, path: str) -> None:
        """Make sure that the input has said what is at a path and at the folders above it, and that
        it is on disk.
        """
        self.settle_above(path)
        self.at(path)

    def settle_above(self, path: str) -> None:
        """Make sure that the input has said what is at the folders above a path."""
        for folder in reversed(_above(path)):
            if self.at(folder) is None:
                break
        self.place(path)

    def is_changed(self, path: str) -> bool:
        """Whether the run has made, written or removed what is at a path, or a folder above it."""
        return any(path == each or _is_in(path, each) for each in self._changed)

    def changed(self, path: str) -> None:
        """Note that the run has changed what is at a path: the disk says what is there now."""
        self._known = {each: what for each, what in self._known.items() if each != path}
        self._changed.add(path)

    def marked(self, path: str, *functions: str) -> None:
        """Note that the run has set the mode ("chmod"), the times ("utime") or the owner ("chown",
        "lchown") of a path, which the disk does not say.
        """
        self._marked.setdefault(path, set()).update(functions)

    def marked_as(self, path: str, other: str) -> None:
        """Note that what was at a path, and below it, is now at another one."""
        for each, functions in list(self._marked.items()):
            if each == path or _is_in(each, path):
                self.marked(other + each[len(path) :], *functions)

    def marks(self, path: str) -> Collection[str]:
        """Which of these functions the run has called for what is at a path."""
        return self._marked.get(path, ())

    def place(self, path: str) -> str:
        """Where a path is on disk; all that is known is put there first. The empty path is nowhere,
        and the system says so.
        """
        if self._top is None:
            self._top = made = os.path.realpath(tempfile.mkdtemp())
            os.makedirs(os.path.join(made, _CURRENT))
            self._ask.afterwards(lambda: shutil.rmtree(made, ignore_errors=True))
            for folder in list(self._names):
                self._put_names(folder)
            for each in list(self._known):
                self._put(each)
        if not path:
            return path
        below = path.lstrip("/") if path.startswith("/") else f"{_CURRENT}/{path}"
        return os.path.normpath(os.path.join(self._top, below))

    # -- what the input says

    def _implied(self, path: str) -> tuple[Any] | None:
        """What must be at a path by what is known of others, in a tuple; None if it is open."""
        above = _above(path)
        if any(self._known.get(each, FOLDER) is not FOLDER for each in above):
            return (None,)
        folder, number = self._listed(path)
        if folder in self._names and number is None:
            return (None,)
        if any(what is not None for each, what in self._known.items() if _is_in(each, path)):
            return (FOLDER,)
        return None

    def _listed(self, path: str) -> tuple[str, int | None]:
        """The folder of a path, and the position of the path among the names that the input gave
        the folder; None if it is not among them.
        """
        folder, name = os.path.dirname(path) or ".", os.path.basename(path)
        names = list(self._names.get(folder, ()))
        return folder, names.index(name) if name in names else None

    def _said(self, folder: str) -> dict[str, Any]:
        """The names in a folder as the input says, with their terms, by the plain ones."""
        if folder not in self._names:
            deep = len(_above(folder)) + (folder != ".") > _DEEPEST_FOLDER
            found = [] if deep else list(self.asked(NAMES, folder))
            self._ask.lose("folders, of which only small ones with plain names are built")
            self._check(found)
            names = {str.__str__(each): each for each in found}
            missing = [path for path, what in self._known.items() if what is None]
            if any(_first(each, folder) in names for each in missing if _is_in(each, folder)):
                raise AssumptionFailed("it was not there when the run asked before")
            self._names[folder] = names
            if self._top is not None:
                self._put_names(folder)
        return self._names[folder]

    def _check(self, names: list[Any], allowed: re.Pattern[str] = _NAME_IN_FOLDER) -> None:
        """Give up this input if a folder, or an archive, cannot have these names. The comparisons
        are branches, so that the search knows which names to try instead.
        """
        for index, name in enumerate(names):
            plain = self._ask.callee(allowed.fullmatch)(name)
            if plain is None or any(name == each for each in names[:index]):
                raise AssumptionFailed("only different, plain names are built")

    def _decoded(self, content: Any) -> Any:
        plain = bytes(content)
        if not plain.isascii() or b"\r" in plain:
            raise AssumptionFailed("only files of plain text are read as text")
        return content.decode()

    # -- on disk

    def _put_names(self, folder: str) -> None:
        for name in self._names[folder]:
            self.at(name if folder == "." else f"{folder}/{name}")

    def _put(self, path: str) -> None:
        """Make on disk what is known to be at a path, if the run has a folder on disk."""
        found = self._known[path]
        if self._top is None or found is None:
            return
        place = self.place(path)
        os.makedirs(place if found is FOLDER else os.path.dirname(place), exist_ok=True)
        if found is not FOLDER:
            self._note_forms(self._roots.get(path, ""))  # a library reads it by itself
            plain = self._ask.plain(found)
            with _open(place, "wb") as file:
                file.write(plain if isinstance(plain, bytes) else plain.encode())


_open: Callable[..., Any] = open  # before anything stands in for it


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/") or (folder == "." and not path.startswith(("/", "../")))


def _first(path: str, folder: str) -> str:
    """The first name after the folder in a path below it."""
    return (path if folder == "." else path.removeprefix(f"{folder}/")).partition("/")[0]


def _above(path: str) -> list[str]:
    """The folders above a path, the nearest first."""
    found = []
    while "/" in path.lstrip("/"):
        path = os.path.dirname(path)
        found.append(path)
    return found


def _is_plain(text: str) -> bool:
    """Whether every encoding writes the text alike and no reader changes its line ends."""
    return text.isascii() and "\r" not in text
