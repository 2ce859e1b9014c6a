"""Records and constants: what the keys that are looked up and the values compared with tell."""

from __future__ import annotations

import ast
import builtins
import types
import typing
from collections.abc import Mapping
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

from symcrete.inputs.infer.flow import LOOKING_UP, is_called
from symcrete.inputs.infer.something import Named
from symcrete.program.source.module import walked

LONGEST_TUPLE = 6  # parts of a tuple that are told apart; chosen, not measured
MOST_LISTED = 20  # elements of a global container that are looked at; chosen, not measured

# Types whose values are not singled out: another value of the type does as well, or the contents
# count.
_TELLING_TYPES = (int, str, float, bytes, Enum, list, dict, set, tuple, FunctionType, ModuleType)


def constant_kind(node: ast.AST, names: Mapping[str, Any]) -> list[Any]:
    """The type of an expression that is written out, as a list of one; empty where only a run
    could tell.
    """
    match node:
        case ast.Constant(value=None):
            return [None]
        case ast.Constant(value=value):
            return [type(value)]
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return [type(value)]
        case ast.JoinedStr():
            return [str]
        case ast.List(elts=[first, *_]):
            return [types.GenericAlias(list, (_one(first, names),))]
        case ast.Set(elts=[first, *_]):
            return [types.GenericAlias(set, (_one(first, names),))]
        case ast.Tuple(elts=[_, *_] as parts) if len(parts) <= LONGEST_TUPLE:
            return [types.GenericAlias(tuple, tuple([_one(part, names) for part in parts]))]
        case ast.Dict(keys=[ast.expr() as key, *_], values=[value, *_]):
            return [types.GenericAlias(dict, (_one(key, names), _one(value, names)))]
        case ast.List() | ast.ListComp():
            return [list[int]]
        case ast.Dict() | ast.DictComp():
            return [dict[str, int]]
        case ast.Call(func=ast.Name(id=made)) if isinstance(names.get(made), type):
            return [names[made]]
        case ast.Name(id=other) if isinstance(names.get(other), int | str | float | bytes):
            return [type(names[other])]
        case ast.Attribute():
            known = named_value(node, names)
            telling = known is not None and isinstance(
                known.value, int | str | float | bytes | Enum
            )
            return [type(known.value)] if known is not None and telling else []
        case _:
            return []


def named_value(node: ast.expr, names: Mapping[str, Any]) -> Named | None:
    """What an expression means that names an object of the module, of another module or of a
    class; None for any other.
    """
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names or node.id in vars(builtins):
        return None
    module, path = str(names.get("__name__")), [node.id, *path]
    value = names[node.id]
    for place, part in enumerate(path[1:], start=1):
        if isinstance(value, ModuleType):
            module, path[:place] = value.__name__, [""] * place
        elif not isinstance(value, type):
            return None
        value = getattr(value, part, None)
    return None if value is None else Named(value, module, ".".join(filter(None, path)))


def singled_out(node: ast.expr, names: Mapping[str, Any]) -> list[Named]:
    """The object that a comparison with an expression asks for, as a list of one: such as
    `MISSING`, or a class; empty for values whose type says more.
    """
    found = named_value(node, names)
    if found is None and isinstance(node, ast.Name) and node.id in vars(builtins):
        found = Named(names.get(node.id), "builtins", node.id)
    if found is None or isinstance(found.value, _TELLING_TYPES):
        return []
    return [found]


def _one(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The type of an element; int where it is not known."""
    found = constant_kind(node, names)
    return found[0] if found and found[0] is not None else int


def listed_in(node: ast.expr, tree: ast.AST, names: Mapping[str, Any]) -> list[Any] | None:
    """The types of the elements of a container that is written out, or that a variable holds; None
    where it is not known.
    """
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [kind for part in parts for kind in constant_kind(part, names)]
        case ast.Dict(keys=keys):
            return [kind for key in keys if key is not None for kind in constant_kind(key, names)]
        case ast.Name(id=name):
            for each in walked(tree):
                match each:
                    case ast.Assign(targets=[ast.Name(id=held)], value=value) if held == name:
                        known = isinstance(value, ast.Tuple | ast.List | ast.Set | ast.Dict)
                        return listed_in(value, tree, names) if known else None
                    case _:
                        pass
            held_now = names.get(name)
            if isinstance(held_now, tuple | list | set | frozenset | dict):
                return [type(value) for value in list(held_now)[:MOST_LISTED]]
            return None
        case _:
            return None


def keys_of(tree: ast.AST, name: str) -> list[str]:
    """The constant keys that are looked up in a parameter."""
    return list(dict.fromkeys(_lookups(tree, name)))


def only_by_key(tree: ast.AST, name: str) -> bool:
    """Whether nothing is done with a parameter but to look up constant keys."""
    if any(isinstance(node, ast.MatchMapping) for node in walked(tree)):
        return False  # patterns ask whatever is matched, which may be the parameter
    mentions = sum(isinstance(node, ast.Name) and node.id == name for node in walked(tree))
    return mentions == len(_lookups(tree, name))


def _lookups(tree: ast.AST, name: str) -> list[str]:
    """The key of each place where a constant key is looked up in a parameter. Keys in patterns of
    `match` count whatever is matched.
    """
    found: list[str] = []
    for node in walked(tree):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)) if is_called(
                value, name
            ):
                found.append(key)
            case ast.Call(
                func=ast.Attribute(value=value, attr=method),
                args=[ast.Constant(value=str() as key), *_],
            ) if method in LOOKING_UP and is_called(value, name):
                found.append(key)
            case ast.Compare(
                left=ast.Constant(value=str() as key),
                ops=[ast.In() | ast.NotIn()],
                comparators=[right],
            ) if is_called(right, name):
                found.append(key)
            case ast.MatchMapping(keys=keys):
                found += [
                    each.value
                    for each in keys
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
            case _:
                pass
    return found


def record_of(keys: list[str], tree: ast.AST, told: Mapping[str, Any] | None = None) -> Any:
    """The type of dicts that may have these keys. A value has the type of the constant that it is
    compared with, else the one that `told` has for its key, else int.
    """
    kinds: dict[str, Any] = {**dict.fromkeys(keys, int), **(told or {})}
    for node in walked(tree):
        if isinstance(node, ast.Compare):
            for mine, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                key = _key_of(mine)
                kind = constant_kind(other, {})
                if key in kinds and kind and kind != [None]:
                    kinds[key] = kind[0]
    return record(kinds)


def record(kinds: Mapping[str, Any]) -> Any:
    """The type of dicts that may have these keys, with values of these types."""
    return typing.TypedDict("Record", dict(kinds), total=False)  # type: ignore[operator]


def is_record(kind: Any) -> bool:
    """Whether a type is one that `record` made, and none that the program declares."""
    return typing.is_typeddict(kind) and kind.__module__ == __name__


def is_built_in(kind: Any) -> bool:
    """Whether a type is a built-in one, perhaps with types of elements, or a record."""
    is_plain = not isinstance(kind, type) or kind.__module__ == "builtins"
    return is_plain or bool(typing.get_args(kind)) or is_record(kind)


def both(one: Any, other: Any) -> Any:
    """The record that has the keys of two; the first one, if it has all of them."""
    mine, others = one.__annotations__, other.__annotations__
    kinds = {**others, **mine}
    for key in mine.keys() & others.keys():
        if is_record(mine[key]) and is_record(others[key]):
            kinds[key] = both(mine[key], others[key])
        elif mine[key] is int:  # what a value is taken for of which nothing is known
            kinds[key] = others[key]
    return one if kinds == mine else record(kinds)


def _key_of(node: ast.AST) -> str | None:
    """The constant key that an expression looks up, in whatever; None if it looks up none."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            return key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as key), *_]):
            return key
        case _:
            return None
