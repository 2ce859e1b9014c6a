"""What other functions tell of a type: what a callee declares and gives back, what callers pass,
and what parameters of the same name are.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import typing
from collections import Counter, OrderedDict, abc, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

from symcrete.inputs.infer.flow import (
    callee_of,
    holds,
    is_called,
    is_cast,
    is_element,
    with_iterators_in_loops,
)
from symcrete.inputs.infer.prose import documented
from symcrete.inputs.infer.records import constant_kind
from symcrete.program.source.module import SHARED_TREES, parsed, walked

# Containers that say nothing of their elements where they are declared without them.
_BARE = (
    *(list, dict, set, frozenset, tuple, deque, defaultdict, Counter, OrderedDict),
    *(abc.Iterable, abc.Iterator, abc.Generator, abc.Collection),
    *(abc.Sequence, abc.MutableSequence, abc.Mapping, abc.MutableMapping),
    *(abc.Set, abc.MutableSet),
)
MOST_CALLS_READ = 30  # calls of one function that are looked at; chosen, not measured


def declared_by(function: Callable[..., Any], parameter: str) -> list[Any]:
    """The declared type of a parameter, as a list of one; empty where there is none or it says
    nothing.
    """
    plain = getattr(function, "__func__", function)
    holder = vars(plain).get("__init__") if isinstance(plain, type) else plain
    try:
        hint = typing.get_type_hints(holder).get(parameter)
        hash(hint)
    except Exception:  # a name that is not there, or what is no type
        return []
    vague = hint is None or hint in (Any, object) or isinstance(hint, typing.TypeVar)
    return [] if vague else [hint]


def is_vague(kind: Any) -> bool:
    """Whether a type is Any, or leaves open what is in a container, as `dict[str, Any]` does."""
    parts = typing.get_args(kind)
    if kind is Any or any(is_vague(part) for part in parts):
        return True
    if parts or kind == tuple[()]:  # which has no elements
        return False
    return (typing.get_origin(kind) or kind) in _BARE


def declared_where_passed(tree: ast.AST, name: str, names: Mapping[str, Any]) -> list[Any]:
    """The declared types of the parameters of other functions that a variable is passed as."""
    found: list[Any] = []
    for node in walked(tree):
        if not isinstance(node, ast.Call):
            continue
        places = [index for index, each in enumerate(node.args) if is_called(each, name)]
        keywords = [each.arg for each in node.keywords if is_called(each.value, name) and each.arg]
        if not places and not keywords:
            continue
        function = meant(node.func, names)
        parameters = _parameters(function)
        for parameter in [parameters[i] for i in places if i < len(parameters)] + keywords:
            found += declared_by(function, parameter)
    return found


def read_through(tree: ast.AST, names: Mapping[str, Any], owner: type | None) -> ast.AST:
    """The tree with `x` in place of `f(x)` where the function f gives back what it is given, also
    as an iterator, and with `next(x)` in place of it where f gives back an element.
    """
    reading = _ReadThrough(names, owner)
    if not any(isinstance(each, ast.Call) and reading.read(each) for each in walked(tree)):
        return tree
    changed: ast.AST = reading.visit(ast.parse(ast.unparse(tree)))
    return changed


class _ReadThrough(ast.NodeTransformer):
    """What `read_through` does."""

    def __init__(self, names: Mapping[str, Any], owner: type | None) -> None:
        self._names, self._owner = names, owner

    def read(self, node: ast.Call) -> ast.expr | None:
        """What is put in place of a call; None where it stays."""
        function, bound = callee_of(node.func, self._names, self._owner)
        if function is None or function.__name__ == "__init__" or is_cast(node):
            return None
        taken = function.__code__.co_varnames[bound : function.__code__.co_argcount]
        for place, arg in zip(taken, node.args, strict=False):
            if place in function.__annotations__:
                continue  # what is declared says more than what it gives back
            if _gives_back(function, place):
                return arg
            if _gives_element(function, place):
                return ast.copy_location(ast.Call(ast.Name("next", ast.Load()), [arg], []), node)
        return None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        instead = self.read(node)
        changed: ast.AST = self.generic_visit(node) if instead is None else self.visit(instead)
        return changed


def _gives_back(function: FunctionType, parameter: str) -> bool:
    """Whether a function returns its parameter, or an iterator of it."""
    return any(holds(each, parameter) for each in _returned(function))


def _gives_element(function: FunctionType, parameter: str) -> bool:
    """Whether a function returns an element of its parameter: the next one, or one that a loop
    looks for.
    """
    nodes = walked(_body_of(function))
    loops = [each for each in nodes if isinstance(each, ast.For)]
    held = {ast.unparse(each.target) for each in loops if is_called(each.iter, parameter)}
    return any(
        is_element(each, parameter) or (isinstance(each, ast.Name) and each.id in held)
        for each in _returned(function)
    )


def _body_of(function: FunctionType) -> ast.AST:
    return text_of(function) or ast.Module([], [])


def _returned(function: FunctionType) -> list[ast.expr]:
    nodes = walked(_body_of(function))
    return [each.value for each in nodes if isinstance(each, ast.Return) and each.value]


@functools.lru_cache(maxsize=256)  # functions; chosen, not measured
def text_of(function: Callable[..., Any]) -> ast.AST | None:
    """The tree of a function; None if its text is not at hand. Decorators are left out: the
    parameter of `@children.setter` may be called `children`, too.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        first = tree.body[0] if tree.body else None
        if isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef):
            first.decorator_list = []
    except (OSError, TypeError, SyntaxError):
        return None
    return with_iterators_in_loops(tree)


def passed_by_callers(function: Callable[..., Any], parameter: str) -> list[Any]:
    """The types of the constants that the module of a function passes for a parameter."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    try:
        calls = _calls(parsed(code.co_filename)).get(function.__name__, ())
    except (OSError, SyntaxError, ValueError):
        return []
    places = [name for name in code.co_varnames[: code.co_argcount] if name not in ("self", "cls")]
    found: list[Any] = []
    for call in calls[:MOST_CALLS_READ]:
        passed = dict(zip(places, call.args, strict=False))
        passed |= {each.arg: each.value for each in call.keywords if each.arg}
        if parameter in passed:
            found += [kind for kind in constant_kind(passed[parameter], {}) if kind is not None]
    return found


def said_of_namesakes(function: Callable[..., Any], parameter: str) -> list[Any]:
    """The types that are declared or documented for parameters of the same name in other functions
    of the module, those that most of them have first.
    """
    counts: dict[Any, int] = {}
    names: dict[str, Any] = getattr(function, "__globals__", {})
    for other in _functions(names):
        code = other.__code__
        taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if parameter in taken and code is not getattr(function, "__code__", None):
            said = declared_by(other, parameter) or documented(other, parameter, names)
            counts |= {kind: counts.get(kind, 0) + 1 for kind in said}
    return sorted(counts, key=lambda kind: -counts[kind])


def _functions(names: Mapping[str, Any]) -> Iterator[FunctionType]:
    """The functions and methods that a module defines, without their decorators."""
    for value in list(names.values()):
        members = vars(value).values() if isinstance(value, type) else (value,)
        if getattr(value, "__module__", None) == names.get("__name__"):
            for member in members:
                plain = inspect.unwrap(getattr(member, "__func__", member))
                if isinstance(plain, FunctionType):
                    yield plain


@functools.lru_cache(maxsize=SHARED_TREES)
def _calls(tree: ast.Module) -> dict[str, tuple[ast.Call, ...]]:
    """The calls of a module, by the name of what is called."""
    found: dict[str, list[ast.Call]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
                found.setdefault(name, []).append(node)
            case _:
                pass
    return {name: tuple(calls) for name, calls in found.items()}


def meant(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The function, method or class that an expression names; None if it is not known."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=name):
            holder = meant(value, names)
            return inspect.getattr_static(holder, name, None) if holder is not None else None
        case _:
            return None


def _parameters(function: Any) -> list[str]:
    """The names of the parameters that can be passed by position."""
    bound = isinstance(function, classmethod)
    plain = getattr(function, "__func__", function)
    try:
        parameters = list(inspect.signature(plain).parameters.values())
    except (TypeError, ValueError):
        return []
    return [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY][bound:]
