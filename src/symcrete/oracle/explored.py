"""A program that we wrote to judge others, explored; and what was found, tried on them alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from symcrete.errors import INTERNAL_ERROR, InternalError, SymcreteError
from symcrete.explore.findings import NOT_TRACKED, FoundInput, Spot, Status, TargetReport
from symcrete.explore.options import Options
from symcrete.oracle import outcomes
from symcrete.oracle.joint import libraries
from symcrete.program.source.library_calls import library_modules
from symcrete.program.source.target import Target
from symcrete.run.use import FINISHED, Ending
from symcrete.sandbox.driver import driver
from symcrete.sandbox.driver.again import replay_again

DECIDED = FINISHED  # outcomes of which a test can be written
# share of the budget before functions of Python's library are rewritten too: what differs without
# that is found in a second or two (benchmarks/oracles.py), a proof needs the rest of the time
AS_BOXES_SHARE = 0.25
_OUR_PLACE = re.compile(r" \(joint_\w+\.py:\d+\)| at joint_\w+\.py:\d+")
# Names in the programs that judge: what a proof assumes of them is not told.
_OUR_NAMES = (
    "versions",
    "judged_function",
    "UNUSED",
    "FIRST_PARTS",
    "_LAZY",
    "_OF_WRONG_TYPES",
    "_OF_CONTRACTS",
    "BEFORE",
    "AFTER",
    *[name for name in vars(outcomes) if name.isupper()],
)


def explored(
    judging: Target,
    judged: Sequence[Target],
    options: Options,
    on_protection: Callable[[list[str]], None],
) -> TargetReport:
    """The report on a program of ours that calls these targets; raises why there is none.

    What is not decided in the first part of the time is explored once more, with the functions of
    Python's library that the targets call rewritten like the targets.
    """
    # What is promised is promised to those who heed the declared types.
    goals = tuple([each for each in options.goals if each != "misuse"])
    added = (*options.instrument, *libraries(judged))
    options = replace(options, goals=goals, instrument=added)
    called = tuple([each for each in library_modules(judged) if each not in options.instrument])
    if not called:
        return _one_report(judging, options, on_protection)
    first = replace(options, budget=options.budget * AS_BOXES_SHARE)
    report = _one_report(judging, first, on_protection)
    if not _is_open(report):
        return report
    rewritten = replace(
        options,
        budget=options.budget * (1 - AS_BOXES_SHARE),
        instrument=(*options.instrument, *called),
    )
    try:
        second = _one_report(judging, rewritten, on_protection)
    except SymcreteError:  # not every module can be imported a second time
        return report
    return report if _is_open(second) else second


def _one_report(
    judging: Target, options: Options, on_protection: Callable[[list[str]], None]
) -> TargetReport:
    report = next(iter(driver.cover_all([judging], options, on_protection=on_protection)))
    if report.error:
        raise _failure(report)
    return report


def _is_open(report: TargetReport) -> bool:
    """Whether a side that tells a fault or a difference is neither taken nor infeasible."""
    return any(not spot.side for spot in report.open)


def _failure(report: TargetReport) -> SymcreteError:
    """The exception that says why nothing could be explored: a fault of ours, or something that the
    user can mend.
    """
    if report.exit_code == INTERNAL_ERROR:
        return InternalError(report.error.partition("\n")[0], report.traceback)
    return SymcreteError(report.error, exit_code=report.exit_code)


def alone(
    target: Target, inputs: Sequence[FoundInput], options: Options
) -> list[FoundInput | None]:
    """What inputs do when only this function is called, as its author wrote it; None: not known."""
    return [each.now for each in replay_again([(target, tuple(inputs))], options)]


def as_called(found: FoundInput) -> FoundInput:
    """The input without what is known of its result: a call that is still to be made."""
    return replace(
        found,
        outcome=Ending.RETURNED,
        returned=None,
        sides=frozenset(),
        claims=frozenset(),
        covers=(),
    )


def assumed(proof: Spot) -> tuple[str, ...]:
    """What a proof assumes, without assumptions about names of the judging program itself."""
    theirs = [each for each in proof.assumes if each.partition(" ")[0] not in _OUR_NAMES]
    return tuple(dict.fromkeys([each.removeprefix("first_module.") for each in theirs]))


def why_open(report: TargetReport) -> str:
    """Why the side of the program's branch that is asked for is neither taken nor infeasible."""
    unsteady = [each.reason for each in report.inputs if each.outcome not in DECIDED]
    reasons = [spot.reason for spot in report.open if not spot.side and spot.reason]
    if report.status == Status.BUDGET:  # of no use to whoever does not know the program that asks
        reasons = [each.replace(NOT_TRACKED, "not all paths are explored") for each in reasons]
    found = [*unsteady, *reasons, "; ".join(report.notes)]
    return _OUR_PLACE.sub("", next((each for each in found if each), "the budget is spent"))
