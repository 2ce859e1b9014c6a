"""The report as a table to read in a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from collections import Counter
from typing import Any, TextIO

from symcrete.explore.findings import FoundInput, Mutants, Report, Spot, Status, TargetReport
from symcrete.notation import several
from symcrete.run.use import Ending

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_COLOURS = {
    Status.COMPLETE: "green",
    Status.COVERED: "green",
    Status.BUDGET: "yellow",
    Status.FAILED: "red",
}
MOST_COLUMNS = 140  # columns: longer lines are hard to follow with the eye
FEWEST_COLUMNS = 20  # columns that are taken for granted, however narrow the terminal is
FEW_COLUMNS = 72  # columns: in fewer, a table of three has no room, and inputs are listed instead
MOST_ROWS = 40  # inputs of a target: what a screen holds
MOST_OF_A_PATH = 400  # characters of a path condition, with --verbose; chosen, not measured
MOST_OF_A_CALL = 400  # characters: four lines of a terminal
MOST_OPEN = 4  # places, or inputs without a test, named for one reason; chosen, not measured
FEWEST_TO_TELL = 20  # runs: of fewer, what further ones bring cannot be estimated


class Table:
    """Input, result, and what it newly covers; then what stayed uncovered, and why."""

    def __init__(self, *, verbose: bool = False, width: int | None = None) -> None:
        self._verbose = verbose
        columns = width or shutil.get_terminal_size((100, 24)).columns
        self._width = max(FEWEST_COLUMNS, min(columns, MOST_COLUMNS))

    def emit(self, report: Report, out: TextIO) -> None:
        told = Telling(self, out)
        for target in report.targets:
            told.add(target)
        told.end(report)

    def target(self, target: TargetReport, out: TextIO, paint: Paint) -> None:
        """Write what is known of one target. Which inputs have no test may not be known yet:
        `untested` writes it later.
        """
        status = paint(_COLOURS[target.status], target.status)
        out.write(paint("bold", target.target) + "  " + status + "\n")
        if target.error:
            out.write("  " + target.error.replace("\n", "\n  ") + "\n")
            return
        if _untried(target):
            for note in target.notes:
                self._say(out, note, paint, dim=True)
            return
        self._say(out, _summary(target), paint, dim=True)
        if self._verbose and target.solver:
            self._say(out, _solving(target.solver), paint, dim=True)
        if self._width < FEW_COLUMNS:
            self._inputs_below_each_other(target.inputs, out, paint)
        else:
            self._inputs(target.inputs, out, paint)
        for spot in target.infeasible:
            self._say(out, f"{_where(spot)} ({spot.proof})", paint, head=("green", "infeasible"))
            for each in spot.assumes:
                self._say(out, f"assuming that {each}", paint, indent=4)
        self._open(target.open, out, paint)
        self.untested(target.inputs, out, paint)
        if target.mutants is not None:
            self._mutants(target.mutants, out, paint)
        for note in target.notes:
            self._say(out, note, paint, head=("yellow", "note"))

    def _say(
        self,
        out: TextIO,
        text: str,
        paint: Paint,
        *,
        head: tuple[str, str] | None = None,
        dim: bool = False,
        indent: int = 2,
    ) -> None:
        """Write a sentence below a target, if need be behind a coloured word.

        Words are not cut at the edge of a terminal; a file or another program gets whole lines,
        unless few columns were asked for.
        """
        whole = " " * indent + (f"{head[1]} {text}" if head else text)
        lines = [whole]
        if self._width < FEW_COLUMNS or out.isatty():
            lines = textwrap.wrap(
                whole,
                self._width,
                subsequent_indent=" " * (indent + 2),
                break_long_words=False,
                break_on_hyphens=False,
                replace_whitespace=False,
            )
        if head:
            lines[0] = lines[0].replace(head[1], paint(*head), 1)
        for line in lines:
            out.write((paint("dim", line) if dim else line) + "\n")

    def _mutants(self, mutants: Mutants, out: TextIO, paint: Paint) -> None:
        """What became of the faults that were seeded, with those that no input shows."""
        told = f"{mutants.killed} of {mutants.total} seeded faults are shown by an input"
        self._say(out, told, paint, dim=True)
        for each in mutants.equal:
            self._say(out, each, paint, head=("green", "no difference"))
        for each in mutants.left:
            self._say(out, each, paint, head=("yellow", "not shown"))

    def _open(self, spots: tuple[Spot, ...], out: TextIO, paint: Paint) -> None:
        """What stayed uncovered, by reason: one cause often leaves many branches open."""
        reasons: dict[str, list[str]] = {}
        for spot in spots:
            reasons.setdefault(spot.reason, []).append(_where(spot))
        for reason, places in reasons.items():
            shown = places if self._verbose else places[:MOST_OPEN]
            more = f", ... ({len(places)} in all)" if len(places) > len(shown) else ""
            self._say(out, f"{', '.join(shown)}{more}", paint, head=("yellow", "open"))
            self._say(out, reason, paint, dim=True, indent=7)

    def untested(self, inputs: tuple[FoundInput, ...], out: TextIO, paint: Paint) -> None:
        """What the tests that were written leave out, by reason."""
        reasons: dict[str, list[str]] = {}
        for each in inputs:
            if each.untested:
                reasons.setdefault(each.untested, []).append(_cut(call_text(each), MOST_OF_A_CALL))
        for reason, calls in reasons.items():
            shown = calls if self._verbose else calls[:MOST_OPEN]
            more = f", ... ({len(calls)} in all)" if len(calls) > len(shown) else ""
            self._say(out, f"for {'; '.join(shown)}{more}", paint, head=("yellow", "no test"))
            self._say(out, reason, paint, dim=True, indent=7)

    def untested_later(
        self, targets: list[TargetReport], out: TextIO, paint: Paint, *, alone: bool
    ) -> None:
        """What the tests leave out of targets that were told before: each input of a target
        `alone`, or with --verbose; else how many for which reason, since texts would fill pages.
        """
        if alone or self._verbose:
            for target in targets:
                out.write(f"\n{paint('bold', target.target)}\n")
                self.untested(target.inputs, out, paint)
            return
        inputs = [each for target in targets for each in target.inputs]
        reasons = Counter([each.untested for each in inputs if each.untested])
        have = "has" if reasons.total() == 1 else "have"
        told = f"{several(reasons.total(), 'input')} {have} no test"
        out.write(f"\n{paint('yellow', told)} (-v shows which)\n")
        for reason, count in reasons.most_common():
            self._say(out, f"{count}: {reason}", paint, dim=True)

    def _inputs(self, inputs: tuple[FoundInput, ...], out: TextIO, paint: Paint) -> None:
        """The inputs in three columns."""
        if not inputs:
            return
        rows = [(call_text(each), outcome_text(each), _covers(each)) for each in inputs[:MOST_ROWS]]
        third = (self._width - 8) // 3
        first = max([len("input"), *(_wide(row[0]) for row in rows if _wide(row[0]) <= third)])
        second = max(len("result"), min(max(_wide(row[1]) for row in rows), third))
        last = max(20, self._width - first - second - 8)
        header = f"  {'input':<{first}}  {'result':<{second}}  newly covers"
        out.write(paint("dim", header) + "\n")
        for each, (call, outcome, covers) in zip(inputs, rows, strict=False):
            result = _filled(_cut(outcome, second), second)
            if each.outcome != Ending.RETURNED:
                result = paint("red", result)
            shown = covers if self._verbose else _cut(covers, last)
            if _wide(call) > first:  # whoever reads the table wants the input whole
                out.write(f"  {_cut(call, MOST_OF_A_CALL)}\n")
                call = ""
            out.write(f"  {_filled(call, first)}  {result}  {shown}".rstrip() + "\n")
            self._path(each, out, paint)
        _say_rest(inputs, out, paint)

    def _inputs_below_each_other(
        self, inputs: tuple[FoundInput, ...], out: TextIO, paint: Paint
    ) -> None:
        """The inputs where columns have no room: each with its result and what it covers below."""
        for each in inputs[:MOST_ROWS]:
            out.write(f"  {_cut(call_text(each), MOST_OF_A_CALL)}\n")
            gives = "gives " if each.outcome == Ending.RETURNED else ""
            result = _cut(gives + outcome_text(each), self._width - 4)
            out.write(f"    {result if gives else paint('red', result)}\n")
            if covers := _covers(each):
                told = f"covers {covers}" if each.covers else covers
                shown = told if self._verbose else _cut(told, self._width - 4)
                out.write("    " + paint("dim", shown) + "\n")
            self._path(each, out, paint)
        _say_rest(inputs, out, paint)

    def _path(self, found: FoundInput, out: TextIO, paint: Paint) -> None:
        if self._verbose:
            out.write(
                paint("dim", f"      path: {_cut(found.path_condition, MOST_OF_A_PATH)}") + "\n"
            )


class Telling:
    """A table that is told target by target, as they are done."""

    def __init__(self, table: Table, out: TextIO) -> None:
        self._table = table
        self._out = out
        self._paint = Paint(out)
        self._told = 0
        self._broken: set[str] = set()  # files that cannot be imported: told once
        # targets that were told before it was known which of their inputs have no test
        self._untested: dict[str, None] = {}

    def add(self, target: TargetReport) -> None:
        """The next target."""
        if target.unimportable:
            if target.file in self._broken:
                return
            self._broken.add(target.file)
        if self._told:
            self._out.write("\n")
        self._told += 1
        self._table.target(target, self._out, self._paint)
        if not any(each.untested for each in target.inputs):
            self._untested[target.target] = None

    def end(self, report: Report) -> None:
        """Tell which inputs have no test, where that was not known before, and the sum of all."""
        late = [
            target
            for target in report.targets
            if target.target in self._untested and any(each.untested for each in target.inputs)
        ]
        if late:
            alone = len(report.targets) == 1
            self._table.untested_later(late, self._out, self._paint, alone=alone)
        if len(report.targets) > 1:
            self._out.write("\n" + _total(report) + "\n")


class Paint:
    """Gives a text the codes for a style, on a terminal or where FORCE_COLOR is set; none where
    NO_COLOR is set.
    """

    def __init__(self, out: TextIO) -> None:
        environment = os.environ
        wanted = bool(environment.get("FORCE_COLOR")) or out.isatty()
        self._on = wanted and not environment.get("NO_COLOR")

    def __call__(self, style: str, text: str) -> str:
        return f"\033[{_STYLES[style]}m{text}\033[0m" if self._on else text


def _summary(target: TargetReport) -> str:
    parts = [f"{target.branches.covered} of {target.branches.total} branches"]
    if target.conditions.total != target.branches.total:
        parts.append(f"{target.conditions.covered} of {target.conditions.total} conditions")
    failing = [each for each in target.implicit if each.covered]
    if failing:
        parts.append(several(len(failing), "hidden error"))
    if target.conditions.infeasible:
        parts.append(f"{target.conditions.infeasible} infeasible")
    calls = target.solver.get("calls", 0)
    work = f"{several(target.runs, 'run')}, {several(calls, 'solver call')}"
    return f"{', '.join(parts)}; {work}, {target.seconds:.2f} s{_outlook(target)}"


def _outlook(target: TargetReport) -> str:
    """Words that say how often a further run would find something new; none if the search did not
    end by its budget, if nothing is left to find, or after too few runs to tell.
    """
    if target.status != Status.BUDGET or not target.undiscovered or target.runs < FEWEST_TO_TELL:
        return ""
    return f"; about 1 in {round(1 / target.undiscovered):,} further runs would find something new"


def _untried(target: TargetReport) -> bool:
    """Whether nothing was done, and the notes say all there is to say about it."""
    if target.runs or target.inputs or target.infeasible or target.status != Status.BUDGET:
        return False
    return bool(target.notes) and {spot.reason for spot in target.open} <= {*target.notes}


def _solving(solver: dict[str, Any]) -> str:
    """The burden on the solver, in the measures of the IPPC paper, and what was spared it."""
    calls = f"{solver['calls']} calls of {solver['mean_size']:g} conditions on average"
    spared = f"{solver['cached']} known before, {solver['nearby']} in closed form"
    answers = f"{solver['sat']} sat, {solver['unsat']} unsat, {solver['unknown']} undecided"
    return f"solver: {calls} ({answers}) in {solver['seconds']:.3f} s; {spared}"


def _total(report: Report) -> str:
    done = [each for each in report.targets if not each.error]
    covered = sum(each.branches.covered for each in report.targets)
    total = sum(each.branches.total for each in report.targets)
    failed = len(report.targets) - len(done)
    never = sum(each.branches.infeasible for each in report.targets)
    text = f"{len(report.targets)} functions: {covered} of {total} branches covered"
    text += f", {never} infeasible" if never else ""
    files = {each.file for each in report.targets if each.unimportable}
    where = f" ({several(len(files), 'file')} cannot be imported)" if files else ""
    return text + (f"; {failed} could not be explored{where}" if failed else "")


def call_text(found: FoundInput) -> str:
    """An input on one line: what is set before the call, the arguments, and what is done with the
    result.
    """
    given = ", ".join(f"{name}={text}" for name, text in found.args.items()) or "()"
    used = [each.text for each in found.uses]
    return "; ".join([*found.told_situation, *found.setup, given, *used])


def outcome_text(found: FoundInput) -> str:
    """What the call did: its result, `raises` with the error, or how else it ended and why."""
    if found.outcome == Ending.RETURNED:
        return found.returned if found.returned is not None else f"<{found.result_type}>"
    if found.outcome == Ending.RAISED:
        return f"raises {found.raised}"
    return f"{found.outcome}: {found.reason}"


def _covers(found: FoundInput) -> str:
    return ", ".join([_where(spot) for spot in found.covers] or found.shows)


def _where(spot: Spot) -> str:
    return f"{spot.line}: {spot.text}"


def _say_rest(inputs: tuple[FoundInput, ...], out: TextIO, paint: Paint) -> None:
    """How many inputs are not shown."""
    if len(inputs) > MOST_ROWS:
        more = f"  ... and {len(inputs) - MOST_ROWS} more (--json has all)"
        out.write(paint("dim", more) + "\n")


def _wide(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(letter: str) -> int:
    """How many columns a character takes: two for Chinese and the like, none for marks that stand
    above the letter before them.
    """
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _filled(text: str, width: int) -> str:
    """The text with blanks behind it, so that it takes that many columns."""
    return text + " " * (width - _wide(text))


def _cut(text: str, width: int) -> str:
    """The text, or as much of its beginning as has room, and a sign that there is more."""
    if _wide(text) <= width:
        return text
    while text and (more := _wide(text) - width + 1) > 0:
        text = text[: -max(1, more // 2)]  # a letter takes two columns at most
    return text + "…"


def progress_wanted() -> bool:
    """Whether somebody watches standard error."""
    return sys.stderr.isatty() and not os.environ.get("CI")
