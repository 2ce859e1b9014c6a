"""Values that no call can change: what a name of a module may hold and still be a constant."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import gc
import re
import struct
import threading
import typing
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from types import (
    BuiltinFunctionType,
    FrameType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    UnionType,
)
from typing import Any

from symcrete.inputs.library_class import has_library_class

_FIXED = (
    *(int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range),
    *(re.Pattern, Decimal, Fraction, datetime.date, datetime.time, datetime.timedelta),
    *(datetime.tzinfo, PurePath, enum.Enum, struct.Struct, type, ModuleType),
    *(FunctionType, BuiltinFunctionType, GenericAlias, UnionType, staticmethod, classmethod),
    *(property, type(threading.Lock()), type(threading.RLock()), typing.TypeVar),
)
CONTAINERS = (list, dict, set, bytearray, deque, defaultdict, OrderedDict, Counter, ChainMap)
# levels of containers and fields; what is deeper counts as changing; chosen, not measured
MOST_LEVELS_OF_A_VALUE = 6


def is_constant(value: Any, depth: int = 0) -> bool:
    """Whether nothing can change the value or anything in it; loggers and locks are taken for
    constants, too.
    """
    kind = type(value)
    if kind in (BuiltinFunctionType, MethodWrapperType) and value.__self__ is not None:
        # `TABLE.get` gives what the table holds by then; the owner of `len` is its module.
        return depth < MOST_LEVELS_OF_A_VALUE and is_constant(value.__self__, depth + 1)
    if isinstance(value, _FIXED) or kind is object or kind.__module__ == "typing":
        return True
    if has_library_class(value, "logging", "Logger"):
        return True
    if depth >= MOST_LEVELS_OF_A_VALUE:
        return False

    def inside(each: Any) -> bool:
        return is_constant(each, depth + 1)

    if isinstance(value, tuple | frozenset):
        return all(map(inside, value))
    if isinstance(value, MappingProxyType):
        return _has_no_other_name(value) and all(map(inside, value.values()))
    if kind is partial:
        return all(map(inside, (value.func, *value.args, *value.keywords.values())))
    if kind is MethodType:
        return inside(value.__self__)
    if dataclasses.is_dataclass(value) and kind.__dataclass_params__.frozen:
        return all(inside(getattr(value, each.name)) for each in dataclasses.fields(value))
    return _is_function_like(value)


def _has_no_other_name(view: MappingProxyType[Any, Any]) -> bool:
    """Whether only this view holds the dict that it shows: whoever has the dict itself can change
    it.
    """
    shown = gc.get_referents(view)
    holders = [each for each in gc.get_referrers(*shown) if each is not view and each is not shown]
    return all(isinstance(each, FrameType) for each in holders)


def _is_function_like(value: Any) -> bool:
    """Whether it is a callable made by `functools`, `operator` and the like, which is called and
    never looked at.
    """
    return isinstance(value, Callable) and type(value).__module__ in _CALLABLES  # type: ignore[arg-type]


_CALLABLES = frozenset({"functools", "operator", "_functools", "builtins"})


def holds_constants(container: Any) -> bool:
    """Whether everything in a container of a built-in kind is constant."""
    if isinstance(container, dict):
        return all(map(is_constant, container.values()))
    return all(map(is_constant, container))
