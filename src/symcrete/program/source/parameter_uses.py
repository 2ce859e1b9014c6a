"""What a function does with its parameters that a list and a tuple may answer differently.

Going through a collection, measuring it or asking whether it is empty tells no kind from another.
Comparing it, joining it to another one, slicing it, showing it or calling its methods may.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from symcrete.program.source.module import child_nodes, walked

WHOLE = "whole"  # it is used as it is: compared, sliced, shown, kept
INDEXED = "indexed"  # an element is read by its index, which a set has not
SEARCHED = "searched"  # `in`, which looks for parts in a text
# Built-ins that only go through what they are given, or measure it.
_GOING_THROUGH = frozenset(
    [
        "all",
        "any",
        "enumerate",
        "filter",
        "frozenset",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "set",
        "sorted",
        "sum",
        "tuple",
        "zip",
    ]
)
# Nodes below which no name is, and which most nodes are of.
_WITHOUT_NAMES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def uses(node: ast.AST, is_read: Callable[[str], bool]) -> frozenset[str]:
    """How a function uses its parameters, of WHOLE, INDEXED and SEARCHED; `is_read` says whether a
    function of that name is looked at by itself, so that passing a parameter on says nothing.
    """
    if not isinstance(node, Function):
        return frozenset()
    given = node.args
    listed = (*given.posonlyargs, *given.args, *given.kwonlyargs)
    names = {each.arg for each in listed} - {"self", "cls"}
    return frozenset(use for use in _all_uses(node, names, is_read) if use)


def _all_uses(node: ast.AST, names: set[str], is_read: Callable[[str], bool]) -> Iterator[str]:
    for outer in walked(node):
        if isinstance(outer, _WITHOUT_NAMES):
            continue
        for inner in child_nodes(outer):
            if isinstance(inner, ast.Name) and inner.id in names:
                yield _use(outer, inner, is_read)


def _use(outer: ast.AST, name: ast.Name, is_read: Callable[[str], bool]) -> str:
    """The use that the node around a parameter's name makes of it; "" if that tells nothing."""
    if not isinstance(name.ctx, ast.Load):
        return ""
    match outer:
        case ast.For() | ast.AsyncFor() | ast.comprehension() if outer.iter is name:
            return ""
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert() if outer.test is name:
            return ""
        case ast.UnaryOp(op=ast.Not()) | ast.Starred() | ast.YieldFrom() | ast.Return():
            return ""
        case ast.Call(func=ast.Name(id=called)) if called in _GOING_THROUGH or is_read(called):
            return ""
        case ast.Subscript(value=value, slice=key) if value is name:
            return WHOLE if isinstance(key, ast.Slice) else INDEXED
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[other]) if other is name:
            return SEARCHED
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return ""
    return WHOLE
