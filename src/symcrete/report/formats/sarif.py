"""The report as SARIF 2.1.0: proved dead code, crashes and the rest, for code scanning."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from symcrete import VERSION
from symcrete.explore.findings import Report
from symcrete.report.formats.remarks import RULES, Remark, remarks, shown_path

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Sarif:
    """One run with one result for each remark."""

    def emit(self, report: Report, out: TextIO) -> None:
        write_sarif(remarks(report), out)


def write_sarif(found: Sequence[Remark], out: TextIO) -> None:
    """Write a log of one run with a result for each remark."""
    rules = [
        {
            "id": rule.name,
            "shortDescription": {"text": rule.title},
            "fullDescription": {"text": rule.about},
            "defaultConfiguration": {"level": rule.level},
        }
        for rule in RULES
    ]
    driver = {"name": "Symcrete", "version": VERSION, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each) for each in found],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, out, indent=1)
    out.write("\n")


def _result(remark: Remark) -> dict[str, Any]:
    place = {
        "artifactLocation": _location(remark.file),
        "region": {"startLine": remark.line, "startColumn": remark.column},
    }
    # The fingerprint leaves out the line, so that a finding is known again when it has moved.
    told = f"{remark.rule.name}\0{os.path.basename(remark.file)}\0{remark.message}"
    return {
        "ruleId": remark.rule.name,
        "ruleIndex": RULES.index(remark.rule),
        "level": remark.rule.level,
        "message": {"text": remark.message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"symcrete/v1": hashlib.sha256(told.encode()).hexdigest()[:32]},
    }


def _location(file: str) -> dict[str, str]:
    """The address of a file: relative to the current folder where it is below it, as code scanning
    wants it; else absolute.
    """
    shown = shown_path(file)
    if not shown.startswith("/"):
        return {"uri": quote(shown), "uriBaseId": "%SRCROOT%"}
    return {"uri": Path(file).absolute().as_uri()}
