"""The report as one JSON object: the contract with other programs (INTERFACE)."""

from __future__ import annotations

import json
from typing import TextIO

from symcrete.explore.findings import Report


class Json:
    def emit(self, report: Report, out: TextIO) -> None:
        json.dump(report.as_json(), out, indent=1, ensure_ascii=True)
        out.write("\n")
