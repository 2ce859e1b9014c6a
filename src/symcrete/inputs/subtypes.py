"""Values that a declared type has besides the obvious ones: those of its subtypes.

`x: int` may be a bool, `x: float` an int, `s: Sequence[int]` a tuple. They are alternatives of the
input where the program can tell them apart, which `Telling` knows.
"""

from __future__ import annotations

import collections.abc
import datetime
import enum
import inspect
import itertools
import numbers
import types
import typing
from typing import Any

from symcrete.inputs.infer.telling import Telling
from symcrete.inputs.literal import is_importable
from symcrete.program.source.parameter_uses import INDEXED, SEARCHED, WHOLE

# classes that the program asks for, tried where any class may be given; chosen, not measured
MOST_CLASSES = 12
_MAY_BE_A_BASE = 1 << 10  # Py_TPFLAGS_BASETYPE of CPython
_ABC = collections.abc
_NUMBERS = (int, float, bool, numbers.Integral, numbers.Rational, numbers.Real)
_SEQUENCES = (list, tuple, str, bytes, range)
_COLLECTIONS = (*_SEQUENCES, set, frozenset, dict)
# Abstract collections, each with the concrete ones that it may be besides a list.
_OTHERS: dict[Any, tuple[Any, ...]] = {
    _ABC.Sequence: (tuple,),
    _ABC.Reversible: (tuple,),
    _ABC.Collection: (tuple, set),
    _ABC.Container: (tuple, set),
    _ABC.Iterable: (tuple, set),
}
_INDEXED = (_ABC.Sequence,)  # those whose elements all have an index
_ANY_CLASS = (int, str, list)
_TEXTS = (_ABC.Sequence, _ABC.Reversible, _ABC.Collection, _ABC.Container, _ABC.Iterable)


def subtypes_of(kind: Any, told: Telling) -> list[Any]:
    """Further annotations for a declared class, whose values the program can tell from those of
    the class itself.
    """
    found: list[Any] = []
    if kind is int and (told.truths or told.asks_for(bool)):
        found.append(bool)
    if kind is float and told.asks_for(*_NUMBERS):
        found.append(int)
    if kind is datetime.date and told.asks_for(datetime.datetime):
        found.append(datetime.datetime)
    if kind in (int, str):
        found += [each for each in told.kinds if _is_enum_of(each, kind)]
    return found


def _is_enum_of(asked: Any, kind: type) -> bool:
    is_enum = issubclass(asked, enum.Enum) and not issubclass(asked, enum.Flag)
    return is_enum and issubclass(asked, kind) and len(asked) > 0


def classes_for(of: Any, told: Telling) -> list[type]:
    """The classes that `type[of]` is tried with, as far as they can be imported: `of`, those that
    are derived directly from it, and those derived further that the program asks for; empty where
    `of` names no class.
    """
    if typing.get_origin(of) in (typing.Union, types.UnionType):
        parts = [classes_for(part, told) for part in typing.get_args(of)]
        return list(dict.fromkeys(itertools.chain(*parts))) if all(parts) else []
    of = typing.get_origin(of) or of
    if not isinstance(of, type) or of in (object, type, Any):
        return []
    derived: list[type] = type.__subclasses__(of)
    asked = [kind for kind in told.kinds if of in kind.__mro__]
    others = [kind for kind in (*derived, *asked) if is_importable(kind)]
    return list(dict.fromkeys([of, *others]))


def may_be_derived_from(kind: type) -> bool:
    """Whether there may be classes derived from a class: not from `bool`, an enum with members, or
    a class that is declared to be final.
    """
    if issubclass(kind, enum.Enum) and len(kind) > 0:
        return False
    return bool(kind.__flags__ & _MAY_BE_A_BASE) and not vars(kind).get("__final__", False)


def any_classes(told: Telling) -> list[type]:
    """The classes to try where any may be given: some that the program asks for, then int, str
    and list.
    """
    asked = [kind for kind in told.kinds if is_importable(kind)][:MOST_CLASSES]
    return list(dict.fromkeys([*asked, *_ANY_CLASS]))


def collections_for(kind: Any, args: tuple[Any, ...], told: Telling) -> list[Any]:
    """Further annotations for an abstract collection with these type arguments, whose values the
    program may tell from a list: a tuple, a set, a text, bytes, and for an Iterable an iterator.
    """
    others = _OTHERS.get(kind, ())
    element = args[0] if args else int
    found: list[Any] = []
    asks = told.asks_for(*_COLLECTIONS) or WHOLE in told.uses
    asks = asks or (INDEXED in told.uses and kind not in _INDEXED)
    if kind is _ABC.Iterable and (told.reads_again or asks):
        found.append(_ABC.Iterator[element])  # type: ignore[valid-type]
    for other in others if asks else ():
        if other is tuple:
            found.append(tuple[element, ...])  # type: ignore[valid-type]
        elif _is_hashable_type(element):
            found.append(set[element])  # type: ignore[valid-type]
    is_text = kind in _TEXTS and (not args or element in (str, Any))
    if is_text and (asks or SEARCHED in told.uses):
        found.append(str)
    if kind in _TEXTS and (not args or element in (int, Any)) and bytes in told.kinds:
        found.append(bytes)
    return found


def tells_from_others(made: Any, declared: Any, told: Telling) -> bool:
    """Whether the program may tell objects of `made`, a class that inputs are of, from others of
    the abstract class that is declared.
    """
    if not inspect.isabstract(declared) or not isinstance(made, type):
        return False
    asked = [kind for kind in told.kinds if not _is_below(declared, kind)]
    return told.any_kind or any(
        _is_below(made, kind) or _is_below(kind, declared) for kind in asked
    )


def _is_below(kind: type, other: type) -> bool:
    try:
        return issubclass(kind, other)
    except TypeError:  # a protocol with attributes, which asks for objects only
        return False


def is_hashable(value: Any) -> bool:
    """Whether a value can be a key of a dict or an element of a set."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_hashable_type(kind: Any) -> bool:
    return kind in (int, str, float, bytes, bool)
