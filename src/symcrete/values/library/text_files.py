"""`io.StringIO` over a tracked text: reading it keeps the terms of what is read."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from symcrete.values.models.type_functions import len_model
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import pinned, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.subscripts import item

_add = OPERATORS["add"]


class TrackedStringIO(io.StringIO):
    """A StringIO over a text that may be tracked. `_place` is where it reads next; None stands for
    the end, whatever the length of the text.
    """

    def __init__(self, value: Any = "") -> None:
        super().__init__()
        self._text: Any = value
        self._place: Any = 0 if type(value) is ConcolicStr or value else None

    def getvalue(self) -> Any:
        super().tell()  # raises where the file is closed
        return self._text

    def tell(self) -> Any:
        super().tell()
        return len_model(self._text) if self._place is None else self._place

    def seek(self, place: Any, whence: Any = 0, /) -> Any:
        place, whence = pinned(place), pinned(whence)
        super().seek(place, whence)  # raises for arguments that StringIO refuses
        if whence == 0:
            self._place = place
        elif whence == 2:
            self._place = None
        return self.tell()

    def read(self, size: Any = -1, /) -> Any:
        size = self._limit(size)
        if size == 0 or self._at_end():
            return ""
        start = self._place
        if size is None or start + size > len_model(self._text):
            self._place = None
            return item(self._text, slice(start, None))
        self._place = start + size
        return item(self._text, slice(start, self._place))

    def readline(self, size: Any = -1, /) -> Any:
        size = self._limit(size)
        if size == 0 or self._at_end():
            return ""
        start = self._place
        newline = self._text.find("\n", start)
        self._place = None if newline < 0 else newline + 1
        line = item(self._text, slice(start, self._place))
        if size is None or len_model(line) <= size:
            return line
        self._place = start + size
        return item(line, slice(0, size))

    def readlines(self, hint: Any = -1, /) -> list[Any]:
        most, found, total = self._limit(hint), [], 0
        for line in self:
            found.append(line)
            total = total + len_model(line)
            if most and total > most:
                break
        return found

    def __next__(self) -> Any:
        line = self.readline()
        if type(line) is str and not line:
            raise StopIteration
        return line

    def write(self, text: Any, /) -> Any:
        super().seek(0)
        super().write(untracked(text))  # raises for arguments that StringIO refuses
        count = len_model(text)
        if self._place is None:
            self._text = _add(self._text, text)
            return count
        if pinned(count) == 0:
            return count
        start = pinned(self._place)
        missing = start - pinned(len_model(self._text))
        before = item(self._text, slice(0, start))
        before = _add(before, "\0" * missing) if missing > 0 else before
        after = item(self._text, slice(start + pinned(count), None))
        self._text, self._place = _add(_add(before, text), after), start + count
        return count

    def writelines(self, lines: Iterable[Any], /) -> None:
        super().tell()
        for line in lines:
            self.write(line)

    def truncate(self, size: Any = None, /) -> Any:
        size = pinned(self.tell() if size is None else size)
        super().truncate(size)  # raises for arguments that StringIO refuses
        if self._place is None:
            self._place = pinned(len_model(self._text))
        self._text = item(self._text, slice(0, size))
        return size

    def _at_end(self) -> bool:
        return self._place is None or bool(self._place >= len_model(self._text))

    def _limit(self, size: Any) -> int | None:
        """A number of characters as an int; None for as many as there are."""
        plain = pinned(size)
        io.StringIO.read(self, plain)  # raises for arguments that StringIO refuses
        return None if plain is None or plain < 0 else int(plain)


def string_io_model(*args: Any, **kwargs: Any) -> Any:
    """`io.StringIO(text)`; in a run it is always a TrackedStringIO, unless `newline` is given."""
    given = [*args, *kwargs.values()]
    value = given[0] if given else ""
    known = len(given) == 0 or (len(given) == 1 and "newline" not in kwargs)
    if not recording.active().live or not known or not isinstance(untracked(value), str):
        return foreign(io.StringIO, *args, **kwargs)
    return TrackedStringIO(value)


MODELS: tuple[ModelRow, ...] = (Model(io.StringIO, string_io_model),)
