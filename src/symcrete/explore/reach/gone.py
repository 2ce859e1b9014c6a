"""Definitions of which nothing is left once their module is imported.

A module that replaces its function by one written in C, or that defines it only on other systems,
leaves no function object made from that text: then none of its lines can run any more.
"""

from __future__ import annotations

import ast
import contextlib
import gc
from types import FunctionType, ModuleType
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.rewritten import find_function
from symcrete.program.source.place import Place
from symcrete.program.source.sites import functions


def nothing_left(place: Place, module: ModuleType) -> tuple[str, ...] | None:
    """The proof that no function of this text exists; None where there is one.

    Ask when the module is imported. Functions cannot hide: the collector knows them all.
    """
    node = next(
        each
        for scope, each in functions(place.source.tree())
        if scope == place.entry and each.lineno <= place.line <= (each.end_lineno or each.lineno)
    )
    file = str(place.source.file)
    names = {file, f"<frozen {place.source.module}>"}
    first, last = _first_line(node), node.lineno

    def is_made_from_it(function: Any) -> bool:
        code = function.__code__
        return code.co_filename in names and first <= code.co_firstlineno <= last

    with contextlib.suppress(SymcreteError):
        if is_made_from_it(find_function(module, place.entry)):
            return None  # the usual case, where it is called what it is defined as
    gc.collect()
    if any(type(each) is FunctionType and is_made_from_it(each) for each in gc.get_objects()):
        return None
    return (
        f"after the import of {place.source.module} no function is left that was made from "
        f"`def {node.name}` in line {node.lineno}",
        "it is not defined on this system, or was replaced by another of that name",
    )


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Where the text of a function begins: with its decorators."""
    return min([node.lineno, *[each.lineno for each in node.decorator_list]])
