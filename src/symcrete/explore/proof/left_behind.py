"""What functions do that a program which calls them to judge them does not see.

Two functions are the same only if they also leave the same behind: assignments to what outlives a
call, and what is logged, are not compared. And a generator is only run to its end: what would be
sent to it or thrown into it is no input.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.mentioned import is_special, judged_scopes, mentions, reached
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import functions

_LOGGING = frozenset(["debug", "info", "warning", "error", "critical", "exception", "log"])
# Names by which something is changed that no assignment shows.
_SETTERS = frozenset({"setattr", "delattr", "globals", "vars", "putenv", "unsetenv", "__dict__"})
# Methods and functions that change what they are called on, an object or a module.
_CHANGING = frozenset({"update", "setdefault", "pop", "clear", "popitem", "seed", "setstate"})
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def not_seen(parts: Parts) -> Iterator[Obstacle]:
    """Where a judged function depends on how a generator is driven; and, if several functions are
    compared, where they or what they call change something that is not compared.
    """
    own = judged_scopes(parts)
    if not own:
        return
    trees = {file: parsed(file) for file in parts.imported.rewritten.files}
    mentioned = mentions(trees)
    may_run = reached([*own, *filter(is_special, mentioned)], mentioned)
    for file, tree in trees.items():
        if file == parts.coverage.file or Path(file).parent == Path(parts.coverage.file).parent:
            continue  # the judging program, which is ours
        for scope, node in functions(tree):
            if (file, scope) in own:
                yield from [Obstacle(why, file, line) for why, line in driven(node)]
            if (file, scope) in may_run and len(own) > 1:
                yield from [Obstacle(why, file, line) for why, line in outliving(node)]


def driven(function: ast.AST) -> Iterator[tuple[str, int]]:
    """Where a generator depends on how it is driven, with the line."""
    for each in _own(function):
        inside = list(_own(each))
        used = [part for part in inside if isinstance(part, ast.Yield)]
        if isinstance(each, ast.Try | ast.With | ast.AsyncWith) and used:
            yield "what is thrown into a generator is no input here", used[0].lineno
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield):
            used = [part for part in used if part is not each.value]
        if isinstance(each, ast.stmt) and used and not hasattr(each, "body"):
            yield "what is sent to a generator is no input here", used[0].lineno
        for test in [getattr(each, name, None) for name in ("test", "iter", "subject")]:
            if test is not None and any(isinstance(part, ast.Yield) for part in ast.walk(test)):
                yield "what is sent to a generator is no input here", each.lineno  # type: ignore[attr-defined]
        if isinstance(each, ast.Return) and each.value is not None and _yields(function):
            yield "what a generator returns at its end is not looked at", each.lineno


def outliving(function: ast.AST) -> Iterator[tuple[str, int]]:
    """Where a function changes what outlives its call and is no argument, with the line."""
    kept = {
        name
        for each in ast.walk(function)
        for name in getattr(each, "names", ())
        if _is_global(each)
    }
    local = _bound(function) - kept
    for each in ast.walk(function):
        match each:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in kept:
                yield _told(name), each.lineno
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ) if _root(each) not in local:
                yield _told(ast.unparse(each)), each.lineno
            case ast.Call(func=ast.Attribute(attr=name) as changed):
                if name in _LOGGING and _root(changed) not in local - {"self"}:
                    yield "what is logged is not compared", each.lineno
                elif name in _CHANGING and _root(changed) not in local:
                    yield _told(ast.unparse(changed.value)), each.lineno
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _SETTERS:
                yield f"what `{name}` changes is not compared", each.lineno


def _told(name: str) -> str:
    return f"what is left in `{name}` is not compared"


def _is_global(node: ast.AST) -> bool:
    return isinstance(node, ast.Global)


def _bound(function: ast.AST) -> set[str]:
    """Parameters and names that are assigned inside a function."""
    found = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    for each in ast.walk(function):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
    return found


def _root(node: ast.expr) -> str | None:
    """The name that a chain of attributes and items begins with; None for anything else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _yields(function: ast.AST) -> bool:
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(function))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside a node and not inside a function in it."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, _FUNCTIONS | ast.Lambda):
            yield each
            yield from _own(each)
