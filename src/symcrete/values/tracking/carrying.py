"""Whether a term hides in a value that is handed to code which does not know our values.

A term can be anywhere that a reference leads to: in a list, an attribute, the bounds of a slice,
the variables that a lambda closes over, the object of a bound method. So references are followed as
the garbage collector follows them, whatever the kind of object.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from symcrete.folders import OUR_FILES
from symcrete.values.rows.tables import OPEN, PLAIN

MOST_OBJECTS = 10_000  # looked at in one call, about 2 ms; what has more is taken to carry a term
SCALARS = frozenset(
    {int, str, float, bool, bytes, complex, type(None), type(Ellipsis), range, type}
)
# What these refer to is code and its module, never a value of the run.
_CODE = frozenset(
    {
        ModuleType,
        CodeType,
        GetSetDescriptorType,
        MemberDescriptorType,
        WrapperDescriptorType,
    }
)


def carries(values: Iterable[Any]) -> bool:
    """Whether a term is in these values or in anything they refer to.

    What an iterator will bring cannot be seen: it counts as a term. So does an object that refers
    to more others than are looked at.
    """
    pending = [value for value in values if type(value) not in SCALARS]
    return bool(pending) and _reaches_a_term(pending)


def _reaches_a_term(pending: list[Any]) -> bool:
    """Whether references lead from these objects to a term.

    They are followed one step further at a time, so that the collector is asked once for each step;
    what depends on the class of an object alone is asked once for each class.
    """
    seen: dict[int, Any] = {}  # by id; kept, so that no id is given to two objects meanwhile
    followed: dict[type, bool] = {}  # whether references of objects of a kind are
    while pending:
        plain, others = [], []
        for value in pending:
            if id(value) in seen:
                continue
            kind = type(value)
            follow = followed.get(kind)
            if follow is None:
                if kind in PLAIN:
                    return True
                follow = followed[kind] = kind not in _CODE and not issubclass(kind, type)
                if follow and hasattr(kind, "__next__"):
                    return True
            if not follow:
                continue
            seen[id(value)] = value
            if kind is FunctionType or kind is BuiltinFunctionType:
                others += _of_function(value, kind)
            elif kind in OPEN and value.length is not None:
                return True
            else:
                plain.append(value)
        if len(seen) > MOST_OBJECTS:
            return True
        others += gc.get_referents(*plain)
        pending = [each for each in others if type(each) not in SCALARS]
    return False


def _of_function(value: Any, kind: type) -> list[Any]:
    """The values of the run that a function may use besides its arguments."""
    if kind is BuiltinFunctionType:
        return [value.__self__]
    if value.__code__.co_filename.startswith(OUR_FILES):
        return []
    cells, defaults = value.__closure__ or (), value.__defaults__ or ()
    return [*cells, *defaults, value.__kwdefaults__, value.__dict__]
