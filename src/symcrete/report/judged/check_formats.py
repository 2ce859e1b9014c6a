"""The answers of `check` for other programs: SARIF, JUnit, GitHub's annotations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TextIO

from symcrete.errors import BadOption
from symcrete.notation import nearest
from symcrete.oracle.verdicts import Checked
from symcrete.report.formats.github import write_annotations
from symcrete.report.formats.junit import Case, line_of, write_cases
from symcrete.report.formats.remarks import (
    FAILING_CHECK,
    UNEXPLORED,
    WRONG_EXAMPLE,
    Remark,
    first_line,
)
from symcrete.report.formats.sarif import write_sarif
from symcrete.report.judged.check_text import what_failed

Writer = Callable[[Sequence[Checked], TextIO], None]


def writer_named(name: str) -> Writer:
    """What writes answers in the format of that name; another name is the user's mistake."""
    if name not in WRITERS:
        raise BadOption(f"check has no format {name!r}; {nearest(name, list(WRITERS))}")
    return WRITERS[name]


def remarks_of(checked: Checked, start: int = 0) -> list[Remark]:
    """What is wrong with a function, by line; what has no line of its own is told where the
    function starts, for which its file is read if that is not given.
    """
    file, start = checked.report.file, start or first_line(checked.report)
    if checked.exit_error:
        return [Remark(UNEXPLORED, file, start, 1, f"{checked.target}: {checked.reason}")]
    found = [
        Remark(
            WRONG_EXAMPLE,
            file,
            each.line or start,
            1,
            f"{each.call.strip()} gives {each.got.strip() or 'nothing'}, "
            f"not {each.expected.strip() or 'nothing'}",
        )
        for each in checked.examples
    ]
    for failure in checked.failures:
        found.append(Remark(FAILING_CHECK, file, failure.line or start, 1, what_failed(failure)))
    return sorted(found, key=lambda each: each.line)


def _every_remark(found: Sequence[Checked]) -> list[Remark]:
    return [remark for each in found for remark in remarks_of(each)]


def _case(checked: Checked) -> Case:
    """A function as a test case: a failure if it fails, skipped if that is not decided, an error if
    it cannot be explored.
    """
    report = checked.report
    wrong = remarks_of(checked)
    told: dict[str, Any] = {"output": f"holds: {checked.proof}"}
    if checked.exit_error:
        told = {"wrong": "error", "message": checked.reason, "text": checked.reason}
    elif wrong:
        text = "\n".join([line_of(each) for each in wrong])
        told = {"wrong": "failure", "message": wrong[0].message, "text": text}
    elif checked.verdict == "undecided":
        told = {"wrong": "skipped", "message": f"not decided: {checked.reason}"}
    name = report.scope or checked.target
    return Case(report.file, report.module or checked.target, name, checked.seconds, **told)


WRITERS: dict[str, Writer] = {
    "sarif": lambda found, out: write_sarif(_every_remark(found), out),
    "junit": lambda found, out: write_cases([_case(each) for each in found], out),
    "github": lambda found, out: write_annotations(_every_remark(found), out),
}
