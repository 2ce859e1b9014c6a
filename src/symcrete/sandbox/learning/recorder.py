"""One run of a project's tests under pytest, confined, that tells the calls they make.

The job comes on standard input; calls are told as JSON lines on the descriptor that the job names.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import sys
import threading
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any

from symcrete.codec import decoded, encoded
from symcrete.inputs.literal import NoLiteral, literal
from symcrete.sandbox.walls import limits
from symcrete.sandbox.walls.confine import confine
from symcrete.slotted import dataclass

MOST_RECORDED_CALLS = 20  # different ones of a function: each costs a run at least
MOST_SEEN = 400  # calls of a function that are looked at: writing arguments takes time
LONGEST_RECORDED_CALL = 1000  # characters of a call: longer inputs make slow runs


@dataclass(frozen=True, slots=True)
class RecordTests:
    """Run these tests, and tell their calls of functions of these files."""

    driver: int  # the process that waits for it
    channel: int  # the descriptor to tell calls on
    tests: str
    files: tuple[str, ...]
    path: tuple[str, ...]  # folders that make imports work
    work: str  # the one folder that can be written to
    confined: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """One message: a call (file, scope, arguments), or that the tests have ended; with neither,
    only a sign that they are still running.
    """

    call: tuple[str, str, str] | None = None
    ended: int | None = None  # with this code of pytest's


def main() -> None:
    """Read the job, do it, and end without waiting for threads that tests left behind."""
    job = decoded(RecordTests, json.load(sys.stdin))
    limits.die_with(job.driver)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.path += [each for each in job.path if each not in sys.path]
    import pytest

    if job.confined:
        confine(job.work, keep=(job.channel,))
    sys.dont_write_bytecode = True
    sys.argv = ["pytest"]
    recorder = Recorder(job.files, job.channel)
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts="]
    options += [f"--basetemp={job.work}/basetemp"]
    code = pytest.main([*options, job.tests], plugins=[recorder])
    recorder.say(Said(ended=int(code)))
    os._exit(0)


class Recorder:
    """A plugin that looks at every call while tests run, and tells those of the files given."""

    def __init__(self, files: Sequence[str], channel: int) -> None:
        self._files = frozenset(files)
        self._channel = channel
        self._names: dict[CodeType, tuple[str, str] | None] = {}
        self._seen: dict[tuple[str, str], int] = {}
        self._told: dict[tuple[str, str], set[str]] = {}

    def say(self, said: Said) -> None:
        """Tell the process that waits."""
        os.write(self._channel, json.dumps(encoded(said)).encode() + b"\n")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.say(Said())
        sys.setprofile(self.look)
        threading.setprofile(self.look)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def look(self, frame: FrameType, event: str, argument: Any) -> None:
        """Tell a call that begins, if it is of one of the files and not told yet. The interpreter
        calls this for every call and return.
        """
        if event != "call":
            return
        code = frame.f_code
        if code not in self._names:
            self._names[code] = self._name(code)
        name = self._names[code]
        if name is None or self._seen.get(name, 0) >= MOST_SEEN:
            return
        self._seen[name] = self._seen.get(name, 0) + 1
        told = self._told.setdefault(name, set())
        if len(told) >= MOST_RECORDED_CALLS:
            return
        sys.setprofile(None)  # writing the arguments makes calls of its own
        with contextlib.suppress(Exception):  # of the program's own `__repr__` and properties
            text = call_text(frame)
            if text and len(text) <= LONGEST_RECORDED_CALL and text not in told:
                told.add(text)
                self.say(Said(call=(*name, text)))
        sys.setprofile(self.look)

    def _name(self, code: CodeType) -> tuple[str, str] | None:
        """The file and the scope of a function that is asked for; None for all others."""
        file = os.path.realpath(code.co_filename)
        wanted = file in self._files and "<" not in code.co_qualname
        return (file, code.co_qualname) if wanted else None


def call_text(frame: FrameType) -> str:
    """The arguments of a call that has just begun, as `a=0, b="x"`; those that have no literal are
    left out, and so is what was passed beyond the named parameters.
    """
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    values = inspect.getargvalues(frame).locals
    texts = []
    for name in names:
        with contextlib.suppress(NoLiteral):
            texts.append(f"{name}={literal(values[name])}")
    return ", ".join(texts)
