"""The commands that judge a program: `diff` by another one, `check` by what it promises."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from symcrete.errors import (
    INTERNAL_ERROR,
    BadOption,
    CannotWrite,
    NothingToAnalyse,
    SymcreteError,
)
from symcrete.explore.findings import Report, TargetReport
from symcrete.explore.options import Options
from symcrete.explore.project.changed import Changed
from symcrete.oracle import differing, failing
from symcrete.oracle.subjects import report_of
from symcrete.oracle.verdicts import Checked, Diff
from symcrete.program.source.target import MOST_NAMES_LISTED, Target, targets_of
from symcrete.report.judged.check_text import told_check
from symcrete.report.judged.diff_text import told_diff
from symcrete.report.judged.test_text import with_calls, with_tests
from symcrete.report_file import with_report_file, write_text
from symcrete.user import (
    check_folder,
    held_tests,
    options_of,
    protection_teller,
    targets_named,
    with_values,
    write_tests,
)


def diff(arguments: argparse.Namespace) -> int:
    """Inputs on which two functions differ, or one and its former self."""
    options, protection = options_of(arguments), protection_teller(arguments)
    if arguments.diff:
        return _diff_changed(arguments, options, protection)
    named = [_one(text) for text in arguments.functions]
    if arguments.rev and len(named) != 1:
        raise BadOption("with --rev, name one function: it is compared with its former self")
    if not arguments.rev and len(named) != 2:
        raise BadOption("name two functions, one and --rev REV, or --diff REV")
    check_folder(arguments, named[:1])
    if arguments.rev:
        found = differing.diff_revision(named[0], arguments.rev, options, on_protection=protection)
    else:
        found = differing.diff(named[0], named[1], options, on_protection=protection)
    found = with_tests(found, _held(arguments, found.report))
    if arguments.json:
        print(json.dumps(found.as_json(), indent=1))
    elif not arguments.quiet:
        print("\n".join(told_diff(found, verbose=arguments.verbose)))
    return _written(arguments, [found], options) or found.exit_code


def _diff_changed(
    arguments: argparse.Namespace, options: Options, protection: Callable[[list[str]], None]
) -> int:
    """Every function that a diff changed, compared with what it was."""
    if arguments.rev:
        raise BadOption("--rev compares one function, --diff all that changed: give one of them")
    changed = Changed(arguments.diff, Path.cwd())
    targets = [
        each for each in targets_named(arguments.functions or ["."]) if changed.differs(each)
    ]
    if not targets:
        raise NothingToAnalyse(f"no function has changed since {arguments.diff}")
    check_folder(arguments, targets)
    found: list[Diff] = []
    for target in targets:
        try:
            each = differing.diff_revision(
                target, arguments.diff, options, on_protection=protection
            )
            each = with_tests(each, _held(arguments, each.report))
        except SymcreteError as error:  # it is new, for example
            former = f"{target.label} at {arguments.diff}"
            report = report_of(target, ())
            each = Diff(target.label, former, "undecided", report, reason=str(error))
        found.append(each)
        if not arguments.json and not arguments.quiet:
            print("\n".join(told_diff(each, verbose=arguments.verbose)), flush=True)
    if arguments.json:
        print(json.dumps({"schema": 1, "targets": [each.as_json() for each in found]}, indent=1))
    return _written(arguments, found, options) or max(each.exit_code for each in found)


def _written(arguments: argparse.Namespace, found: list[Diff], options: Options) -> int:
    """Write tests that show the differences, if they are asked for; 0, or the exit code where they
    cannot be written.
    """
    reports = tuple([each.report for each in found if each.differences])
    if arguments.output and reports:
        if not write_tests(arguments, Report(reports, options.seed))[1]:
            return CannotWrite.exit_code
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Inputs on which functions break what they promise."""
    arguments = with_values(arguments, json=arguments.json or arguments.emit == "json")
    write = None
    if arguments.emit and not arguments.json:
        from symcrete.report.judged.check_formats import writer_named  # few need it

        write = writer_named(arguments.emit)
    arguments = with_report_file(arguments)
    options, protection = options_of(arguments), protection_teller(arguments)
    targets = targets_named(arguments.targets)
    check_folder(arguments, targets)
    expected = tuple([name for text in arguments.expect or () for name in text.split(",")])
    found: list[Checked] = []
    for target in targets:
        try:
            each = failing.check(target, options, expected=expected, on_protection=protection)
            each = with_calls(each, _held(arguments, each.report))
        except SymcreteError as error:
            if len(targets) == 1:
                raise
            each = unable(target, error)
        found.append(each)
        if not arguments.json and not write and not arguments.quiet:
            print("\n".join(told_check(each)), flush=True)
    out = io.StringIO()
    if arguments.json:
        out.write(
            json.dumps({"schema": 1, "targets": [each.as_json() for each in found]}, indent=1)
        )
        out.write("\n")
    elif write is not None:
        write(found, out)
    write_text(arguments, out.getvalue())
    reports = tuple([each.report for each in found if each.report.inputs])
    if arguments.output and reports:
        if not write_tests(arguments, Report(reports, options.seed))[1]:
            return CannotWrite.exit_code
    return exit_code_of(found)


def unable(target: Target, error: SymcreteError) -> Checked:
    """The verdict on a function that could not be explored."""
    code = error.exit_code
    return Checked(
        target.label, "undecided", report_of(target, ()), reason=str(error), exit_error=code
    )


def exit_code_of(found: list[Checked]) -> int:
    """The exit code for several verdicts: the worst. A function that could not be explored counts
    as a failing one, unless none could be.
    """
    codes = [each.exit_code for each in found]
    if INTERNAL_ERROR in codes:
        return INTERNAL_ERROR
    if all(each.exit_error for each in found):
        return max(codes)
    return max(min(code, 1) for code in codes)


def _held(arguments: argparse.Namespace, report: TargetReport) -> TargetReport:
    """The report, in which an input whose test fails or cannot be run says why it gets none."""
    if not report.inputs:
        return report
    try:
        return held_tests(arguments, Report((report,))).targets[0]
    except BadOption as error:  # pytest is not installed
        inputs = [replace(each, untested=str(error)) for each in report.inputs]
        return replace(report, inputs=tuple(inputs))


def _one(text: str) -> Target:
    """The one function that a text names."""
    targets = targets_of(text)
    if len(targets) != 1:
        names = ", ".join(target.scope for target in targets[:MOST_NAMES_LISTED])
        raise BadOption(f"name one function; {text} has {names}")
    return targets[0]
