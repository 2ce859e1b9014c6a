"""Which model stands for which built-in, and what rewritten code calls instead of what it names.

A function either has a model, or is transparent (it stores, moves or compares values without
looking inside), or is Python code that reports for itself, or is foreign: then it gets the plain
value, and the place where a term was dropped is remembered.
"""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, assert_never

import symcrete
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import raw
from symcrete.values.tracking.model_rows import (
    Called,
    Method,
    Model,
    ModelRow,
    Pure,
    Transparent,
    TransparentMethods,
)
from symcrete.values.tracking.numeric import tracked, untracked
from symcrete.values.tracking.tables import OPEN, family_of
from symcrete.values.tracking.truth import Truth

_by_id: dict[int, Callable[..., Any]] = {}
_kept: list[Any] = []  # what the ids belong to, so that they stay theirs
_methods: dict[tuple[type, str], Callable[..., Any]] = {}
_transparent_methods: set[tuple[type, str]] = set()
_kinds: dict[type, Callable[..., Any]] = {}
# Library functions known by (module, name), and what calls them with tracked arguments.
PURE: dict[tuple[str, str], Callable[..., Any]] = {}
rewritten_files: set[str] = set()

_OWN = os.path.dirname(symcrete.__file__) + "/"
DEEPEST = 4  # how far into containers a dropped term is looked for
WIDEST = 2000


def use_models(rows: Iterable[ModelRow]) -> None:
    """From now on `callee` answers from these rows, and from no others."""
    for table in (_by_id, _kept, _methods, _transparent_methods, _kinds, PURE, _known):
        table.clear()
    for row in rows:
        match row:
            case Model(original, function):
                _stand_for(original, function)
            case Transparent(functions):
                for function in functions:
                    _stand_for(function, function)
            case Method(kind, name, function):
                _methods[(kind, name)] = function
            case TransparentMethods(kind, names):
                _transparent_methods.update((kind, name) for name in names.split())
            case Called(kind, function):
                _kinds[kind] = function
            case Pure(module, names, function):
                PURE.update({(module, name): function for name in names.split()})
            case _:
                assert_never(row)


def _stand_for(original: Callable[..., Any], function: Callable[..., Any]) -> None:
    assert id(original) not in _by_id, f"two models of {original!r}"
    _by_id[id(original)] = function
    _kept.append(original)


def callee(function: Any) -> Any:
    """What rewritten code calls where its author wrote `function`."""
    found = _by_id.get(id(function))
    if found is not None:
        return found
    kind = type(function)
    if kind is FunctionType:
        file = function.__code__.co_filename
        if file in rewritten_files or file.startswith(_OWN):
            return function
        return _outside(function)
    if kind is MethodType:
        code = getattr(function.__func__, "__code__", None)
        if code is not None and (
            code.co_filename in rewritten_files or code.co_filename.startswith(_OWN)
        ):
            return function
        found = _method(function)
        return _outside(function) if found is None else found
    if isinstance(function, BuiltinFunctionType):
        return _builtin(function)
    if isinstance(function, type):
        return _class(function)
    if isinstance(function, functools._lru_cache_wrapper):
        # The cache would compare plain values only: call what it wraps.
        return callee(function.__wrapped__)
    if isinstance(function, functools.partial):
        known = callee(function.func)
        if known is function.func:
            return function
        return functools.partial(known, *function.args, **function.keywords)
    if kind in _kinds:
        return functools.partial(_kinds[kind], function)
    call = kind.__dict__.get("__call__")
    if isinstance(call, FunctionType):
        file = call.__code__.co_filename
        if file in rewritten_files or file.startswith(_OWN):
            return function
    return _outside(function)


def _outside(function: Any) -> Any:
    """Foreign code; between runs nothing is tracked, and then no frame of ours comes between."""
    if not recording.active().live:
        return function
    name = (getattr(function, "__module__", ""), getattr(function, "__name__", ""))
    return functools.partial(PURE.get(name, foreign), function)


def _builtin(function: Any) -> Any:
    owner = function.__self__
    if owner is None or type(owner) is ModuleType:
        return _outside(function)
    found = _method(function)
    return _outside(function) if found is None else found


def _method(function: Any) -> Any:
    """A method of a library class by its model; None if it has none."""
    owner = function.__self__
    kind = owner if isinstance(owner, type) else type(owner)
    key = (kind, function.__name__, getattr(function, "__func__", None))
    try:
        found = _known[key]
    except KeyError:
        found = _known[key] = _look_up(*key)
    if found is None:
        return None
    return function if found is _TRANSPARENT else functools.partial(found, owner)


def _look_up(kind: type, name: str, function: Any) -> Any:
    """The model of a method, unless `super()` has skipped one that a subclass has of its own."""
    for base in kind.__mro__:
        held = vars(base).get(name)
        if isinstance(held, FunctionType) and held is not function:
            return None
        if (base, name) in _methods:
            return _methods[(base, name)]
        if (base, name) in _transparent_methods:
            return _TRANSPARENT
    return None


_TRANSPARENT = object()
_known: dict[tuple[type, str, Any], Any] = {}  # what `_look_up` found


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
    owner = getattr(function, "__self__", None)
    held = owner is not None and not isinstance(owner, ModuleType | type) and carries((owner,))
    if held or carries(args) or (kwargs and carries(kwargs.values())):
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
        if kind in _SCALARS or issubclass(kind, type):
            continue
        if tracked(value) or (kind in OPEN and value.length is not None):
            return True
        if hasattr(kind, "__next__"):
            return True  # what an iterator will bring cannot be seen
        if depth < DEEPEST and carries(_inside(value, kind), depth + 1):
            return True
    return False


_SCALARS = frozenset({int, str, float, bool, bytes, type(None), type, FunctionType})


# Other threads may change them meanwhile: their elements are taken in one step of C code.
_COPIED_AT_ONCE = frozenset({list, tuple, dict, set, frozenset})


def _inside(value: Any, kind: type) -> list[Any]:
    if kind in _COPIED_AT_ONCE:
        found = list(value)[:WIDEST]
        return found + list(value.values())[:WIDEST] if kind is dict else found
    family = family_of(kind)
    if family is not None:
        found = list(islice(raw(value, family), WIDEST))
        return found + list(dict.values(value))[:WIDEST] if family == "dict" else found
    if kind is MethodType:
        return [value.__self__]
    if kind is functools.partial:
        return [value.func, *value.args, *value.keywords.values()]
    held = _attributes(value, kind)
    found = list(held.values())[:WIDEST] if held else []
    for base in type.mro(kind):
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            member = base.__dict__.get(name)
            if isinstance(member, MemberDescriptorType):
                with contextlib.suppress(AttributeError):
                    found.append(member.__get__(value))
    return found


def _attributes(value: Any, kind: type) -> dict[str, Any] | None:
    """An object's own attributes, without running any code of its class."""
    for base in type.mro(kind):
        found = type.__getattribute__(base, "__dict__").get("__dict__")
        if found is not None:
            return found.__get__(value) if type(found) is GetSetDescriptorType else None
    return None


def settled(value: Any, depth: int = 0) -> Any:
    """The value as C code may have it: lengths fixed, every Truth in it a plain bool."""
    kind = type(value)
    if kind is Truth:
        return untracked(value)
    family = family_of(kind)
    if family is None or depth >= DEEPEST:
        return value
    lengths.fixed_kind(value)
    if family == "list":
        for i, each in enumerate(list(raw(value, family))):
            list.__setitem__(value, i, settled(each, depth + 1))
    elif family == "dict":
        for name, each in list(dict.items(value)):
            if settled(each, depth + 1) is not each:
                recording.silently(dict.__setitem__, value, name, settled(each, depth + 1))
    elif kind is tuple:
        parts = [settled(each, depth + 1) for each in value]
        return value if all(map(operator.is_, parts, value)) else tuple(parts)
    return value
