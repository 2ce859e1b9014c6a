"""Expressions whose value the text tells: literals, tables of them, lists made on the spot."""

from __future__ import annotations

import ast


def is_made_here(node: ast.expr) -> bool:
    """Whether an expression is a list or the like, to which nothing can be sent."""
    match node:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() | ast.Constant():
            return True
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _MAKING
    return False


_MAKING = frozenset({"range", "sorted", "list", "tuple", "set", "reversed", "enumerate", "zip"})


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a number, a text, a compiled pattern, or a tuple of such."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return is_literal(operand)
        case ast.BinOp(left=left, right=right):
            return is_literal(left) and is_literal(right)
        case ast.Tuple(elts=elements):
            return all(map(is_literal, elements))
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile"), args=args):
            return all(map(is_literal, args))
    return False


def is_table(node: ast.expr) -> bool:
    """Whether an expression is a list, set or dict of literals."""
    match node:
        case ast.List(elts=elements) | ast.Set(elts=elements):
            return all(map(is_literal, elements))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_literal(key) for key in keys) and all(
                map(is_literal, values)
            )
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=args):
            return all(is_literal(each) or is_table(each) for each in args)
    return False


def is_mutable(node: ast.expr) -> bool:
    """Whether an expression may make an object that can be changed: any but a literal, a name, an
    attribute, a lambda and a range.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return False
    return not is_literal(node) and not isinstance(node, ast.Name | ast.Attribute | ast.Lambda)


def is_flag(node: ast.AST) -> bool:
    """Whether an expression is True, False or None, which are there to be set."""
    return isinstance(node, ast.Constant) and isinstance(node.value, bool | None)


def mutable_defaults(args: ast.arguments) -> set[str]:
    """The parameters whose default is an object that can be changed, and that all calls share."""
    named = [*args.posonlyargs, *args.args]
    pairs = [*zip(named[len(named) - len(args.defaults) :], args.defaults, strict=True)]
    by_name = [*zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    pairs += [(arg, default) for arg, default in by_name if default is not None]
    return {arg.arg for arg, default in pairs if is_mutable(default)}
