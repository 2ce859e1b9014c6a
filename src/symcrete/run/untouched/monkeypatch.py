"""What pytest's fixture `monkeypatch` does, for calls that are replayed where there is no pytest.

A situation is written as the lines of a test; these lines are what a replay executes.
"""

from __future__ import annotations

import functools
import importlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, MutableMapping
from pathlib import Path
from types import MethodWrapperType
from typing import Any

_MISSING = object()


class MonkeyPatch:
    """Changes that can be undone; the methods are those of the fixture."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []
        self.folder: Path | None = None  # what pytest's fixture `tmp_path` is
        self._mocks: dict[str, list[Any]] = {}  # by the statement that put them in place
        self._placed: list[Any] = []  # mocks, by the statement that runs now
        self.ran_out = False  # whether a row of answers, `iter([...]).__next__`, was too short

    def make_folder(self) -> None:
        """Make a folder of its own, which is removed when the changes are undone."""
        self.folder = made = Path(tempfile.mkdtemp())
        self._undo.append(lambda: shutil.rmtree(made, ignore_errors=True))

    def setattr(self, target: Any, name: Any, value: Any = _MISSING) -> None:
        """Set an attribute, given by an object and a name or by a dotted name as text."""
        if value is _MISSING:
            value = name
            target, name = _resolved(target)
        if type(value) is MethodWrapperType and value.__name__ == "__next__":
            value = self._row(value)
        former = _attribute(target, name)
        setattr(target, name, value)
        self._undo.append(lambda: setattr(target, name, former))
        # Without an import of it: a program that uses no mocks is not slowed down by theirs.
        if type(value).__module__ == "unittest.mock":
            self._placed.append(value)

    def _row(self, following: Callable[[], Any]) -> Callable[[], Any]:
        """What gives the next of a row of answers, and notes if there is none."""

        def read() -> Any:
            try:
                return following()
            except StopIteration:
                self.ran_out = True
                raise

        return read

    def delattr(self, target: Any, name: Any = _MISSING, raising: bool = True) -> None:
        """Take an attribute away, given by an object and a name or by a dotted name as text."""
        if name is _MISSING:
            target, name = _resolved(target)
        if not raising and not hasattr(target, name):
            return
        former = _attribute(target, name)
        delattr(target, name)
        self._undo.append(lambda: setattr(target, name, former))

    def execute(self, statement: str, namespace: dict[str, Any]) -> None:
        """Run a statement that sets something. If all that it did was to put mocks in place, these
        are noted for `idle`.
        """
        before = len(self._undo)
        self._placed = []
        exec(statement, namespace)
        if self._placed and len(self._placed) == len(self._undo) - before:
            self._mocks[statement] = self._placed

    def idle(self) -> tuple[str, ...]:
        """The statements whose mocks nobody has called since."""
        return tuple(
            [
                statement
                for statement, mocks in self._mocks.items()
                if not any(each.mock_calls for each in mocks)
            ]
        )

    def setitem(self, mapping: MutableMapping[Any, Any], key: Any, value: Any) -> None:
        former = mapping.get(key, _MISSING)
        mapping[key] = value
        self._undo.append(lambda: _put_back(mapping, key, former))

    def delitem(self, mapping: MutableMapping[Any, Any], key: Any, raising: bool = True) -> None:
        if key not in mapping and not raising:
            return
        former = mapping[key]
        del mapping[key]
        self._undo.append(lambda: _put_back(mapping, key, former))

    def setenv(self, name: str, value: str) -> None:
        self.setitem(os.environ, name, value)

    def delenv(self, name: str, raising: bool = True) -> None:
        self.delitem(os.environ, name, raising)

    def chdir(self, path: str | os.PathLike[str]) -> None:
        former = os.getcwd()
        os.chdir(path)
        self._undo.append(lambda: os.chdir(former))

    def when_undone(self, take_back: Callable[[], object]) -> None:
        """Have this function called when everything is taken back."""
        self._undo.append(take_back)

    def undo(self) -> None:
        """Take everything back, the last change first."""
        while self._undo:
            self._undo.pop()()


class LogLevels:
    """What pytest's fixture `caplog` does to levels; `changes` takes it back."""

    def __init__(self, changes: MonkeyPatch) -> None:
        self._changes = changes

    def set_level(self, level: int, logger: str | None = None) -> None:
        """Set the level of a logger by its name, or of the root."""
        found = logging.getLogger(logger)
        self._changes.when_undone(functools.partial(found.setLevel, found.level))
        found.setLevel(level)


def _attribute(target: Any, name: str) -> Any:
    """What an object has under a name; of a class, what its body says: a static method is still
    one when it is put back.
    """
    own = vars(target).get(name, _MISSING) if isinstance(target, type) else _MISSING
    return getattr(target, name) if own is _MISSING else own


def _put_back(mapping: MutableMapping[Any, Any], key: Any, former: Any) -> None:
    if former is _MISSING:
        mapping.pop(key, None)
    else:
        mapping[key] = former


def _resolved(target: str) -> tuple[Any, str]:
    """The object and the attribute that a dotted name means."""
    path, _, name = target.rpartition(".")
    parts = path.split(".")
    found = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:index]))
        found = getattr(found, part)
    return found, name
