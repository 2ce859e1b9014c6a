"""Names that a module imports for its annotations only: below `if TYPE_CHECKING:`."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symcrete.program.source.module import parsed, source_of_file


@functools.lru_cache(maxsize=64)
def typing_only(file: str) -> dict[str, Any]:
    """The values of those names in a file, as far as they can be imported."""
    found: dict[str, Any] = {}
    try:
        tree, module = parsed(file), source_of_file(Path(file)).module
    except Exception:  # no file, or no Python in it
        return found
    package = module if Path(file).stem == "__init__" else module.rpartition(".")[0]
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for statement in node.body:
                for name, value in _imported(statement, package):
                    found[name] = value
    return found


def _imported(statement: ast.stmt, package: str) -> Iterator[tuple[str, Any]]:
    """The names that one statement binds."""
    match statement:
        case ast.Import(names=names):
            for each in names:
                with contextlib.suppress(Exception):
                    whole = importlib.import_module(each.name)
                    top = importlib.import_module(each.name.split(".")[0])
                    yield (each.asname, whole) if each.asname else (each.name.split(".")[0], top)
        case ast.ImportFrom(module=module, names=names, level=level):
            for each in names:
                with contextlib.suppress(Exception):
                    named = importlib.import_module("." * level + (module or ""), package)
                    yield each.asname or each.name, getattr(named, each.name)
        case _:
            return
