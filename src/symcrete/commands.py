"""What each command does; imported only when one runs."""

from __future__ import annotations

import argparse
import io
import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symcrete import VERSION
from symcrete.errors import (
    INTERNAL_ERROR,
    BadOption,
    CannotWrite,
    InternalError,
    NothingToAnalyse,
    SymcreteError,
)
from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.explore.options import Options, options_from
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Verdict
from symcrete.program.source.target import Target, targets_of
from symcrete.report.emitter import make_emitter
from symcrete.report.formats.again_text import told_again
from symcrete.report.formats.reach_text import told
from symcrete.report.formats.terminal import Table, progress_wanted
from symcrete.report.tests.kept import Wanted, check_output, keep_tests
from symcrete.report.tests.trial import Conditions
from symcrete.sandbox.driver import driver, reaching
from symcrete.sandbox.driver.again import Again, replay_again
from symcrete.sandbox.driver.interrupt import EXIT_CODE as INTERRUPTED
from symcrete.sandbox.driver.interrupt import interruptible
from symcrete.sandbox.journal.runs import PastRun, RunLog, past_run
from symcrete.sandbox.journal.writing import check_writable, write_file
from symcrete.sandbox.messages.events import Event, TargetEvent
from symcrete.search.table import STRATEGIES

_OPTIONS = [
    "budget",
    "max_runs",
    "strategy",
    "solver",
    "ippc",
    "instrument",
    "within",
    "types",
    "seed",
    "start",
    "order",
    "allow",
    "lazy",
    "only_returning",
]
GRAPH_SECONDS = 3.0  # a picture should not keep anybody waiting
PICTURES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
CHAINS = {".dot": "dot", ".gv": "dot", ".pm": "prism", ".prism": "prism"}
CHAIN_RUNS = 1000  # random inputs: probabilities of a chain to about three per cent

# What a resumed run takes over from the one that was stopped.
_KEPT = ("output", "emit", "json", "jsonl", "fail_under", "force", "prune", "quiet", "verbose")


def cover(arguments: argparse.Namespace) -> int:
    options = _options(arguments)
    targets = _targets(arguments.targets)
    if arguments.output:
        _check_output(arguments, targets)
    log = None if arguments.no_journal else RunLog(arguments.journal, _warn)
    if log is not None:
        kept = {name: getattr(arguments, name) for name in _KEPT}
        log.begin(arguments.targets, options, kept)
    return _cover(arguments, targets, options, log, None)


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a run that was stopped: what it found is not sought again."""
    past = past_run(arguments.journal, unfinished=True)
    for name in _KEPT:
        if getattr(arguments, name, None) in (None, False):
            setattr(arguments, name, past.arguments.get(name))
    for note in past.notes:
        _warn(note)
    targets = _targets(past.texts)
    if arguments.output:
        _check_output(arguments, targets)
    log = RunLog(past.path, _warn)
    log.begin(past.texts, past.options, past.arguments)
    return _cover(arguments, targets, past.options, log, past)


def _cover(
    arguments: argparse.Namespace,
    targets: list[Target],
    options: Options,
    log: RunLog | None,
    past: PastRun | None,
) -> int:
    reports: dict[str, TargetReport] = {}
    if past is not None:
        for target in targets:
            former = past.report_of(target)
            if former is not None:
                reports[target.label] = former
                if log is not None:
                    log.record(target, TargetEvent(former))
    with interruptible() as stop:
        for report in driver.cover_all(
            [target for target in targets if target.label not in reports],
            options,
            on_target=lambda target: _progress(arguments, target),
            on_input=_say_input if arguments.jsonl else _silent,
            on_protection=_protection(arguments),
            record=log.record if log is not None else _unrecorded,
            before=lambda target: past.known(target).before() if past else driver.NOTHING_BEFORE,
            stop=stop,
        ):
            reports[report.target] = report
            if arguments.jsonl:
                _say_target(report)
        interrupted = stop()
        _progress(arguments, None)
        found = [reports[target.label] for target in targets if target.label in reports]
        told = _tell(arguments, Report(tuple(found), options.seed))
        if log is not None:
            log.end(whole=not interrupted)
    if interrupted:
        if log is not None and log.path is not None:
            _warn(f"interrupted; go on with: symcrete resume {log.path}")
        return INTERRUPTED
    return _exit_code(arguments, found) if told else CannotWrite.exit_code


def replay(arguments: argparse.Namespace) -> int:
    """Run again what an earlier run found; something that differs now is a finding."""
    past = past_run(arguments.journal)
    targets = [target for target in _targets(past.texts) if past.known(target).found()]
    if not targets:
        raise NothingToAnalyse(f"{past.path} holds no inputs")
    found: list[Again] = []
    for each in replay_again([(t, past.known(t).found()) for t in targets], past.options):
        found.append(each)
        if not arguments.json and not arguments.quiet:
            for line in told_again(each, verbose=arguments.verbose):
                print(line, flush=True)
    differing = [each for each in found if each.now is not None and not each.same]
    if arguments.json:
        print(json.dumps({"schema": 1, "inputs": [each.as_json() for each in found]}, indent=1))
    elif not arguments.quiet:
        print(f"{len(found)} inputs, {len(differing)} of them do something else now")
    return 1 if differing else 0


def _protection(arguments: argparse.Namespace) -> Callable[[list[str]], None]:
    """Say once what the kernel does not protect, and what is protected all the same."""
    said: set[str] = set()

    def say(lines: list[str]) -> None:
        lacking = any(line.startswith("not protected") for line in lines)
        chosen = getattr(arguments, "no_sandbox", False)
        for line in lines:
            if line not in said and (arguments.verbose or (lacking and not chosen)):
                said.add(line)
                _warn(line)

    return say


def _warn(text: str) -> None:
    print(f"symcrete: {text}", file=sys.stderr)


def _targets(texts: list[str]) -> list[Target]:
    """All targets; one that does not exist is an error before any work is done."""
    return [target for text in texts for target in targets_of(text)]


def _options(arguments: argparse.Namespace, **defaults: Any) -> Options:
    """Flags win over `[tool.symcrete]`, which wins over a command's own defaults."""
    given = {**defaults, **_configuration(Path.cwd())}
    for name in _OPTIONS:
        value = getattr(arguments, name, None)
        if value is not None:
            given[name] = value
    if arguments.no_sandbox:
        given["sandbox"] = False
    if getattr(arguments, "all_inputs", False):
        given["paths"] = True
    return options_from(given)


def _configuration(folder: Path) -> dict[str, Any]:
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        if file.exists():
            try:
                table = tomllib.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise BadOption(f"cannot read {file}: {error}") from None
            found: dict[str, Any] = table.get("tool", {}).get("symcrete", {})
            return found
    return {}


def _tell(arguments: argparse.Namespace, report: Report) -> bool:
    """Whether everything is where it was asked for."""
    whole = True
    if arguments.output:
        report, whole = _write_tests(arguments, report)
    if arguments.jsonl:
        return whole
    form = "json" if arguments.json else arguments.emit
    if form:
        make_emitter(form).emit(report, sys.stdout)
    elif not arguments.quiet:
        Table(verbose=arguments.verbose).emit(report, sys.stdout)
    return whole


def _silent(target: Target, found: FoundInput) -> None:
    pass


def _unrecorded(target: Target, event: Event) -> None:
    pass


def _say_input(target: Target, found: FoundInput) -> None:
    event = {"event": "input", "target": target.label, **found.as_json()}
    print(json.dumps(event), flush=True)


def _say_target(report: TargetReport) -> None:
    print(json.dumps({"event": "target", **report.as_json()}), flush=True)


def _check_output(arguments: argparse.Namespace, targets: list[Target]) -> None:
    """Fail before the work, not after it."""
    check_output(_wanted(arguments), [target.source for target in targets])


def _wanted(arguments: argparse.Namespace) -> Wanted:
    conditions = Conditions(confined=not getattr(arguments, "no_sandbox", False))
    prune = bool(getattr(arguments, "prune", False))
    return Wanted(Path(arguments.output), bool(arguments.force), prune, conditions)


def _write_tests(arguments: argparse.Namespace, report: Report) -> tuple[Report, bool]:
    """The report with what has no test, and whether all files are written."""
    outcome = keep_tests(report, _wanted(arguments))
    for file in outcome.written:
        print(f"wrote {file}", file=sys.stderr)
    for note in outcome.notes:
        _warn(note)
    for why, text in outcome.unwritten:
        _warn(why)
        if text:
            print(text, file=sys.stderr if arguments.json else sys.stdout)
    return outcome.report, not outcome.unwritten


def _exit_code(arguments: argparse.Namespace, reports: list[TargetReport]) -> int:
    """Of `cover`; what went wrong is said where the report does not say it."""
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
    if any(found.outcome == "crashed" for report in reports for found in report.inputs):
        return 1
    if arguments.fail_under is not None:
        covered = sum(report.branches.covered for report in reports)
        total = sum(report.branches.total for report in reports)
        if total and 100 * covered / total < arguments.fail_under:
            return 1
    return 0


def _own_up(arguments: argparse.Namespace, failed: list[TargetReport], count: int) -> None:
    """A mistake of ours: said once, with what a report of it needs."""
    first = failed[0]
    last = first.traceback.strip().rpartition("\n")[2] or first.error.partition("\n")[0]
    _warn(f"internal error in {len(failed)} of {count} targets, first in {first.target}: {last}")
    if arguments.verbose and first.traceback:
        print(first.traceback, file=sys.stderr)
    more = "the traceback above" if arguments.verbose else "what it prints with -v"
    _warn(f"please report this defect of symcrete {VERSION}, with the function and {more}")


def _progress(arguments: argparse.Namespace, target: Target | None) -> None:
    if arguments.quiet or not progress_wanted():
        return
    text = f"exploring {target.label} ..." if target else ""
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()


def explain(arguments: argparse.Namespace) -> int:
    targets = targets_of(arguments.target)
    if len(targets) != 1:
        names = ", ".join(target.scope for target in targets[:8])
        raise BadOption(f"explain takes one function; {arguments.target} has {names}")
    told = reaching.explain(
        targets[0], _options(arguments), arguments.input, _protection(arguments)
    )
    if arguments.json:
        print(json.dumps(told.as_json(), indent=1))
    else:
        print("\n".join(told.lines()))
    return 0


def reach(arguments: argparse.Namespace) -> int:
    options = _options(arguments)
    goals = _goals(arguments)
    if arguments.output:
        _check_output(arguments, [goal.target for goal in goals])
    verdicts: list[Verdict] = []
    failed = False  # by a mistake of ours
    protection = _protection(arguments)
    for goal in goals:
        try:
            verdicts.append(
                reaching.reach(goal, options, entry=arguments.entry, on_protection=protection)
            )
        except SymcreteError as error:
            if len(goals) == 1:
                raise
            verdicts.append(Undecided(goal.shown, goal.place.entry, 0.0, 0, str(error)))
            failed = failed or isinstance(error, InternalError)
        if not arguments.json and not arguments.quiet:
            print("\n".join(told(verdicts[-1], verbose=arguments.verbose)), flush=True)
    if arguments.json:
        found = [verdict.as_json() for verdict in verdicts]
        print(json.dumps(found[0] if len(found) == 1 else found, indent=1))
    if arguments.output:
        reports = [verdict.report for verdict in verdicts if isinstance(verdict, Reached)]
        if not _write_tests(arguments, Report(tuple(reports), options.seed))[1]:
            return CannotWrite.exit_code
    if failed:
        return INTERNAL_ERROR
    return 0 if all(isinstance(verdict, Reached) for verdict in verdicts) else 1


def _goals(arguments: argparse.Namespace) -> list[Goal]:
    from symcrete.explore.reach.goals import goal_at, goal_of_branch, goals_of_diff, goals_of_error

    places: list[str] = arguments.places
    if arguments.diff:
        return goals_of_diff(arguments.diff, Path.cwd())
    if not places:
        raise BadOption("what should be reached? give FILE:LINE, or --diff REV")
    if arguments.branch:
        return [
            goal_of_branch(place.rpartition("::")[0] or place, arguments.branch) for place in places
        ]
    if arguments.raises:
        return [goal for place in places for goal in goals_of_error(place, arguments.raises)]
    return [goal_at(place) for place in places]


def graph(arguments: argparse.Namespace) -> int:
    form = _picture_form(arguments)
    if arguments.output:
        check_writable(arguments.output, force=arguments.force)
    defaults: dict[str, Any] = {"replay": False, "path_conditions": False}
    if arguments.chain:
        defaults |= {"chain": True, "strategy": "random-input", "max_runs": CHAIN_RUNS}
    options = _options(arguments, budget=GRAPH_SECONDS, **defaults)
    protection = _protection(arguments)
    targets = targets_of(arguments.target)
    if form == "prism" and len(targets) > 1:
        raise BadOption(f"a PRISM file holds one chain: name a function, {targets[0].label}")
    reports = []
    for target in targets:
        _progress(arguments, target)
        report = driver.Cover(target, options, None, on_protection=protection).run()
        reports.append(report)
        if report.error:
            print(f"symcrete: {target.label}: {report.error}", file=sys.stderr)
    _progress(arguments, None)
    if arguments.chain:
        text = "".join(_chain_text(report.chain, form) for report in reports if report.chain)
    else:
        out = io.StringIO()
        make_emitter(form).emit(Report(tuple(reports), options.seed), out)
        text = out.getvalue()
    if arguments.output:
        write_file(arguments.output, text, force=arguments.force)
        print(f"wrote {arguments.output}", file=sys.stderr)
    else:
        sys.stdout.write(text)
    return max(report.exit_code if report.error else 0 for report in reports)


def _chain_text(plain: dict[str, Any], form: str) -> str:
    from symcrete.explore.loop.random_testing import chain_from
    from symcrete.search.chains.markov import to_dot
    from symcrete.search.chains.prism import chain_to_prism

    return (chain_to_prism if form == "prism" else to_dot)(*chain_from(plain))


def _picture_form(arguments: argparse.Namespace) -> str:
    output, forms = arguments.output, CHAINS if arguments.chain else PICTURES
    if arguments.format and arguments.format not in forms.values():
        what = "a chain" if arguments.chain else "a graph without --chain"
        raise BadOption(f"{what} has no form {arguments.format!r}")
    ending = Path(output or "").suffix
    if output and not arguments.format and ending not in forms:
        what = "chain" if arguments.chain else "graph"
        raise BadOption(
            f"a {what} is written to a file that ends in {' or '.join(forms)}, not {output!r}"
        )
    return arguments.format or forms.get(ending, "dot")


def strategies(arguments: argparse.Namespace) -> int:
    return _listed(STRATEGIES)


def solvers(arguments: argparse.Namespace) -> int:
    from symcrete.solve.solvers import named

    rows = named()
    width = max(map(len, rows))
    for name, row in rows.items():
        print(f"{name:<{width}}  {row.what}{'' if row.installed else ' (not installed)'}")
    return 0


def _listed(table: dict[str, tuple[str, str]]) -> int:
    width = max(map(len, table))
    for name, (_, what) in table.items():
        print(f"{name:<{width}}  {what}")
    return 0
