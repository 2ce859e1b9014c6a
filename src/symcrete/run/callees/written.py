"""Attributes that a callee sets of the objects it is given: results like the one it returns.

Where such a call is abstracted each of them is an unknown afterwards, where it is followed its
value is noted beside the result, so that the two are tied as results are.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType, MemberDescriptorType, MethodType
from typing import Any, TypeAlias

Holder: TypeAlias = tuple[Any, str]  # an object and an attribute of it
_MISSING = object()


def holders_of(
    code: CodeType,
    writes: Sequence[tuple[str, str]],
    function: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> list[Holder] | None:
    """The objects among the arguments of a call whose attributes the callee sets, with these; None
    if one of them is not given, or storing to it runs code of its class.
    """
    given = (function.__self__, *args) if type(function) is MethodType else args
    names = code.co_varnames[: code.co_argcount]
    found: list[Holder] = []
    for parameter, attribute in writes:
        place = names.index(parameter) if parameter in names else len(given)
        held = given[place] if place < len(given) else kwargs.get(parameter, _MISSING)
        if held is _MISSING or not _is_stored(held, attribute):
            return None
        found.append((held, attribute))
    return found


def _is_stored(held: Any, attribute: str) -> bool:
    """Whether the object has this attribute, and storing to it only changes what it holds."""
    kind = type(held)
    if type.__getattribute__(kind, "__setattr__") is not object.__setattr__:
        return False
    for base in type.mro(kind):
        known = type.__getattribute__(base, "__dict__").get(attribute, _MISSING)
        if known is not _MISSING:
            if type(known) is MemberDescriptorType:
                break
            if hasattr(type(known), "__set__") or hasattr(type(known), "__get__"):
                return False
    try:
        object.__getattribute__(held, attribute)
    except AttributeError:
        return False
    return True


def values_of(holders: list[Holder]) -> list[Any]:
    """What the attributes hold now."""
    return [object.__getattribute__(held, attribute) for held, attribute in holders]


def store(holders: list[Holder], values: Sequence[Any]) -> None:
    """Let the attributes hold these values."""
    for (held, attribute), value in zip(holders, values, strict=True):
        object.__setattr__(held, attribute, value)
