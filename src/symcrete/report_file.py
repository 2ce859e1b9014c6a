"""Where a report goes: to standard output, or into the file that `-o` names beside `--emit`."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from symcrete.explore.findings import Report
from symcrete.sandbox.journal.writing import COMMENTS, check_writable, write_data, write_file
from symcrete.user import chosen_for_tests, with_values

if TYPE_CHECKING:
    from symcrete.report.emitter import Emitter, Format
    from symcrete.report.measure.measured import Walls


class FileEmitter(Protocol):
    """Writes a report that is no text."""

    def data(self, report: Report, walls: Walls) -> bytes: ...


def form_of(arguments: argparse.Namespace) -> str:
    """The name of the format that was asked for, or nothing."""
    return "json" if arguments.json else arguments.emit or ""


def with_report_file(arguments: argparse.Namespace) -> argparse.Namespace:
    """The command line with `report_file`: beside `--emit html`, `-o page.html` is that file and no
    folder for tests.

    Fails before the work if it cannot be written.
    """
    form, named = form_of(arguments), arguments.output
    if not form:
        return with_values(arguments, report_file=None)
    from symcrete.report.emitter import format_named  # a table needs no list of formats

    row = format_named(form)
    if named and form != "pytest" and _is_file_of(row, Path(named)):
        arguments = with_values(arguments, report_file=named, output=None)
    else:
        arguments = with_values(arguments, report_file=row.file or None)
    if arguments.report_file:
        check_writable(arguments.report_file, force=_rewrites(arguments))
    return arguments


def write_report(arguments: argparse.Namespace, report: Report, form: str) -> None:
    """Put the report into its file, or print it where there is none."""
    from symcrete.report.emitter import format_named

    emitter = _emitter(arguments, form)
    file = arguments.report_file
    if file is None:
        emitter.emit(report, sys.stdout)
        return
    if format_named(form).file:
        from symcrete.report.measure.measured import Walls  # few need it

        walls = Walls(
            not getattr(arguments, "no_sandbox", False),
            tuple(getattr(arguments, "allow", None) or ()),
        )
        write_data(file, cast(FileEmitter, emitter).data(report, walls))
        print(f"wrote {file}", file=sys.stderr)
        return
    out = io.StringIO()
    emitter.emit(report, out)
    write_text(arguments, out.getvalue())


def write_text(arguments: argparse.Namespace, text: str) -> None:
    """Put a text into the file that `with_report_file` found, or print it where there is none."""
    file = arguments.report_file
    if file is None:
        sys.stdout.write(text)
        return
    write_file(file, text, force=_rewrites(arguments))
    print(f"wrote {file}", file=sys.stderr)


def _emitter(arguments: argparse.Namespace, form: str) -> Emitter:
    """The emitter of a format; that of tests knows what they are to assert, the page what the
    project's own tests cover.
    """
    if form == "html":
        from symcrete.report.page.page import Page  # few need it

        return Page(getattr(arguments, "coverage", None) or "")
    if form != "pytest":
        from symcrete.report.emitter import make_emitter

        return make_emitter(form)
    from symcrete.report.tests.pytest_file import PytestFile  # few need it

    return PytestFile(chosen_for_tests(arguments, "assertions"))


def _is_file_of(row: Format, path: Path) -> bool:
    """Whether the path is a file of that format rather than a folder."""
    own_name = bool(row.file) and path.name.startswith(row.ending)  # .coverage.symcrete
    return not path.is_dir() and (path.suffix == row.ending or own_name)


def _rewrites(arguments: argparse.Namespace) -> bool:
    """Whether the file may be overwritten: always, where nobody edits such files by hand."""
    edited = Path(arguments.report_file).suffix in COMMENTS
    return not edited or bool(getattr(arguments, "force", False))
