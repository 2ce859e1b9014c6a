"""Whether a function may run again while it runs: what comes first in it then also comes later.

A function is entered again by calling itself, or by calling what calls it, be it through a method,
an operator, a table of functions or another module. Names decide: a function whose name cannot be
come by from the names in its own body is not entered again. A function that is handed on somewhere
may be kept by code that nobody sees here (a scheduler, a timer, a signal, another module), and is
called by it at any time, with anything.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Set

from symcrete.program.source.module import walked

# Decorators that do not keep what they are given: only the name below them has the result.
_KEEP_NOTHING = {"staticmethod", "classmethod", "property", "setter", "abstractmethod", "overload"}
_KEEP_NOTHING |= {"dataclass", "total_ordering"}


def may_run_again(tree: ast.Module, scope: str, elsewhere: Iterable[bytes] = ()) -> bool:
    """Whether the function at this scope of a module may be entered while it runs.

    `elsewhere` are the texts of the program's other modules.
    """
    own = _function(tree, scope.split("."))
    if own is None or isinstance(own, ast.AsyncFunctionDef):
        return True
    ahead = come_by(tree, scope, elsewhere)
    return ahead is None or is_among(scope, ahead)


def is_among(scope: str, names: Set[str]) -> bool:
    """Whether code that comes by these names may call the function at this scope."""
    *around, name = scope.split(".")
    # A constructor is called by the name of its class.
    return name in names or (name == "__init__" and bool(around) and around[-1] in names)


def come_by(tree: ast.Module, scope: str, elsewhere: Iterable[bytes] = ()) -> Set[str] | None:
    """The names that the function at this scope of a module can come by while it runs; None where
    another module of the program mentions its name, or where it has no plain definition.
    """
    *around, name = scope.split(".")
    own = _function(tree, [*around, name])
    words = frozenset().union(*[_words(text) for text in elsewhere])
    if own is None or name in words:
        return None
    owned, found = _mentioned(tree)
    seen: set[str] = set()
    ahead = [_names(each) for each in (*own.body, own.args)]
    # An operator, a `with` or a loop calls methods without naming them.
    ahead += [found[each] for each in owned if each.startswith("__") and each != name]
    handed = _handed_on(tree, words)
    ahead.append(handed & owned)
    # Code outside calls the methods of an object it has with values of the declared types, which
    # does not count here; what these methods call themselves does.
    ahead += [found[each] for each in _methods(tree, handed) if each != name]
    while ahead:
        for each in ahead.pop() - seen:
            seen.add(each)
            if each in found:
                ahead.append(found[each])
    return seen


def _handed_on(tree: ast.Module, words: frozenset[str]) -> set[str]:
    """The names of the functions and classes that code outside of this module may have and call;
    `words` are all that stand in the other modules of the program.
    """
    given, held = _handing(tree)
    found: set[str] = set()
    ahead = [given, words & held.keys()]
    while ahead:
        for each in ahead.pop() - found:
            found.add(each)
            ahead.append(held.get(each, set()))
    return found


# Asked for every function of a module: 0.06 s for `argparse`.
@functools.lru_cache(maxsize=8)  # modules; chosen, not measured
def _handing(tree: ast.Module) -> tuple[set[str], dict[str, set[str]]]:
    """The names whose values are given to a call, a decorator or an object, or returned; and by
    name the names of what its value may hold: for a class, its bases and subclasses too.
    """
    classes = {node.name for node in walked(tree) if isinstance(node, ast.ClassDef)}
    given: set[str] = set()
    held: dict[str, set[str]] = {}
    for node in walked(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                held.setdefault(name, set())
                given |= {name} if _kept(node.decorator_list) else set()
            case ast.ClassDef(name=name):
                # What a class extends, or is handed to, calls its methods.
                above = set().union(*[_names(each) for each in node.bases]) - {"object"}
                unseen = above - classes or _kept(node.decorator_list)
                given |= {name} if unseen or "self" in _given(node, classes) else set()
                held.setdefault(name, set()).update(above & classes)
                for each in above & classes:
                    held.setdefault(each, set()).add(name)
            case ast.Assign(targets=targets, value=value):
                for name in set().union(*[_names(each) for each in targets]):
                    held.setdefault(name, set()).update(_values(value, classes))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                for name in _names(target):
                    held.setdefault(name, set()).update(_values(value, classes))
    return given | _given(tree, classes), held


def _kept(decorators: list[ast.expr]) -> bool:
    """Whether a decorator may keep what it is given."""
    return any(not _names(each) & _KEEP_NOTHING for each in decorators)


def _methods(tree: ast.Module, classes: Set[str]) -> set[str]:
    """The names of the functions that these classes define."""
    return {
        each.name
        for node in walked(tree)
        if isinstance(node, ast.ClassDef) and node.name in classes
        for each in node.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _given(tree: ast.AST, classes: Set[str]) -> set[str]:
    """The names whose values a text hands to something else than a plain name: to a call, to its
    caller by `return` or `yield`, to a loop, an attribute or an item.
    """
    given: list[ast.AST] = []
    for node in walked(tree):
        match node:
            case ast.Call(args=args, keywords=keywords):
                given += [*args, *[each.value for each in keywords]]
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                given.append(value)
            case ast.AugAssign(value=value) | ast.NamedExpr(value=value) | ast.For(iter=value):
                given.append(value)
            case ast.Assign(targets=targets, value=value):
                # An attribute may be that of a library's object, and one that it calls.
                named = [each for each in targets if isinstance(each, ast.Name)]
                given += [value] if len(named) < len(targets) else []
    return set().union(*[_values(each, classes) for each in given])


def _values(node: ast.AST, classes: Set[str]) -> set[str]:
    """The names in an expression that it may have as its value, hold or call when it is called:
    `f` of `[f]`, of `g(1, f)` and of `lambda: f(1)`; not of `f(1)`, whose value is another one,
    unless `f` is a class.
    """
    made: set[str] = set()
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case ast.Lambda():
            return _names(node)
        case ast.Call(func=called, args=args, keywords=keywords):
            inside: list[ast.AST] = [*args, *[each.value for each in keywords]]
            made = _names(called) & classes
        case ast.Subscript(value=value):
            inside = [value]
        case ast.comprehension(iter=value):
            inside = [value]
        case ast.Compare() | ast.JoinedStr():
            inside = []
        case _:
            inside = list(ast.iter_child_nodes(node))
    return made.union(*[_values(each, classes) for each in inside])


@functools.lru_cache(maxsize=64)  # modules; chosen, not measured
def _words(text: bytes) -> frozenset[str]:
    """The words of a text, names among them."""
    return frozenset(re.findall(r"\w+", text.decode(errors="replace")))


@functools.lru_cache(maxsize=8)  # modules; chosen, not measured
def _mentioned(tree: ast.Module) -> tuple[set[str], dict[str, set[str]]]:
    """The functions of a module, and for every name that it binds the names mentioned in what it
    is bound to.
    """
    functions: set[str] = set()
    found: dict[str, set[str]] = {}
    for node in walked(tree):
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
    for each in walked(node):
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
    for each in walked(node):
        if each is node or getattr(each, "name", None) != name:
            continue
        if not inner and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            return each
        if inner and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return _function(each, inner)
    return None
