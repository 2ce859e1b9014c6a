"""What a call was given, as a value to look up: two calls with equal keys compute the same.

Terms are interned, so that arguments which depend on inputs in the same way have equal keys. A
function also reads closures and globals; those whose values may change are part of the key.
"""

from __future__ import annotations

from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from symcrete.values.text.content.strings import is_tracked_text
from symcrete.values.tracking.numeric import ConcolicInt, tracked

# containers inside containers; a call given deeper ones has no key; chosen, not measured
DEEPEST_ARGUMENT = 6
# elements of one container; a call given larger ones has no key, as reading them costs as much as
# most calls; chosen, not measured
WIDEST_ARGUMENT = 2000
_PLAIN = frozenset({int, str, float, bool, bytes, type(None), complex})
_BUILT_IN = (int, str, float, bytes, bytearray, list, tuple, dict, set, frozenset)


class _TooMuch(Exception):
    pass


def key_of(
    code: CodeType,
    function: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    state: tuple[str, ...],
) -> Any:
    """A key of what a call was given, equal for calls that compute the same; None if that cannot
    be told.
    """
    plain = function.__func__ if type(function) is MethodType else function
    parts: list[Any] = [code]
    try:
        if type(function) is MethodType:
            parts.append(_frozen(function.__self__, 0))
        parts += [_frozen(arg, 0) for arg in args]
        parts += [(name, _frozen(arg, 0)) for name, arg in sorted(kwargs.items())]
        parts += [_frozen(cell.cell_contents, 0) for cell in plain.__closure__ or ()]
        spaces = plain.__globals__
        parts += [(name, _frozen(spaces[name], 0)) for name in state if name in spaces]
    except (_TooMuch, ValueError):
        return None
    return tuple(parts)


def _frozen(value: Any, depth: int) -> Any:
    """The part of a key that stands for one value; raises _TooMuch for one that cannot be read or
    is too large.
    """
    kind = type(value)
    if is_tracked_text(value):
        return value.content.whole
    if tracked(value):
        return value.term
    if kind in _PLAIN:
        return (kind, value) if value == value and value != 0 else (kind, repr(value))
    if kind in (FunctionType, BuiltinFunctionType, ModuleType) or isinstance(value, type):
        return id(value)
    if depth >= DEEPEST_ARGUMENT:
        raise _TooMuch
    if kind is list or kind is tuple:
        if len(value) > WIDEST_ARGUMENT:
            raise _TooMuch
        return (
            kind,
            *[
                each.term if type(each) is ConcolicInt else _frozen(each, depth + 1)
                for each in value
            ],
        )
    if kind is dict:
        if len(value) > WIDEST_ARGUMENT:
            raise _TooMuch
        return (kind, *[(_frozen(k, depth + 1), _frozen(v, depth + 1)) for k, v in value.items()])
    if isinstance(value, _BUILT_IN):
        # a set, or a subclass of a built-in class, which holds more than its attributes
        raise _TooMuch
    held = attributes_of(value, kind)
    if held is None or getattr(kind, "__slots__", None):
        raise _TooMuch
    return (kind, *[(name, _frozen(each, depth + 1)) for name, each in held.items()])


def attributes_of(value: Any, kind: type) -> dict[str, Any] | None:
    """An object's own attributes, read without running any code of its class; None if it has
    none.
    """
    for base in type.mro(kind):
        found = type.__getattribute__(base, "__dict__").get("__dict__")
        if found is not None:
            return found.__get__(value) if type(found) is GetSetDescriptorType else None
    return None
