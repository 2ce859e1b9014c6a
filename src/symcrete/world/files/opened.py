"""A file of an input that was opened to be read: its content has terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Opened:
    """A file whose content is a text, or bytes if it was opened as a binary one."""

    encoding = "utf-8"
    errors = "strict"
    newlines = None

    def __init__(self, name: str, content: Any) -> None:
        self.name = name
        self.mode = "r" if isinstance(content, str) else "rb"
        self.closed = False
        self._content = content
        self._nothing: Any = "" if isinstance(content, str) else b""
        self._at = 0  # where the next read begins
        self._lines: Iterator[Any] | None = None  # those from here on, once somebody asks

    def _check(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def _parted(self) -> Iterator[Any]:
        """What is left of the content, line by line."""
        end: Any = "\n" if isinstance(self._content, str) else b"\n"
        *lines, last = (
            self._content[self._at :].split(end) if self._at else self._content.split(end)
        )
        for line in lines:
            found = line + end
            self._at += len(found)
            yield found
        if last:
            self._at += len(last)
            yield last

    def read(self, size: int | None = -1, /) -> Any:
        self._check()
        rest = self._content[self._at :] if self._at else self._content
        if size is not None and size >= 0:
            rest = rest[:size]
        self._at += len(rest)
        self._lines = None
        return rest

    def readline(self, size: int | None = -1, /) -> Any:
        self._check()
        line = next(self, self._nothing)
        if size is None or not 0 <= size < len(line):
            return line
        self._at, self._lines = self._at - len(line) + size, None
        return line[:size]

    def readlines(self, hint: int | None = -1, /) -> list[Any]:
        self._check()
        if hint is None or hint <= 0:
            return list(self)
        found: list[Any] = []
        while hint > 0 and (line := self.readline()):
            found.append(line)
            hint -= len(line)
        return found

    def __iter__(self) -> Iterator[Any]:
        self._check()
        return self

    def __next__(self) -> Any:
        self._check()
        if self._lines is None:
            self._lines = self._parted()
        return next(self._lines)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._check()
        start = (0, self._at, len(self._content))[whence]
        self._at, self._lines = max(0, start + offset), None
        return self._at

    def tell(self) -> int:
        self._check()
        return self._at

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def flush(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Opened:
        self._check()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
