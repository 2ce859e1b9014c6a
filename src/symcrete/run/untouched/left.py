"""What a call leaves behind for a test to look at, besides its result.

Arguments and objects that it changed, variables of the module, files in the folder of the test,
what it printed and logged. Only what has a text that gives an equal value again is told.
"""

from __future__ import annotations

import collections
import contextlib
import importlib
import io
import keyword
import logging  # before the program's folder is searched: it may have a file of this name
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeAlias

from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.run.state import ModuleState
from symcrete.run.untouched.given import Given, given_by
from symcrete.run.untouched.monkeypatch import MonkeyPatch
from symcrete.run.untouched.played import Call, Seen

# Chosen, not measured.
MOST_PARTS_SEEN = 6  # attributes of one object: nobody reads a test that asserts more
MOST_OF_A_SIGHT = 400  # characters of one value: some lines of a test
MOST_ITEMS_SEEN = 100  # elements of a container: of a longer one only the length is told
_CONTAINERS = (
    list,
    dict,
    set,
    tuple,
    bytearray,
    collections.deque,
    collections.Counter,
    collections.OrderedDict,
    collections.defaultdict,
)
_NO_STATE = (type, ModuleType, FunctionType, BuiltinFunctionType)

Imports: TypeAlias = tuple[tuple[str, str], ...]
Texts: TypeAlias = dict[str, tuple[str, Imports]]  # by part of an object: expression, its imports


class Watch:
    """What there was before a call, to tell afterwards what it left."""

    def __init__(
        self, module: ModuleType, call: Call, given: Given, monkeypatch: MonkeyPatch
    ) -> None:
        self._module = module
        self._values = {
            label: value
            for label, value in given.by_label.items()
            if not label.startswith("*") and _has_state(value)
        }
        # Properties may change their object, so they are read of objects made a second time.
        self._asks = not (call.setup or call.situation)
        others = self._values
        if self._asks and any(_getters(value) for value in others.values()):
            others = given_by(call, monkeypatch).by_label
        self._before = {label: _parts(others[label], asked=self._asks) for label in self._values}
        self._state = ModuleState([module], MOST_ITEMS_SEEN)
        self._folder = monkeypatch.folder
        self._files = _files_in(self._folder)
        self._out, self._err, self._log = _Heard(sys.stdout), _Heard(sys.stderr), _Log()
        self._streams_set = any("sys.std" in each.set for each in call.situation)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """The context of the call: what it prints and logs is heard."""
        former = sys.stdout, sys.stderr
        if not self._streams_set:
            sys.stdout, sys.stderr = self._out, self._err
        self._log.begin()
        try:
            yield
        finally:
            self._log.end()
            if sys.stdout is self._out:
                sys.stdout = former[0]
            if sys.stderr is self._err:
                sys.stderr = former[1]

    def seen(self, result: Any) -> tuple[Seen, ...]:
        """What the call left; `result` is None if its text tells all about it."""
        found = [*self._of_result(result), *self._of_arguments(), *self._of_module()]
        found += [*_of_folder(self._folder, self._files), *self._of_streams()]
        return tuple([each for each in found if len(each.value) <= MOST_OF_A_SIGHT])

    def _of_result(self, result: Any) -> Iterator[Seen]:
        if not _has_state(result):
            return
        for label, value in self._values.items():
            if value is result:
                yield Seen("result", label, "is", "")
                return
        parts = _parts(result, asked=self._asks)
        for part in list(parts)[:MOST_PARTS_SEEN]:
            yield Seen("result", "", part, *parts[part])

    def _of_arguments(self) -> Iterator[Seen]:
        for label, value in self._values.items():
            before = self._before[label]
            parts = _parts(value, asked=self._asks)
            changed = [part for part in parts if parts[part] != before.get(part)]
            for part in changed[:MOST_PARTS_SEEN]:
                yield Seen("argument", label, part, *parts[part])

    def _of_module(self) -> Iterator[Seen]:
        for name in self._state.changes():
            value: Any = self._module
            if any(part.startswith("_") for part in name.split(".")):
                continue
            with contextlib.suppress(AttributeError):
                for part in name.split("."):
                    value = getattr(value, part)
                for text in _whole(value).values():
                    yield Seen("variable", name, "", *text)

    def _of_streams(self) -> Iterator[Seen]:
        for kind, stream in (("printed", self._out), ("complained", self._err)):
            if stream.text and not stream.lost and " at 0x" not in stream.text:
                yield Seen(kind, "", "", literal(stream.text))
        if self._log.records and not self._log.lost:
            yield Seen("logged", "", "", f"[{', '.join(self._log.records)}]")


class _Heard:
    """A stream that keeps what is written to it, and passes it on."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.text = ""
        self.lost = False  # something may have been written past us

    def write(self, text: str) -> int:
        """Keep the text and write it."""
        if isinstance(text, str):  # one character more than is told shows that it is too long
            self.text += str(text)[: MOST_OF_A_SIGHT + 1 - len(self.text)]
        written: int = self._stream.write(text)
        return written

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        self.lost = self.lost or name in ("buffer", "fileno", "detach")
        return getattr(self._stream, name)


class _Log:
    """The records that reach the root of all loggers, as the tuples that pytest has of them.

    The program may look at the handlers of the root, so there is none of ours among them. But as
    with pytest, whose own is there, what no handler takes is not written to standard error.
    """

    def __init__(self) -> None:
        self.records: list[str] = []
        self.lost = False  # a record has no text
        self._taken_back: list[Callable[[], object]] = []

    def begin(self) -> None:
        """Hear of records from now on."""
        kind: Any = logging.Logger
        known = kind.callHandlers

        def call_handlers(logger: Any, record: Any) -> None:
            each = logger
            while each.propagate and each.parent is not None:
                each = each.parent
            if each is logging.getLogger():
                self._hear(record, logging.getLevelName)
            if each is not logging.getLogger() or logger.hasHandlers():
                known(logger, record)

        kind.callHandlers = call_handlers
        self._taken_back.append(lambda: setattr(kind, "callHandlers", known))

    def _hear(self, record: Any, name_of: Callable[[int], str]) -> None:
        try:
            level = str(record.levelno)
            if level.isdecimal() and name_of(record.levelno) in _LEVELS:
                level = f"logging.{name_of(record.levelno)}"
            name, message = literal(str(record.name)), literal(record.getMessage())
            self.records.append(f"({name}, {level}, {message})")
        except Exception:
            self.lost = True

    def end(self) -> None:
        """Hear of no more."""
        while self._taken_back:
            self._taken_back.pop()()


_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def _has_state(value: Any) -> bool:
    """Whether a value can be changed, or has parts that a test can look at."""
    kind = type(value)
    if kind in _CONTAINERS or isinstance(value, io.StringIO):
        return True
    plain = kind.__module__ in ("builtins", "unittest.mock") or isinstance(value, _NO_STATE)
    return not plain


def _parts(value: Any, *, asked: bool) -> Texts:
    """The texts of what a test can look at in a value; `asked`: properties and length too."""
    if type(value) in _CONTAINERS:
        whole = _whole(value) if len(value) <= MOST_ITEMS_SEEN else {}
        return whole or {"len": (str(len(value)), ())}
    if isinstance(value, io.StringIO):
        return {} if value.closed else {".getvalue()": (literal(value.getvalue()), ())}
    found: Texts = {}
    getters = _getters(value)
    for name, held in _attributes(value):
        if name not in getters:
            found |= {f".{name}": text for text in _whole(held).values()}
    for name in getters if asked else ():
        with contextlib.suppress(Exception):
            held = len(value) if name == "len" else getattr(value, name)
            whole = _whole(held)
            if whole:
                found[name if name == "len" else f".{name}"] = whole[""]
    return found


def _whole(value: Any) -> Texts:
    """The value's own text, if it has one that gives an equal value again."""
    text, imports = text_of(value)
    if text is None or 'float("nan")' in text or compared(value, text, imports) != "==":
        return {}
    return {"": (text, imports)}


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The public attributes that an object itself has. Those that `setattr` gave a name which
    cannot stand after a dot are left out.
    """
    stored: Any = getattr(value, "__dict__", None)
    # An object may answer with anything, also with itself.
    held = dict(stored) if issubclass(type(stored), dict | MappingProxyType) else {}
    for owner in type(value).__mro__:
        slots = vars(owner).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            with contextlib.suppress(AttributeError):
                held.setdefault(name, getattr(value, name))
    for name, each in held.items():
        if str(name).isidentifier() and not keyword.iskeyword(name) and not name.startswith("_"):
            yield name, each


def _getters(value: Any) -> list[str]:
    """The public properties of an object's class, and "len" if it has a length."""
    if not _has_state(value) or type(value) in _CONTAINERS:
        return []
    found: dict[str, None] = {}
    for owner in reversed(type(value).__mro__):
        if owner.__module__ == "builtins":
            continue
        for name, each in vars(owner).items():
            if isinstance(each, property) and not name.startswith("_"):
                found[name] = None
            elif name == "__len__":
                found["len"] = None
    return list(found)


def _files_in(folder: Path | None) -> dict[str, bytes]:
    """What the files below a folder hold, by their place in it."""
    if folder is None:
        return {}
    found = {}
    for file in sorted(folder.rglob("*")):
        with contextlib.suppress(OSError):
            if file.is_file():
                found[file.relative_to(folder).as_posix()] = file.read_bytes()
    return found


def _of_folder(folder: Path | None, before: dict[str, bytes]) -> Iterator[Seen]:
    now = _files_in(folder)
    for name, data in now.items():
        if data != before.get(name):
            with contextlib.suppress(UnicodeDecodeError):
                yield Seen("file", name, "", literal(data.decode()))
    for name in before:
        if name not in now:
            yield Seen("file", name, "gone", "")


def text_of(value: Any) -> tuple[str | None, Imports]:
    """The expression for a value and what it imports; None and nothing if there is none."""
    with contextlib.suppress(NoLiteral, RecursionError):  # of what holds itself
        text = literal(value)
        return text, tuple(sorted(imports_of(value)))
    return None, ()


def compared(value: Any, text: str | None, imports: Iterable[tuple[str, str]]) -> str:
    """How a test can compare a value with its text: by `==`, by its repr, or not at all."""
    if text is None:
        return ""
    with contextlib.suppress(Exception):
        scope = {name: getattr(importlib.import_module(where), name) for where, name in imports}
        made = eval(text, scope)
        with contextlib.suppress(Exception):
            if bool(made == value):
                return "=="
        if repr(made) == repr(value) and " at 0x" not in repr(value):
            return "repr"
    return ""
