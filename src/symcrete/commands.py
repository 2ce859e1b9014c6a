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

from symcrete.errors import BadOption, CannotWrite, SymcreteError
from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.explore.options import Options, options_from
from symcrete.explore.reached import Goal, Reached, Undecided, Verdict
from symcrete.program.target import Target, targets_of
from symcrete.report.emitter import make_emitter
from symcrete.report.pytest_file import PytestFile
from symcrete.report.reach_text import told
from symcrete.report.terminal import Table, progress_wanted
from symcrete.sandbox import driver
from symcrete.sandbox.writing import check_writable, write_file
from symcrete.search.table import STRATEGIES
from symcrete.solve.choose import SOLVERS

_OPTIONS = [
    "budget",
    "max_runs",
    "strategy",
    "solver",
    "ippc",
    "instrument",
    "types",
    "seed",
    "start",
    "order",
    "allow",
    "lazy",
    "only_returning",
]


def cover(arguments: argparse.Namespace) -> int:
    options = _options(arguments)
    targets = _targets(arguments.targets)
    if arguments.output:
        _check_output(arguments, targets)
    reports: list[TargetReport] = []
    interrupted = False
    for target in targets:
        _progress(arguments, target)
        work = driver.Cover(target, options, _say_input(target) if arguments.jsonl else _silent)
        report = work.run()
        reports.append(report)
        if arguments.jsonl:
            _say_target(report)
        interrupted = work.interrupted
        if interrupted:
            break
    _progress(arguments, None)
    _tell(arguments, Report(tuple(reports), options.seed))
    if interrupted:
        return 130
    return _exit_code(arguments, reports)


def _targets(texts: list[str]) -> list[Target]:
    """All targets; one that does not exist is an error before any work is done."""
    return [target for text in texts for target in targets_of(text)]


def _options(arguments: argparse.Namespace) -> Options:
    """Flags win over `[tool.symcrete]`."""
    given = dict(_configuration(Path.cwd()))
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


def _tell(arguments: argparse.Namespace, report: Report) -> None:
    written = _write_tests(arguments, report) if arguments.output else []
    if arguments.jsonl:
        return
    form = "json" if arguments.json else arguments.emit
    if form:
        make_emitter(form).emit(report, sys.stdout)
    elif not arguments.quiet:
        Table(verbose=arguments.verbose).emit(report, sys.stdout)
    for file in written:
        print(f"wrote {file}", file=sys.stderr)


def _silent(found: FoundInput) -> None:
    pass


def _say_input(target: Target) -> Callable[[FoundInput], None]:
    def say(found: FoundInput) -> None:
        event = {"event": "input", "target": target.label, **found.as_json()}
        print(json.dumps(event), flush=True)

    return say


def _say_target(report: TargetReport) -> None:
    summary = {name: value for name, value in report.as_json().items() if name != "inputs"}
    print(json.dumps({"event": "target", **summary}), flush=True)


def _check_output(arguments: argparse.Namespace, targets: list[Target]) -> None:
    """Fail before the work, not after it."""
    folder = Path(arguments.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot write into {folder}: {error.strerror}") from None
    for module in {target.source.module for target in targets}:
        check_writable(str(folder / _file_name(module)), force=arguments.force)


def _file_name(module: str) -> str:
    return f"test_{module.replace('.', '_')}.py"


def _write_tests(arguments: argparse.Namespace, report: Report) -> list[Path]:
    folder = Path(arguments.output)
    by_module: dict[str, list[TargetReport]] = {}
    for target in report.targets:
        by_module.setdefault(target.module, []).append(target)
    written = []
    for module, targets in by_module.items():
        if not module or not any(target.inputs for target in targets):
            continue
        file = folder / _file_name(module)
        text = io.StringIO()
        PytestFile(folder).emit(Report(tuple(targets), report.seed), text)
        if text.getvalue():
            # Two blank lines before the stamp that ends the file, as formatters like it.
            write_file(str(file), text.getvalue() + "\n\n", force=arguments.force)
            written.append(file)
    return written


def _exit_code(arguments: argparse.Namespace, reports: list[TargetReport]) -> int:
    for report in reports:
        if report.error and (
            arguments.json or arguments.jsonl or arguments.quiet or arguments.emit
        ):
            print(f"symcrete: {report.target}: {report.error}", file=sys.stderr)
    if reports and all(report.error for report in reports):
        return max(report.exit_code for report in reports)
    if arguments.fail_under is not None:
        covered = sum(report.branches.covered + report.branches.infeasible for report in reports)
        total = sum(report.branches.total for report in reports)
        unknown = any(report.status == "budget" and not report.branches.total for report in reports)
        if unknown or (total and 100 * covered / total < arguments.fail_under):
            return 1
    return 0


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
    from symcrete.explore.explain import explanation  # the engine, which `cover` does not load here

    told = explanation(targets[0], _options(arguments), arguments.input)
    if arguments.json:
        print(json.dumps(told.as_json(), indent=1))
    else:
        print("\n".join(told.lines()))
    return 0


def reach(arguments: argparse.Namespace) -> int:
    from symcrete.explore import symcretic  # the engine, which `cover` does not load here

    options = _options(arguments)
    goals = _goals(arguments)
    if arguments.output:
        _check_output(arguments, [goal.target for goal in goals])
    verdicts: list[Verdict] = []
    for goal in goals:
        try:
            verdicts.append(symcretic.reach(goal, options, entry=arguments.entry))
        except SymcreteError as error:
            if len(goals) == 1:
                raise
            verdicts.append(Undecided(goal.shown, goal.place.entry, 0.0, 0, str(error)))
        if not arguments.json and not arguments.quiet:
            print("\n".join(told(verdicts[-1], verbose=arguments.verbose)), flush=True)
    if arguments.json:
        found = [verdict.as_json() for verdict in verdicts]
        print(json.dumps(found[0] if len(found) == 1 else found, indent=1))
    if arguments.output:
        reports = [verdict.report for verdict in verdicts if isinstance(verdict, Reached)]
        for file in _write_tests(arguments, Report(tuple(reports), options.seed)):
            print(f"wrote {file}", file=sys.stderr)
    return 0 if all(isinstance(verdict, Reached) for verdict in verdicts) else 1


def _goals(arguments: argparse.Namespace) -> list[Goal]:
    from symcrete.explore.goals import goal_at, goal_of_branch, goals_of_diff, goals_of_error

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


def strategies(arguments: argparse.Namespace) -> int:
    return _listed(STRATEGIES)


def solvers(arguments: argparse.Namespace) -> int:
    return _listed(SOLVERS)


def _listed(table: dict[str, tuple[str, str]]) -> int:
    width = max(map(len, table))
    for name, (_, what) in table.items():
        print(f"{name:<{width}}  {what}")
    return 0
