"""What an emitter is: one report in, one text out; the same report gives the same text."""

from __future__ import annotations

import importlib
from typing import Protocol, TextIO

from symcrete.errors import BadOption
from symcrete.explore.findings import Report


class Emitter(Protocol):
    def emit(self, report: Report, out: TextIO) -> None: ...


EMITTERS: dict[str, tuple[str, str]] = {
    "table": ("symcrete.report.formats.terminal:Table", "a table to read"),
    "json": ("symcrete.report.formats.json:Json", "everything, as one JSON object"),
    "pytest": ("symcrete.report.tests.pytest_file:PytestFile", "tests for pytest"),
    "html": ("symcrete.report.formats.html:Html", "a page"),
}


def make_emitter(name: str) -> Emitter:
    if name not in EMITTERS:
        raise BadOption(f"no format {name!r}; there are {', '.join(EMITTERS)}")
    module, _, attribute = EMITTERS[name][0].partition(":")
    made: Emitter = getattr(importlib.import_module(module), attribute)()
    return made
