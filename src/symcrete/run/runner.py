"""Run the rewritten target once on a given input and record its path."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Self

from symcrete.errors import AssumptionFailed, RunCut, TimeLimit
from symcrete.inputs.arguments import Arguments
from symcrete.instrument.hooks import Hooks
from symcrete.run.drain import drain
from symcrete.run.trace import Ending, Trace
from symcrete.terms.evaluate import Assignment
from symcrete.values import recording
from symcrete.values.build import tracked_input
from symcrete.values.recording import Recording, held


@dataclass(frozen=True, slots=True)
class Limits:
    """When a run that does not end is cut."""

    steps: int = 100_000  # loop steps
    seconds: float = 2.0


class Runner:
    """Runs one target again and again; the recording and the hooks are reused."""

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Arguments,
        record: Recording,
        hooks: Hooks,
        limits: Limits,
    ) -> None:
        self.function = function
        self._arguments = arguments
        self._record = record
        self._hooks = hooks
        self._limits = limits
        self.announce: Callable[[Assignment], bool] = lambda given: True  # False: do not run it
        self.interference: Callable[[], list[str]] = list  # what the sandbox stopped
        self._watched = False
        self._former: Any = None
        self._silence: contextlib.AbstractContextManager[None]

    def run(self, assignment: Assignment) -> Trace:
        """Variables the input turns out to have and `assignment` does not name get their plainest
        value.
        """
        record, given = self._record, dict(assignment)
        record.start()
        self._hooks.allow(self._limits.steps)
        former = recording.activate(record)
        began = time.perf_counter()
        record.live = True
        try:
            ending, error = self._ending(given)
        finally:
            record.live = False
            recording.activate(former)
        seconds = time.perf_counter() - began
        events = tuple(record.events)
        return Trace(
            assignment=given,
            events=events,
            conditions=tuple([held(event) for event in events]),
            assumptions=tuple(record.assumptions),
            covered=int.from_bytes(record.covered, "little"),
            ending=ending,
            error=error,
            losses=tuple(record.losses),
            steps=self._hooks.used(),
            seconds=seconds,
            blocked=tuple(self.interference()),
            bounds=tuple(record.bounds),
        )

    def _ending(self, given: Assignment) -> tuple[Ending, str | None]:
        if not self.announce(given):
            return "refused", None
        try:
            self._call(given)
        except AssumptionFailed:
            return "rejected", None
        except RunCut as reason:
            return "timeout", str(reason)
        except BaseException as error:
            return "raised", type(error).__name__
        return "returned", None

    def _call(self, given: Assignment) -> None:
        parameters = self._arguments.parameters
        values = {p.name: tracked_input(p.shape, p.name, given) for p in parameters}
        positional, keywords = self._arguments.split(values)
        if self._watched:
            # Repeating: a program that swallows the first alarm is asked again.
            signal.setitimer(signal.ITIMER_REAL, self._limits.seconds, 0.1)
        try:
            self.invoke(positional, keywords)
        finally:
            if self._watched:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def invoke(self, positional: list[Any], keywords: dict[str, Any]) -> None:
        """The call itself, once its arguments are built."""
        drain(self.function(*positional, **keywords))

    def __enter__(self) -> Self:
        """Silence the program and watch the clock.

        The clock can be watched in the main thread only; elsewhere steps alone are limited.
        """
        self._silence = silenced()
        self._silence.__enter__()
        if threading.current_thread() is threading.main_thread():
            self._former = signal.signal(signal.SIGALRM, self._ring)
            self._watched = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._watched:
            signal.signal(signal.SIGALRM, self._former)
            self._watched = False
        self._silence.__exit__(None, None, None)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        reason = TimeLimit(f"does not end within {self._limits.seconds:g} s")
        self._hooks.cut(reason)
        raise reason


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Standard streams that swallow what the program prints and have nothing to read."""
    former = sys.stdin, sys.stdout, sys.stderr
    with open(os.devnull) as nothing:
        sys.stdin, sys.stdout, sys.stderr = nothing, _Sink(), _Sink()
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = former


class _Sink:
    encoding = "utf-8"
    errors = "replace"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no file behind this stream")
