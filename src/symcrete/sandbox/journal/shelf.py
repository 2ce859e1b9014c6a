"""The reports of a run by their targets: the latest in memory, others in a file without a name.

So the driver of a project of any size takes no more memory for them than that of a few hundred
functions.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from typing import overload

from symcrete.codec import decoded, encoded
from symcrete.explore.findings import TargetReport

MOST_IN_MEMORY = 300  # reports, some 50 KB each as objects


class Shelf:
    """Reports, found by the labels of their targets."""

    def __init__(self, most: int = MOST_IN_MEMORY) -> None:
        self._most = most
        self._latest: dict[str, TargetReport] = {}
        self._file: int | None = None  # a descriptor
        self._length = 0  # of the file, in bytes
        self._places: dict[str, tuple[int, int]] = {}  # where a report is in the file, its length

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)

    def put(self, report: TargetReport) -> None:
        """Keep a report, in place of an earlier one of its target."""
        self._places.pop(report.target, None)
        self._latest[report.target] = report
        if len(self._latest) > self._most:
            self._put_away(next(iter(self._latest)))

    def __getitem__(self, label: str) -> TargetReport:
        if label in self._latest:
            return self._latest[label]
        place, length = self._places[label]
        assert self._file is not None
        return decoded(TargetReport, json.loads(os.pread(self._file, length, place)))

    def __contains__(self, label: object) -> bool:
        return label in self._latest or label in self._places

    def __len__(self) -> int:
        return len(self._latest) + len(self._places)

    def _put_away(self, label: str) -> None:
        """Move a report to the file; it stays where it is if the disk is full."""
        text = json.dumps(encoded(self._latest[label])).encode()
        try:
            if self._file is None:
                self._file, name = tempfile.mkstemp()
                os.unlink(name)
            whole = os.pwrite(self._file, text, self._length) == len(text)
        except OSError:
            whole = False
        if not whole:
            self._most *= 2  # so that a full disk is not tried again for each report
            return
        del self._latest[label]
        self._places[label] = (self._length, len(text))
        self._length += len(text)


class Shelved(Sequence[TargetReport]):
    """Reports from a shelf, read when they are looked at, and others after them."""

    def __init__(
        self, shelf: Shelf, labels: Iterable[str], others: Iterable[TargetReport] = ()
    ) -> None:
        self._shelf = shelf
        self._order: list[str | TargetReport] = [*labels, *others]

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, place: int) -> TargetReport: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[TargetReport]: ...

    def __getitem__(self, place: int | slice) -> TargetReport | Sequence[TargetReport]:
        if isinstance(place, slice):
            return [self._of(each) for each in self._order[place]]
        return self._of(self._order[place])

    def _of(self, each: str | TargetReport) -> TargetReport:
        return self._shelf[each] if isinstance(each, str) else each
