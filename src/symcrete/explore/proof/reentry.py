"""Whether a function may run again while it runs: what comes first in it then also comes later.

A function is entered again by calling itself, or by calling what calls it, be it through a method,
an operator, a table of functions or another module. Names decide: a function whose name cannot be
come by from the names in its own body is not entered again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable


def may_run_again(tree: ast.Module, scope: str, elsewhere: Iterable[bytes] = ()) -> bool:
    """Whether the function at this scope of a module may be entered while it runs.

    `elsewhere` are the texts of the program's other modules.
    """
    *around, name = scope.split(".")
    if any(name.encode() in text for text in elsewhere):
        return True
    owned, found = _mentioned(tree)
    own = _function(tree, [*around, name])
    if own is None or isinstance(own, ast.AsyncFunctionDef):
        return True
    seen: set[str] = set()
    # An operator, a `with` or a loop calls methods without naming them.
    ahead = [_names(each) for each in (*own.body, own.args)]
    ahead += [found[each] for each in owned if each.startswith("__") and each != name]
    while ahead:
        for each in ahead.pop() - seen:
            if each == name:
                return True
            seen.add(each)
            if each in found:
                ahead.append(found[each])
    # A constructor is called by the name of its class.
    return name == "__init__" and bool(around) and around[-1] in seen


def _mentioned(tree: ast.Module) -> tuple[set[str], dict[str, set[str]]]:
    """The functions of a module, and for every name that it binds the names mentioned in what it
    is bound to.
    """
    functions: set[str] = set()
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                functions.add(name)
                found.setdefault(name, set()).update(_names(node) - {name})
            case ast.ClassDef(name=name):
                found.setdefault(name, set()).update(*[_names(each) for each in node.bases])
                found[name].add("__init__")
            case ast.Assign(targets=targets):
                for bound in set().union(*[_names(each) for each in targets]):
                    found.setdefault(bound, set()).update(_names(node.value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                for bound in _names(target):
                    found.setdefault(bound, set()).update(_names(value))
    return functions, found


def _names(node: ast.AST) -> set[str]:
    """The names and attributes that occur in a node."""
    found: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found.add(each.value)  # as in `getattr(module, "name")`
    return found


def _function(node: ast.AST, scope: list[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of this scope; None where there is no plain definition."""
    name, *inner = scope
    if name == "<locals>":
        return _function(node, inner)
    for each in ast.walk(node):
        if each is node or getattr(each, "name", None) != name:
            continue
        if not inner and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            return each
        if inner and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return _function(each, inner)
    return None
