"""JUnit XML: a test suite for each file, a test case for each function."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from itertools import groupby
from typing import Literal, TextIO

from symcrete.explore.findings import Report, TargetReport
from symcrete.report.formats.remarks import OPEN, Remark, remarks, shown_path
from symcrete.slotted import dataclass

# The rules whose remarks make a function fail. That an input raises an exception does not: it is a
# result like any other.
_FAILING = ("crash", "hang")
_NEVER = "\ufffe\uffff"  # characters that XML does not allow


@dataclass(frozen=True, slots=True)
class Case:
    """What is told of one function."""

    file: str
    module: str
    name: str
    seconds: float
    wrong: Literal["", "error", "failure", "skipped"] = ""
    message: str = ""  # what is wrong, in a line
    text: str = ""  # the same in full
    output: str = ""  # what is told in any case


class Junit:
    """A function is an error if it cannot be explored, a failure if an input crashes or hangs."""

    def emit(self, report: Report, out: TextIO) -> None:
        write_cases([_case(target) for target in report.targets], out)


def write_cases(cases: Sequence[Case], out: TextIO) -> None:
    """Write the cases as one JUnit document, with a suite for each file."""
    top = ElementTree.Element("testsuites", name="symcrete")
    ordered = sorted(cases, key=lambda each: each.file)
    for file, those in groupby(ordered, key=lambda each: each.file):
        _add_suite(top, file, list(those))
    ElementTree.indent(top, " ")
    out.write("<?xml version='1.0' encoding='utf-8'?>\n")
    out.write(ElementTree.tostring(top, encoding="unicode") + "\n")


def line_of(remark: Remark) -> str:
    """A remark as `file:line: message`, as compilers print theirs."""
    return f"{shown_path(remark.file)}:{remark.line}: {remark.message}"


def _case(target: TargetReport) -> Case:
    module, name = target.module or target.target, target.scope or target.target
    if target.error:
        first = target.error.partition("\n")[0]
        return Case(
            target.file, module, name, target.seconds, "error", message=first, text=target.error
        )
    told = remarks(Report((target,)))
    failing = [each for each in told if each.rule.name in _FAILING]
    covered = f"{target.branches.covered} of {target.branches.total} branches covered"
    return Case(
        target.file,
        module,
        name,
        target.seconds,
        "failure" if failing else "",
        message=failing[0].message if failing else "",
        text="\n".join([line_of(each) for each in failing]),
        output="\n".join([covered, *[line_of(each) for each in told if each.rule is OPEN]]),
    )


def _add_suite(top: ElementTree.Element, file: str, cases: list[Case]) -> None:
    name = _plain(shown_path(file)) if file else "symcrete"
    suite = ElementTree.SubElement(top, "testsuite", name=name)
    suite.set("tests", str(len(cases)))
    for kind, attribute in (("error", "errors"), ("failure", "failures"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(each.wrong == kind for each in cases)))
    suite.set("time", f"{sum(each.seconds for each in cases):.3f}")
    for each in cases:
        _add_case(suite, each)


def _add_case(suite: ElementTree.Element, told: Case) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_plain(told.module),
        name=_plain(told.name),
        time=f"{told.seconds:.3f}",
    )
    if told.wrong:
        wrong = ElementTree.SubElement(case, told.wrong, message=_plain(told.message))
        wrong.text = _plain(told.text)
    if told.output:
        ElementTree.SubElement(case, "system-out").text = _plain(told.output)


def _plain(text: str) -> str:
    """The text with characters that XML cannot write replaced or left out."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join([c if c >= " " or c in "\t\n" else "\ufffd" for c in whole if c not in _NEVER])
