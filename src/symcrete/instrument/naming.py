"""How rewritten code reaches the hooks: by names in `builtins` that nobody else uses."""

from __future__ import annotations

import ast

PREFIX = "_symcrete_"


def hook(place: ast.AST, name: str) -> ast.Name:
    """The expression that names a hook, at the place of the code it stands for."""
    return ast.copy_location(ast.Name(PREFIX + name, ast.Load()), place)


def call(place: ast.AST, name: str, *args: ast.expr) -> ast.Call:
    """A call of a hook, at the place of the code it stands for."""
    return ast.copy_location(ast.Call(hook(place, name), list(args), []), place)
