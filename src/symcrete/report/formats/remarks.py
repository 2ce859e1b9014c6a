"""What a report has to say about single lines, for formats that show it there."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from symcrete.errors import SymcreteError
from symcrete.explore.findings import FoundInput, Report, Spot, TargetReport
from symcrete.program.graph.statements import scopes
from symcrete.program.source.module import source_of_file
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

Level: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of remark."""

    name: str
    level: Level
    title: str
    about: str


DEAD_CODE = Rule(
    "dead-branch",
    "warning",
    "No input takes this side of the condition",
    "Every path through the function was explored, or a proof was found, and none takes it. The "
    "proof holds for the declared types and for what the message says it assumes.",
)
CRASH = Rule(
    "crash",
    "error",
    "An input ends the interpreter",
    "The process died or exited when the function was called with this input.",
)
HANG = Rule(
    "hang",
    "warning",
    "An input for which the function does not end",
    "The function was still running when its time was over.",
)
HIDDEN_ERROR = Rule(
    "hidden-error",
    "note",
    "An operation of this line can raise an error that no condition shows",
    "An input was found, and replayed, for which it does.",
)
OPEN = Rule(
    "open-branch",
    "note",
    "No input was found for this side, and no proof that there is none",
    "The message says what stood in the way.",
)
UNEXPLORED = Rule(
    "not-explored",
    "error",
    "The function could not be explored",
    "Its module cannot be imported, or no value of a parameter could be made.",
)
FAILING_CHECK = Rule(
    "failing-check",
    "error",
    "An input breaks what the function promises",
    "An assertion, a contract, an invariant or a promise of the docstring does not hold for it, or "
    "it raises an exception that nobody announced. The input was replayed.",
)
WRONG_EXAMPLE = Rule(
    "wrong-example",
    "error",
    "An example of the docstring does not give what it shows",
    "It was run as it stands.",
)
RULES = (
    DEAD_CODE,
    CRASH,
    HANG,
    HIDDEN_ERROR,
    OPEN,
    UNEXPLORED,
    FAILING_CHECK,
    WRONG_EXAMPLE,
)
_BY_OUTCOME = {Ending.CRASHED: CRASH, Ending.TIMEOUT: HANG}


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a line of a file."""

    rule: Rule
    file: str
    line: int  # from 1
    column: int  # from 1
    message: str


def remarks(report: Report) -> list[Remark]:
    """All remarks, in the order of targets, each target's by line."""
    found: list[Remark] = []
    for target in report.targets:
        told = sorted(_of_target(target), key=lambda each: (each.line, each.column))
        found += _in_characters(told, target)
    return found


def _in_characters(found: list[Remark], target: TargetReport) -> list[Remark]:
    """The remarks with columns that count characters, where syntax trees count bytes of UTF-8; as
    they are if the file cannot be read.
    """
    if all(each.column == 1 for each in found):
        return found
    with contextlib.suppress(SymcreteError, OSError, ValueError):
        lines = source_of_file(Path(target.file)).lines()
        return [_counted(each, lines[each.line - 1 : each.line]) for each in found]
    return found


def _counted(remark: Remark, line: list[str]) -> Remark:
    before = "".join(line).encode()[: remark.column - 1]
    # A line that is shorter than the column is not the one that was explored.
    missing = remark.column - 1 - len(before)
    return replace(remark, column=len(before.decode(errors="ignore")) + missing + 1)


def call_text(target: TargetReport, found: FoundInput) -> str:
    """The input as a call, `price(total=100, code="SAVE")`, followed by `after ...` where something
    has to be set before it.
    """
    given = ", ".join(f"{name}={text}" for name, text in found.args.items())
    before = "; ".join([*found.told_situation, *found.setup])
    return f"{target.scope or target.target}({given})" + (f" after {before}" if before else "")


def shown_path(file: str) -> str:
    """A path as people write it: from the current folder, where the file is below it."""
    path = Path(file).absolute()
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def first_line(target: TargetReport) -> int:
    """Where the function begins; 1 if its file cannot be read."""
    with contextlib.suppress(SymcreteError, OSError, ValueError):
        for scope, node in scopes(source_of_file(Path(target.file)).tree()):
            if scope == target.scope and isinstance(node, ast.stmt):
                return node.lineno
    return 1


def _of_target(target: TargetReport) -> Iterator[Remark]:
    if target.error:
        first = target.error.partition("\n")[0]
        line = 1 if target.unimportable else first_line(target)
        yield Remark(UNEXPLORED, target.file, line, 1, f"{target.target}: {first}")
        return
    for spot in target.infeasible:
        assuming = "".join(f"; assumes that {each}" for each in spot.assumes)
        yield _at(target, DEAD_CODE, spot, f"never {_said(spot)} ({spot.proof}{assuming})")
    for spot in target.open:
        yield _at(target, OPEN, spot, f"no input found for {_said(spot)}: {spot.reason}")
    for found in target.inputs:
        yield from _of_input(target, found)


def _of_input(target: TargetReport, found: FoundInput) -> Iterator[Remark]:
    call = call_text(target, found)
    rule = _BY_OUTCOME.get(found.outcome)
    if rule is not None:
        line = max((spot.line for spot in found.covers), default=0) or first_line(target)
        yield Remark(rule, target.file, line, 1, f"{call}: {found.reason or found.outcome}")
    for spot in found.covers:
        if spot.kind and found.outcome == Ending.RAISED:
            yield _at(target, HIDDEN_ERROR, spot, f"{call} raises {found.raised or spot.kind}")


def _at(target: TargetReport, rule: Rule, spot: Spot, message: str) -> Remark:
    return Remark(rule, target.file, max(1, spot.line), spot.column + 1, message)


def _said(spot: Spot) -> str:
    return spot.text or f"{'true' if spot.side else 'false'} in line {spot.line}"
