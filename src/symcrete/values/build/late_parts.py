"""Stand-ins with tracked attributes, made when they are first read; and their methods."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from symcrete.errors import StepLimit
from symcrete.inputs.shapes.fakes import (
    MOST_IN_TURN,
    AbsentShape,
    BlankShape,
    FakeShape,
    MethodShape,
    fake,
    is_given,
)
from symcrete.inputs.shapes.library import ContextShape, FileShape
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.variables import Builder, report_choice, require, tracked_input
from symcrete.values.library.text_files import TrackedStringIO
from symcrete.values.tracking import recording

# Calls of one method of a stand-in in one run: who still asks waits for an answer that never comes,
# and would be cut by the clock, seconds later. Chosen, not measured.
MOST_ASKED_OF_ONE = 300


def _fake(shape: FakeShape, name: str, given: Assignment) -> Any:
    return fake(_finding(shape, name, given))


def _blank(shape: BlankShape, name: str, given: Assignment) -> Any:
    return shape.blank(_finding(shape, name, given))


def _finding(shape: FakeShape, name: str, given: Assignment) -> Callable[[str], Any]:
    def find(attribute: str) -> Any:
        where = f"{name}.{attribute}"
        # Silently: its shape is found by reading the program's text, which the program does not do.
        found = recording.silently(shape.part, name, attribute)
        value = tracked_input(found, where, given)
        if not is_given(where, given):
            # written with the object, although no variable names this attribute
            given[f"{where}.read"] = True
        return value

    return find


class _Method:
    """A method of a stand-in. It raises the exception that the input chose for it, if any; else a
    call gives the answer of the call before it, or a new one where the input says so.
    """

    def __init__(self, shape: MethodShape, name: str, given: Assignment) -> None:
        self._shape, self._name, self._given = shape, name, given
        self._calls = 0
        self._answer: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        shape, name, given = self._shape, self._name, self._given
        if shape.raises:
            variable, count = shape.error_name(name), len(shape.raises)
            which = given.setdefault(variable, 0)
            require(0 <= which <= count)
            report_choice(variable, which, 1 + count)
            if which:
                raise shape.raises[which - 1]
        self._calls += 1
        if self._calls > MOST_ASKED_OF_ONE:
            raise StepLimit(f"{name} was asked {MOST_ASKED_OF_ONE} times and answers as before")
        if self._calls == 1 or (shape.asked_again and self._is_other()):
            where = shape.answer_name(name, self._calls)
            found = recording.silently(shape.find, name)  # as in `_finding`
            self._answer = tracked_input(found, where, given)
        return self._answer

    def _is_other(self) -> bool:
        """Whether this call, which is not the first, gives an answer of its own."""
        shape, name, given = self._shape, self._name, self._given
        which = 0
        if self._calls <= MOST_IN_TURN:
            variable = shape.other_name(name, self._calls)
            which = given.setdefault(variable, 0)
            require(0 <= which <= 1)
            report_choice(variable, which, 2)
        if 1 < len(shape.answered(name, given)) < self._calls:
            given[shape.longer_name(name)] = True
        return bool(which)


def _method(shape: MethodShape, name: str, given: Assignment) -> Any:
    return _Method(shape, name, given)


def _absent(shape: AbsentShape, name: str, given: Assignment) -> Any:
    return shape.plain(name, given)


def _file(shape: FileShape, name: str, given: Assignment) -> Any:
    recording.active().lose_input(name)  # a file may hold more than plain text, and may fail
    content = tracked_input(shape.text, shape.content_name(name), given)
    return TrackedStringIO(content) if shape.kind is io.StringIO else shape.plain(name, given)


def _context(shape: ContextShape, name: str, given: Assignment) -> Any:
    return shape.plain(name, given)


BUILDERS: dict[type, Builder] = {
    FakeShape: _fake,
    BlankShape: _blank,
    MethodShape: _method,
    AbsentShape: _absent,
    FileShape: _file,
    ContextShape: _context,
}
