"""The report as annotations of GitHub Actions: lines that its log turns into remarks in a diff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from symcrete.explore.findings import Report
from symcrete.report.formats.remarks import Level, Remark, remarks, shown_path

_COMMANDS: dict[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}


class Github:
    """One workflow command for each remark."""

    def emit(self, report: Report, out: TextIO) -> None:
        write_annotations(remarks(report), out)


def write_annotations(found: Sequence[Remark], out: TextIO) -> None:
    """Write a workflow command for each remark, on a line of its own."""
    out.writelines(f"{_command(each)}\n" for each in found)


def _command(remark: Remark) -> str:
    properties = {
        "file": shown_path(remark.file),
        "line": str(remark.line),
        "col": str(remark.column),
        "title": f"Symcrete: {remark.rule.title}",
    }
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[remark.rule.level]} {told}::{_data(remark.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
