"""The report as JUnit XML: a test suite for each file, a test case for each function."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import groupby
from typing import TextIO

from symcrete.explore.findings import Report, TargetReport
from symcrete.report.formats.remarks import OPEN, Remark, remarks, shown_path

# A function fails by what an input did to the interpreter, not by an exception: that is a result.
_FAILING = ("crash", "hang")
_NEVER = "\ufffe\uffff"  # no characters of XML


class Junit:
    """A function is an error if it cannot be explored, a failure if an input crashes or hangs."""

    def emit(self, report: Report, out: TextIO) -> None:
        top = ElementTree.Element("testsuites", name="symcrete")
        ordered = sorted(report.targets, key=lambda each: each.file)
        for file, targets in groupby(ordered, key=lambda each: each.file):
            _add_suite(top, file, list(targets))
        ElementTree.indent(top, " ")
        out.write("<?xml version='1.0' encoding='utf-8'?>\n")
        out.write(ElementTree.tostring(top, encoding="unicode") + "\n")


def _add_suite(top: ElementTree.Element, file: str, targets: list[TargetReport]) -> None:
    suite = ElementTree.SubElement(top, "testsuite", name=shown_path(file) if file else "symcrete")
    for target in targets:
        _add_case(suite, target)
    suite.set("tests", str(len(targets)))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
    suite.set("time", f"{sum(each.seconds for each in targets):.3f}")


def _add_case(suite: ElementTree.Element, target: TargetReport) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=target.module or target.target,
        name=target.scope or target.target,
        time=f"{target.seconds:.3f}",
    )
    if target.error:
        first = _plain(target.error.partition("\n")[0])
        ElementTree.SubElement(case, "error", message=first).text = _plain(target.error)
        return
    told = remarks(Report((target,)))
    failing = [each for each in told if each.rule.name in _FAILING]
    if failing:
        failure = ElementTree.SubElement(case, "failure", message=_plain(failing[0].message))
        failure.text = "\n".join(_line(each) for each in failing)
    covered = f"{target.branches.covered} of {target.branches.total} branches covered"
    lines = [covered, *(_line(each) for each in told if each.rule is OPEN)]
    ElementTree.SubElement(case, "system-out").text = "\n".join(lines)


def _line(remark: Remark) -> str:
    return _plain(f"{shown_path(remark.file)}:{remark.line}: {remark.message}")


def _plain(text: str) -> str:
    """The text without the characters that XML cannot write."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join([c if c >= " " or c in "\t\n" else "\ufffd" for c in whole if c not in _NEVER])
