"""Names that a module has for its annotations only: below `if TYPE_CHECKING:`."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from symcrete.program.source.module import parsed, source_of_file

# Names that only type checkers can import, from `_typeshed` and `_typeshed.wsgi`, and types of
# values that do for them.
_TYPESHED: dict[str, Any] = {
    "WSGIEnvironment": dict[str, str],
    "StartResponse": Callable[..., None],
    "WSGIApplication": Callable[..., list[bytes]],
    "StrPath": str | Path,
    "StrOrBytesPath": str | bytes,
    "FileDescriptorOrPath": str,
    "GenericPath": str,
    "BytesPath": bytes,
    "ReadableBuffer": bytes,
    "WriteableBuffer": bytearray,
    "SupportsRead": typing.IO,
    "SupportsReadline": typing.IO,
    "SupportsWrite": typing.IO,
    "SupportsItems": Mapping,
    "SupportsKeysAndGetItem": Mapping,
    "SupportsNext": Iterator,
    "SupportsRichComparison": int | str,
    "SupportsLessThan": int,
    "Unused": object,
    "Incomplete": Any,
}

_DEFINING = (ast.Assign, ast.AnnAssign, ast.ClassDef)


@functools.lru_cache(maxsize=64)  # files; chosen, not measured
def typing_only(file: str) -> dict[str, Any]:
    """The values of the names below `if TYPE_CHECKING:` in a file, as far as they can be imported
    or made.
    """
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
                if isinstance(statement, _DEFINING):
                    found |= _defined(statement, module, found)
    return found


def _defined(statement: ast.stmt, module: str, others: Mapping[str, Any]) -> dict[str, Any]:
    """The names that a statement defines, such as a type variable, an alias or a class, with their
    values; none if it cannot be executed here.
    """
    there = vars(sys.modules[module]) if module in sys.modules else {}
    names = {**there, **others}
    before = dict(names)
    try:
        code = compile(ast.Module([statement], []), "<typing only>", "exec", dont_inherit=True)
        exec(code, names)
    except Exception:  # it was written to be read, not to be run
        return {}
    new = [name for name in names if name not in before or names[name] is not before[name]]
    return {name: names[name] for name in new if name != "__builtins__"}


def _imported(statement: ast.stmt, package: str) -> Iterator[tuple[str, Any]]:
    """The names that an import statement binds, with their values, as far as they are found."""
    match statement:
        case ast.Import(names=names):
            for each in names:
                with contextlib.suppress(Exception):
                    whole = importlib.import_module(each.name)
                    top = importlib.import_module(each.name.split(".")[0])
                    yield (each.asname, whole) if each.asname else (each.name.split(".")[0], top)
        case ast.ImportFrom(module="_typeshed" | "_typeshed.wsgi" | "wsgiref.types", names=names):
            for each in names:
                if each.name in _TYPESHED:
                    yield each.asname or each.name, _TYPESHED[each.name]
        case ast.ImportFrom(module=module, names=names, level=level):
            for each in names:
                with contextlib.suppress(Exception):
                    named = importlib.import_module("." * level + (module or ""), package)
                    yield each.asname or each.name, getattr(named, each.name)
        case _:
            return
