"""Types that a stub file gives: `shop.pyi` beside `shop.py` annotates what the module does not."""

from __future__ import annotations

import ast
import collections.abc
import functools
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from symcrete.program.source.module import parsed
from symcrete.program.source.sites import functions

_OVERLOAD = "overload"


def annotate(module: ModuleType, file: Path) -> None:
    """Give the functions of a module the annotations of the stub beside its file, where they have
    none of their own. What cannot be read, or names what neither the module nor `typing` has, is
    left out.
    """
    stub = file.with_suffix(".pyi")
    try:
        tree = parsed(stub) if stub.is_file() else None
    except (OSError, SyntaxError, ValueError):
        return
    if tree is None:
        return
    names = {**vars(typing), **vars(collections.abc), **_aliases(tree), **vars(module)}
    for scope, node in functions(tree):
        function = _function(module, scope)
        if function is None or any(_OVERLOAD in ast.unparse(each) for each in node.decorator_list):
            continue
        own = inspect.signature(function).parameters
        for name, annotation in _annotated(node):
            if name in own and name not in function.__annotations__:
                _give(function, name, annotation, names)


def _give(function: FunctionType, name: str, annotation: ast.expr, names: dict[str, Any]) -> None:
    """Annotate one parameter, if what the annotation says is known."""
    try:
        # Evaluating an annotation runs no more of the program than its import, which has happened.
        found = eval(ast.unparse(annotation), names)
    except Exception:
        return
    function.__annotations__[name] = found


def _annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, ast.expr]]:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    for each in every:
        if each is not None and each.annotation is not None:
            yield each.arg, each.annotation


def _aliases(tree: ast.Module) -> dict[str, Any]:
    """The names that the stub itself binds to others: `Number = int | float`."""
    found: dict[str, Any] = {}
    names = {**vars(typing), **vars(collections.abc)}
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(name)], value=value)
                | ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value)
            ):
                try:
                    found[name] = eval(ast.unparse(value), {**names, **found})
                except Exception:
                    continue
    return found


def _function(module: ModuleType, scope: str) -> FunctionType | None:
    """The function of a scope as it was defined; None if there is none."""
    found: Any = module
    for name in scope.split("."):
        found = inspect.getattr_static(found, name, None)
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, functools.cached_property):
        found = found.func
    found = inspect.unwrap(found) if callable(found) else None
    return found if isinstance(found, FunctionType) else None
