"""Functions that are defined more than once under one name: what calling the name tells of which.

The getter and the setter of a property, the cases of a `singledispatch` that are all called `_`, a
definition for each system: the branches of one are no business of the inputs of another.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from symcrete.program.source.sites import FunctionNode, functions
from symcrete.program.source.target import Target


def other_definitions(
    tree: ast.Module, scope: str, function: Callable[..., Any]
) -> dict[range, str]:
    """The lines of the other definitions of this scope, which no call of `function` executes, each
    with the reason in words; empty if there is only one definition.
    """
    definitions = [node for name, node in functions(tree) if name == scope]
    if len(definitions) < 2:
        return {}
    code = getattr(inspect.unwrap(function), "__code__", None)
    first = code.co_firstlineno if code is not None else 0
    called = next((lines(node) for node in definitions if first in lines(node)), None)
    name = scope.rpartition(".")[2]
    why = f"`{name}` is defined again elsewhere"
    if called is not None:
        why = f"`{name}` means another definition, the one at line {called.start}"
    return {lines(node): why for node in definitions if lines(node) != called}


def lines_of_other_accessors(target: Target) -> set[int]:
    """The lines of a property's other accessors: of its setter and deleter, if the target is the
    getter, of its getter and deleter, if it is the setter; none if there is no setter.
    """
    own = "setter" if target.called == f"{target.scope}.fset" else ""
    found = [node for name, node in functions(target.source.tree()) if name == target.scope]
    kinds = {node: _accessor(node) for node in found}
    if "setter" not in kinds.values():
        return set()
    return {line for node, kind in kinds.items() if kind != own for line in lines(node)}


def lines(node: FunctionNode) -> range:
    """The lines of a definition, with those of its decorators."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *[each.lineno for each in decorators]])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _accessor(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """ "setter" or "deleter" for `@x.setter` and `@x.deleter`; "" for any other function."""
    for each in node.decorator_list:
        if isinstance(each, ast.Attribute) and each.attr in ("setter", "deleter"):
            return each.attr
    return ""
