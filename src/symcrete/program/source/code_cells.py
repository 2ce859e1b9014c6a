"""The code cells of a Jupyter notebook as a module, so that its functions can be imported; and a
script whose name does not end in `.py`, which no import finds.

What defines something in a notebook stays: imports, functions, classes, assignments. Magics, shell
commands and statements that only show or do something are commented out: an import need not do
them.
"""

from __future__ import annotations

import ast
import json
import os
import re
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

from symcrete.errors import ImportFailed

ENDING = ".ipynb"
PLACE = Path(".symcrete") / "notebooks"
PLACE_OF_SCRIPTS = Path(".symcrete") / "scripts"
_RUN_BY_PYTHON = re.compile(rb"#!.*\bpython[\d.]*\b")
# lines that only IPython understands: `%time f()`, `!ls`, `?f`, `f?`
_MAGIC = re.compile(r"^(\s*)([%!?].*|.*\S\?{1,2})$")
_DEFINES = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.AugAssign),
)


def module_of_notebook(notebook: Path) -> Path:
    """The file with the module, written below `.symcrete` if it is not there as it should be."""
    try:
        read = json.loads(notebook.read_text(encoding="utf-8"))
        cells = [_text(cell) for cell in read["cells"] if cell.get("cell_type") == "code"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportFailed(f"{notebook} is no notebook that can be read: {error}") from None
    text = "\n".join(
        f"# {notebook.name}, cell {number}\n{_as_module(cell)}\n"
        for number, cell in enumerate(cells, start=1)
    )
    return _kept(notebook, text, PLACE)


def is_script(file: Path) -> bool:
    """Whether a file says in its first line that Python runs it."""
    try:
        with file.open("rb") as opened:
            return _RUN_BY_PYTHON.match(opened.readline()) is not None
    except OSError:
        return False


def module_of_script(script: Path) -> Path:
    """A file with the text of the script, line by line, written below `.symcrete` if it is not
    there as it should be.
    """
    try:
        with tokenize.open(script) as opened:
            text = opened.read()
    except (OSError, SyntaxError, ValueError) as error:
        raise ImportFailed(f"{script} cannot be read: {error}") from None
    return _kept(script, text, PLACE_OF_SCRIPTS)


def _kept(origin: Path, text: str, place: Path) -> Path:
    """The file below `place` that has the text, written if it has another or is not there."""
    file = _place_of(origin, place)
    try:
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            _write(file, text)
    except OSError as error:
        raise ImportFailed(f"cannot write the code of {origin} to {file}: {error}") from None
    return file


def _text(cell: dict[str, str | list[str]]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _as_module(cell: str) -> str:
    """A cell with what defines nothing commented out; all of it if it is no Python."""
    if cell.lstrip().startswith("%%"):
        return _commented(cell)
    plain = "\n".join(_MAGIC.sub(r"\1pass  # \2", line) for line in cell.splitlines())
    try:
        tree = ast.parse(plain)
    except (SyntaxError, ValueError):
        return _commented(cell)
    lines = plain.splitlines()
    for number in _lines_of_others(tree):
        lines[number - 1] = f"# {lines[number - 1]}"
    return "\n".join(lines)


def _lines_of_others(tree: ast.Module) -> Iterator[int]:
    """The lines of statements that define nothing, if no other statement shares them."""
    kept = {
        number
        for node in tree.body
        if isinstance(node, _DEFINES)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for node in tree.body:
        if not isinstance(node, _DEFINES):
            span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            yield from (number for number in span if number not in kept)


def _commented(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())


def _place_of(origin: Path, place: Path) -> Path:
    """Where its module is: in folders named as those that the notebook or script is in."""
    whole = origin.resolve()
    here = Path.cwd().resolve()
    folders = whole.parent.relative_to(here) if whole.is_relative_to(here) else whole.parent.name
    name = re.sub(r"\W", "_", origin.stem)
    name = name if name.isidentifier() else f"_{name}"
    return here / place / folders / f"{name}.py"


def _write(file: Path, text: str) -> None:
    """Put the file there whole: another run may be reading it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, fresh = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(fresh, file)
