"""The branch arcs of one function that a list of inputs covers, counted by coverage.py.

    python -m benchmarks.arcs MODULE:FUNCTION ENTRY INPUTS.json

A program of its own, in which nothing but the untouched library runs. The inputs are calls of the
entry as source text. Prints one line of JSON: arcs there are, arcs covered, arcs missing.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import coverage
from coverage.parser import PythonParser

SECONDS_PER_INPUT = 2.0
SECONDS_IN_ALL = 240.0


class TooLong(BaseException):
    """An input that does not end."""


def main(counted: str, entry: str, inputs: str) -> None:
    module, _, scope = counted.partition(":")
    file = source_file(importlib.import_module(module))
    calls = json.loads(Path(inputs).read_text()) if inputs != "-" else []
    arcs = executed(file, entry, calls)
    wanted = branch_arcs(file, scope)
    covered = wanted & arcs
    print()
    print(
        json.dumps(
            {
                "total": len(wanted),
                "covered": len(covered),
                "missing": sorted(wanted - covered),
                "inputs": len(calls),
            }
        )
    )


def source_file(module: ModuleType) -> str:
    return str(module.__spec__.origin if module.__file__ is None else module.__file__)


def branch_arcs(file: str, scope: str) -> set[tuple[int, int]]:
    """Arcs that leave a line with more than one way on, inside a function or class."""
    text = Path(file).read_text()
    parser = PythonParser(text=text)
    parser.parse_source()
    lines = set(_lines(ast.parse(text), scope.split(".")))
    exits = parser.exit_counts()
    return {
        (source, target)
        for source, target in parser.arcs()
        if source in lines and exits.get(source, 0) > 1
    }


def _lines(tree: ast.AST, path: list[str]) -> range:
    for node in ast.walk(tree):
        named = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == path[0]
        if named and len(path) == 1:
            first = node.body[0].lineno if isinstance(node, ast.ClassDef) else node.lineno + 1
            return range(first, (node.end_lineno or first) + 1)
        if named:
            return _lines(node, path[1:])
    raise LookupError(path)


def executed(file: str, entry: str, calls: list[str]) -> set[tuple[int, int]]:
    """The arcs of a file that run when the calls do."""
    library = importlib.import_module("benchmarks.programs.library")
    names: dict[str, Any] = dict(vars(library))
    names |= {"inf": float("inf"), "nan": float("nan")}
    made = [found for found in (_compiled(call) for call in calls) if found is not None]
    measured = coverage.Coverage(
        data_file=None, branch=True, include=[file], config_file=False, cover_pylib=True
    )
    stop = time.monotonic() + SECONDS_IN_ALL
    measured.start()
    for code in made:
        if time.monotonic() > stop:
            break
        with limited(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            eval(code, names)
    measured.stop()
    parser = PythonParser(text=Path(file).read_text())
    parser.parse_source()
    data = measured.get_data()
    raw = [arc for each in data.measured_files() for arc in data.arcs(each) or ()]
    return {(parser.first_line(a), parser.first_line(b)) for a, b in raw}


def _compiled(call: str) -> Any:
    try:
        return compile(call, "<input>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None  # such as an object that its tool shows by address


@contextlib.contextmanager
def limited() -> Iterator[None]:
    def stop(signum: int, frame: object) -> None:
        raise TooLong

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_INPUT)
    try:
        yield
    except (TooLong, SystemExit):
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


if __name__ == "__main__":
    main(*sys.argv[1:4])
