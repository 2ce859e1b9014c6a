"""Notice when a run executes a line of the program, at little cost to the rest of it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Self

from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import Assignment


class LineWatch:
    """Traces lines only in the functions around the line; a context manager around runs."""

    def __init__(self, file: str, line: int) -> None:
        self._file = file
        self._line = line
        self._around: dict[Any, bool] = {}  # by code object
        self._former: Any = None
        self.seen = False
        self.raised: set[str] = set()  # the classes of exceptions that came up in the line

    def __enter__(self) -> Self:
        self._former = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._former)

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        around = self._around.get(code)
        if around is None:
            around = code.co_filename == self._file and any(
                line == self._line for _, _, line in code.co_lines()
            )
            self._around[code] = around
        return self._stepped if around else None

    def _stepped(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line" and frame.f_lineno == self._line:
            self.seen = True
        elif event == "exception" and frame.f_lineno == self._line:
            self.raised.add(arg[0].__name__)
        return self._stepped


class WatchedRunner(Runner):
    """A runner that keeps the first run to execute the line."""

    watch: LineWatch
    reached: Trace | None = None

    def run(self, assignment: Assignment) -> Trace:
        self.watch.seen = False
        self.watch.raised = set()
        trace = super().run(assignment)
        if self.reached is None and self.watch.seen and trace.ending != "rejected":
            self.reached = trace
        return trace

    def run_plain(self, given: Assignment, *, brief: bool = True) -> int | None:
        self.watch.seen = False
        self.watch.raised = set()
        return super().run_plain(given, brief=brief)

    def invoke(self, positional: list[Any], keywords: dict[str, Any]) -> None:
        # What runs while the arguments are built does not count.
        with self.watch:
            super().invoke(positional, keywords)
