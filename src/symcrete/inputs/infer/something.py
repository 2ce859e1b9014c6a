"""Objects that nobody can build: a type that says nothing, and what uses tell of its attributes."""

from __future__ import annotations

import ast
import datetime
import functools
import pathlib
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from symcrete.inputs.infer.flow import is_called
from symcrete.program.source.module import walked
from symcrete.slotted import dataclass

_BUILT_IN = (str, bytes, bytearray, int, float, complex, bool, list, dict, set, frozenset, tuple)
BUILT_IN_NAMES = frozenset([name for kind in _BUILT_IN for name in dir(kind)])
# Classes of the library that are told by an attribute which no built-in type has.
_TOLD = (datetime.datetime, datetime.date, datetime.timedelta, pathlib.Path)
# Attributes by which a program uses a file that it is given.
_OF_FILES = frozenset(
    {"read", "readline", "readlines", "seek", "tell", "truncate", "writelines", "getvalue"}
)
# What a handler takes that takes the AttributeError of an attribute that is missing.
_FORGIVING = frozenset({"AttributeError", "Exception", "BaseException"})
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
ASKING = frozenset({"hasattr", "getattr", "delattr"})  # given the name of what may be missing


class Something:
    """A type for an object that has what is read of it, and nothing else."""


@dataclass(frozen=True, slots=True)
class Named:
    """A type for one object that a module has a name for, as `MISSING` of `x is MISSING`."""

    value: Any = field(compare=False)
    module: str
    name: str  # with dots for what a class has


def foreign(attribute: str, others: Iterable[str] = ()) -> list[Any]:
    """The types that a value may have of which this attribute is read, a stand-in last; empty if a
    built-in type has the attribute. Classes of the library have `others`, too.
    """
    if attribute in BUILT_IN_NAMES or attribute.startswith("__"):
        return []
    if attribute in _OF_FILES:
        return [typing.TextIO, Something]
    needed = [attribute, *others]
    told = [kind for kind in _TOLD if all(hasattr(kind, each) for each in needed)]
    return [*told[:2], Something]


@functools.lru_cache(maxsize=64)  # modules; chosen, not measured
def functions_reading(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """The functions of a module, by the attributes that they mention."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name in {each.attr for each in walked(node) if isinstance(each, ast.Attribute)}:
                found.setdefault(name, []).append(node)
    return found


@functools.lru_cache(maxsize=64)  # modules; chosen, not measured
def asked_for(tree: ast.Module) -> frozenset[str]:
    """The attributes that a module names in `hasattr`, `getattr` or `delattr`: they may be
    missing.
    """
    return frozenset(
        [
            node.args[1].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ASKING
            and len(node.args) > 1
            and isinstance(node.args[1], ast.Constant)
            and isinstance(node.args[1].value, str)
        ]
    )


def read_of(tree: ast.AST, name: str, names: Mapping[str, Any]) -> dict[str, bool]:
    """The attributes that a function reads of a variable, and whether it does without each of them
    where they are missing: all reads stand in a `try` that forgives this.
    """
    nodes = [
        node
        for node in walked(tree)
        if isinstance(node, ast.Attribute) and is_called(node.value, name)
    ]
    if all(node.attr in BUILT_IN_NAMES for node in nodes):
        return dict.fromkeys([node.attr for node in nodes], False)
    other, forgiven = _of_another(tree, name, names), _forgiven(tree)
    own = [node for node in nodes if node.attr in BUILT_IN_NAMES or node not in other]
    needed = {node.attr for node in own if node not in forgiven}
    return {node.attr: node.attr not in needed for node in own}


def _forgiven(tree: ast.AST) -> set[ast.AST]:
    """The nodes in `try` blocks which forgive that an attribute is missing."""
    return {
        below
        for node in walked(tree)
        if isinstance(node, ast.Try) and _forgives(node)
        for statement in node.body
        for below in walked(statement)
    }


def _of_another(tree: ast.AST, name: str, names: Mapping[str, Any]) -> set[ast.AST]:
    """The nodes below `name = Class(name)` in the same block: what they read of the variable is not
    read of what was given.
    """
    found: set[ast.AST] = set()
    for node in walked(tree):
        blocks = [getattr(node, each, None) for each in ("body", "orelse")]
        for block in [each for each in blocks if isinstance(each, list)]:
            for place, each in enumerate(block):
                match each:
                    case ast.Assign(
                        targets=[ast.Name(id=target)],
                        value=ast.Call(func=ast.Name(id=called), args=[first, *_]),
                    ) if target == name and is_called(first, name):
                        if isinstance(names.get(called), type):
                            found |= {
                                below for rest in block[place + 1 :] for below in walked(rest)
                            }
    return found


def _always_read(tree: ast.AST, name: str) -> frozenset[str]:
    """The attributes of a parameter that every call reads: those that stand before the name is
    bound again, and before a condition on it may end the call.
    """
    functions = tree.body if isinstance(tree, ast.Module) else [tree]
    statements = [each for one in functions for each in getattr(one, "body", [])]
    return frozenset(_attributes_of(name, _always_run(statements, name)))


def _attributes_of(name: str, nodes: Iterable[ast.AST]) -> list[str]:
    return [
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and is_called(node.value, name)
    ]


def _forgives(node: ast.Try) -> bool:
    """Whether a handler takes the AttributeError of an attribute that is missing."""
    return any(
        handler.type is None
        or any(
            isinstance(each, ast.Name) and each.id in _FORGIVING for each in ast.walk(handler.type)
        )
        for handler in node.handlers
    )


def _always_run(statements: list[ast.stmt], name: str) -> Iterator[ast.AST]:
    """The nodes that are computed whenever the statements run, as far as `name` is the value that
    the function was given.
    """
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                continue
            case ast.If(test=first) | ast.While(test=first) | ast.For(iter=first):
                yield from _surely(first)
            case ast.Try(body=body) if _forgives(statement):
                return
            case ast.Try(body=body):
                yield from _always_run(body, name)
            case ast.With(items=items, body=body):
                for item in items:
                    yield from _surely(item.context_expr)
                yield from _always_run(body, name)
            case _:
                yield from _surely(statement)
        inside = walked(statement)
        own = [each for each in inside if isinstance(each, ast.Name) and each.id == name]
        leaves = any(isinstance(each, _LEAVING) for each in inside)
        if any(isinstance(each.ctx, ast.Store) for each in own) or (own and leaves):
            return


def _surely(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it that are computed whenever it is."""
    yield node
    match node:
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
            yield from _surely(first)
        case ast.Lambda():
            pass
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _surely(node.generators[0].iter)
        case _:
            for each in ast.iter_child_nodes(node):
                yield from _surely(each)


def fitting(kinds: list[Any], tree: ast.AST, name: str, asked: Mapping[Any, None]) -> list[Any]:
    """The types of a parameter without the built-in ones that lack an attribute which every call
    reads, where another built-in one has them all. Types that the body asks for stay.
    """
    plain = [kind for kind in kinds if _is_plain(kind)]
    read = _always_read(tree, name) if len(plain) > 1 else frozenset()
    lacking = [kind for kind in plain if not _has_all(kind, read)]
    if len(lacking) == len(plain):
        return kinds
    return [kind for kind in kinds if kind not in lacking or kind in asked]


def _is_plain(kind: Any) -> bool:
    return (typing.get_origin(kind) or kind) in _BUILT_IN


def _has_all(kind: Any, read: frozenset[str]) -> bool:
    return all(hasattr(typing.get_origin(kind) or kind, each) for each in read)
