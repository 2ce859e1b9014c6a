"""The types that a program asks for by name: in `isinstance`, and in the patterns of `match`."""

from __future__ import annotations

import ast
import types
import typing
from collections.abc import Mapping
from typing import Any

from symcrete.inputs.infer.records import constant_kind


def list_of(kind: Any) -> Any:
    """The type of lists of these."""
    return types.GenericAlias(list, (kind,))


def filled(kind: Any) -> Any:
    """A bare container says nothing of what is in it: numbers."""
    return {list: list[int], dict: dict[int, int], set: set[int], tuple: tuple[int, ...]}.get(
        kind, kind
    )


def named_kinds(node: ast.expr, names: Mapping[str, Any]) -> list[Any]:
    """The types that the second argument of `isinstance` names."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    found: list[Any] = []
    for part in parts:
        try:
            kind = eval(compile(ast.Expression(part), "<isinstance>", "eval"), dict(names))
        except Exception:
            continue
        named = typing.get_args(kind) if isinstance(kind, types.UnionType) else [kind]
        found += [filled(each) for each in named]
    return found


def matched(pattern: ast.pattern, names: Mapping[str, Any]) -> list[Any]:
    """The types that a pattern of `match` takes."""
    match pattern:
        case ast.MatchClass(cls=kind):
            return named_kinds(kind, names)
        case ast.MatchValue(value=value):
            return constant_kind(value, names)
        case ast.MatchSingleton(value=None):
            return [None]
        case ast.MatchSingleton():
            return [bool]
        case ast.MatchSequence(patterns=patterns):
            inside = [kind for each in patterns for kind in matched(each, names)]
            return [list_of(inside[0] if inside and inside[0] is not None else int)]
        case ast.MatchMapping(keys=keys, patterns=patterns):
            kinds: dict[str, Any] = {}
            for key, inside_pattern in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    kinds[key.value] = next(iter(matched(inside_pattern, names)), int) or int
            if kinds:
                return [typing.TypedDict("Record", kinds, total=False)]  # type: ignore[operator]
            return [dict[int, int]]
        case ast.MatchOr(patterns=patterns):
            return [kind for each in patterns for kind in matched(each, names)]
        case ast.MatchAs(pattern=inner) if inner is not None:
            return matched(inner, names)
        case _:
            return []
