"""The journal: every finding as one line of JSON, appended as it is made.

A process killed at any moment leaves all lines but perhaps the end of its last one, which reading
skips. Every line carries the format's version, so that files of several runs, workers or versions
can be put together with `cat`.
"""

import contextlib
import errno
import json
import os
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypeAlias

from symcrete.clock import Clock, wall
from symcrete.sandbox.journal.writing import WriteError
from symcrete.slotted import dataclass

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

JOURNAL_VERSION = 1  # of the format: readers ignore records of any other
_MAGIC = b'{"journal": "symcrete"'
_HEADER = _MAGIC + b', "version": %d}\n' % JOURNAL_VERSION
_BETWEEN_LOCKS = 0.001  # seconds until the lock is tried again; chosen, not measured
_LOCK_SECONDS = 2.0  # to wait for another process that writes, which takes milliseconds

Record: TypeAlias = dict[str, Any]  # a line of a journal, whose "event" says what it holds


@dataclass(frozen=True, slots=True)
class Contents:
    """What a journal holds, and what the user should know about it."""

    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()


class Journal:
    """A journal open for appending; any number of processes may have it open at once."""

    def __init__(self, path: str, clock: Clock = wall) -> None:
        """Open or create it; a file that is no journal is refused."""
        self.path = path
        self._clock = clock
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        try:
            self._descriptor = os.open(path, flags, 0o666)  # the user's umask decides
        except OSError as error:
            raise WriteError("open the journal", path, error) from error
        try:
            self._begin()
        except BaseException:
            os.close(self._descriptor)
            raise

    def _begin(self) -> None:
        try:
            start = os.pread(self._descriptor, 2 * len(_HEADER), 0)
        except OSError as error:
            raise WriteError("open the journal", self.path, error) from error
        if _HEADER.startswith(start):  # new, or its maker was killed at once
            self._write(_HEADER)
        elif not any(line.startswith(_MAGIC) for line in start.split(b"\n")):
            reason = OSError(errno.EEXIST, "the file there is not a journal of symcrete")
            raise WriteError("open the journal", self.path, reason)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one record; when this returns, killing the process does not lose it."""
        self._write(json.dumps({"v": JOURNAL_VERSION, **record}).encode() + b"\n")

    def sync(self) -> None:
        """Wait until the disk has everything: then a power cut does not lose it either."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise WriteError("write the journal", self.path, error) from error

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, line: bytes) -> None:
        locked = self._lock()
        try:
            self._append_whole(line, alone=locked)
        except OSError as error:
            raise WriteError("write the journal", self.path, error) from error
        finally:
            if locked:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _append_whole(self, line: bytes, *, alone: bool) -> None:
        """Append the line. Where that fails, what was written of it is taken away again if this
        process is `alone`: others may have written after it.
        """
        end = os.fstat(self._descriptor).st_size
        if end and os.pread(self._descriptor, 1, end - 1) != b"\n":
            line = b"\n" + line  # somebody was killed in the middle of theirs
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except BaseException:
            if alone:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, end)
            raise

    def _lock(self) -> bool:
        """Whether this process got the lock. It waits for other writers only a little: one that was
        stopped while it held the lock must not stop everybody.
        """
        if fcntl is None:
            return False
        until = self._clock() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                busy = error.errno in (errno.EWOULDBLOCK, errno.EINTR)
                if not busy or self._clock() > until:
                    return False  # some network disks know no locks; appending still works
                time.sleep(_BETWEEN_LOCKS)
            else:
                return True


def read_journal(path: str) -> Contents:
    """Every record of this version, in order; none if there is no such file."""
    try:
        with open(path, "rb") as file:
            return _contents(path, file)
    except FileNotFoundError:
        return Contents(())
    except OSError as error:
        raise WriteError("read the journal", path, error) from error


def _contents(path: str, lines: Iterable[bytes]) -> Contents:
    records, damaged = [], 0
    others: dict[str, int] = {}
    for line in lines:
        record = _record(line)
        if record is None:
            damaged += bool(line.strip())
        elif "v" not in record:
            damaged += "journal" not in record
        elif (version := record.pop("v")) == JOURNAL_VERSION:
            records.append(record)
        else:
            others[str(version)] = others.get(str(version), 0) + 1
    notes = [
        f"{path}: {count} records of journal version {version} are ignored "
        f"(this is {JOURNAL_VERSION})"
        for version, count in others.items()
    ]
    if damaged:
        notes.append(f"{path}: {damaged} unfinished or damaged lines are ignored")
    return Contents(tuple(records), tuple(notes))


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)  # a line that was cut short is no JSON
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
