"""Runs that follow some calls and abstract the others."""

from __future__ import annotations

import builtins
import dataclasses
from typing import Any, Self

from symcrete.instrument.naming import PREFIX
from symcrete.run.callees import Callees
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.run.watch_line import WatchedRunner
from symcrete.terms.evaluate import Assignment

NOTHING: frozenset[str] = frozenset()


class ExpandingRunner(Runner):
    """A runner whose plain `run` follows every call, and notes each one's part of the path."""

    callees: Callees

    def run(self, assignment: Assignment) -> Trace:
        return self._noted(_own(assignment), None)

    def run_abstract(self, assignment: Assignment, followed: frozenset[str] = NOTHING) -> Trace:
        """Calls not among `followed` give the unknown results that the assignment names."""
        return self._noted(assignment, followed)

    def _noted(self, assignment: Assignment, followed: frozenset[str] | None) -> Trace:
        self._follow = followed
        self.callees.calls = []  # a run that is refused never begins
        trace = super().run(assignment)
        return dataclasses.replace(trace, calls=self.callees.end())

    def _call(self, given: Assignment) -> None:
        self.callees.begin(self._follow, given, self.function.__code__)
        super()._call(given)

    def __enter__(self) -> Self:
        self._ordinary: Any = getattr(builtins, PREFIX + "callee")
        setattr(builtins, PREFIX + "callee", self.callees.hook)
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__(*_)
        setattr(builtins, PREFIX + "callee", self._ordinary)


class WatchedExpandingRunner(WatchedRunner, ExpandingRunner):
    """Keeps the first run to execute the line with every call followed."""

    def run_abstract(self, assignment: Assignment, followed: frozenset[str] = NOTHING) -> Trace:
        """`watch.seen` says whether this run, abstract as it is, executed the line."""
        self.watch.seen = False
        trace = super().run_abstract(assignment, followed)
        real = not trace.abstract and trace.ending != "rejected"
        if self.reached is None and self.watch.seen and real:
            self.reached = dataclasses.replace(trace, assignment=_own(assignment))
        return trace


def _own(assignment: Assignment) -> Assignment:
    """Without the results of calls."""
    return {name: value for name, value in assignment.items() if "#" not in name}
