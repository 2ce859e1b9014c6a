"""What an editor shows of results: lenses above functions, findings by line, inputs of a line.

Lines of a result are those of the file when it was explored; a function that moved since, and is
otherwise the same, takes its findings along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol import types

from symcrete.editor.open_text import Function
from symcrete.explore.findings import Report, TargetReport
from symcrete.oracle.verdicts import Checked
from symcrete.report.formats.remarks import DEAD_CODE, Remark, call_text, remarks
from symcrete.report.judged.check_formats import remarks_of
from symcrete.slotted import dataclass

COVER, CHECK, TESTS = "symcrete.cover", "symcrete.check", "symcrete.writeTests"
SOURCE = "symcrete"
MOST_INPUTS = 8  # of one line, in a hover: what fits beside the cursor
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


@dataclass(slots=True)
class Known:
    """What is known of a function, as long as its text is this one."""

    function: Function
    report: TargetReport | None = None
    checked: Checked | None = None

    def explored(self, report: TargetReport) -> None:
        """Keep what covering the function found."""
        self.report = report

    def judged(self, checked: Checked) -> None:
        """Keep what checking the function found."""
        self.checked = checked


def lenses(uri: str, function: Function, known: Known | None) -> Iterator[types.CodeLens]:
    """The lenses above a function: what was found, and what can be done."""
    place = _line(function.first, 0)
    for title, command in _titles(known):
        arguments = [uri, function.scope]
        yield types.CodeLens(place, types.Command(title, command, arguments=arguments))


def _titles(known: Known | None) -> Iterator[tuple[str, str]]:
    report = known.report if known else None
    found = known.checked if known else None
    if report is None:
        yield "cover", COVER
    else:
        branches = report.branches
        left = f", {branches.open} open" if branches.open else ""
        dead = f", {branches.infeasible} dead" if branches.infeasible else ""
        yield f"{branches.covered} of {branches.total} branches{left}{dead}", COVER
    yield "write tests", TESTS
    if found is None:
        yield "check", CHECK
    else:
        count = len(found.failures)
        yield (f"fails for {count} input{'s' * (count != 1)}" if count else found.verdict), CHECK


def diagnostics(
    known: Known, function: Function, units: Callable[[str], int] = len
) -> Iterator[types.Diagnostic]:
    """The findings of a function, at the lines where they are now; `units` says how long a text is
    as the editor counts.
    """
    moved = function.first - known.function.first
    if known.report is not None:
        for remark in remarks(Report((known.report,))):
            yield _of_remark(remark, moved, known.function, units)
    if known.checked is not None:
        for remark in remarks_of(known.checked, known.function.first + 1):
            yield _of_remark(remark, moved, known.function, units)


def _of_remark(
    remark: Remark, moved: int, then: Function, units: Callable[[str], int]
) -> types.Diagnostic:
    dead = remark.rule is DEAD_CODE
    lines = dict(enumerate(then.text.split("\n"), then.first + 1))
    before = lines.get(remark.line, "")[: remark.column - 1]
    missing = remark.column - 1 - len(before)  # where the line is not in the text
    return types.Diagnostic(
        _line(max(0, remark.line - 1 + moved), units(before) + missing),
        remark.message,
        severity=_SEVERITIES[remark.rule.level],
        code=remark.rule.name,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if dead else None,
    )


def inputs_of_line(known: Known, function: Function, line: int) -> str:
    """The inputs that execute a line, counted from 0, as Markdown; nothing if none is known to."""
    report = known.report
    if report is None:
        return ""
    then = line - function.first + known.function.first + 1
    calls = [call_text(report, each) for each in report.inputs if then in each.lines]
    more = [f"- and {len(calls) - MOST_INPUTS} more"] if len(calls) > MOST_INPUTS else []
    shown = [f"- `{call}`" for call in calls[:MOST_INPUTS]]
    return "\n".join(["Executed by", "", *shown, *more]) if calls else ""


def actions(
    uri: str, function: Function, given: list[types.Diagnostic]
) -> Iterator[types.CodeAction]:
    """What can be done about a function; first what answers a finding of ours."""
    arguments = [uri, function.scope]
    findings = [each for each in given if each.source == SOURCE and each.code != DEAD_CODE.name]
    if findings:
        title = f"Symcrete: add tests of {function.scope} that show this"
        command = types.Command(title, TESTS, arguments=arguments)
        yield types.CodeAction(
            title, kind=types.CodeActionKind.QuickFix, diagnostics=findings, command=command
        )
    for what, name in (("cover", COVER), ("check", CHECK), ("write tests of", TESTS)):
        title = f"Symcrete: {what} {function.scope}"
        command = types.Command(title, name, arguments=arguments)
        yield types.CodeAction(title, kind=types.CodeActionKind.Refactor, command=command)


def _line(line: int, column: int) -> types.Range:
    """The range from a column to the end of its line."""
    return types.Range(types.Position(line, column), types.Position(line + 1, 0))
