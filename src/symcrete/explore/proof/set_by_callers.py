"""What a proof takes for granted about the interpreter that a program runs in.

Whoever calls a function may have set the context of `decimal` or the locale, may run its module as
a script, or Python without assertions: no input says so.
"""

from __future__ import annotations

import ast
import decimal
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from types import ModuleType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.proof.mentioned import (
    ASSERTED,
    IMPORTED,
    LOCALE,
    OF_A_MODULE,
    mentions,
    used_words,
)
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.program.source.module import parsed, walked
from symcrete.program.source.sites import functions
from symcrete.program.state.by_name import ANY_ATTRIBUTE, attribute_set

_NO_LOCALE = "no locale is set"
_FIRST_DAY = "the first day of the week in calendar is the one that it begins with"
_CONTEXT = "the context of decimal is the one that it sets itself"
_TOLD = {
    LOCALE: _NO_LOCALE,
    "strptime": _NO_LOCALE,
    OF_A_MODULE["__name__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__package__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__spec__"]: "the module is imported by its own name, not run as a script",
    OF_A_MODULE["__file__"]: "the file of the module is where it was explored",
    OF_A_MODULE["__debug__"]: "Python runs without -O",
    ASSERTED: "Python runs without -O",
}
_TOLD |= dict.fromkeys(("__doc__", "getdoc"), "Python runs without -OO")
# Errors that may come up anywhere, whatever the inputs are.
_FROM_OUTSIDE = ("KeyboardInterrupt", "MemoryError", "RecursionError", "BaseException")
_TOLD |= dict.fromkeys(_FROM_OUTSIDE, "nothing interrupts a call, and memory and stack suffice")
_TOLD[IMPORTED] = "what can be imported here can be imported"
# What the results of a module stand on, by its name and by the name that its classes and functions
# have as their `__module__`.
_OF_MODULES = {
    "calendar": _FIRST_DAY,
    "decimal": _CONTEXT,
    "zoneinfo": "the time zones are those that are known on this machine",
    "fnmatch": "upper and lower case differ in names of files, as they do on this machine",
    "struct": "numbers have the size and byte order that they have on this machine",
    "_struct": "numbers have the size and byte order that they have on this machine",
    "array": "numbers have the size and byte order that they have on this machine",
}
# By what is taken for granted: what it is about, and the names by which a program sets that.
_SET_BY = {
    _NO_LOCALE: ("the locale", frozenset({"setlocale"})),
    _FIRST_DAY: ("the first day of the week in calendar", frozenset({"setfirstweekday"})),
    _CONTEXT: ("the context of decimal", frozenset({"setcontext", "localcontext"})),
}
# What gives or is a context, and the names of those attributes and methods that decide results.
_CONTEXTS = frozenset({"getcontext", "DefaultContext", "BasicContext", "ExtendedContext"})
_OF_CONTEXT = frozenset({"prec", "rounding", "Emin", "Emax", "clamp", "traps", "clear_traps"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def set_by_program(parts: Parts) -> Iterator[Obstacle]:
    """What would be taken for granted, but is set by functions of the program itself."""
    granted = set(set_by_callers(parts, used_words(parts)))
    setters = {told: row for told, row in _SET_BY.items() if told in granted}
    if not setters:
        return
    facts = parts.imported.facts_with("setlocale", "setfirstweekday", "decimal")
    trees = {each.file: parsed(each.file) for each in facts}
    places = [(place[1], words) for place, words in mentions(trees).items()]
    places += [(Path(file).name, frozenset(_kept_at_import(tree))) for file, tree in trees.items()]
    others = [row for tree in trees.values() for row in _other_names(tree)]
    for told, (what, names) in setters.items():
        known = names | {other for other, name in others if name in names}
        by = [place for place, words in places if words & known]
        if told == _CONTEXT:
            kinds = {"Context", *_names_of_contexts(parts.imported.modules())}
            kinds |= {other for other, name in others if name == "Context"}
            by += _who_sets_contexts(trees, kinds)
        for place in dict.fromkeys(by):
            yield Obstacle(f"depends on {what}, which `{place}` sets")


def _names_of_contexts(modules: Iterable[ModuleType]) -> Iterator[str]:
    """The names that these modules bind to the class of contexts or to one that extends it."""
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, type) and decimal.Context in value.__mro__:
                yield name


def _who_sets_contexts(trees: Mapping[str, ast.Module], kinds: Set[str]) -> Iterator[str]:
    """The functions that set what decides results of `decimal`, in a program that has a context,
    wherever it keeps that. What a method sets in its own object is no context's, unless some class
    extends one of these kinds of contexts.
    """
    nodes = [each for tree in trees.values() for each in walked(tree)]
    if not any(_word(each) in _CONTEXTS for each in nodes):
        return
    classes = [each for each in nodes if isinstance(each, ast.ClassDef)]
    bases = {_word(base) for each in classes for base in each.bases}
    own = set() if bases & kinds else {one for each in classes for one in _sets_of_own(each)}
    for tree in trees.values():
        for scope, function in functions(tree):
            if any(_sets_of_context(each) for each in walked(function) if each not in own):
                yield scope


def _sets_of_own(kind: ast.ClassDef) -> Iterator[ast.AST]:
    """Where the methods of a class set attributes of the object that they are called for."""
    for method in kind.body:
        if not isinstance(method, _FUNCTIONS):
            continue
        args = [*method.args.posonlyargs, *method.args.args]
        is_static = any(_word(each) == "staticmethod" for each in method.decorator_list)
        if is_static or not args or _is_rebound(args[0], method):
            continue
        for each in walked(method):
            match each:
                case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()):
                    pass
                case ast.Call() if (found := attribute_set(each)) is not None:
                    owner = found[0]
                case _:
                    continue
            match owner:
                case ast.Name(id=name) if name == args[0].arg:
                    yield each
                case ast.Call(func=ast.Name(id="super")):
                    yield each


def _is_rebound(first: ast.arg, method: ast.AST) -> bool:
    """Whether a parameter may stand for something else in a part of its method."""
    for each in walked(method):
        match each:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                if name == first.arg and each is not first:
                    return True
    return False


def _sets_of_context(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="traps" | "clear_traps"):
            return True  # a dict, which is changed in place
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name in _OF_CONTEXT
    found = attribute_set(node)
    return found is not None and found[1] in {*_OF_CONTEXT, ANY_ATTRIBUTE}


def _other_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names under which a module imports something that has another name, with that one."""
    for each in walked(tree):
        if isinstance(each, ast.alias) and each.asname is not None:
            yield each.asname, each.name


def _kept_at_import(tree: ast.Module) -> Iterator[str]:
    """The words outside functions, except for what is called there: that was done at import."""
    ahead: list[tuple[ast.AST, bool]] = [(tree, False)]
    for node, later in ahead:
        called = node.func if isinstance(node, ast.Call) and not later else None
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _FUNCTIONS):
                continue
            if child is not called and not isinstance(child, ast.alias):
                yield _word(child)
            ahead.append((child, later or isinstance(child, ast.Lambda)))


def _word(node: ast.AST) -> str:
    """What a name, an attribute, a text or an import says; "" for any other node."""
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.alias(name=word):
            return word
        case ast.Constant(value=str() as word):
            return word
    return ""


def set_by_callers(parts: Parts, used: set[str]) -> Iterator[str]:
    """What is taken for granted, in the user's words; `used` has the words that stand in the target
    and in what it calls.
    """
    yield from dict.fromkeys([told for word, told in _TOLD.items() if word in used])
    names = _names(parts.imported.modules())
    yield from sorted({names[word] for word in used if word in names})


def _names(modules: Iterable[ModuleType]) -> dict[str, str]:
    """The names that these modules bind to a module of `_OF_MODULES`, to something that it defines
    or to an object of its classes, each with what is to be told.
    """
    found: dict[str, str] = {}
    for module in modules:
        for name, value in vars(module).items():
            told = _OF_MODULES.get(_origin(value))
            if told is not None:
                found[name] = told
    return found


def _origin(value: Any) -> str:
    """The name of a module: the value itself, or the one that defines it or its class."""
    if isinstance(value, ModuleType):
        return value.__name__
    is_code = isinstance(value, type) or callable(value)
    return str(getattr(value if is_code else type(value), "__module__", ""))
