"""Conditions that the declared types decide: `isinstance(n, int)` and `n is None` of an `int`.

Such a side needs no search. It is decided only for a parameter that still has the value it was
called with: one whose default is of its type, and that nothing binds before the condition. The
function must not be entered again while it runs, nor be called by a decorator: those may pass what
they like. A value of a subtype is of the type too; whether it is of another class is decided only
where no class can be both, and where no class of the program has a `__class__` of its own.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from symcrete.explore.proof.reentry import may_run_again
from symcrete.explore.rewritten import ImportedProgram
from symcrete.program.source.module import child_nodes, walked
from symcrete.program.source.sites import ModuleSites, Outcome, functions, numbered
from symcrete.program.source.target import Target

# By PEP 484 an int may be passed for a float or a complex, and by custom other kinds of bytes for
# bytes: those decide nothing but that the value is not None.
_CLASSES = (int, str, bool, list, dict, set, frozenset, tuple)
_AND_THEIR_KIN = (*_CLASSES, float, complex, bytes)
_Place: TypeAlias = tuple[int, int]  # line and column
# What a condition asks: an expression, or what a subject must match.
_Asked: TypeAlias = ast.AST | tuple[ast.expr, ast.pattern]
_LYING = re.compile(rb"\bdef __class__\b|\b__class__\s*=[^=]")  # what `isinstance` believes
_ASKING = frozenset({ast.Is, ast.IsNot, ast.Match})
_HARMLESS = ("staticmethod", "classmethod")  # decorators that hand on what they are given


def decided_for(
    target: Target, function: Callable[..., Any], imported: ImportedProgram
) -> dict[Outcome, str]:
    """Sides of the target's conditions that the declared types rule out, and why."""
    file = str(target.source.file)
    others = [each.__file__ for each in imported.modules() if each is not imported.module]
    elsewhere = (Path(each).read_bytes() for each in others if each and each != file)
    found = decided_sides(target.source.tree(), file, target.scope, function, elsewhere)
    first = imported.rewritten.files[file].first
    return {(first + number, side): why for (number, side), why in found.items()}


def decided_sides(
    tree: ast.Module,
    file: str,
    scope: str,
    function: Callable[..., Any],
    elsewhere: Iterable[bytes],
) -> dict[Outcome, str]:
    """Sides of the function's conditions that no input of the declared types takes, and why.

    Conditions are numbered from the first of the module. `elsewhere` are the texts of the program's
    other modules.
    """
    found_there = [each for name, each in functions(tree) if name == scope]
    node = found_there[0] if len(found_there) == 1 else None
    if node is None or any(ast.unparse(each) not in _HARMLESS for each in node.decorator_list):
        return {}
    if not inspect.isfunction(function) or function.__name__ != node.name:
        return {}  # a class, whose annotations are not those of its constructor
    if not _asks_for_classes(node):
        return {}
    asked = [each for each in _conditions(node) if _may_be_about_a_class(each[1])]
    kinds = _declared(function) if asked else {}
    sites: ModuleSites | None = None
    found: dict[Outcome, str] = {}
    for condition, name, holds in _questions(asked, node, kinds, function) if kinds else ():
        if sites is None:
            texts = list(elsewhere)
            if _some_class_lies(tree, texts) or may_run_again(tree, scope, texts):
                return {}
            sites = numbered(tree, file)
        kind = kinds[name].__name__
        found[sites.of(condition), not holds] = f"{name} is declared as {kind}"
    return found


def _some_class_lies(tree: ast.Module, elsewhere: Iterable[bytes]) -> bool:
    """Whether a class of the program says itself of which class its objects are: `isinstance`
    believes what `__class__` is.
    """
    own = any(
        name == "__class__"
        for node in walked(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        for name, _ in _bound(ast.Module([each], []))
    )
    return own or any(_LYING.search(text) for text in elsewhere)


def _declared(function: Callable[..., Any]) -> dict[str, type]:
    """The classes of the parameters whose values are certain to be of their declared type."""
    try:
        hints = typing.get_type_hints(function)
        parameters = inspect.signature(function).parameters.values()
    except Exception:  # names that do not exist, signatures that are no functions
        return {}
    found: dict[str, type] = {}
    for each in parameters:
        hint = hints.get(each.name)
        kind = typing.get_origin(hint) or hint
        if kind not in _AND_THEIR_KIN:
            continue
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if each.default is each.empty or type(each.default) is kind:
            found[each.name] = kind
    return found


def _bound(function: ast.AST) -> Iterator[tuple[str, _Place]]:
    """Every name that something in the function binds, in it or in what is defined inside, and
    where.
    """
    for node in walked(function):
        place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name, place
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name, place
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name, place
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0], place
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield (node.name if node is not function else ""), place
            case ast.Nonlocal(names) | ast.Global(names):
                yield from ((name, place) for name in names)


class _Untouched:
    """Where parameters still have the values that the function was called with."""

    def __init__(self, function: ast.AST) -> None:
        self._first: dict[str, _Place] = {}  # where each name is bound first
        for name, place in _bound(function):
            self._first[name] = min(place, self._first.get(name, place))
        loops = [
            node
            for node in walked(function)
            if isinstance(node, ast.For | ast.AsyncFor | ast.While)
        ]
        self._repeated = {id(inner) for loop in loops for inner in walked(loop)}

    def at(self, node: ast.AST, name: str) -> bool:
        """Whether the name is as it was: without loops the order of the text is that of time."""
        first = self._first.get(name)
        if first is None:
            return True
        end = (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
        return id(node) not in self._repeated and end <= first


def _questions(
    conditions: Iterable[tuple[ast.AST, _Asked]],
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    kinds: Mapping[str, type],
    function: Callable[..., Any],
) -> Iterator[tuple[ast.AST, str, bool]]:
    """Conditions about the class of a parameter that have only one answer, each with the parameter
    and the answer.
    """
    # Made when they are first needed: most conditions compare numbers and need neither.
    classes = functools.cache(lambda: _Classes(node, function))
    untouched = functools.cache(lambda: _Untouched(node))
    for condition, asked in conditions:
        match asked:
            case ast.Compare(
                left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]
            ) if name in kinds and isinstance(op, ast.Is | ast.IsNot):
                if untouched().at(asked, name):
                    yield condition, name, isinstance(op, ast.IsNot)
            case ast.Call(
                func=ast.Name(id="isinstance"), args=[ast.Name(id=name), told], keywords=[]
            ) if kinds.get(name) in _CLASSES and classes().is_builtin("isinstance"):
                answer = classes().answer(kinds[name], told)
                if answer is not None and untouched().at(asked, name):
                    yield condition, name, answer
            case (ast.Name(id=name), ast.MatchClass(cls=told, patterns=[], kwd_patterns=[])) if (
                kinds.get(name) in _CLASSES
            ):
                answer = classes().answer(kinds[name], told)
                if answer is not None and untouched().at(asked[1], name):
                    yield condition, name, answer


def _conditions(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[ast.AST, _Asked]]:
    """The numbered conditions of the function itself, not of functions and comprehensions inside
    it, each with what it asks.
    """
    ahead: list[ast.AST] = list(function.body)
    while ahead:
        node = ahead.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case ast.If(test=test) | ast.While(test=test):
                yield from ((leaf, leaf) for leaf in _leaves(test))
            case ast.IfExp(test=test) | ast.Assert(test=test):
                yield from ((leaf, leaf) for leaf in _leaves(test))
            case ast.Match(subject=subject, cases=cases):
                for case in cases:
                    if case.guard is None:
                        yield case, (subject, case.pattern)
        ahead += child_nodes(node)


def _asks_for_classes(function: ast.AST) -> bool:
    """Whether anything in a function is of a form that `_may_be_about_a_class` lets through: asked
    first, since the nodes of most functions are listed already.
    """
    return any(
        type(each) in _ASKING or (type(each) is ast.Name and each.id == "isinstance")
        for each in walked(function)
    )


def _may_be_about_a_class(asked: _Asked) -> bool:
    """Whether a condition has one of the forms that `_questions` looks at closely."""
    match asked:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]) | ast.Call(func=ast.Name(id="isinstance")):
            return True
    return isinstance(asked, tuple)


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The operands of a condition that are numbered by themselves."""
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from _leaves(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _leaves(operand)
        case ast.Constant():
            return
        case _:
            yield test


class _Classes:
    """What the names of classes mean in a function."""

    def __init__(self, node: ast.AST, function: Callable[..., Any]) -> None:
        self._own = {name for name, _ in _bound(node)} | set(inspect.signature(function).parameters)
        code = getattr(function, "__code__", None)
        self._own |= set(getattr(code, "co_freevars", ()))
        self._globals: Mapping[str, Any] = getattr(function, "__globals__", {})

    def is_builtin(self, name: str) -> bool:
        """Whether a name means what it means in Python."""
        return name not in self._own and name not in self._globals and hasattr(builtins, name)

    def answer(self, kind: type, told: ast.expr) -> bool | None:
        """Whether values of a class are instances of what is written; None if some may be."""
        match told:
            case ast.Tuple(elts=elements):
                answers = [self.answer(kind, each) for each in elements]
                if True in answers:
                    return True
                return None if None in answers or not answers else False
            case ast.Name(id=name) if self.is_builtin(name):
                other = getattr(builtins, name)
                if type(other) is not type:
                    return None
                if issubclass(kind, other):
                    return True
                return None if _may_be_both(kind, other) else False
        return None


def _may_be_both(one: type, two: type) -> bool:
    """Whether some class is a subclass of both."""
    if issubclass(two, one):
        return True
    try:
        type("both", (one, two), {})
    except TypeError:
        return False
    return True
