"""The formats a report can be told in: one row each, and what every one of them promises.

An emitter gets one report and writes one text; the same report gives the same text. To add a
format, write a class with `emit` in a file of its own and add its row to `FORMATS`.
"""

from __future__ import annotations

import importlib
from typing import Protocol, TextIO

from symcrete.errors import BadOption
from symcrete.explore.findings import Report
from symcrete.slotted import dataclass


class Emitter(Protocol):
    """Writes a report; also one with failed targets, or with none."""

    def emit(self, report: Report, out: TextIO) -> None: ...


@dataclass(frozen=True, slots=True)
class Format:
    """One way to tell a report."""

    name: str  # what `--emit` takes
    maker: str  # "module:class"; made without arguments, imported when it is used
    what: str  # one line for people
    ending: str  # of files that hold it
    file: str = ""  # where it is written if nothing else is said; of formats that are no text


FORMATS: tuple[Format, ...] = (
    Format("table", "symcrete.report.formats.terminal:Table", "a table to read", ".txt"),
    Format("json", "symcrete.report.formats.json:Json", "everything, as one JSON object", ".json"),
    Format("pytest", "symcrete.report.tests.pytest_file:PytestFile", "tests for pytest", ".py"),
    Format(
        "examples",
        "symcrete.report.given.example_lines:ExamplesPatch",
        "`@example` lines for the Hypothesis tests there are, as a patch",
        ".patch",
    ),
    Format("html", "symcrete.report.page.page:Page", "a page", ".html"),
    Format("dot", "symcrete.report.formats.graph:Dot", "graphs of the code, for Graphviz", ".dot"),
    Format("sarif", "symcrete.report.formats.sarif:Sarif", "for code scanning", ".sarif"),
    Format("junit", "symcrete.report.formats.junit:Junit", "JUnit XML", ".xml"),
    Format(
        "github",
        "symcrete.report.formats.github:Github",
        "annotations of GitHub Actions",
        ".log",
    ),
    Format(
        "coverage",
        "symcrete.report.formats.coverage_data:Coverage",
        "what the inputs cover, as coverage.py's data file",
        ".coverage",
        ".coverage.symcrete",
    ),
    Format("svg", "symcrete.report.formats.svg:Svg", "graphs of the code, as a picture", ".svg"),
)


def make_emitter(name: str, formats: tuple[Format, ...] = FORMATS) -> Emitter:
    """The emitter of that name; a name that no row has is the user's mistake."""
    module, _, attribute = format_named(name, formats).maker.partition(":")
    made: Emitter = getattr(importlib.import_module(module), attribute)()
    return made


def format_named(name: str, formats: tuple[Format, ...] = FORMATS) -> Format:
    """The row of that name; a name that no row has is the user's mistake."""
    for row in formats:
        if row.name == name:
            return row
    import difflib  # few commands have a mistake in them

    names = [row.name for row in formats]
    close = difflib.get_close_matches(name, names, 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise BadOption(f"no format {name!r}{hint}; there are {', '.join(names)}")
