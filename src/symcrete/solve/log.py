"""The query log: every call of a backend as one line of JSON, to be read again as a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.constraint.record import Unreadable, read, written
from symcrete.solve.solver import Answer, Solver
from symcrete.terms.evaluate import Assignment


class Logged(NamedTuple):
    """One call of a backend, as a log has it."""

    constraint: PathConstraint
    near: Assignment
    answer: str  # sat, unsat, unknown
    seconds: float


class QueryLog:
    """Writes lines to a file as they come."""

    def __init__(self, out: TextIO, clock: Clock = wall) -> None:
        self._out = out
        self.clock = clock
        self.lines = 0

    def write(
        self, constraint: PathConstraint, near: Assignment, answer: Answer, seconds: float
    ) -> None:
        line: dict[str, Any] = written(constraint, near)
        line["answer"] = type(answer).__name__.lower()
        line["seconds"] = round(seconds, 7)
        self._out.write(json.dumps(line, separators=(",", ":")) + "\n")
        self.lines += 1


class Log:
    """A solver whose calls are written down."""

    def __init__(self, inner: Solver, log: QueryLog) -> None:
        self.inner = inner
        self.log = log

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        clock = self.log.clock
        started = clock()
        answer = self.inner.solve(constraint, near)
        self.log.write(constraint, near, answer, clock() - started)
        return answer


def read_log(path: Path) -> Iterator[Logged]:
    """The queries of a log; a line that cannot be read, such as one cut short, is skipped."""
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            try:
                line = json.loads(text)
                constraint, near = read(line)
            except (json.JSONDecodeError, Unreadable):
                continue
            yield Logged(constraint, near, str(line["answer"]), float(line["seconds"]))
