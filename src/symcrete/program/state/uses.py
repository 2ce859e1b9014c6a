"""How a value is used where it is read: looked at only, changed in place, or handed on."""

from __future__ import annotations

import ast
from typing import Literal, TypeAlias

from symcrete.program.source.side_effects import MUTATORS
from symcrete.program.state.scopes import Scopes, nodes_of

# functions that a container is passed through; beyond, it counts as handed on; chosen, not measured
MOST_FUNCTIONS_PASSED = 8
How: TypeAlias = Literal["looked at", "changed", "handed on"]

# Built-ins that neither change nor keep the containers that they are given.
_LOOKING = frozenset(
    [
        "len",
        "sorted",
        "sum",
        "min",
        "max",
        "list",
        "tuple",
        "set",
        "dict",
        "frozenset",
        "enumerate",
        "zip",
        "reversed",
        "any",
        "all",
        "str",
        "repr",
        "map",
        "filter",
        "bool",
        "isinstance",
        "range",
        "print",
        "format",
        "hash",
        "iter",
    ]
)
# Methods that do not change their container.
_LOOKING_METHODS = frozenset(
    [
        "get",
        "keys",
        "values",
        "items",
        "index",
        "count",
        "copy",
        "union",
        "intersection",
        "difference",
        "issubset",
        "issuperset",
        "isdisjoint",
        "symmetric_difference",
        "most_common",
        "elements",
        "total",
    ]
)
# Methods that take what is in the container they are given, and do not keep the container.
_TAKING_ELEMENTS = frozenset(
    ["join", "update", "extend", "get", "fromkeys", "difference", "union", "count", "index"]
)


def how_used(node: ast.expr, scopes: Scopes, asked: tuple[str, ...] = ()) -> How:
    """What the expression around a container's name or attribute does with the container itself.

    `asked` are the functions that it was passed to on the way here.
    """
    around = scopes.parent.get(node)
    match around:
        case ast.Subscript(value=value, ctx=ctx) if value is node:
            return "looked at" if isinstance(ctx, ast.Load) else "changed"
        case ast.Attribute(attr=name, ctx=ast.Load()):
            if name in MUTATORS:
                return "changed"
            return "looked at" if name in _LOOKING_METHODS else "handed on"
        case ast.Attribute():
            return "changed"
        case ast.Compare() | ast.For() | ast.AsyncFor() | ast.comprehension() | ast.BinOp():
            return "looked at"
        case ast.FormattedValue() | ast.Starred() | ast.UnaryOp(op=ast.Not()):
            return "looked at"
        case ast.If() | ast.While() | ast.IfExp(test=_) if getattr(around, "test", None) is node:
            return "looked at"
        case ast.Call(func=ast.Name(id=name)) if (
            name in _LOOKING and name not in scopes.bound and node is not around.func
        ):
            return "looked at"
        case ast.Call(func=ast.Name(id=name)) if node in around.args and name in scopes.functions:
            return _how_passed(around, around.args.index(node), name, scopes, asked)
        case ast.Call(func=ast.Attribute(attr=name)) if node in around.args:
            takes = name in _TAKING_ELEMENTS and name not in scopes.methods
            return "looked at" if takes else "handed on"
        case ast.keyword(arg=None):
            return "looked at"
        case ast.AugAssign(target=target) if target is node:
            return "changed"
    return "handed on"


def _how_passed(
    call: ast.Call, position: int, name: str, scopes: Scopes, asked: tuple[str, ...]
) -> How:
    """What a function of the module does with the argument at a position."""
    args = scopes.functions[name].args
    names = [each.arg for each in (*args.posonlyargs, *args.args)]
    spread = any(isinstance(each, ast.Starred) for each in call.args[:position])
    if spread or position >= len(names) or len(asked) > MOST_FUNCTIONS_PASSED:
        return "handed on"
    parameter, key = names[position], f"{name}.{names[position]}"
    if key in asked:
        return "looked at"  # recursion: judged where it was first met
    for node in nodes_of(scopes.functions[name]):
        if isinstance(node, ast.Name) and node.id == parameter and isinstance(node.ctx, ast.Load):
            how = how_used(node, scopes, (*asked, key))
            if how != "looked at":
                return how
        elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == parameter:
            return "changed"
    return "looked at"
