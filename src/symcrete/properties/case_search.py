"""Which draws the next test case of Hypothesis begins with, and what the last one brought.

The loop of `explore.loop`, turned inside out: Hypothesis runs the test, and asks between two runs.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import hypothesis

from symcrete.clock import Clock, wall
from symcrete.errors import TimeLimit
from symcrete.explore.loop.loop import SECONDS_PER_RUN
from symcrete.explore.options import Options, options_from
from symcrete.explore.rewritten import enter_mentioned
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.program.source.module import Source, source_of_file
from symcrete.program.source.target import Target
from symcrete.properties.in_place import ProgramInPlace
from symcrete.properties.ready import prepare_in_place
from symcrete.run.runner import Limits, Runner
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategy import Flip, Sample, Step
from symcrete.solve.solver import Sat
from symcrete.terms.evaluate import Assignment
from symcrete.user import configuration_of_options
from symcrete.values.tracking import recording

FIRST_CASES = 4  # test cases drawn by chance, before anything is solved for
SECONDS_PER_CASE = 2.0  # seconds of solving, after which the next test case is drawn by chance
STEPS = 1_000_000  # loop steps of followed code in one test case
FOLLOWED_SECONDS = 5.0  # seconds of one test case, after which it is cut: its terms may grow on
MOST_CUT = 3  # test cases that took longer, after which Hypothesis goes on alone
_HYPOTHESIS = os.path.dirname(hypothesis.__file__) + "/"


class CaseSearch:
    """The exploration of one test under Hypothesis."""

    def __init__(
        self, test: Callable[..., Any] | None, random: Random, clock: Clock = wall
    ) -> None:
        self._clock = clock
        self._random = random
        self._cuts = 0
        options = _options()
        source, scope, module = _place_of(test)
        self._program = ProgramInPlace(source, module, options.instrument)
        arguments = Arguments(())
        limits = Limits(STEPS, options.run_seconds, STEPS, options.plain_seconds)
        record = self._program.record
        runner = Runner(_nothing, arguments, record, self._program.hooks, limits, clock=clock)
        with self._followed(None):
            if test is not None and str(source.file) in self._program.rewritten.files:
                enter_mentioned(test)
            else:  # no graph of a program to be guided by
                options = replace(options, strategy="generational")
            self._exploration, self._phase = prepare_in_place(
                Target(source, scope, scope),
                runner,
                arguments,
                self._program,
                options,
                draws=0,
                clock=clock,
            )

    def choose(self) -> tuple[Step, Assignment] | None:
        """The next step and the draws it asks for; None if there is nothing left to solve for."""
        exploration, strategy = self._exploration, self._phase.strategy
        progress = exploration.progress
        if self._cuts >= MOST_CUT:
            return None
        if progress.runs < FIRST_CASES:
            return Sample(), {}
        until = self._clock() + SECONDS_PER_CASE
        while progress.tree.open_sides:
            step = strategy.choose(progress.tree)
            if not isinstance(step, Flip) or self._clock() > until:
                return Sample(), {}
            began = self._clock()
            answer = exploration.answer(step.node, step.side)
            if isinstance(answer, Sat):
                return step, dict(answer.assignment)
            exploration.settle(step, answer, self._phase, self._clock() - began)
        return None

    @contextlib.contextmanager
    def running(self, given: Assignment) -> Iterator[None]:
        """A context in which the code of the project is followed, and the conditions that it
        decides are recorded. After a while the next of them raises, since terms may grow with
        every step of a program.
        """
        record = self._program.record
        record.start()
        self._program.hooks.allow(STEPS)
        timer = threading.Timer(FOLLOWED_SECONDS, self._cut)
        timer.daemon = True
        timer.start()
        try:
            with self._followed(given):
                yield
        finally:
            timer.cancel()
            record.go_on()

    def _cut(self) -> None:
        """Have the test case end at its next condition. A timer's thread calls this, which cannot
        raise in the thread of the test.
        """
        self._cuts += 1
        self._program.record.cut()
        self._program.hooks.cut(TimeLimit(f"not done in {FOLLOWED_SECONDS:g} s"))

    @contextlib.contextmanager
    def _followed(self, given: Assignment | None) -> Iterator[None]:
        record = self._program.record
        with self._program.followed():
            former = recording.activate(record)
            record.begin(given, live=given is not None)
            try:
                yield
            finally:
                record.end()
                recording.activate(former)

    def learn(
        self, step: Step, given: Assignment, ending: Ending, error: BaseException | None
    ) -> None:
        """Grow the tree by the test case that has just ended."""
        record = self._program.record
        trace = Trace(
            assignment=given,
            events=tuple(record.events),
            assumptions=tuple(record.assumptions),
            covered=int.from_bytes(record.covered, "little"),
            ending=ending,
            error=None if error is None else type(error).__name__,
            losses=tuple(record.losses),
            steps=self._program.hooks.used(),
            seconds=SECONDS_PER_RUN,
            bounds=tuple(record.bounds),
        )
        self._exploration.progress.ran()
        self._exploration.learn(step, trace, self._phase)


def _options() -> Options:
    configured, _ = configuration_of_options(Path.cwd())
    return options_from({"solver_seconds": SECONDS_PER_CASE / 2, **configured})


def _place_of(test: Callable[..., Any] | None) -> tuple[Source, str, ModuleType]:
    """Where a test is written; nowhere, if it is part of Hypothesis or its text is in no file."""
    code = getattr(test, "__code__", None)
    file = "" if code is None else code.co_filename
    if test is None or file.startswith(_HYPOTHESIS) or not Path(file).is_file():
        return Source(Path(__file__), __name__, Path(__file__).parent), "", ModuleType("nowhere")
    module = sys.modules.get(test.__module__) or ModuleType(test.__module__)
    return source_of_file(Path(file)), test.__qualname__.replace(".<locals>", ""), module


def _nothing() -> None:
    """What the runner would call, if it were asked to: Hypothesis calls the test."""
