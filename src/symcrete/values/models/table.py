"""Which model stands for which built-in, and what rewritten code calls instead of what it names.

A function either has a model, or is transparent (it stores, moves or compares values without
looking inside), or is Python code that reports for itself, or is foreign: then it gets the plain
value, and the place where a term was dropped is remembered.
"""

from __future__ import annotations

import collections
import functools
import sys
import warnings
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from symcrete.values import recording
from symcrete.values.numeric import tracked, untracked
from symcrete.values.recording import is_own
from symcrete.values.truth import Truth

_by_id: dict[int, Callable[..., Any]] = {}
_kept: list[Any] = []  # what the ids belong to, so that they stay theirs
_methods: dict[tuple[type, str], Callable[..., Any]] = {}
_transparent_methods: set[tuple[type, str]] = set()
rewritten_files: set[str] = set()

DEEPEST = 4  # how far into containers a dropped term is looked for
WIDEST = 200


def model(original: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: rewritten code that calls `original` calls this."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _by_id[id(original)] = function
        _kept.append(original)
        return function

    return register


def method_model(kind: type, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: calls of this method of an untracked object call the function with the object
    first.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _methods[(kind, name)] = function
        return function

    return register


def transparent(*functions: Callable[..., Any]) -> None:
    """These keep the terms of what they are given by themselves."""
    for function in functions:
        _by_id[id(function)] = function
        _kept.append(function)


def transparent_methods(kind: type, names: str) -> None:
    _transparent_methods.update((kind, name) for name in names.split())


# These count the frames above them.
transparent(sys._getframe, sys.exc_info, warnings.warn, collections.namedtuple)
if hasattr(sys, "_getframemodulename"):
    transparent(sys._getframemodulename)


def callee(function: Any) -> Any:
    """What rewritten code calls where its author wrote `function`."""
    found = _by_id.get(id(function))
    if found is not None:
        return found
    kind = type(function)
    if kind is FunctionType:
        if function.__code__.co_filename in rewritten_files:
            return function
        return _outside(function)
    if kind is MethodType:
        code = getattr(function.__func__, "__code__", None)
        if code is not None and (code.co_filename in rewritten_files or is_own(code)):
            return function
        return _outside(function)
    if isinstance(function, BuiltinFunctionType):
        return _builtin(function)
    if isinstance(function, type):
        return _class(function)
    if isinstance(function, functools._lru_cache_wrapper):
        # The cache would compare plain values only: call what it wraps.
        return callee(function.__wrapped__)
    if isinstance(function, functools.partial):
        return function if callee(function.func) is function.func else _outside(function)
    call = kind.__dict__.get("__call__")
    if isinstance(call, FunctionType) and call.__code__.co_filename in rewritten_files:
        return function
    return _outside(function)


def _outside(function: Any) -> Any:
    """Foreign code; between runs nothing is tracked, and then no frame of ours comes between."""
    return functools.partial(foreign, function) if recording.active().live else function


def _builtin(function: Any) -> Any:
    owner = function.__self__
    if owner is None or type(owner) is ModuleType:
        return _outside(function)
    kind = owner if isinstance(owner, type) else type(owner)
    name = function.__name__
    if (kind, name) in _transparent_methods:
        return function
    for base in kind.__mro__:
        found = _methods.get((base, name))
        if found is not None:
            return functools.partial(found, owner)
        if (base, name) in _transparent_methods:
            return function
    return _outside(function)


def _class(kind: type) -> Any:
    """Classes of rewritten modules, exceptions and plain records store what they are given."""
    if kind.__module__ == "builtins" and not issubclass(kind, BaseException):
        return _outside(kind)
    if issubclass(kind, BaseException) or _source_of(kind) in rewritten_files:
        return kind
    return _outside(kind)


def _source_of(kind: type) -> str:
    module = sys.modules.get(kind.__module__)
    return getattr(module, "__file__", None) or ""


def foreign(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call code that does not know our values; say so if it was given any."""
    if carries(args) or (kwargs and carries(kwargs.values())):
        recording.active().lose(name_of(function))
        args = tuple([settled(arg) for arg in args])
        kwargs = {name: settled(arg) for name, arg in kwargs.items()}
    return function(*args, **kwargs)


def name_of(function: Any) -> str:
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return f"{name}()"


def carries(values: Iterable[Any], depth: int = 0) -> bool:
    """Whether a term hides in these values or, a few levels deep, in what they contain."""
    for value in values:
        kind = type(value)
        if kind in _SCALARS:
            continue
        if tracked(value):
            return True
        if depth < DEEPEST and _inside(value, kind) and carries(_inside(value, kind), depth + 1):
            return True
    return False


_SCALARS = frozenset({int, str, float, bool, bytes, type(None), type, FunctionType})


def _inside(value: Any, kind: type) -> list[Any]:
    if kind in (list, tuple, set, frozenset):
        return list(value)[:WIDEST]
    if kind is dict:
        return [*list(value)[:WIDEST], *list(value.values())[:WIDEST]]
    if kind is MethodType:
        return [value.__self__]
    held = _attributes(value, kind)
    return list(held.values())[:WIDEST] if held else []


def _attributes(value: Any, kind: type) -> dict[str, Any] | None:
    """An object's own attributes, without running any code of its class."""
    for base in type.mro(kind):
        found = type.__getattribute__(base, "__dict__").get("__dict__")
        if found is not None:
            return found.__get__(value) if type(found) is GetSetDescriptorType else None
    return None


def settled(value: Any, depth: int = 0) -> Any:
    """The value with every Truth in it made a plain bool: C code would take it for an int."""
    kind = type(value)
    if kind is Truth:
        return untracked(value)
    if depth >= DEEPEST:
        return value
    if kind is list:
        for i, each in enumerate(value[:WIDEST]):
            if type(each) is Truth or type(each) in (list, tuple, dict):
                value[i] = settled(each, depth + 1)
    elif kind is dict:
        for name, each in list(value.items())[:WIDEST]:
            if type(each) is Truth or type(each) in (list, tuple, dict):
                value[name] = settled(each, depth + 1)
    elif kind is tuple and any(type(each) is Truth or type(each) is tuple for each in value):
        return tuple([settled(each, depth + 1) for each in value])
    return value
