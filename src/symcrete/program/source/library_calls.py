"""The modules of Python's library whose functions a function calls, by its text.

Values pass through such functions as through a box: what comes out is known for each input, and not
why. Rewritten like the program, they can be part of a proof.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from symcrete.program.source.module import parsed
from symcrete.program.source.sites import functions as functions_in
from symcrete.program.source.target import Target


def library_modules(targets: Sequence[Target]) -> tuple[str, ...]:
    """Modules of Python's library, written in Python, that define a function these targets call."""
    found = [module for target in targets for module in _called(target)]
    return tuple(dict.fromkeys(found))


def _called(target: Target) -> Iterator[str]:
    tree = target.source.tree()
    modules, functions = _imported(tree)
    nodes = [node for scope, node in functions_in(tree) if scope == target.scope]
    for each in [inner for node in nodes for inner in ast.walk(node)]:
        if not isinstance(each, ast.Call):
            continue
        callee = each.func
        if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name):
            module, name = modules.get(callee.value.id, ""), callee.attr
        else:
            module, name = functions.get(getattr(callee, "id", ""), ("", ""))
        if module and name in _defined(module):
            yield module


def _imported(tree: ast.Module) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """What the names that a module imports mean: modules, and functions of modules."""
    modules: dict[str, str] = {}
    functions: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            # `import xml.sax` binds `xml` alone, whose functions are others.
            whole = [each for each in node.names if each.asname or "." not in each.name]
            modules.update({each.asname or each.name: each.name for each in whole})
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            functions.update(
                {each.asname or each.name: (node.module, each.name) for each in node.names}
            )
            modules.update(
                {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
            )
    return modules, functions


def _defined(module: str) -> frozenset[str]:
    """The functions that the text of a module of Python's library defines; none for a module of
    others, or one that is not written in Python.
    """
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return frozenset()
    try:
        found = importlib.util.find_spec(module)
        origin = (found.origin if found is not None else None) or ""
        body = parsed(origin).body if Path(origin).suffix == ".py" else []
    except (ImportError, OSError, SyntaxError, ValueError):
        return frozenset()
    return frozenset([each.name for each in body if isinstance(each, ast.FunctionDef)])
