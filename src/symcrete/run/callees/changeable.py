"""Whether a call can change what it is given without its text telling so.

The effects of a callee are read from its source (`program/source/side_effects.py`), where an
iterator that is used up, a property, an operator or a method of an unknown class looks like a plain
use. What cannot change, and built-in containers of such, is safe; anything else is not.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from symcrete.run.callees.arguments_key import DEEPEST_ARGUMENT, WIDEST_ARGUMENT
from symcrete.values.rows.tables import OPEN
from symcrete.values.text.content.strings import is_tracked_text
from symcrete.values.tracking.numeric import tracked

_UNCHANGING = frozenset({int, str, float, bool, bytes, type(None), complex, range, type(...)})
# Who changes what these hold changes state of the program, which proofs ask for elsewhere.
_OF_PROGRAM = (FunctionType, BuiltinFunctionType, ModuleType, type, enum.Enum)
_FIXED, _CONTAINERS = (tuple, frozenset), (list, dict, set)


def handed_to(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """What a call hands to a function: its object, the arguments, and what it closes over."""
    plain = function
    if type(function) is MethodType:
        yield function.__self__
        plain = function.__func__
    yield from args
    yield from kwargs.values()
    for cell in plain.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is not bound yet
            continue


def is_safe(value: Any, *, containers: bool, depth: int = 0) -> bool:
    """Whether a call cannot change a value, or says so in its text; with `containers`, lists, dicts
    and sets are such values.
    """
    kind = type(value)
    if kind in _UNCHANGING or is_tracked_text(value) or tracked(value):
        return True
    if isinstance(value, _OF_PROGRAM):
        return True
    bases = (*_FIXED, *_CONTAINERS) if containers else _FIXED
    base = next((each for each in bases if issubclass(kind, each)), None)
    exact = kind is base or kind in OPEN or hasattr(kind, "_fields")
    if base is None or not exact or depth >= DEEPEST_ARGUMENT:
        return False
    if base.__len__(value) > WIDEST_ARGUMENT:
        return False
    parts = list(base.__iter__(value))
    if base is dict:
        parts += dict.values(value)
    return all(is_safe(each, containers=containers, depth=depth + 1) for each in parts)
