"""The report as coverage.py's data file: what the found inputs cover, measured by coverage.py.

`coverage combine`, `report`, `html`, `lcov` and `xml` read it beside the project's own data. Each
input is a context, so that `coverage html --show-contexts` tells which inputs reach a line.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from symcrete.errors import BadOption
from symcrete.explore.findings import Report
from symcrete.report.measure.measured import CONFINED, Measured, Walls, measured

if TYPE_CHECKING:
    from coverage import CoverageData


class Coverage:
    """Writes the data file; as text, the SQL statements that make the same database."""

    def emit(self, report: Report, out: TextIO) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, ".coverage")
            file.write_bytes(self.data(report))
            database = sqlite3.connect(file)
            try:
                out.writelines(f"{line}\n" for line in database.iterdump())
            finally:
                database.close()

    def data(self, report: Report, walls: Walls = CONFINED) -> bytes:
        """The bytes of the file. What could not be measured is said on standard error."""
        made = _library()
        found = measured(report, branch=_wants_branches(made), walls=walls)
        for note in found.notes:
            print(f"symcrete: {note}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, ".coverage")
            _fill(made(basename=file), found)
            return Path(file).read_bytes()


def _fill(data: CoverageData, found: Measured) -> None:
    data.add_lines({}) if not found.branch else data.add_arcs({})
    for name, files in sorted(found.contexts.items()):
        data.set_context(name)
        if found.branch:
            data.add_arcs({file: [(a, b) for a, b in arcs] for file, arcs in files.items()})
        else:
            data.add_lines(files)
    data.close()


def _library() -> type[CoverageData]:
    try:
        from coverage import CoverageData
    except ImportError:
        raise BadOption(
            "--emit coverage needs coverage.py; pip install 'symcrete[coverage]'"
        ) from None
    return CoverageData


def _wants_branches(made: type[CoverageData]) -> bool:
    """Whether arcs are kept: always, unless `.coverage` of the working folder has only lines, since
    data of two kinds cannot be combined.
    """
    if not os.path.isfile(".coverage"):
        return True
    there = made(basename=".coverage")
    try:
        there.read()
        return there.has_arcs() or not there.measured_files()
    except Exception:  # no data file of this version: coverage.py will say so
        return True
    finally:
        there.close()
