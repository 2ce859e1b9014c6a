"""The driver: one target explored in a confined worker, its inputs replayed in others.

It imports neither the program nor a solver. Whatever the program does to its process, what was
found until then is reported, and another worker goes on from there.
"""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import assert_never

from symcrete.clock import Clock, wall
from symcrete.errors import INTERNAL_ERROR, SymcreteError
from symcrete.explore.cover.plan import plan_of
from symcrete.explore.cover.recount import (
    TOO_LATE,
    UNCONFIRMED,
    UNWRITTEN,
    recounted,
    sides_of,
    those_that_add,
)
from symcrete.explore.findings import FoundInput, Status, TargetReport, each_once
from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.run.use import FINISHED, MOST_NAMES_TOLD, Ending
from symcrete.sandbox.driver.births import MOST_RESTARTS_PER_JOB, Zygotes, exploring_task
from symcrete.sandbox.driver.confirming import Confirming
from symcrete.sandbox.driver.crew import Post, shared_out
from symcrete.sandbox.driver.ending import (
    exit_code_of,
    failure_of,
    how_it_ended,
    is_ours,
    killed_by_others,
    note_of,
)
from symcrete.sandbox.driver.lane import EXPLORING
from symcrete.sandbox.driver.replaying import Replays
from symcrete.sandbox.driver.watch import Fresh, Workers, slowness, watch
from symcrete.sandbox.messages.before import NOTHING_BEFORE, Before
from symcrete.sandbox.messages.doings import Importing, Running, Solving
from symcrete.sandbox.messages.ends import Ended, Failed, Finished, Stopped
from symcrete.sandbox.messages.events import EndedEvent, Event, InputEvent, KeptEvent, TargetEvent
from symcrete.sandbox.messages.jobs import Explore
from symcrete.sandbox.messages.words import (
    OF_EXPLORING,
    Begun,
    Blamed,
    Found,
    Kept,
    Ready,
    Reported,
    call_blamed,
)
from symcrete.slotted import dataclass

EXPLORING_ENTRY = EXPLORING
# seconds after the budget at which the last replay has to be done; chosen, not measured
AFTER_BUDGET = 1.4
AFTER_INTERRUPT = 0.4  # seconds for replays under way: Ctrl-C is answered within one second
# seconds at least for replays still to come when a worker was ended; chosen, not measured
FOR_REPLAYS = 0.5
# seconds more at most, where interpreters for replays were slow to start; chosen, not measured
MOST_LATE = 10.0
WITHOUT_LIMIT = 3600.0  # seconds in place of a budget where runs are counted; chosen, not measured
LOOKS_BEFORE_HELP = 4  # times in HELP_AFTER seconds that a helper looks if all is done; chosen
HELP_AFTER = 1.0  # seconds after which a target is no easy one; chosen, not measured
OTHER_STRATEGIES = ("generational", "cgs", "random-path", "auto")  # of helpers, one each

Listener = Callable[[FoundInput], None]
Record = Callable[[Event], None]


def _silent(found: FoundInput) -> None:
    pass


def _unrecorded(event: Event) -> None:
    pass


def cover(target: Target, options: Options, on_input: Listener = _silent) -> TargetReport:
    """The report of one target; `on_input` is told of each input once it is replayed."""
    return next(iter(cover_all([target], options, on_input=lambda target, found: on_input(found))))


def cover_all(
    targets: Iterable[Target],
    options: Options,
    *,
    on_target: Callable[[Target], None] = lambda target: None,
    on_input: Callable[[Target, FoundInput], None] = lambda target, found: None,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    record: Callable[[Target, Event], None] = lambda target, event: None,
    before: Callable[[Target], Before] = lambda target: NOTHING_BEFORE,
    stop: Callable[[], bool] = lambda: False,
    workers: int = 1,
    zygotes: Zygotes | None = None,
    helped: bool = False,
) -> Iterator[TargetReport]:
    """The report of each target, in the order in which they are done.

    With several workers the functions given are called in their threads, one at a time. `zygotes`
    are those that workers come from, left as they are; None: such as end with the last report.
    `helped`: where there are more workers than targets, several explore one that takes long, each
    with a strategy and a seed of its own.
    """
    telling = threading.Lock()
    broken = _Unimportable()

    def aloud(tell: Callable[[], None]) -> None:
        with telling:
            tell()

    def work(post: Post, target: Target, stopped: Callable[[], bool]) -> TargetReport:
        aloud(lambda: on_target(target))
        known = broken.report_of(target, options)
        if known is not None:
            aloud(lambda: record(target, TargetEvent(known)))
            return known
        report = _guarded(
            Cover(
                target,
                options,
                post.replays,
                on_input=lambda found: aloud(lambda: on_input(target, found)),
                record=lambda event: aloud(lambda: record(target, event)),
                before=before(target),
                stop=stopped,
                on_protection=lambda lines: aloud(lambda: on_protection(lines)),
                workers=post.lane,
                helpers=post.helping,
            )
        )
        broken.note(target, report)
        return report

    yield from shared_out(
        list(targets), options, work, workers=workers, stop=stop, zygotes=zygotes, helped=helped
    )


class _Unimportable:
    """Modules that cannot be imported: that is tried for one of their functions and reported for
    each.
    """

    def __init__(self) -> None:
        self._known: dict[Source, TargetReport] = {}

    def note(self, target: Target, report: TargetReport) -> None:
        if report.unimportable:
            self._known[target.source] = report

    def report_of(self, target: Target, options: Options) -> TargetReport | None:
        """The failure of a target whose module is known not to import; None for all others."""
        first = self._known.get(target.source)
        if first is None:
            return None
        report = replace(first, target=target.label, scope=target.scope, seconds=0.0)
        return recounted(report, plan_of(target, options.within), lambda name: report.error)


def _guarded(work: Cover) -> TargetReport:
    """The report of a target; an error of ours becomes the report that it failed, so that it costs
    one target.
    """
    try:
        return work.run()
    except SymcreteError:
        raise
    except Exception as error:
        told = "".join(traceback.format_exception(error))
        report = TargetReport(
            work.target.label,
            Status.FAILED,
            error=f"internal error: {type(error).__name__}: {error}",
            exit_code=INTERNAL_ERROR,
            traceback=told,
            file=str(work.target.source.file),
        )
        plan = plan_of(work.target, work.options.within)
        return recounted(report, plan, lambda name: report.error)


@dataclass(slots=True)
class Cover:
    """One target on its way through the workers."""

    target: Target
    options: Options
    replays: Replays | None
    on_input: Listener = _silent
    record: Record = _unrecorded
    before: Before = NOTHING_BEFORE
    stop: Callable[[], bool] = lambda: False
    on_protection: Callable[[list[str]], None] = lambda lines: None
    workers: Workers = field(default_factory=Fresh)
    helpers: tuple[Workers, ...] = ()  # for explorations beside the first one
    clock: Clock = wall
    _began: float = field(init=False)
    _ready: float | None = None  # when the first worker was ready
    _kept: dict[str, FoundInput] = field(default_factory=dict)
    _paths: dict[str, FoundInput] = field(default_factory=dict)  # where every path is wanted
    _begun: Begun | None = None
    _report: TargetReport | None = None
    _ends: list[Ended] = field(default_factory=list)
    _timeline: list[tuple[float, int]] = field(default_factory=list)
    _calls_blamed: dict[str, FoundInput] = field(default_factory=dict)
    _confirming: Confirming | None = None
    _keeping: threading.Lock = field(default_factory=threading.Lock)  # helpers keep inputs too

    def __post_init__(self) -> None:
        self._began = self.clock()

    def run(self) -> TargetReport:
        """Explore the target, have its inputs replayed, and give its report."""
        if self.replays is not None:
            self._confirming = Confirming(
                self.target, self.options, self.replays, self._told, self.clock
            )
        self._kept.update(self.before.kept)
        self._ends += self.before.ends
        self._explore()
        report = self._finished(self._report or self._rest())
        report = replace(self._owned_up(report), seconds=self._seconds())
        if not self.stop():
            self.record(TargetEvent(report))
        return report

    def _finished(self, report: TargetReport) -> TargetReport:
        """The report with its inputs as the replays saw them, and what these cover."""
        plan = plan_of(self.target, self.options.within)
        if report.error:
            return recounted(report, plan, lambda name: report.error.partition("\n")[0])
        listed = self._paths.values() if self.options.paths else report.inputs
        found = [*listed, *[each for each, known in self._blamed() if known]]
        notes = [*report.notes, *dict.fromkeys(note_of(end) for end in self._ends)]
        claimed, late = sides_of([*found, *self._kept.values()]), list[FoundInput]()
        if self._confirming is not None:
            until = self._end_of_replays()
            found, late = self._confirming.finish(found, until)
            if late:
                notes.append(f"{len(late)} inputs were found too late to be replayed")
            lacking = claimed - sides_of(found)
            others = self._confirming.confirmed(self._kept.values(), lacking, until)
            found += those_that_add(others, sides_of(found) | self.target.uncounted)
            notes += self._confirming.notes()
        found += [each for each, known in self._blamed() if not known]
        stopped = self.stop()
        if stopped:
            notes.append("interrupted")
        for each in found:
            if each.outcome in (Ending.CRASHED, Ending.BLOCKED) or self._confirming is None:
                self._told(each)
        timeline = tuple(self._timeline)
        report = replace(report, inputs=tuple(found), notes=tuple(notes), timeline=timeline)
        report = replace(report, cut_short=report.cut_short or bool(late) or stopped)
        if self._confirming is None and self._report is not None:
            return report
        if self._report is None:
            ends = "; ".join(dict.fromkeys(map(note_of, self._ends)))
            return recounted(report, plan, lambda name: ends or "budget spent before it was tried")
        return recounted(report, plan, self._why_open(claimed, sides_of(late)))

    def _why_open(self, claimed: set[str], late: set[str]) -> Callable[[str], str]:
        """A function that tells, by its name, why a side is open that the exploration took for
        covered; `late` are sides of inputs that there was no time to replay.
        """
        confirming = self._confirming
        after_others = confirming.only_after_others() if confirming is not None else set()
        touched = confirming.touched()[:MOST_NAMES_TOLD] if confirming is not None else []
        changing = f", which change {', '.join(touched)}" if touched else ""

        def reason(name: str) -> str:
            if name in after_others:
                return f"it is taken only after earlier calls{changing}"
            if name in late:
                return TOO_LATE
            return UNCONFIRMED if name in claimed else UNWRITTEN

        return reason

    def _owned_up(self, report: TargetReport) -> TargetReport:
        """The report with an error of ours that ended a worker, also where another one went on."""
        for end in self._ends:
            if isinstance(end.how, Failed):
                return replace(report, exit_code=INTERNAL_ERROR, traceback=end.how.traceback)
        return report

    def _told(self, found: FoundInput) -> None:
        self.record(InputEvent(found))
        self.on_input(found)

    def _seconds(self) -> float:
        return self.clock() - self._began

    def _end_of_replays(self) -> Callable[[], float]:
        """The function that tells when the last replay has to be done.

        As for exploring, time in which interpreters start does not count: on a busy machine that
        may take longer than a short budget, and what was found would be lost. For the same reason
        all of it takes longer there.
        """
        now = self.clock()
        if self.stop():
            return lambda: now + AFTER_INTERRUPT
        if self.options.max_runs is not None:
            return lambda: now + WITHOUT_LIMIT
        spent = self.clock() - (self._ready or self._began)
        slow = slowness()
        end = now + max(FOR_REPLAYS * slow, self.options.budget + AFTER_BUDGET * slow - spent)
        replays = self.replays
        assert replays is not None

        def until() -> float:
            since = replays.at_work_since() or self.clock()
            return min(max(end, since + FOR_REPLAYS * slow), end + MOST_LATE)

        return until

    def _explore(self) -> None:
        with self._helped():
            self._explore_first()

    @contextlib.contextmanager
    def _helped(self) -> Iterator[None]:
        """A context in which helpers explore the target too, if it takes long."""
        alone = self.options.max_runs is not None or self.options.paths
        if alone or self.options.strategy != "auto" or self.options.lazy is not None:
            yield
            return
        over = threading.Event()
        threads = [
            threading.Thread(target=self._help, args=(number, workers, over), daemon=True)
            for number, workers in enumerate(self.helpers)
        ]
        for each in threads:
            each.start()
        try:
            yield
        finally:
            over.set()
            for each in threads:
                each.join()

    def _help(self, number: int, workers: Workers, over: threading.Event) -> None:
        """Explore the target beside the first worker if it takes long, with a strategy and a seed
        of its own, from what is known by then. What it finds is kept like what the first one finds.

        A helper that hangs or dies is not replaced: the first worker finds out whose fault it is.
        """
        while self._ready is None or self.clock() < self._ready + HELP_AFTER:
            if over.wait(HELP_AFTER / LOOKS_BEFORE_HELP):
                return
        left = self.options.budget - (self.clock() - self._ready)
        options = replace(
            self.options,
            seed=self.options.seed + 1 + number,
            strategy=OTHER_STRATEGIES[number % len(OTHER_STRATEGIES)],
        )
        job = Explore(
            self.target, options, tuple(self._kept), tuple(self._ends), self.before.learned
        )
        with contextlib.suppress(SymcreteError):  # no process can be started for it
            for message in watch(
                exploring_task(EXPLORING_ENTRY, options),
                job,
                OF_EXPLORING,
                budget=max(0.0, left),
                resume=lambda job, end: None,
                stop=lambda: over.is_set() or self.stop(),
                workers=workers,
            ):
                if isinstance(message, Kept):
                    self._keep(message)

    def _explore_first(self) -> None:
        options = self.options
        budget = options.budget if options.max_runs is None else WITHOUT_LIMIT
        kept, ends, learned = tuple(self._kept), tuple(self._ends), self.before.learned
        job = Explore(self.target, options, kept, ends, learned)
        for message in watch(
            exploring_task(EXPLORING_ENTRY, options),
            job,
            OF_EXPLORING,
            budget=budget,
            resume=self._resume,
            stop=self._looked,
            workers=self.workers,
        ):
            match message:
                case Begun():
                    self._begun = message
                    if self._confirming is not None and message.leaves_nothing:
                        self._confirming.hold_back()
                case Kept():
                    self._keep(message)
                case Found(found):
                    self._add_path(found)
                case Blamed(shown, called):
                    self._calls_blamed[shown] = called
                case Reported(report):
                    self._report = report
                case Ready(protection):
                    self._ready = self._ready or self.clock()
                    self.on_protection(list(protection))
                case Ended():
                    self._note_end(message)
                case _:
                    assert_never(message)

    def _keep(self, kept: Kept) -> None:
        with self._keeping:
            self._note_kept(kept)

    def _note_kept(self, kept: Kept) -> None:
        if kept.assignment not in self._kept:
            self.record(KeptEvent(kept.assignment, kept.input))
            gained = sum(not spot.kind for spot in kept.input.covers)
            self._timeline.append((round(self._seconds(), 3), gained))
        self._kept[kept.assignment] = kept.input
        if self._confirming is not None and kept.input.outcome in FINISHED:
            self._confirming.keep(kept.input)

    def _looked(self) -> bool:
        """Whether to stop, asked several times a second; has inputs replayed that are due."""
        if self._confirming is not None:
            self._confirming.look()
        return self.stop()

    def _add_path(self, found: FoundInput) -> None:
        """Keep an input of a path and have it replayed, unless an earlier worker found it."""
        if self._paths.setdefault(found.key, found) is found:
            if self._confirming is not None and found.outcome in FINISHED:
                self._confirming.post(found)

    def _note_end(self, end: Ended) -> None:
        if isinstance(end.how, Finished):
            return
        if isinstance(end.how, Stopped) and (self._report is not None or self.stop()):
            return
        short = end.short()
        self.record(EndedEvent(short))
        self._ends.append(short)

    def _resume(self, job: Explore, end: Ended) -> Explore | None:
        """The same job without what ended the worker, for the time that is left; None if there is
        no use in it.
        """
        known = isinstance(end.doing, Running | Solving) or killed_by_others(end)
        if not known or len(self._ends) > MOST_RESTARTS_PER_JOB:
            return None
        return replace(job, starts=tuple(self._kept), after=tuple(self._ends))

    def _rest(self) -> TargetReport:
        """The report of what is known although no worker came to its end."""
        source = self.target.source
        rest = TargetReport(
            target=self.target.label,
            status=Status.BUDGET,
            inputs=each_once(self._kept.values()),
            module=source.module,
            root=str(source.root),
            scope=self.target.scope,
            file=str(source.file),
        )
        if self._begun is not None:
            begun = self._begun
            rest = replace(rest, kind=begun.kind, is_method=begun.is_method, guessed=begun.guessed)
        for end in self._ends[-1:]:
            unable = end.doing is None or isinstance(end.how, Failed)
            if isinstance(end.doing, Importing) or (unable and not self._kept):
                error, code = failure_of(end), exit_code_of(end)
                importing = isinstance(end.doing, Importing) and not isinstance(end.how, Failed)
                return replace(
                    rest, status=Status.FAILED, error=error, exit_code=code, unimportable=importing
                )
        return rest

    def _blamed(self) -> list[tuple[FoundInput, bool]]:
        """Inputs that ended a worker, one for each way to end; and whether they can be called."""
        found: dict[str, tuple[FoundInput, bool]] = {}
        for end in self._ends:
            how = how_it_ended(end)
            if isinstance(end.doing, Running) and not is_ours(end) and how.reason not in found:
                known = self._calls_blamed.get(end.doing.input)
                called = known or call_blamed({"input": repr(end.doing.input)})
                told = replace(called, outcome=how.outcome, reason=how.reason)
                found[how.reason] = (told, known is not None)
        return list(found.values())
