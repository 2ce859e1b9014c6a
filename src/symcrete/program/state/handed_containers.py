"""Where the containers that attributes hold are given other names, or handed on to be changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from symcrete.program.state.facts import Change
from symcrete.program.state.scopes import FUNCTIONS, Scopes
from symcrete.program.state.uses import how_used


def containers_changed(scopes: Scopes, attributes: Set[str]) -> Iterator[Change]:
    """The places of a module that change in place what one of these attributes holds, or let others
    have it; a variable of a function that only looks at it does not count.
    """
    loads: dict[str, list[ast.Name]] | None = None
    for node in scopes.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in attributes:
            continue
        if not isinstance(node.ctx, ast.Load):
            continue
        how = how_used(node, scopes)
        if how == "handed on":
            loads = loads if loads is not None else _loads(scopes)
            how = "looked at" if _is_only_named(node, scopes, loads) else how
        if how != "looked at":
            yield Change(how, node.lineno, scopes.function_around(node))


def _loads(scopes: Scopes) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in scopes.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(node)
    return found


def _is_only_named(node: ast.expr, scopes: Scopes, loads: dict[str, list[ast.Name]]) -> bool:
    """Whether an expression only gets a name of a function, under which it is looked at."""
    match scopes.parent.get(node):
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if value is node:
            function = _function_around(target, scopes)
            if function is None or scopes.is_global(target):
                return False
            inside = [each for each in loads.get(name, ()) if function in scopes.around(each)]
            return all(how_used(each, scopes) == "looked at" for each in inside)
    return False


def _function_around(node: ast.AST, scopes: Scopes) -> ast.AST | None:
    return next((each for each in scopes.around(node) if isinstance(each, FUNCTIONS)), None)
