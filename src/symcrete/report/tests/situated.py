"""The statements of a test that set what a run reads besides its arguments, as a person would lay
them out: imports at the top of the file, nothing wider than a line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import RESERVED, Bindings, Import

_COMPOUND = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def imported_above(statements: str, bindings: Bindings) -> tuple[list[Import], str]:
    """What a file can import for these statements, and the statements without that.

    An import of a name that means something else in the file stays where it is.
    """
    found: list[Import] = []
    left: list[str] = []
    for node in ast.parse(statements).body:
        imports = _imports(node, bindings)
        found += imports
        if not imports:
            left.append(ast.get_source_segment(statements, node) or "")
    return found, "\n".join(left)


def _imports(node: ast.stmt, bindings: Bindings) -> list[Import]:
    match node:
        case ast.Import(names=[ast.alias(name=name, asname=None)]):
            # A reserved name means this very module in every test file.
            found = Import(name) if name in RESERVED else bindings.bind_module(name)
            return [] if found is None else [found]
        case ast.ImportFrom(module=str() as module, names=names, level=0):
            bound = [bindings.bind(module, each.name) for each in names if each.asname is None]
            exact = len(bound) == len(names) and not any(each.local for each in bound)
            return bound if exact else []
        case _:
            return []


def laid_out(statements: Iterable[str], layout: Layout) -> list[str]:
    """The lines of these statements in the body of a test; a definition stands by itself."""
    lines: list[str] = []
    after_definition = False
    for each in statements:
        for node in ast.parse(each).body:
            text = ast.get_source_segment(each, node) or ""
            is_definition = isinstance(node, _COMPOUND)
            if lines and (after_definition or is_definition):
                lines.append("")
            lines += _lines(node, text, layout)
            after_definition = is_definition
    return [*lines, ""] if after_definition else lines


def _lines(node: ast.stmt, text: str, layout: Layout) -> list[str]:
    if isinstance(node, ast.Expr) and "\n" not in text:
        return layout.expression(text, 4)
    return [f"    {line}".rstrip() for line in text.splitlines()]
