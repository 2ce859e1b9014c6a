"""Runs on disk: one journal for each, from which a stopped run can be resumed or replayed.

They are kept in `.symcrete` of the current folder, the newest twenty; a file of one's own choice
can be given instead, and files put together with `cat` are read as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import assert_never

from symcrete import VERSION
from symcrete.codec import decoded, encoded
from symcrete.errors import BadOption, NothingToAnalyse
from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.sandbox.journal.journal import Journal, Record, read_journal
from symcrete.sandbox.journal.writing import WriteError
from symcrete.sandbox.messages.before import Before
from symcrete.sandbox.messages.ends import Ended
from symcrete.sandbox.messages.events import (
    NAMES,
    EndedEvent,
    Event,
    InputEvent,
    KeptEvent,
    TargetEvent,
)
from symcrete.slotted import dataclass

FOLDER = ".symcrete"
MOST_JOURNALS = 20  # journals kept in a folder: some days of work
_ENDING = ".jsonl"


def keep_out_of_git(folder: str) -> None:
    """Have git ignore a folder of results and all that is in it."""
    with contextlib.suppress(FileExistsError), open(f"{folder}/.gitignore", "x") as file:
        file.write("*\n")


class RunLog:
    """Writes what a run finds as it finds it; a disk that fails ends the log, not the run."""

    def __init__(self, path: str | None, on_failure: Callable[[str], None]) -> None:
        self.run = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(3).hex()}"  # 3 bytes
        self._on_failure = on_failure
        self._journal: Journal | None = None
        with self._tolerant():
            self._journal = Journal(path or self._new_file())

    @property
    def path(self) -> str | None:
        """The file of the journal; None if it could not be written."""
        return self._journal.path if self._journal is not None else None

    def begin(self, texts: list[str], options: Options, arguments: Record) -> None:
        """Add what was asked for, so that the run can be resumed."""
        fields = {"texts": texts, "options": encoded(options), "arguments": arguments}
        self._append({"event": "begin", "symcrete": VERSION, **fields})

    def record(self, target: Target, event: Event) -> None:
        """Add what happened to a target."""
        found = {"event": NAMES[type(event)], "target": target.label, **encoded(event)}
        if isinstance(event, TargetEvent):
            found["source"] = fingerprint(target.source)
        self._append(found)

    def end(self, *, whole: bool) -> None:
        """End the log; a run that is not `whole` can be resumed."""
        if whole:
            self._append({"event": "end"})
        if self._journal is not None:
            with self._tolerant():
                self._journal.sync()
            self._journal.close()

    def _append(self, record: Record) -> None:
        if self._journal is not None:
            with self._tolerant():
                self._journal.append({"run": self.run, **record})

    @contextlib.contextmanager
    def _tolerant(self) -> Iterator[None]:
        try:
            yield
        except (WriteError, OSError) as error:
            self._journal = None
            self._on_failure(f"{error}; this run cannot be resumed")

    def _new_file(self) -> str:
        os.makedirs(FOLDER, exist_ok=True)
        keep_out_of_git(FOLDER)
        for old in _files()[: 1 - MOST_JOURNALS]:
            with contextlib.suppress(OSError):
                os.unlink(old)
        return os.path.join(FOLDER, f"{self.run}{_ENDING}")


@dataclass(slots=True)
class Known:
    """What a journal knows of one target."""

    kept: dict[str, FoundInput] = field(default_factory=dict)  # by assignment
    inputs: dict[str, FoundInput] = field(default_factory=dict)  # inputs that were replayed
    ends: list[Ended] = field(default_factory=list)
    report: TargetReport | None = None
    source: str = ""  # the fingerprint of the file that the report is about

    def before(self) -> Before:
        """What another run can go on from."""
        return Before(tuple(self.kept.items()), tuple(self.ends))

    def found(self) -> tuple[FoundInput, ...]:
        """The inputs that were replayed in that run."""
        return self.report.inputs if self.report is not None else tuple(self.inputs.values())


@dataclass(slots=True)
class PastRun:
    """One run as its journal has it."""

    path: str
    texts: list[str]
    options: Options
    arguments: Record
    targets: dict[str, Known] = field(default_factory=dict)
    ended: bool = False
    notes: tuple[str, ...] = ()

    def known(self, target: Target) -> Known:
        """What is known of a target; nothing if the run did not come to it."""
        return self.targets.get(target.label, Known())

    def report_of(self, target: Target) -> TargetReport | None:
        """Its report, unless the program has changed since."""
        known = self.known(target)
        return known.report if known.source == fingerprint(target.source) else None


def past_run(path: str | None, *, unfinished: bool = False) -> PastRun:
    """The last run in a journal; without a path, in those of this folder. With `unfinished`, the
    last one that did not come to its end. Raises if there is none.
    """
    if path is not None:
        found = _runs(path)
    else:
        found = [run for file in _files() for run in _runs(file)]
        if not found:
            raise NothingToAnalyse(f"no run is kept in {FOLDER} of this folder")
    if not found:
        raise BadOption(f"{path} holds no run of symcrete {VERSION}")
    waiting = [run for run in found if not run.ended]
    if unfinished and not waiting:
        raise NothingToAnalyse("every run kept here has ended; there is nothing to resume")
    return (waiting if unfinished else found)[-1]


def _files() -> list[str]:
    """The journals of a folder, the oldest first: their names begin with the time."""
    try:
        names = sorted(name for name in os.listdir(FOLDER) if name.endswith(_ENDING))
    except OSError:
        return []
    return [os.path.join(FOLDER, name) for name in names]


def _runs(path: str) -> list[PastRun]:
    contents = read_journal(path)
    found: dict[str, PastRun] = {}
    for record in contents.records:
        with contextlib.suppress(KeyError, TypeError, ValueError):  # not of this version after all
            _take(record, path, found)
    for run in found.values():
        run.notes = contents.notes
    return list(found.values())


def _take(record: Record, path: str, found: dict[str, PastRun]) -> None:
    event, name = record.pop("event"), record.pop("run")
    if event == "begin":
        options = decoded(Options, record["options"])
        found[name] = PastRun(path, record["texts"], options, record["arguments"])
        return
    run = found[name]
    if event == "end":
        run.ended = True
        return
    known = run.targets.setdefault(record.pop("target"), Known())
    source = record.pop("source", "")
    happened = decoded(_KINDS[event], record)
    match happened:
        case KeptEvent(assignment, told):
            known.kept[assignment] = told
        case InputEvent(told):
            known.inputs[told.key] = told
        case EndedEvent(end):
            known.ends.append(end)
        case TargetEvent(report):
            known.report, known.source = report, source
        case _:
            assert_never(happened)


_KINDS: dict[str, type[Event]] = {name: kind for kind, name in NAMES.items()}


def fingerprint(source: Source) -> str:
    """A hash of the text of the program's file. What was found while the file had another hash no
    longer counts.
    """
    try:
        return hashlib.sha256(source.file.read_bytes()).hexdigest()[:16]  # 64 bits
    except OSError:
        return ""
