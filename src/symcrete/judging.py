"""The commands that judge a program: `diff` by another one."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

from symcrete.errors import BadOption, CannotWrite
from symcrete.explore.findings import Report, TargetReport
from symcrete.oracle import differing
from symcrete.program.source.target import Target, targets_of
from symcrete.report.judged.diff_text import told_diff
from symcrete.report.judged.test_text import with_tests
from symcrete.user import check_folder, held_tests, options_of, protection_teller, write_tests


def diff(arguments: argparse.Namespace) -> int:
    """Inputs on which two functions differ, or one and its former self."""
    options, protection = options_of(arguments), protection_teller(arguments)
    named = [_one(text) for text in arguments.functions]
    if arguments.rev and len(named) != 1:
        raise BadOption("with --rev, name one function: it is compared with its former self")
    if not arguments.rev and len(named) != 2:
        raise BadOption("name two functions, or one and --rev REV")
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
    if arguments.output and found.differences:
        if not write_tests(arguments, Report((found.report,), options.seed))[1]:
            return CannotWrite.exit_code
    return found.exit_code


def _held(arguments: argparse.Namespace, report: TargetReport) -> TargetReport:
    """The report; an input whose test does not hold, or cannot be tried, with the reason."""
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
        names = ", ".join(target.scope for target in targets[:8])
        raise BadOption(f"name one function; {text} has {names}")
    return targets[0]
