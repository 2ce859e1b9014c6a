"""Records and constants: what the keys that are looked up and the values compared with tell."""

from __future__ import annotations

import ast
import typing
from collections.abc import Mapping
from typing import Any

from symcrete.inputs.infer.flow import is_called, walked


def constant_kind(node: ast.AST, names: Mapping[str, Any]) -> list[Any]:
    match node:
        case ast.Constant(value=None):
            return [None]
        case ast.Constant(value=value):
            return [type(value)]
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return [type(value)]
        case ast.JoinedStr():
            return [str]
        case ast.List() | ast.ListComp():
            return [list[int]]
        case ast.Name(id=other) if isinstance(names.get(other), int | str | float | bytes):
            return [type(names[other])]
        case _:
            return []


def keys_of(tree: ast.AST, name: str) -> list[str]:
    """The constant keys that are looked up in a parameter."""
    found: dict[str, None] = {}
    for node in walked(tree):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)) if is_called(
                value, name
            ):
                found[key] = None
            case ast.Call(
                func=ast.Attribute(value=value, attr="get" | "pop" | "setdefault"),
                args=[ast.Constant(value=str() as key), *_],
            ) if is_called(value, name):
                found[key] = None
            case ast.Compare(
                left=ast.Constant(value=str() as key),
                ops=[ast.In() | ast.NotIn()],
                comparators=[right],
            ) if is_called(right, name):
                found[key] = None
            case ast.MatchMapping(keys=keys):
                found |= {
                    each.value: None
                    for each in keys
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
            case _:
                pass
    return list(found)


def record_of(keys: list[str], tree: ast.AST) -> Any:
    """A dict with some of these keys; what a value is compared with tells its type."""
    kinds: dict[str, Any] = dict.fromkeys(keys, int)
    for node in walked(tree):
        if isinstance(node, ast.Compare):
            for mine, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                key = _key_of(mine)
                kind = constant_kind(other, {})
                if key in kinds and kind and kind != [None]:
                    kinds[key] = kind[0]
    return typing.TypedDict("Record", kinds, total=False)  # type: ignore[operator]


def _key_of(node: ast.AST) -> str | None:
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            return key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as key), *_]):
            return key
        case _:
            return None
