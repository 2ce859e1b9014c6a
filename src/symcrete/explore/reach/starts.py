"""What to call to come to a line: the function around it, other names it has, and its callers.

A class method may need what only a subclass has. A function inside another one may never be called
there, but be made there and kept under a name of its own, as operators and decorators are.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType

from symcrete.errors import SymcreteError
from symcrete.explore.reach.reached import Goal
from symcrete.explore.rewritten import find_function
from symcrete.program.source.entries import entries
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target

_CALLED = (FunctionType, staticmethod, classmethod, property, functools.cached_property)


def callers(goal: Goal) -> list[Target]:
    """The functions of the module that may lead to the one around the line, the nearest first."""
    return [goal.from_entry(entry) for entry in entries(goal.place)[1:]]


def instead(goal: Goal, module: ModuleType) -> list[Target]:
    """A better target than the function around the line, as a list of one; empty if there is
    none.
    """
    place = goal.place
    if place.scope == place.entry:
        found, scope = _for_a_subclass(goal, module), place.entry
    else:
        found, scope = _kept(goal, module), place.scope
    if not found:
        return []
    file = goal.target.label.rpartition("::")[0]
    return [Target(place.source, scope, f"{file}::{found}", found)]


def _for_a_subclass(goal: Goal, module: ModuleType) -> str:
    """The name of the class method in the first subclass that has what the method asks of its
    class; "" if there is none.
    """
    owner_name, _, name = goal.place.entry.rpartition(".")
    owner = vars(module).get(owner_name)
    method = inspect.getattr_static(owner, name, None) if isinstance(owner, type) else None
    if not isinstance(owner, type) or not isinstance(method, classmethod):
        return ""
    needed: set[str] = set()
    _ask(dict(functions(goal.place.source.tree())), owner, name, needed)
    if all(hasattr(owner, each) for each in needed):
        return ""
    for kind in _subclasses(owner):
        same = inspect.getattr_static(kind, name, None) is method
        importable = vars(module).get(kind.__name__) is kind
        if same and importable and all(hasattr(kind, each) for each in needed):
            return f"{kind.__name__}.{name}"
    return ""


def _ask(written: Mapping[str, ast.AST], owner: type, name: str, known: set[str]) -> None:
    """Add to `known` the attributes that a class method reads off its class, and those that these
    read.
    """
    texts = [written.get(f"{kind.__name__}.{name}") for kind in owner.__mro__]
    node = next((each for each in texts if each is not None), None)
    if not isinstance(node, ast.FunctionDef) or not node.args.args:
        return
    first = node.args.args[0].arg
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=held), attr=attribute, ctx=ast.Load()):
                if held == first and attribute not in known:
                    known.add(attribute)
                    _ask(written, owner, attribute, known)
            case _:
                pass


def _subclasses(owner: type) -> Iterator[type]:
    kind: type
    for kind in owner.__subclasses__():
        yield kind
        yield from _subclasses(kind)


def _kept(goal: Goal, module: ModuleType) -> str:
    """The name under which the module keeps a function that another one makes and does not call;
    "" if there is none.
    """
    place, name = goal.place, goal.place.scope.rpartition(".")[2]
    around = dict(functions(place.source.tree()))[place.entry]
    if any(_is_call_of(node, name) for node in ast.walk(around)):
        return ""
    for called in _names(module):
        try:
            code = find_function(module, called).__code__
        except SymcreteError:
            continue
        lines = {line for _, _, line in code.co_lines()}
        if code.co_name == name and place.line in lines:
            return called
    return ""


def _is_call_of(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _names(module: ModuleType) -> Iterator[str]:
    """The names of functions and methods in the module and in its classes."""
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType):
            yield name
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for inner, held in list(vars(value).items()):
                if isinstance(held, _CALLED):
                    yield f"{name}.{inner}"
