"""Search for an input that makes a property fail, in the process that runs the tests."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import traceback
import unittest
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from symcrete.clock import Clock, Moment, wall
from symcrete.errors import BadOption, RunCut
from symcrete.explore.confirm.input_as_call import call_of
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.phase import Phase
from symcrete.explore.minimise.minimise import plainest
from symcrete.explore.minimise.nearest_zero import nearest_zero
from symcrete.explore.options import Options
from symcrete.explore.rewritten import enter_mentioned
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.inputs.told_apart import imported
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import Target
from symcrete.properties.in_place import ProgramInPlace
from symcrete.properties.kept_inputs import KeptInput
from symcrete.properties.ready import prepare_in_place
from symcrete.run.runner import Limits, Runner
from symcrete.run.trace import Trace
from symcrete.run.untouched.played import Call
from symcrete.run.use import Ending
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

if TYPE_CHECKING:
    from symcrete.properties.checking import Checked

MOST_DOUBTS = 5  # failures that the untouched test does not repeat, after which the search ends
LEAST_AGAIN = 0.001  # seconds for which an overdue alarm of others is set: 0 would turn it off
PLAINER = 2.0  # seconds at most, to make a failing input plainer


@dataclass(frozen=True, slots=True)
class Failing:
    """An input that makes the test fail, and a plainer one that is likely to."""

    given: Assignment
    plainest: Assignment


class FollowedTest:
    """The test as runs call it; says afterwards what it raised, and where."""

    def __init__(self, checked: Checked) -> None:
        self._checked = checked
        self.raised: tuple[str, str, int] | None = None  # class, file and line
        self.interrupted: BaseException | None = None

    def __call__(self, **values: Any) -> None:
        self.raised = None
        try:
            self._checked.call(values)
        except RunCut:
            raise
        except BaseException as error:
            if is_no_failure(error):
                self.interrupted = error
            else:
                self.raised = _place(error)
            raise


class WatchedRunner(Runner):
    """Remembers the runs in which the test failed."""

    def __init__(self, test: FollowedTest, *args: Any, **kwargs: Any) -> None:
        super().__init__(test, *args, **kwargs)
        self._test = test
        self.failed: list[tuple[Trace, tuple[str, str, int]]] = []

    def run(self, assignment: Assignment, **kwargs: Any) -> Trace:
        trace = super().run(assignment, **kwargs)
        if trace.ending == Ending.RAISED and self._test.raised is not None:
            self.failed.append((trace, self._test.raised))
        return trace


class Search:
    """The exploration of one property, until it fails or the budget is spent."""

    def __init__(self, checked: Checked, options: Options, clock: Clock = wall) -> None:
        self._checked = checked
        self._options = options
        self._clock = clock
        test = checked.known.test
        file = Path(test.__code__.co_filename)
        source = source_of_file(file)
        module = sys.modules.get(test.__module__) or ModuleType(test.__module__)
        self._target = Target(source, test.__qualname__.replace(".<locals>", ""), test.__qualname__)
        self._program = ProgramInPlace(source, module, options.instrument)
        self._followed = FollowedTest(checked)
        self._exploration: Exploration | None = None
        self.arguments = self._arguments()

    @property
    def interrupted(self) -> BaseException | None:
        """What ended the search without a failure: a skipped test, or Ctrl-C."""
        return self._followed.interrupted

    @property
    def runs(self) -> int:
        """How many runs the exploration has made; 0 before it begins."""
        return 0 if self._exploration is None else self._exploration.progress.runs

    @property
    def tried(self) -> int:
        """Runs whose input no `assume` rejected."""
        progress = None if self._exploration is None else self._exploration.progress
        return 0 if progress is None else progress.entered

    def covering(self) -> list[Assignment]:
        """The inputs that were the first to cover something."""
        if self._exploration is None:
            return []
        return [kept.trace.assignment for kept in self._exploration.progress.kept]

    def plain(self, given: Assignment) -> dict[str, Any]:
        """An input as plain values by the names of parameters."""
        return self.arguments.plain(given)

    def call_of(self, given: Assignment) -> Call:
        """An input as text. Raises NoLiteral where a value has none."""
        return call_of(self.arguments, given)

    def failing_of(self, kept: Sequence[KeptInput]) -> Failing | None:
        """The first of these inputs of an earlier run that still makes the test fail."""
        for each in kept:
            given = self._read(each)
            if given is not None and self._checked.fails(self.plain(given)) is not None:
                return Failing(given, given)
        return None

    def failing(self, starts: Sequence[KeptInput] = ()) -> Failing | None:
        """Explore until some input makes the test fail, as it is written; None if none is found."""
        first = [given for each in starts if (given := self._read(each)) is not None]
        with self._program.followed():
            runner = self._runner()
            enter_mentioned(self._checked.known.test)
            self._exploration, phase = prepare_in_place(
                self._target, runner, self.arguments, self._program, self._options, starts=first
            )
        for _ in range(MOST_DOUBTS):
            with self._program.followed(), alarm_kept(self._clock):
                self._explore(runner, phase)
            if self.interrupted is not None or not runner.failed:
                return None
            trace, raised = runner.failed[0]
            if self._checked.fails(self.plain(trace.assignment)) is not None:
                return Failing(trace.assignment, self._plainer(runner, trace, raised))
            runner.failed.clear()
            phase = replace(phase, first=())
        return None

    def _explore(self, runner: WatchedRunner, phase: Phase) -> None:
        assert self._exploration is not None
        over = lambda: bool(runner.failed) or self.interrupted is not None
        self._exploration.explore(replace(phase, arrived=over))

    def _plainer(
        self, runner: WatchedRunner, trace: Trace, raised: tuple[str, str, int]
    ) -> Assignment:
        """A plainer input that fails in the same place, also in the test as it is written; the
        input of the trace if none is found.
        """
        stop = Moment(self._clock() + min(PLAINER, self._options.budget), self._clock)
        wanted = lambda again: self._followed.raised == raised
        with self._program.followed(), alarm_kept(self._clock):
            found = nearest_zero(
                runner, plainest(runner, trace, wanted, stop), wanted, stop
            ).assignment
        error = self._checked.fails(self.plain(found))
        same = error is not None and _place(error) == raised
        return found if same else trace.assignment

    def _runner(self) -> WatchedRunner:
        options, program = self._options, self._program
        limits = Limits(
            options.run_steps, options.run_seconds, options.plain_steps, options.plain_seconds
        )
        return WatchedRunner(
            self._followed, self.arguments, program.record, program.hooks, limits, clock=self._clock
        )

    def _arguments(self) -> Arguments:
        """The shapes of the inputs, which are passed by name."""
        known = self._checked.known
        where = known.test.__qualname__
        found = arguments_of(known.test, self._options.types, where)
        wanted = [each for each in found.parameters if each.name in self._checked.inputs]
        return replace(found, parameters=tuple([replace(each, by_keyword=True) for each in wanted]))

    def _read(self, kept: KeptInput) -> Assignment | None:
        """An input that was kept as text; None if it is none of this test any more."""
        scope = dict(self._checked.known.test.__globals__)
        try:
            for module, name in kept.imports:
                scope.setdefault(*imported(module, name))
            given = read_input(kept.text, self.arguments, scope)
        except (BadOption, ImportError, AttributeError):
            return None
        return given


def is_no_failure(error: BaseException) -> bool:
    """Whether what a test raised ends the test without a failure: skipped, or interrupted."""
    outcomes = sys.modules.get("_pytest.outcomes")
    skipped: type[BaseException] = getattr(outcomes, "Skipped", unittest.SkipTest)
    return isinstance(error, KeyboardInterrupt | unittest.SkipTest | skipped)


def _place(error: BaseException) -> tuple[str, str, int]:
    """The class of what was raised, and the file and line of the innermost frame."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    where = ("", 0) if last is None else (last.filename, last.lineno or 0)
    return type(error).__name__, *where


@contextlib.contextmanager
def alarm_kept(clock: Clock) -> Iterator[None]:
    """A context in which runs may use the alarm of the process, which somebody else may have set,
    as pytest-timeout does: afterwards it is set again for what is left of its time.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    left, interval = signal.getitimer(signal.ITIMER_REAL)
    began = clock()
    try:
        yield
    finally:
        if left:
            again = max(left - (clock() - began), LEAST_AGAIN)
            signal.setitimer(signal.ITIMER_REAL, again, interval)
