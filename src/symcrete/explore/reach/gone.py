"""Definitions of which nothing is left once their module is imported.

A module that replaces its function by one written in C, or that defines it only on other systems,
leaves no function object made from that text: then none of its lines can run any more.
"""

from __future__ import annotations

import ast
import contextlib
import gc
from types import FunctionType, ModuleType
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.rewritten import find_function
from symcrete.program.source.place import Place
from symcrete.program.source.sites import functions


def nothing_left(place: Place, module: ModuleType) -> tuple[str, ...] | str | None:
    """The proof, as sentences, that no function made from this text exists; None if one does.

    A text instead of a proof says why there is none although no function is left. To be asked after
    the module is imported. The garbage collector knows all functions, so none can hide.
    """
    tree = place.source.tree()
    node = next(
        each
        for scope, each in functions(tree)
        if scope == place.entry and each.lineno <= place.line <= (each.end_lineno or each.lineno)
    )
    file = str(place.source.file)
    names = {file, f"<frozen {place.source.module}>"}
    first, last = _first_line(node), node.lineno

    def is_made_from_it(function: Any) -> bool:
        code = getattr(function, "__code__", None)  # the name may be a class now
        return (
            code is not None and code.co_filename in names and first <= code.co_firstlineno <= last
        )

    with contextlib.suppress(SymcreteError):
        if is_made_from_it(find_function(module, place.entry)):
            return None  # the usual case, where it is called what it is defined as
    gc.collect()
    if any(type(each) is FunctionType and is_made_from_it(each) for each in gc.get_objects()):
        return None
    used = _used_at_import(tree, node)
    if used:
        return used
    return (
        f"after the import of {place.source.module} no function is left that was made from "
        f"`def {node.name}` in line {node.lineno}",
        "it is not defined on this system, or was replaced by another of that name",
    )


def _used_at_import(tree: ast.Module, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Why the definition that is gone may have run, or exist elsewhere; "" if it cannot."""
    if node.decorator_list:
        return f"its decorator may have called {node.name}"
    body = next(
        each.body
        for each in ast.walk(tree)
        if isinstance(each, ast.Module | ast.ClassDef | ast.If | ast.Try | ast.With)
        and any(node is inner for inner in ast.walk(each))
        and not any(
            isinstance(inner, ast.ClassDef | ast.If | ast.Try | ast.With)
            and inner is not each
            and any(node is deeper for deeper in ast.walk(inner))
            for inner in ast.walk(each)
        )
    )
    owner = next(
        (each for each in tree.body if isinstance(each, ast.ClassDef) and each.body is body), None
    )
    if body is not tree.body and owner is None:
        return f"{node.name} is defined under a condition, which may hold elsewhere"
    if owner is not None and _is_mentioned(owner, node.name, tree):
        return f"{owner.name} or its {node.name} may be used while the module is imported"
    after = body[body.index(node) + 1 :] if node in body else body
    users = [
        each.name
        for each in tree.body
        if isinstance(each, _DEFINITIONS) and each is not node and each.lineno < node.lineno
        if any(_is_name(inner, node.name) for inner in ast.walk(each))
    ]
    for statement in after:
        again = _DEFINITIONS if getattr(statement, "name", "") == node.name else ()
        # What a new definition says of the name in its body is about itself.
        asked = _evaluated_first(statement) if isinstance(statement, again) else [statement]
        names = [each for part in asked for each in ast.walk(part) if _is_name(each, node.name)]
        for each in names:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                return f"{node.name} is used in line {each.lineno}, while its module is imported"
        if users and _calls(statement):
            return f"{users[0]} may call {node.name} in line {statement.lineno}, at import"
        # What is under a condition may not have run, so that the name is still the former one.
        if isinstance(statement, again) or (names and isinstance(statement, _REBINDINGS)):
            return ""
    return ""


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Statements that surely bind or delete the names that they store.
_REBINDINGS = (ast.Assign, ast.AugAssign, ast.Delete)


def _is_name(node: ast.AST, name: str) -> bool:
    """Whether a node mentions a name or defines it."""
    return getattr(node, "id" if isinstance(node, ast.Name) else "name", "") == name and isinstance(
        node, ast.Name | ast.FunctionDef | ast.ClassDef
    )


def _evaluated_first(definition: ast.stmt) -> list[ast.AST]:
    """The parts of a definition that run before it binds its name: decorators, defaults,
    annotations, bases, and the body of a class.
    """
    if isinstance(definition, ast.ClassDef):
        return list(ast.iter_child_nodes(definition))
    inside = [id(each) for each in getattr(definition, "body", ())]
    return [each for each in ast.iter_child_nodes(definition) if id(each) not in inside]


def _calls(statement: ast.stmt) -> bool:
    """Whether a statement calls something when it runs: a definition does by its decorators, a
    class by its body and its bases.
    """
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        parts = _evaluated_first(statement)
        return bool(statement.decorator_list) or any(map(_has_call, parts))
    bases = isinstance(statement, ast.ClassDef) and bool(
        statement.bases or statement.keywords or statement.decorator_list
    )
    return bases or _has_call(statement)


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def _is_mentioned(owner: ast.ClassDef, method: str, tree: ast.Module) -> bool:
    """Whether something outside of a class names it, or an attribute of its method's name."""
    own = {id(each) for each in ast.walk(owner)}
    return any(
        (isinstance(each, ast.Attribute) and each.attr == method)
        or (
            isinstance(each, ast.Name)
            and each.id == owner.name
            and not isinstance(each.ctx, ast.Store)
        )
        for each in ast.walk(tree)
        if id(each) not in own
    )


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The line where the text of a function begins, with its decorators."""
    return min([node.lineno, *[each.lineno for each in node.decorator_list]])
