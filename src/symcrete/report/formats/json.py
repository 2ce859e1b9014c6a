"""The report as one JSON object: the contract with other programs (docs/json.md)."""

from __future__ import annotations

import json
from typing import TextIO

from symcrete.explore.findings import Report


class Json:
    def emit(self, report: Report, out: TextIO) -> None:
        head = json.dumps(Report((), report.seed).as_json(), indent=1)
        out.write(head.removesuffix("[]\n}"))
        before = "[\n"
        for each in report.targets:  # written one by one, so that only one is in memory
            out.write(before + json.dumps(each.as_json()))
            before = ",\n"
        out.write("\n]\n}\n" if report.targets else "[]\n}\n")
