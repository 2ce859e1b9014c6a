"""What an error says was expected: `'int' object has no attribute 'keys'` speaks for a dict."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import fractions
import pathlib
import re
import typing
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.inputs.infer.project_classes import classes_with, has_attribute, own_classes
from symcrete.inputs.infer.something import foreign
from symcrete.slotted import dataclass

# types that errors add to those of one parameter: each is a branch of every path; chosen, not
# measured
MOST_LEARNED_TYPES = 3
_LISTS: tuple[Any, ...] = (list[int], list[str])
_INDEXED: tuple[Any, ...] = (dict[str, int], list[int], str)

# By message, types that would have done in place of the one that the message names first.
_WANTED: tuple[tuple[str, tuple[Any, ...]], ...] = (
    (r"'(\w+)' object is not iterable", _LISTS),
    (r"argument of type '(\w+)' is not iterable", (str, *_LISTS)),
    (r"cannot unpack non-iterable (\w+) object", (tuple[int, int], tuple[str, str])),
    (r"'(\w+)' object is not subscriptable", _INDEXED),
    (r"'(\w+)' object does not support item (?:assignment|deletion)", (dict[str, int], list[int])),
    (r"'(\w+)' object is not callable", (Callable[..., int], Callable[..., str])),
    (r"'(\w+)' object is not an iterator", _LISTS),
    (r"object of type '(\w+)' has no len\(\)", (str, list[int])),
    (r"'(\w+)' object cannot be interpreted as an integer", (int,)),
    (r"(?:string|list|tuple|range) indices must be integers.*, not '?(\w+)'?", (int,)),
    (r"a bytes-like object is required, not '(\w+)'", (bytes,)),
    (r"'(\w+)' object does not support the context manager", (contextlib.nullcontext,)),
)
# Messages that name two types which do not go together: either may have to be the other.
_APART = (
    r"unsupported operand type\(s\) for .+?: '(\w+)' and '(\w+)'",
    r"not supported between instances of '(\w+)' and '(\w+)'",
)
# Messages that name the type that is wanted and the one that was given.
_INSTEAD = (
    r"can only concatenate (\w+) \(not \"(\w+)\"\)",
    r"must be (?:an? )?(\w+).*?, not '?(\w+)'?",
    r"expected (?:an? )?(\w+)(?: instance|-like object), (\w+) found",
    r"expected (?:an? )?(\w+).*?, (?:not|got) '?(\w+)'?",
)
_NAMED: dict[str, Any] = {
    "str": str,
    "string": str,
    "int": int,
    "integer": int,
    "float": float,
    "real": float,
    "bytes": bytes,
    "list": list[int],
    "dict": dict[str, int],
    "mapping": dict[str, int],
    "tuple": tuple[int, int],
    "set": set[int],
    "bool": bool,
    "datetime": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "Path": pathlib.Path,
    "PosixPath": pathlib.Path,
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """The message of an error, and the types of the arguments of the call that raised it."""

    message: str
    passed: tuple[tuple[str, str, frozenset[str]], ...]  # name, type, and types of the elements


def complaint_of(message: str, values: Mapping[str, Any]) -> Complaint:
    """The complaint of an error that was raised for these arguments, given by name."""
    passed = [(name, type(value).__name__, _inside(value)) for name, value in values.items()]
    return Complaint(message, tuple(passed))


def learned_from(complaints: list[Complaint], names: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Types that the parameters should have had, by their names, as far as errors tell."""
    found: dict[str, dict[Any, None]] = {}
    for each in complaints:
        for culprit, kinds in expected(each.message, names):
            for name, passed, inside in each.passed:
                if passed == culprit:
                    found.setdefault(name, {}).update(dict.fromkeys(kinds))
                elif culprit in inside:
                    lists = [list[kind] for kind in kinds if kind is not None]  # type: ignore[valid-type]
                    found.setdefault(name, {}).update(dict.fromkeys(lists))
    return {name: list(kinds)[:MOST_LEARNED_TYPES] for name, kinds in found.items()}


def expected(message: str, names: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """What a message asks for: pairs of the name of a type that did not do, and types that
    would.
    """
    missing = re.search(r"'(\w+)' object has no attribute '(\w+)'", message)
    if missing is not None:
        return [(missing[1], _having(missing[2], names))]
    for pattern, kinds in _WANTED:
        found = re.search(pattern, message)
        if found is not None:
            return [(found[1], list(kinds))]
    for pattern in _APART:
        found = re.search(pattern, message)
        if found is not None:
            pairs = ((found[1], _named(found[2], names)), (found[2], _named(found[1], names)))
            return [(culprit, kinds) for culprit, kinds in pairs if kinds]
    for pattern in _INSTEAD:
        found = re.search(pattern, message)
        if found is not None:
            kinds_named = _named(found[1], names)
            return [(found[2], kinds_named)] if kinds_named else []
    return []


def _having(attribute: str, names: Mapping[str, Any]) -> list[Any]:
    """The types that have an attribute: built-in ones; where none has it, a class of the module,
    one of its package, and a stand-in.
    """
    plain = (str, list[int], dict[str, int], set[int], bytes)
    found = [kind for kind in plain if hasattr(typing.get_origin(kind) or kind, attribute)]
    if found:
        return found[:2]
    own = [kind for kind in own_classes(names) if has_attribute(kind, attribute)]
    others = classes_with(frozenset([attribute]), names)
    return [*own[:1], *others[:1], *foreign(attribute)[-1:]]


def _named(name: str, names: Mapping[str, Any]) -> list[Any]:
    """The type that a message means by this name, as a list of one; empty if it is not known."""
    kind = _NAMED.get(name, names.get(name))
    return [kind] if isinstance(kind, type) or name in _NAMED else []


def _inside(value: Any) -> frozenset[str]:
    """The types of the elements of a list or a tuple."""
    # Read directly: reading a tracked container would be recorded.
    if isinstance(value, list):
        return frozenset([type(each).__name__ for each in list.__iter__(value)])
    if isinstance(value, tuple):
        return frozenset([type(each).__name__ for each in tuple.__iter__(value)])
    return frozenset()
