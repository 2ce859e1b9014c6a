"""Enumerations asked for a member by its value or by its name, and read-only views of dicts.

Which member is meant is a branch each, as for the keys of a dict; the member itself is the plain
one.
"""

from __future__ import annotations

import enum
import gc
from types import MappingProxyType
from typing import Any

from symcrete.inputs.subtypes import is_hashable
from symcrete.values.containers import dicts
from symcrete.values.containers.keys import ABSENT, stored_key
from symcrete.values.rows.model_rows import Called, Method, ModelRow
from symcrete.values.tracking.comparing import traced
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import int_term, pinned, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.recording import silently
from symcrete.values.tracking.subscripts import item, key

# the largest sum of all members of a flag of which each value is a branch: four members; of more,
# the number is pinned to its value; chosen, not measured
LARGEST_FLAGS = 15


def member_by_value(kind: Any, /, *args: Any, **named: Any) -> Any:
    """`kind(value)` for a class of enumerations."""
    if len(args) != 1 or named or not traced(args[0]) or not len(kind):
        return foreign(kind, *args, **named)
    (value,) = args
    if issubclass(kind, enum.Flag):
        return _flags(kind, value)
    members = kind._value2member_map_
    if not all(is_hashable(each._value_) for each in kind):
        return foreign(kind, value)  # Enum then compares the value with each member
    place = stored_key(members, value, "ValueError")
    if place is NotImplemented:
        return foreign(kind, value)
    if place is not ABSENT:
        return members[place]
    if kind._missing_.__func__ is not _MISSING:
        found = callee(kind._missing_)(value)
        if isinstance(found, kind):
            return found
    return silently(kind, untracked(value))  # raises


_MISSING: Any = enum.Enum._missing_.__func__  # type: ignore[attr-defined]


def _flags(kind: Any, value: Any) -> Any:
    """`kind(value)` for a class of flags. Which value it is, is a branch for each, if the sum of
    all members is at most LARGEST_FLAGS; else the number is pinned.
    """
    if int_term(value) is None:
        return foreign(kind, value)
    most = kind._flag_mask_
    if most > LARGEST_FLAGS:
        return kind(pinned(value))
    sums = dict.fromkeys([*range(most + 1), *range(-most - 1, 0)])
    place = stored_key(sums, value)
    return kind(pinned(value) if place is ABSENT else place)


def member_by_name(kind: Any, name: Any) -> Any:
    """`kind[name]`."""
    if not traced(name) or type(kind).__getitem__ is not enum.EnumType.__getitem__:
        return kind[key(kind, name)]
    return dicts.read(kind._member_map_, name)


def behind(view: MappingProxyType[Any, Any]) -> Any:
    """The mapping that a read-only view shows."""
    (found,) = gc.get_referents(view)
    return found


def proxy_has(view: MappingProxyType[Any, Any], name: Any) -> Any:
    """`name in view`."""
    return OPERATORS["in_"](name, behind(view))


def proxy_item(view: MappingProxyType[Any, Any], name: Any) -> Any:
    """`view[name]`."""
    return item(behind(view), name)


def proxy_get(view: MappingProxyType[Any, Any], *args: Any) -> Any:
    """`view.get(name)`, perhaps with a default."""
    return callee(behind(view).get)(*args)


MODELS: tuple[ModelRow, ...] = (
    Called(enum.EnumType, member_by_value),
    Method(MappingProxyType, "get", proxy_get),
)
