"""Run the rewritten target once on a given input and record its path."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from random import Random
from types import FrameType
from typing import Any, Self

from symcrete.clock import Clock, wall
from symcrete.errors import AssumptionFailed, CutShort, LoopLimit, NotAnInput, RunCut, TimeLimit
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.infer.complaints import Complaint, complaint_of
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.instrument.hooks import Hooks
from symcrete.run.collecting import is_collecting
from symcrete.run.history import History
from symcrete.run.module_reads import SOURCE, memory_of
from symcrete.run.result_kinds import kind_of_result, text_of_result
from symcrete.run.result_used import used
from symcrete.run.silence import silenced
from symcrete.run.situation import Situation
from symcrete.run.starved import Lateness
from symcrete.run.state import ModuleState
from symcrete.run.surroundings import Surroundings
from symcrete.run.trace import Loss, Trace
from symcrete.run.use import FINISHED, Ending
from symcrete.run.watch_line import LineWatch
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term
from symcrete.values.build.late_inputs import AFTERWARDS
from symcrete.values.build.variables import tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.recording import Recording

MOST_COMPLAINTS = 60  # different messages of errors that are kept; chosen, not measured
STARTS_THREADS = "it starts threads, and how they interleave is nothing that inputs decide"


@dataclass(frozen=True, slots=True)
class PlainRun:
    """What a run without terms did."""

    covered: int | None  # None where it was cut, an effect was blocked, or nothing was run
    raised: BaseException | None = None
    returned: str = ""  # the kind of its result, see `kind_of_result`


@dataclass(frozen=True, slots=True)
class Limits:
    """When a run that does not end is cut."""

    steps: int  # loop steps
    seconds: float
    plain_steps: int  # of a run without terms
    plain_seconds: float
    until: float = math.inf  # the moment by the clock when nobody waits for a run any longer


def _welcome(given: Assignment) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Beside:
    """Who stands beside the runs, such as a sandbox: told before each of them, asked after it."""

    announce: Callable[[Assignment], bool] = _welcome  # which input comes; False: do not run it
    interference: Callable[[], list[str]] = list  # what was stopped in the run that just ended


class Runner:
    """Runs one target again and again; the recording and the hooks are reused."""

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Arguments,
        record: Recording,
        hooks: Hooks,
        limits: Limits,
        *,
        beside: Beside | None = None,
        state: ModuleState | None = None,
        surroundings: Surroundings | None = None,
        situation: Situation | None = None,
        history: History | None = None,
        watch: LineWatch | None = None,
        clock: Clock = wall,
    ) -> None:
        """`state` is that of the program's modules before the first run; `situation`: what runs
        read besides their arguments; `history`: which calls may come before; `watch` looks out for
        a line that is wanted.
        """
        self.function = function
        self._arguments = arguments
        self._record = record
        self._hooks = hooks
        self._limits = limits
        self._beside = beside or Beside()
        self._state = state
        self.history = history or History()
        self._has_history = bool(self.history.functions or self.history.updated)
        self._restoring = self._has_history  # whether modules are set back after every run
        self._surroundings = surroundings
        self.situation = situation or Situation()
        self.late: dict[str, Late] = {}  # every input that some run asked for, by name
        self._memory = memory_of(function)  # the cache of the function, which a test empties
        self._unset = {each.root: each for each in self.situation.unset(function)}
        self._watch = watch
        self._clock = clock
        self._watched = False
        self._since = 0.0  # when the run under way began; 0 between runs
        self._patience = limits.seconds
        self._is_input = True  # whether the values of the last run were of the declared types
        self._by_steps = False  # whether the last run was cut for the steps of its loops
        self._lateness = Lateness(clock)
        self._values: dict[str, Any] = {}  # the arguments of the last run
        self._returned: tuple[str, Term | None] = ("", None)  # the kind of the last run's result
        self.complaints: dict[str, Complaint] = {}  # errors of values that do not fit, by message
        self._former: Any = None
        self._silence: contextlib.AbstractContextManager[None]

    def run(
        self, assignment: Assignment, *, before: Callable[[Assignment], None] | None = None
    ) -> Trace:
        """Run the target once on this input and record its path. Variables that the input turns out
        to have and `assignment` does not name get their plainest value. `before` is called ahead of
        the program; whoever gives it tells the watch of the end of the run, too.
        """
        record, hooks, clock, given = self._record, self._hooks, self._clock, dict(assignment)
        if self._watch is not None:
            self._watch.begin()
        record.start()
        hooks.allow(self._limits.steps)
        former = recording.activate(record)
        began = clock()
        record.begin(given, live=True)
        try:
            ending, error = self._ending(given, self._call, before)
        finally:
            record.end()
            recording.activate(former)
            self._values = {}
        seconds, steps = clock() - began, hooks.used()
        changed = self._tidy()
        if record.late:
            self.late.update(record.late)
        back = ending == Ending.RETURNED
        # By position, in the order of its fields: with their names, making one takes several times
        # as long (benchmarks/paths.py, bubble sort).
        trace = Trace(
            given,
            (*record.events,),
            (*record.assumptions,),
            int.from_bytes(record.covered, "little"),
            ending,
            error,
            (*record.losses, *changed),
            steps,
            seconds,
            (*self._beside.interference(),),
            (*record.bounds,),
            (*record.reads,),
            self._by_steps,
            self._is_input,
            self._late_of(record) if record.late or self._unset else (),
            (*record.defaults.values(),) if record.defaults else (),
            (*record.memory.get("used", ()),) if record.memory else (),
            record.executed if record.ordered else (),
            (),  # calls, which lazy expansion adds
            self._returned if back else ("", None),
            self._result if back else "",
        )
        if self._watch is not None and before is None:
            self._watch.end(trace)
        return trace

    def _late_of(self, record: Recording) -> tuple[Late, ...]:
        """The inputs besides arguments that the run asked for; with the cache of the function,
        which a test has to empty, or the function would not ask a second time.
        """
        found = {**self._unset, **record.late}
        if self._memory is not None:
            found = {self._memory.root: self._memory, **found}
        return (*found.values(),)

    def run_plain(self, given: Assignment, *, brief: bool = True) -> int | None:
        """Run without terms, which costs far less; returns the outcomes covered, or None if it did
        not come to an end of its own. The clock cuts a brief run much sooner than others.
        """
        record, limits = self._record, self._limits
        if self._watch is not None:
            self._watch.begin()
        record.start()
        self._hooks.allow(min(limits.steps, limits.plain_steps))
        self._patience = min(limits.seconds, limits.plain_seconds if brief else limits.seconds)
        former = recording.activate(record)
        record.begin(given, live=False)
        try:
            ending = self._ending(given, self._call_plain)[0]
        finally:
            record.end()
            recording.activate(former)
            self._patience = limits.seconds
        self._tidy()
        if record.late:
            self.late.update(record.late)
        if self._beside.interference() or ending not in FINISHED:
            return None
        return int.from_bytes(record.covered, "little")

    def run_values(self, values: dict[str, Any]) -> PlainRun:
        """Run once without terms on these arguments, by name."""
        record, limits = self._record, self._limits
        raised: list[BaseException] = []

        def call(_: Assignment) -> None:
            try:
                self._call_with(values)
            except BaseException as error:
                raised.append(error)
                raise

        record.start()
        self._hooks.allow(min(limits.steps, limits.plain_steps))
        former = recording.activate(record)
        record.begin({}, live=False)
        try:
            ending = self._ending({}, call)[0]
        finally:
            record.end()
            recording.activate(former)
        self._tidy()
        if self._beside.interference() or ending not in FINISHED:
            return PlainRun(None)
        covered = int.from_bytes(record.covered, "little")
        return (
            PlainRun(covered, raised[0]) if raised else PlainRun(covered, None, self._returned[0])
        )

    def _call_plain(self, given: Assignment) -> None:
        self._since = self._clock()
        try:
            if self._has_history:
                self.history.play(given, tracked=False)
            values = self._arguments.plain(given)
        except BaseException:
            self._record.start()  # nothing of the target has run
            raise
        finally:
            self._since = 0.0
        self._call_with(values)

    def sample(self, pool: Pool, random: Random) -> Assignment:
        """An input drawn at random: arguments, earlier calls, and about half of the other inputs
        that runs have asked for so far.
        """
        given = self._arguments.sample(pool, random)
        self.history.sample(given, pool, random)
        for root, late in self.late.items():
            if random.random() < 0.5:
                late.shape.sample(root, pool, random, given)
        return given

    def aside(self) -> contextlib.AbstractContextManager[None]:
        """A context for code of the program that is called outside of a run, to build an input or
        to compute a term. It is cut as a run is, but by CutShort, which ends only this code.
        """
        return _Aside(self._begin_aside, self._end_aside)

    def _begin_aside(self) -> None:
        self._hooks.allow(self._limits.steps)
        self._since = self._clock()

    def _end_aside(self) -> None:
        self._since = 0.0
        self._hooks.allow(UNLIMITED)

    def _tidy(self) -> Sequence[Loss]:
        """Take back what the run left behind; returns why it proves less than it seems to."""
        # Code that is called between runs is not limited to the steps that this run has left.
        self._hooks.allow(UNLIMITED)
        for call in self._record.memory.pop(AFTERWARDS, ()):
            call()
        self._restoring = self._restoring or self._changed_what_it_read()
        if self._surroundings is None and not self._restoring:
            return ()
        losses: list[Loss] = []
        if self._surroundings is not None:
            self._surroundings.restore()
            if self._surroundings.starts_threads:
                losses.append(("", 0, STARTS_THREADS))
            if self._surroundings.replaces_builtins:
                losses.append(("", 0, "it replaces built-in functions"))
        self.put_back()
        return losses

    def _changed_what_it_read(self) -> bool:
        """Whether the run has changed state of a module that it asked for and no run before it: a
        class that keeps its first object, say.
        """
        late = self._record.late
        if not late or self._state is None or late.keys() <= self.late.keys():
            return False
        read = [root for root, each in late.items() if each.source == SOURCE]
        if not read:
            return False
        changed = self._state.changes()
        return any(root.endswith(f".{name}") for root in read for name in changed)

    def put_back(self) -> None:
        """Set the program's modules back where runs are to find them as the first one did."""
        if self._state is not None and self._restoring:
            self._state.restore()

    def start_anew(self) -> list[str]:
        """Have every run from now on find the program's modules as the first one did; returns the
        names of what earlier runs have changed.
        """
        changed = [] if self._state is None or self._restoring else self._state.restore()
        self._restoring = self._restoring or bool(changed)
        return changed

    def _ending(
        self,
        given: Assignment,
        call: Callable[[Assignment], None],
        before: Callable[[Assignment], None] | None = None,
    ) -> tuple[Ending, str | None]:
        self._is_input, self._by_steps = True, False
        if not self._beside.announce(given):
            return Ending.REFUSED, None
        if before is not None:
            before(given)
        if self._surroundings is not None:
            self._surroundings.settle()
        try:
            call(given)
        except NotAnInput:
            self._is_input = False
            return Ending.REJECTED, None
        except AssumptionFailed as reason:
            return Ending.REJECTED, str(reason) or None
        except RunCut as reason:
            self._by_steps = isinstance(reason, LoopLimit)
            return Ending.TIMEOUT, str(reason)
        except BaseException as error:
            if _left_out_by_hypothesis(error):
                return Ending.REJECTED, None
            self._hear(error)
            return Ending.RAISED, type(error).__name__
        return Ending.RETURNED, None

    def _hear(self, error: BaseException) -> None:
        """Keep what Python itself says of a value that does not fit; the program's own errors may
        say anything.
        """
        said = error.args[0] if type(error) in (TypeError, AttributeError) and error.args else None
        if type(said) is str and said not in self.complaints and self._values:
            if len(self.complaints) < MOST_COMPLAINTS:
                self.complaints[said] = complaint_of(said, self._values)

    def _call(self, given: Assignment) -> None:
        if self._has_history:
            self._since = self._clock()
            try:
                self.history.play(given, tracked=True)
            finally:
                self._since = 0.0
        parameters = self._arguments.parameters
        values = {p.name: tracked_input(p.shape, p.name, given) for p in parameters}
        for why in self._arguments.open:
            self._record.losses["", 0, why] = None
        self._values = values
        try:
            self._call_with(values)
        finally:
            if self.history.counted:
                self.history.finish()

    def _call_with(self, values: dict[str, Any]) -> None:
        positional, keywords = self._arguments.split(values)
        # What was covered while the arguments were built is not the target's coverage.
        covered = self._record.covered
        covered[:] = bytes(len(covered))
        self._since = self._clock()
        try:
            if self._watch is None:
                result = used(self.function(*positional, **keywords))
            else:  # what ran while the arguments were built does not count
                with self._watch:
                    result = used(self.function(*positional, **keywords))
            self._returned = kind_of_result(result)
            self._result = text_of_result(result)
        finally:
            self._since = 0.0

    def __enter__(self) -> Self:
        """Silence the program and watch the clock.

        The clock can be watched in the main thread only; elsewhere steps alone are limited.
        """
        self._silence = silenced()
        self._silence.__enter__()
        self.situation.enter()
        if threading.current_thread() is threading.main_thread():
            self._former = signal.signal(signal.SIGALRM, self._ring)
            # One clock for all runs: setting it costs a call into the kernel, as long as a short
            # run. A program that swallows an alarm gets the next.
            signal.setitimer(signal.ITIMER_REAL, SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LOOKS)
            self._watched = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._watched:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._former)
            self._watched = False
        self.situation.leave()
        self._silence.__exit__(None, None, None)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        since, limit = self._since, self._patience
        # Where nothing is to be cut, or not here, it is left to the next alarm, which comes soon.
        if not since or is_collecting(frame) or (frame and frame.f_code in _AT_EDGES):
            return
        if self._clock() > self._limits.until:
            reason = TimeLimit("the budget was spent before it ended")
        elif self._clock() - since < limit or self._lateness.is_starved(since, limit):
            return
        else:
            reason = TimeLimit(f"does not end within {limit:g} s")
        self._hooks.cut(reason)
        raise reason


@dataclass(frozen=True, slots=True)
class _Aside:
    """Code of the program that is called outside of a run; see `Runner.aside`."""

    begin: Callable[[], None]
    end: Callable[[], None]

    def __enter__(self) -> None:
        self.begin()

    def __exit__(self, _: object, reason: BaseException | None, __: object) -> None:
        self.end()
        if isinstance(reason, RunCut):
            raise CutShort(str(reason)) from None


# Here code that is called aside has not begun or is done: what the alarm raised would not be turned
# into CutShort.
_AT_EDGES = frozenset(
    each.__code__
    for each in (_Aside.__enter__, Runner._begin_aside, _Aside.__exit__, Runner._end_aside)
)


def _left_out_by_hypothesis(error: BaseException) -> bool:
    """Whether a test says by `assume` or `reject` of Hypothesis that the input is none of its."""
    kind = type(error)
    return kind.__name__ == "UnsatisfiedAssumption" and kind.__module__ == "hypothesis.errors"


UNLIMITED = sys.maxsize  # loop steps
# seconds between two alarms, at which a run past its limit is cut; chosen, not measured
SECONDS_BETWEEN_LOOKS = 0.1
