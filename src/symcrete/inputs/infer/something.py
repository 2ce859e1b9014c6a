"""Objects that nobody can build: a type that says nothing, and what uses tell of its attributes."""

from __future__ import annotations

import ast
import dataclasses
import datetime
import functools
import pathlib
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symcrete.program.source.module import walked

_BUILT_IN = (str, bytes, bytearray, int, float, complex, bool, list, dict, set, frozenset, tuple)
BUILT_IN_NAMES = frozenset([name for kind in _BUILT_IN for name in dir(kind)])
# Classes of the library that are told by an attribute which no built-in type has.
_TOLD = (datetime.datetime, datetime.date, datetime.timedelta, pathlib.Path)
# Attributes by which a program uses a file that it is given.
_OF_FILES = frozenset(
    {"read", "readline", "readlines", "seek", "tell", "truncate", "writelines", "getvalue"}
)
ASKING = frozenset({"hasattr", "getattr", "delattr"})  # given the name of what may be missing


class Something:
    """A type for an object that has what is read of it, and nothing else."""


@dataclass(frozen=True)
class Named:
    """A type for one object that a module has a name for, as `MISSING` of `x is MISSING`."""

    value: Any = dataclasses.field(compare=False)
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
