"""The definition of a class in the program's text.

`inspect.getsource` reads the whole file again for each class, which takes longer than many a run.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator

from symcrete.program.source.module import parsed


@functools.lru_cache(maxsize=256)
def methods_in(kind: type) -> tuple[ast.FunctionDef, ...]:
    """The methods that the body of a class defines; none where its text is not at hand."""
    try:
        file = inspect.getsourcefile(kind)
        tree = None if file is None else parsed(file)
    except (OSError, TypeError, SyntaxError, ValueError):
        return ()
    found = None if tree is None else _classes(tree).get(kind.__qualname__)
    body = [] if found is None else found.body
    return tuple([node for node in body if isinstance(node, ast.FunctionDef)])


@functools.lru_cache(maxsize=16)
def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    found: dict[str, ast.ClassDef] = {}
    for name, node in _defined(tree, ""):
        found.setdefault(name, node)
    return found


def _defined(tree: ast.AST, before: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Classes by their qualified name, as deep as they are nested."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield before + node.name, node
            yield from _defined(node, f"{before}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _defined(node, f"{before}{node.name}.<locals>.")
        elif not isinstance(node, ast.expr):
            yield from _defined(node, before)
