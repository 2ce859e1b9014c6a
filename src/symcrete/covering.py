"""`symcrete cover` and `symcrete resume`: many targets, shown as they are done."""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symcrete import VERSION
from symcrete.errors import (
    INTERNAL_ERROR,
    BadOption,
    CannotWrite,
    NothingToAnalyse,
)
from symcrete.explore.cover.plan import plan_of
from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.explore.options import PATIENCE_WITH_MANY, Options, seconds
from symcrete.explore.project.choosing import Broken, Chosen, chosen, excluding_patterns
from symcrete.notation import several
from symcrete.program.source.target import Target
from symcrete.report.formats.live import Live
from symcrete.report.formats.terminal import Table, Telling, progress_wanted
from symcrete.report_file import form_of, with_report_file, write_report
from symcrete.run.use import Ending
from symcrete.sandbox.driver.interrupt import EXIT_CODE as INTERRUPTED
from symcrete.sandbox.driver.interrupt import interruptible
from symcrete.sandbox.journal.known_results import Cache
from symcrete.sandbox.journal.runs import FOLDER, PastRun, RunLog, past_run
from symcrete.sandbox.journal.shelf import Shelf, Shelved
from symcrete.sandbox.messages.before import NOTHING_BEFORE, Before
from symcrete.sandbox.messages.events import Event, TargetEvent
from symcrete.shell.told_once import AFTER_THE_FIRST_RUN
from symcrete.user import (
    OF_PROJECTS,
    check_folder,
    configuration,
    held_tests,
    options_asked_for,
    options_of,
    protection_teller,
    say_untested,
    warn,
    with_values,
    write_tests,
)

# What a resumed run takes over from the one that was stopped.
_KEPT = (
    "output",
    "assertions",
    "style",
    "emit",
    "json",
    "jsonl",
    "fail_under",
    "force",
    "prune",
    "quiet",
    "verbose",
    "exclude",
    "workers",
    "cluster",
    "total_budget",
    "changed",
    "coverage",
    "learn_from",
)


def cover(arguments: argparse.Namespace) -> int:
    """Find inputs that cover every branch of the targets, and tell them; the exit code."""
    arguments = _completed(arguments)
    options_of(arguments)  # what is wrong with them is told first
    choice = _chosen(arguments, arguments.targets)
    options = _options(arguments, choice)
    if arguments.list:
        return _list(arguments, choice, options)
    kept = {name: getattr(arguments, name) for name in _KEPT}
    arguments = with_report_file(arguments)
    check_folder(arguments, choice.targets)
    first = progress_wanted() and not arguments.quiet and not Path(FOLDER).exists()
    log = None if arguments.no_journal else RunLog(arguments.journal, warn)
    if log is not None:
        log.begin(arguments.targets, options, kept)
    code = _cover(arguments, choice, options, log, None)
    if first:
        warn(AFTER_THE_FIRST_RUN)
    return code


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a run that was stopped: what it found is not sought again."""
    past = past_run(arguments.journal, unfinished=True)
    unsaid = [name for name in _KEPT if getattr(arguments, name, None) in (None, False)]
    arguments = with_values(arguments, **{name: past.arguments.get(name) for name in unsaid})
    for note in past.notes:
        warn(note)
    choice = _chosen(arguments, past.texts)
    arguments = with_report_file(arguments)
    check_folder(arguments, choice.targets)
    log = RunLog(past.path, warn)
    log.begin(past.texts, past.options, past.arguments)
    return _cover(arguments, choice, past.options, log, past)


def _completed(arguments: argparse.Namespace) -> argparse.Namespace:
    """The command line with what it leaves out and `[tool.symcrete]` says about projects."""
    said: dict[str, Any] = {}
    for name, value in configuration(Path.cwd()).items():
        key = name.replace("-", "_")
        if key in OF_PROJECTS and getattr(arguments, key, key) is None:
            said[key] = [value] if key == "exclude" and type(value) is str else value
    return with_values(arguments, **said)


def _options(arguments: argparse.Namespace, choice: Chosen) -> Options:
    """The options of the command line. Where several functions are covered and nobody set a limit,
    each of them gets less patience than a single one would.
    """
    limits = {"budget", "max_runs", "patience", "quick"} & options_asked_for(arguments).keys()
    if len(choice.targets) == 1 or limits or arguments.total_budget:
        return options_of(arguments)
    return options_of(arguments, patience=PATIENCE_WITH_MANY)


def _chosen(arguments: argparse.Namespace, texts: list[str]) -> Chosen:
    since = getattr(arguments, "changed", None)
    only = _any if since is None else _changed(since)
    patterns = excluding_patterns(Path.cwd())
    try:
        choice = chosen(texts, exclude=arguments.exclude or (), patterns=patterns, only=only)
    except NothingToAnalyse:
        if since is None:
            raise
        raise NothingToAnalyse(
            f"no function of {', '.join(texts)} has changed since {since}, nor what it calls"
        ) from None
    if getattr(arguments, "coverage", None) is None:
        return choice
    return _lacking(choice, arguments.coverage)


def _lacking(choice: Chosen, file: str) -> Chosen:
    """The chosen functions of which a data file of coverage.py has branches that were not taken."""
    from symcrete.explore.project.uncounted import CoverageData  # few need it

    data = CoverageData(file)
    for changed in data.changed_since(choice.targets):
        warn(f"{changed} has changed since {file} was measured: its lines may have moved")
    targets = data.lacking(choice.targets)
    if not targets and not choice.broken:
        raise NothingToAnalyse(f"every branch is covered according to {file}")
    left_out = len(choice.targets) - len(targets)
    return replace(choice, targets=tuple(targets), excluded=choice.excluded + left_out)


def _any(target: Target) -> bool:
    return True


def _changed(since: str) -> Callable[[Target], bool]:
    """A function that says whether a target has changed since a revision, or mentions what has."""
    from symcrete.explore.project.changed import Changed  # few need it

    return Changed(since, Path.cwd()).touches


def _list(arguments: argparse.Namespace, choice: Chosen, options: Options) -> int:
    """Print what would be covered and how long that takes at most; the exit code."""
    for target in choice.targets:
        print(f"{target.label}  {len(plan_of(target).branches)} branches")
    for each in choice.broken:
        first = each.error.partition("\n")[0]
        print(f"{each.file}  cannot be analysed: {first}")
    count, excluded = len(choice.targets), choice.excluded
    most = options.budget * count / _workers(arguments)
    if arguments.total_budget:
        most = min(most, seconds(arguments.total_budget))
    left = f", {excluded} left out" if excluded else ""
    print(f"{several(count, 'function')}{left}; at most {most:.0f} s")
    return 0


def _workers(arguments: argparse.Namespace) -> int:
    given = arguments.workers
    if given is not None and int(given) < 1:
        raise BadOption(f"--workers {given} leaves nobody to work")
    return int(given) if given is not None else len(os.sched_getaffinity(0))


class _Showing:
    """Prints results as functions finish, but in the order of the targets: always the same text."""

    def __init__(
        self, arguments: argparse.Namespace, targets: tuple[Target, ...], live: Live
    ) -> None:
        self._waiting = [target.label for target in targets]
        self._live = live
        other = arguments.json or arguments.jsonl or arguments.emit or arguments.quiet
        table = Table(verbose=arguments.verbose)
        self.telling = None if other else Telling(table, sys.stdout)

    def show(self, reports: Shelf) -> None:
        """Print the results that are here, up to the first target that is not done yet."""
        if self.telling is None:
            return
        while self._waiting and self._waiting[0] in reports:
            self._live.clear()
            self.telling.add(reports[self._waiting.pop(0)])
            sys.stdout.flush()
        self._live.draw()

    def end(self, report: Report, reports: Shelf) -> None:
        """Print the results that still wait, after an interruption, and the totals."""
        self._live.clear()
        if self.telling is None:
            return
        for label in self._waiting:
            if label in reports:
                self.telling.add(reports[label])
        self.telling.end(report)


def _cover(
    arguments: argparse.Namespace,
    choice: Chosen,
    options: Options,
    log: RunLog | None,
    past: PastRun | None,
) -> int:
    targets = choice.targets
    reports = Shelf()
    if past is not None:
        for target in targets:
            former = past.report_of(target)
            if former is not None:
                reports.put(former)
                if log is not None:
                    log.record(target, TargetEvent(former))
    learned = _learned(arguments, targets)
    cache = _cache(arguments)
    for target in targets if cache is not None and past is None else ():
        assert cache is not None
        known = cache.find(target, options, learned(target))
        if known is not None:
            reports.put(known)
            if log is not None:
                log.record(target, TargetEvent(known))
            if arguments.jsonl:
                for found_before in known.inputs:
                    _say_input(target, found_before)
                _say_target(known)
    unchanged = len(reports) if past is None else 0
    by_label = {target.label: target for target in targets}
    pending = [target for target in targets if target.label not in reports]
    shown = progress_wanted() and not arguments.quiet
    live = Live(sys.stderr, len(pending), shown=shown)
    showing = _Showing(arguments, targets, live)
    showing.show(reports)
    with interruptible() as stop, _covering(arguments, pending, options) as covered, live:
        for report in covered(
            on_target=lambda target: live.begin(target.label),
            on_input=functools.partial(_hear_input, live, aloud=arguments.jsonl),
            on_protection=protection_teller(arguments),
            record=log.record if log is not None else _unrecorded,
            before=lambda target: _before(past, target, learned(target)),
            stop=stop,
        ):
            reports.put(report)
            # What was cut by a budget over all functions says little about this one.
            lasts = arguments.total_budget is None or report.status == Status.COMPLETE
            if cache is not None and lasts and not stop():
                target = by_label[report.target]
                cache.keep(target, options, report, learned(target))
            live.end(report)
            if arguments.jsonl:
                _say_target(report)
            showing.show(reports)
        interrupted = stop()
        if cache is not None and pending:
            cache.trim()
        there = [target.label for target in targets if target.label in reports]
        found = Shelved(reports, there, [_broken(each) for each in choice.broken])
        live.clear()
        if unchanged and not arguments.quiet:
            warn(
                f"{unchanged} of {len(targets)} functions have not changed since they were explored"
            )
        told = _tell(arguments, Report(found, options.seed), showing, reports)
        if log is not None:
            log.end(whole=not interrupted)
    if interrupted:
        if log is not None and log.path is not None:
            warn(f"interrupted; go on with: symcrete resume {log.path}")
        return INTERRUPTED
    return _exit_code(arguments, found) if told else CannotWrite.exit_code


def _before(past: PastRun | None, target: Target, learned: tuple[str, ...]) -> Before:
    """What is known of a target before it is explored."""
    return replace(past.known(target).before() if past else NOTHING_BEFORE, learned=learned)


def _learned(
    arguments: argparse.Namespace, targets: Sequence[Target]
) -> Callable[[Target], tuple[str, ...]]:
    """A function that gives a target's calls in the tests of --learn-from; none without those."""
    tests = getattr(arguments, "learn_from", None)
    if tests is None:
        return lambda target: ()
    from symcrete.sandbox.learning.recorded_calls import recorded  # few need it

    calls = recorded(tests, targets, confined=not getattr(arguments, "no_sandbox", False))
    if calls.complaint:
        warn(f"--learn-from {tests}: {calls.complaint}")
    if not arguments.quiet:
        warn(f"learned {calls.count()} calls of {len(calls.by_function)} functions from {tests}")
    return calls.of


def _cache(arguments: argparse.Namespace) -> Cache | None:
    """Where results of earlier runs are, unless nothing is to be kept or reused."""
    if getattr(arguments, "no_journal", False) or getattr(arguments, "no_cache", False):
        return None
    return Cache()


@contextlib.contextmanager
def _covering(
    arguments: argparse.Namespace, targets: list[Target], options: Options
) -> Iterator[Callable[..., Iterator[TargetReport]]]:
    """A context with the function that covers these: here or on a cluster, one after the other or
    in rounds over all.
    """
    if not targets:
        yield _nothing_to_cover
        return
    gc.disable()  # importing leaves no garbage
    from symcrete.sandbox.driver import driver  # where every result is known nobody needs it

    gc.enable()
    workers = _workers(arguments)
    # Several workers share one function only if the user said how many workers there are to be.
    helped = arguments.workers is not None
    cover_all: Callable[..., Iterator[TargetReport]] = functools.partial(
        driver.cover_all, helped=helped
    )
    with contextlib.ExitStack() as closing:
        if getattr(arguments, "cluster", None):
            from symcrete.sandbox.cluster.cluster import OnCluster, connected, places  # few need it

            client = closing.enter_context(connected(arguments.cluster, workers))
            cover_all, workers = OnCluster(client).cover_all, places(client)
        if arguments.total_budget is None:
            covered = functools.partial(cover_all, targets, options, workers=workers)
            yield functools.partial(_hunted, covered, targets, options)
            return
        from symcrete.sandbox.driver.rounds import Rounds  # few need it

        total = seconds(arguments.total_budget)
        rounds = Rounds(total, options, workers, cover_all=cover_all)
        covered = functools.partial(rounds.cover, targets)
        yield functools.partial(_hunted, covered, targets, options)


def _nothing_to_cover(**told: Any) -> Iterator[TargetReport]:
    return iter(())


def _hunted(
    covered: Callable[..., Iterator[TargetReport]],
    targets: list[Target],
    options: Options,
    *,
    record: Callable[[Target, Event], None],
    stop: Callable[[], bool],
    **told: Any,
) -> Iterator[TargetReport]:
    """The reports of all targets; with `mutants` as a goal, inputs that find seeded faults, too."""
    by_label = {target.label: target for target in targets}
    for report in covered(record=record, stop=stop, **told):
        if "mutants" not in options.goals or stop():
            yield report
            continue
        from symcrete.oracle.mutants.killing import against_mutants  # few need it

        target = by_label[report.target]
        hunted = against_mutants(target, report, options, on_protection=told["on_protection"])
        record(target, TargetEvent(hunted))
        yield hunted


def _broken(each: Broken) -> TargetReport:
    """A file that cannot be read, as one target that failed."""
    return TargetReport(
        each.file,
        Status.FAILED,
        error=each.error,
        exit_code=each.exit_code,
        file=each.file,
        unimportable=True,
    )


def _tell(
    arguments: argparse.Namespace,
    report: Report,
    showing: _Showing,
    reports: Shelf,
) -> bool:
    """Write the tests and the report that were asked for; whether all of it could be written."""
    whole = True
    form = form_of(arguments)
    if arguments.output:
        report, whole = write_tests(arguments, report)
    elif form == "pytest":
        report = held_tests(arguments, report)
        say_untested(report)
    if arguments.jsonl:
        return whole
    if form:
        write_report(arguments, report, form)
    else:
        for each in report.targets[len(reports) :]:  # files that cannot be read
            if showing.telling is not None:
                showing.telling.add(each)
        showing.end(report, reports)
    return whole


def _hear_input(live: Live, target: Target, found: FoundInput, *, aloud: bool) -> None:
    live.found(target.label)
    if aloud:
        _say_input(target, found)


def _unrecorded(target: Target, event: Event) -> None:
    pass


def _say_input(target: Target, found: FoundInput) -> None:
    event = {"event": "input", "target": target.label, **found.as_json()}
    print(json.dumps(event), flush=True)


def _say_target(report: TargetReport) -> None:
    print(json.dumps({"event": "target", **report.as_json()}), flush=True)


def _exit_code(arguments: argparse.Namespace, reports: Sequence[TargetReport]) -> int:
    """The exit code of `cover`. Errors that no report on the screen shows are printed here."""
    for report in reports:
        if report.error and (
            arguments.json or arguments.jsonl or arguments.quiet or arguments.emit
        ):
            print(f"symcrete: {report.target}: {report.error}", file=sys.stderr)
    failed = [report for report in reports if report.exit_code == INTERNAL_ERROR]
    if failed:
        _own_up(arguments, failed, len(reports))
        return INTERNAL_ERROR
    if reports and all(report.error for report in reports):
        return max(report.exit_code for report in reports)
    explored = {report.file for report in reports if not report.error}
    if any(report.file not in explored for report in reports):
        return 1  # a whole file could not be analysed
    if any(found.outcome == Ending.CRASHED for report in reports for found in report.inputs):
        return 1
    if arguments.fail_under is not None:
        covered = sum(report.branches.covered for report in reports)
        total = sum(report.branches.total for report in reports)
        if total and 100 * covered / total < arguments.fail_under:  # per cent
            share = f"{100 * covered / total:.1f} % of the branches are covered"  # per cent
            warn(f"{share}, less than --fail-under {arguments.fail_under:g}")
            return 1
    return 0


def _own_up(arguments: argparse.Namespace, failed: list[TargetReport], count: int) -> None:
    """Say that symcrete itself failed, once, and what to put into a report of that."""
    first = failed[0]
    last = first.traceback.strip().rpartition("\n")[2] or first.error.partition("\n")[0]
    warn(f"internal error in {len(failed)} of {count} targets, first in {first.target}: {last}")
    if arguments.verbose and first.traceback:
        print(first.traceback, file=sys.stderr)
    more = "the traceback above" if arguments.verbose else "what it prints with -v"
    warn(f"please report this defect of symcrete {VERSION}, with the function and {more}")
