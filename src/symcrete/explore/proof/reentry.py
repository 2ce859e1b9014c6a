"""Whether a function may run again while it runs: what comes first in it then also comes later.

A function is entered again by calling itself, or by calling what calls it, be it through a method,
an operator, a table of functions or another module. Names decide: a function whose name cannot be
come by from the names in its own body is not entered again. A call that names nothing, as of what a
table holds, may be one of any function that is handed on somewhere.
"""

from __future__ import annotations

import ast
import functools
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
    guessing = _calling_variables(tree)
    unnamed = name in guessing
    while ahead:
        for each in ahead.pop() - seen:
            if each == name:
                return True
            seen.add(each)
            if each in found:
                ahead.append(found[each])
            unnamed = unnamed or each in guessing
        if not ahead and unnamed:
            ahead, unnamed = [set(_handed_on(tree)) & owned - seen], False
    # A constructor is called by the name of its class.
    return name == "__init__" and bool(around) and around[-1] in seen


# Asked for every function of a module: 0.06 s for `argparse`.
@functools.lru_cache(maxsize=8)  # modules; chosen, not measured
def _calling_variables(tree: ast.Module) -> frozenset[str]:
    """The functions that call what a variable, an attribute or a container holds, so that the call
    does not name the function.
    """
    variables: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                variables.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                variables.add(name)
    return frozenset(
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        and any(
            isinstance(node, ast.Call) and not _named(node.func) - variables
            for node in ast.walk(function)
        )
    )


def _named(called: ast.expr) -> set[str]:
    """The name of what is called, if it has one."""
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
    return set()


@functools.lru_cache(maxsize=8)  # modules; chosen, not measured
def _handed_on(tree: ast.Module) -> frozenset[str]:
    """The names whose values are given to a call, added to something or returned: whoever has a
    function then may call it without naming it.
    """
    given: list[ast.AST] = []
    held: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=args, keywords=keywords):
                given += [*args, *[each.value for each in keywords]]
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                given.append(value)
            case ast.AugAssign(value=value) | ast.NamedExpr(value=value) | ast.For(iter=value):
                given.append(value)
            case ast.Assign(targets=targets, value=value):
                for name in set().union(*[_names(each) for each in targets]):
                    held.setdefault(name, set()).update(_values(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                for name in _names(target):
                    held.setdefault(name, set()).update(_values(value))
    found: set[str] = set()
    ahead = [_values(each) for each in given]
    while ahead:
        for each in ahead.pop() - found:
            found.add(each)
            ahead.append(held.get(each, set()))
    return frozenset(found)


def _values(node: ast.AST) -> set[str]:
    """The names in an expression that it may have as its value, hold or call when it is called:
    `f` of `[f]`, of `g(1, f)` and of `lambda: f(1)`; not of `f(1)`, whose value is another one.
    """
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case ast.Lambda():
            return _names(node)
        case ast.Call(args=args, keywords=keywords):
            inside: list[ast.AST] = [*args, *[each.value for each in keywords]]
        case ast.Subscript(value=value):
            inside = [value]
        case ast.comprehension(iter=value):
            inside = [value]
        case ast.Compare() | ast.JoinedStr():
            inside = []
        case _:
            inside = list(ast.iter_child_nodes(node))
    return set().union(*[_values(each) for each in inside])


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
                above = (*node.bases, *node.keywords, *node.decorator_list)
                found.setdefault(name, set()).update(*[_names(each) for each in above])
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
