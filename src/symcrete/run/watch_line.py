"""Notice when a run executes a line of the program, at little cost to the rest of it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Self

from symcrete.run.trace import Trace
from symcrete.run.use import Ending


class LineWatch:
    """Notices that a line is executed, by tracing the functions around it; a context manager
    around the call.
    """

    def __init__(self, file: str, line: int) -> None:
        self._file = file
        self._line = line
        self._around: dict[Any, bool] = {}  # by code object, whether the line is in it
        self._former: Any = None
        self.seen = False
        self.raised: set[str] = set()  # the classes of exceptions that came up in the line
        self.returned = False  # whether some run returned
        self._kept: Trace | None = None

    def begin(self) -> None:
        """Get ready for a run: nothing of it has been seen."""
        self.seen = False
        self.raised = set()

    def end(self, trace: Trace) -> None:
        """Keep the run that just ended if it executed the line, and none is kept already."""
        self.returned = self.returned or trace.ending == Ending.RETURNED
        if self._kept is None and self.seen and trace.ending != Ending.REJECTED:
            self._kept = trace

    def take(self) -> Trace | None:
        """The first run that executed the line since this was last asked; None if there was
        none.
        """
        kept, self._kept = self._kept, None
        return kept

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
