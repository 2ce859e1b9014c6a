"""Which model stands for which built-in, and what rewritten code calls instead of what it names.

A function either has a model, or is transparent (it stores, moves or compares values without
looking inside), or is Python code that reports for itself, or is foreign: then it gets the plain
value, and the place where a term was dropped is remembered.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import operator
import sys
import typing
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import Any, assert_never

from symcrete.folders import OUR_FILES
from symcrete.values.rows.model_rows import (
    Called,
    Method,
    Model,
    ModelRow,
    Pure,
    Transparent,
    TransparentMethods,
)
from symcrete.values.rows.tables import STANDS_FOR, family_of
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.carrying import SCALARS, carries
from symcrete.values.tracking.comparing import raw
from symcrete.values.tracking.followed import alias, enter_by_run, is_followed, rewritten_files
from symcrete.values.tracking.numeric import tracked, untracked
from symcrete.values.tracking.truth import Truth
from symcrete.world.reading_calls import reads_the_world

_by_id: dict[int, Callable[..., Any]] = {}
_kept: list[Any] = []  # the objects that the ids are of, so that no other object gets one
_methods: dict[tuple[type, str], Callable[..., Any]] = {}
_transparent_methods: set[tuple[type, str]] = set()
_kinds: dict[type, Callable[..., Any]] = {}
# Library functions known by (module, name), and what calls them with tracked arguments.
PURE: dict[tuple[str, str], Callable[..., Any]] = {}

# classes of arguments of which equal ones are alike, as 1 and 1.0 are not
_ALIKE = frozenset({int, str, bytes, type(None)})
# levels of containers in which a Truth is made a bool for C code; chosen, not measured
DEEPEST_TRUTH = 4


def use_models(rows: Iterable[ModelRow]) -> None:
    """From now on `callee` answers from these rows, and from no others."""
    for table in (_by_id, _kept, _methods, _transparent_methods, _kinds, PURE, _known):
        table.clear()
    standing: list[tuple[Any, Callable[..., Any]]] = []
    for row in rows:
        # Nine of ten are of these two classes, and `match` asks in several steps.
        if isinstance(row, Model):
            standing.append((row.original, row.function))
            continue
        if isinstance(row, Method):
            _methods[row.kind, row.name] = row.function
            continue
        match row:
            case Transparent(functions):
                standing += zip(functions, functions, strict=True)
            case TransparentMethods(kind, names):
                _transparent_methods.update([(kind, name) for name in names.split()])
            case Called(kind, function):
                _kinds[kind] = function
            case Pure(module, names, function):
                PURE.update({(module, name): function for name in names.split()})
            case _:
                assert_never(row)
    _kept.extend([original for original, _ in standing])
    _by_id.update([(id(original), function) for original, function in standing])
    assert len(_by_id) == len(standing), f"two models of {_twice(_kept)!r}"


def _twice(listed: list[Any]) -> list[Any]:
    """What is in a list more than once."""
    ids = [id(each) for each in listed]
    return [each for each in listed if ids.count(id(each)) > 1]


def watch_calls(function: Callable[..., Any], what: str) -> None:
    """From now on, when rewritten code calls this function, a read of the state `what` is
    recorded.
    """
    _by_id[id(function)] = functools.partial(_watched, function, what)
    _kept.append(function)


def stand_in(original: Callable[..., Any], function: Callable[..., Any]) -> Callable[[], None]:
    """From now on rewritten code that calls `original` calls `function`; returns a function that
    ends that.
    """
    return _put(_by_id, id(original), function)


def stand_in_for_method(kind: type, name: str, function: Callable[..., Any]) -> Callable[[], None]:
    """From now on rewritten code calls `function(object, ...)` in place of a method; returns a
    function that ends that.
    """
    return _put(_methods, (kind, name), function)


def standing_in(kind: type, name: str) -> Callable[..., Any] | None:
    """What rewritten code calls for a method of this class; None where it has no model."""
    return _methods.get((kind, name))


def _put(table: dict[Any, Any], key: Any, value: Any) -> Callable[[], None]:
    former = table.get(key)
    table[key] = value
    _known.clear()

    def take_back() -> None:
        if former is None:
            table.pop(key, None)
        else:
            table[key] = former
        _known.clear()

    return take_back


def _uncached(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call the function that a cache wraps, every time anew.

    After an earlier call with equal arguments the cache would have given the former object without
    a call. Where the program could notice the difference, a read of the world is recorded. It could
    not where equal arguments are alike, the result cannot be changed, and the function has no
    variables of another function to change. What it changes in its module is state, which is noted
    where it is read.
    """
    result = function(*args, **kwargs)
    alike = all(
        STANDS_FOR.get(type(each), type(each)) in _ALIKE for each in (*args, *kwargs.values())
    )
    kept = type(result) in SCALARS or tracked(result)
    if not alike or not kept or getattr(function, "__closure__", None):
        recording.active().read_world("a cached function")
    return result


def _watched(function: Callable[..., Any], what: str, /, *args: Any, **kwargs: Any) -> Any:
    recording.active().read_world(what)
    return function(*args, **kwargs)


def callee(function: Any) -> Any:
    """What rewritten code calls where its author wrote `function`."""
    found = _by_id.get(id(function))
    if found is not None:
        return found
    kind = type(function)
    if kind is FunctionType:
        file = function.__code__.co_filename
        if file in rewritten_files or file.startswith(OUR_FILES):
            return function
        if function.__globals__.get("_tuple_new") is tuple.__new__:
            return function  # what `namedtuple` writes: it stores its arguments
        return callee(function) if enter_by_run(file) else _outside(function)
    if kind is MethodType:
        code = getattr(function.__func__, "__code__", None)
        if code is not None and (
            code.co_filename in rewritten_files or code.co_filename.startswith(OUR_FILES)
        ):
            if code.co_freevars and id(function.__func__) in _by_id:
                return functools.partial(_by_id[id(function.__func__)], function.__self__)
            return function
        if code is not None and enter_by_run(code.co_filename):
            return callee(function)
        found = _method(function)
        return _outside(function) if found is None else found
    if isinstance(function, BuiltinFunctionType):
        return _builtin(function)
    if isinstance(function, type):
        return _class(function)
    if isinstance(function, functools._lru_cache_wrapper):
        # The cache would compare plain values only: call what it wraps.
        wrapped = callee(function.__wrapped__)
        return functools.partial(_uncached, wrapped) if recording.active().live else wrapped
    if isinstance(function, functools.partial):
        known = callee(function.func)
        if known is function.func:
            return function
        return functools.partial(known, *function.args, **function.keywords)
    if kind in _kinds:
        return functools.partial(_kinds[kind], function)
    call = kind.__dict__.get("__call__")
    return function if is_followed(call) else _outside(function)


def _outside(function: Any) -> Any:
    """What to call in place of foreign code: a wrapper that notes lost terms, or between runs,
    when nothing is tracked, the code itself.
    """
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
    """What to call in place of a method of a library class: its model; None if it has none."""
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
    """The model of a method; None if there is none, or if a class nearer than the modelled one
    defines the method in Python.
    """
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
    """What to call in place of a class: itself if making an object only stores what it is given,
    else as foreign code.
    """
    if not recording.active().live:
        return kind
    if type(kind) in _kinds:
        return functools.partial(_kinds[type(kind)], kind)
    if kind.__module__ == "builtins" and not issubclass(kind, BaseException):
        return _outside(kind)
    if issubclass(kind, BaseException) or _is_rewritten(kind):
        return kind if _stores(kind) else _outside(kind)
    return _outside(kind)


def _stores(kind: type) -> bool:
    """Whether making an object of this class keeps the terms of what it is made of.

    The constructors of exceptions, tuples and plain objects store their arguments, and so do those
    that `dataclass` and the like write; those of other library classes look at them.
    """
    found = _constructors.get(kind)
    if found is None:
        made = [getattr(kind, name) for name in ("__new__", "__init__")]
        call = type(kind).__call__
        made += [call] if call is not type.__call__ else []
        found = _constructors[kind] = all(map(_is_storing, made))
    return found


def _is_storing(constructor: Any) -> bool:
    if is_followed(constructor):
        return True
    if type(constructor) is FunctionType:
        file = constructor.__code__.co_filename
        return file.startswith("<") or file in _WRITERS
    return constructor in _STORING or _is_of_exceptions(constructor)


def _is_of_exceptions(constructor: Any) -> bool:
    """Whether this constructor stores the arguments of an exception.

    Not that of an `OSError`, whose class depends on its number, nor of a UnicodeError, whose
    positions become C integers.
    """
    owner = getattr(constructor, "__objclass__", None) or getattr(constructor, "__self__", None)
    if not isinstance(owner, type) or not issubclass(owner, BaseException):
        return False
    return not issubclass(owner, OSError | UnicodeError)


_constructors: dict[type, bool] = {}
_STORING: list[Any] = [object.__new__, object.__init__, tuple.__new__, list.__init__, dict.__init__]
_STORING += [list.__new__, dict.__new__, set.__new__]
# files of the library whose constructors store what they are given
_WRITERS = frozenset({abc.__file__, dataclasses.__file__, typing.__file__})


def _is_rewritten(kind: type) -> bool:
    """Whether a class is of a rewritten module; during a run, one that waits for being entered is
    rewritten now.
    """
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None) or ""
    return file in rewritten_files or enter_by_run(alias(file))


def foreign(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call code that does not know our values.

    Recorded are a loss, if a term is in what it is given, and a read of the world, if it may read
    it or depends on the order of a set.
    """
    owner = getattr(function, "__self__", None)
    held = owner is not None and not isinstance(owner, ModuleType | type) and carries((owner,))
    if held or carries(args) or (kwargs and carries(kwargs.values())):
        recording.active().lose(name_of(function))
        args = tuple([settled(arg) for arg in args])
        kwargs = {name: settled(arg) for name, arg in kwargs.items()}
    if _reads(function):
        recording.active().read_world(name_of(function))
    result = function(*args, **kwargs)
    if result is not None and not _SETS.isdisjoint(map(type, args)):
        for each in args:
            if type(each) in _SETS and type(result) not in _SETS:
                recording.read_order(each)
    return result


_SETS = frozenset({set, frozenset})


def _reads(function: Any) -> bool:
    """Whether foreign code may read the world; not so for a rewritten class, whose constructor
    records what it reads, nor for what cannot be called at all.
    """
    if not callable(function) or (isinstance(function, type) and _is_rewritten(function)):
        return False
    return reads_the_world(function)


def name_of(function: Any) -> str:
    """How a function is named in a loss: `Class.method()`."""
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    owner = function if isinstance(function, type) else type(getattr(function, "__self__", None))
    stands_for = STANDS_FOR.get(owner)  # the program knows nothing of our classes
    if stands_for is not None:
        name = name.replace(owner.__qualname__, stands_for.__qualname__)
    return f"{name}()"


def settled(value: Any, depth: int = 0) -> Any:
    """The value as C code may have it: lengths fixed and each Truth in it a plain bool, some
    levels deep.
    """
    kind = type(value)
    if kind is Truth:
        return untracked(value)
    family = family_of(kind)
    if family is None or depth >= DEEPEST_TRUTH:
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
