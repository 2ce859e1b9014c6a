"""Runs that follow some calls and abstract the others."""

from __future__ import annotations

import builtins
import dataclasses
from typing import Any, Self

from symcrete.instrument.naming import PREFIX
from symcrete.run.callees.callees import Callees
from symcrete.run.runner import Runner
from symcrete.run.trace import Trace
from symcrete.run.watch_line import LineWatch
from symcrete.terms.evaluate import Assignment

NOTHING: frozenset[str] = frozenset()


class ExpandingRunner:
    """Runs a target through a plain runner, and notes each call's part of the path."""

    def __init__(self, runner: Runner, callees: Callees, watch: LineWatch | None = None) -> None:
        """`watch` is that of the runner: it keeps runs in which every call was followed."""
        self.callees = callees
        self._runner = runner
        self._watch = watch
        self._ordinary: Any = None

    def run(self, assignment: Assignment) -> Trace:
        """Run the input with every call followed."""
        return self._noted(_own(assignment), None)

    def run_abstract(self, assignment: Assignment, followed: frozenset[str] = NOTHING) -> Trace:
        """Run the input with these calls followed; all others give the unknown results that the
        assignment names.
        """
        return self._noted(assignment, followed)

    def _noted(self, assignment: Assignment, followed: frozenset[str] | None) -> Trace:
        code = self._runner.function.__code__
        self.callees.forget()
        trace = self._runner.run(
            assignment, before=lambda given: self.callees.begin(followed, given, code)
        )
        trace = dataclasses.replace(trace, calls=self.callees.end())
        if self._watch is not None and not trace.abstract:
            real = (
                trace
                if followed is None
                else dataclasses.replace(trace, assignment=_own(assignment))
            )
            self._watch.end(real)
        return trace

    def __enter__(self) -> Self:
        self._ordinary = getattr(builtins, PREFIX + "callee")
        setattr(builtins, PREFIX + "callee", self.callees.hook)
        self._runner.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.__exit__(*_)
        setattr(builtins, PREFIX + "callee", self._ordinary)


def _own(assignment: Assignment) -> Assignment:
    """The assignment without the results of calls."""
    return {name: value for name, value in assignment.items() if "#" not in name}
