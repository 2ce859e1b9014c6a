"""The types that a program asks for: in `isinstance`, in patterns of `match`, by what it asks of a
class.
"""

from __future__ import annotations

import ast
import collections.abc
import dataclasses
import enum
import functools
import inspect
import operator
import textwrap
import types
import typing
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from symcrete.inputs.infer.callers import meant
from symcrete.inputs.infer.flow import is_called
from symcrete.inputs.infer.project_classes import dataclasses_of
from symcrete.inputs.infer.records import constant_kind, record
from symcrete.inputs.infer.something import Named, Something

_UNTOLD = (list[int], collections.abc.Iterator[int])
MOST_TOGETHER = 4  # types that the elements of a container are tried with; chosen, not measured
# Functions that take a class, and the places of their arguments where they do.
_OF_CLASSES: tuple[tuple[Any, tuple[int, ...]], ...] = (
    (issubclass, (0, 1)),
    (isinstance, (1,)),
    (inspect.isclass, (0,)),
    (inspect.getmro, (0,)),
    (typing.get_type_hints, (0,)),
)
# Functions that take a dataclass or an object of one.
_OF_DATACLASSES = (dataclasses.fields, dataclasses.is_dataclass)


def list_of(kind: Any) -> Any:
    """The type of lists of these."""
    return types.GenericAlias(list, (kind,))


def filled(kind: Any) -> Any:
    """The type, with ints as elements where it is a container that names none: `list[int]` for
    `list`.
    """
    return {list: list[int], dict: dict[int, int], set: set[int], tuple: tuple[int, ...]}.get(
        kind, kind
    )


def named_kinds(node: ast.expr, names: Mapping[str, Any]) -> list[Any]:
    """The types that the second argument of `isinstance` names."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    found: list[Any] = []
    for part in parts:
        try:
            kind = eval(compile(ast.Expression(part), "<isinstance>", "eval"), dict(names))
        except Exception:
            continue
        named = typing.get_args(kind) if isinstance(kind, types.UnionType) else [kind]
        # Nothing is made of a class whose metaclass takes its hash.
        found += [filled(each) for each in named if type(each).__hash__ is not None]
    return found


def asked_of_class(call: ast.Call, name: str, names: Mapping[str, Any]) -> list[Any]:
    """The types that a call speaks for by what it asks of a class: `type`, where it takes nothing
    else (`issubclass(x, int)`, `isinstance(y, x)`), and dataclasses, where it takes only those
    (`fields(x)`); else empty.
    """
    places = [is_called(arg, name) for arg in call.args]
    if True not in places:
        return []
    function, place = meant(call.func, names), places.index(True)
    if any(function is each and place in fit for each, fit in _OF_CLASSES):
        return [type]
    if any(function is each for each in _OF_DATACLASSES) and place == 0:
        found = dataclasses_of(names)
        return [*[type[kind] for kind in found], *found]
    return []


def asked_through(call: ast.Call, name: str, names: Mapping[str, Any]) -> list[Any]:
    """The types that a call asks for by a function of the program that is given them, as in
    `is_safely(x, int)`.
    """
    if len(call.args) < 2 or not any(is_called(arg, name) for arg in call.args):
        return []
    places = asking_places(meant(call.func, names), "isinstance")
    if places is None or max(places) >= len(call.args):
        return []
    value, kinds = [call.args[place] for place in places]
    return named_kinds(kinds, names) if is_called(value, name) else []


def asking_places(function: Any, question: str) -> tuple[int, int] | None:
    """The places of the parameters `x` and `kinds` of a function that asks `isinstance(x, kinds)`,
    or `issubclass` in place of it; None if it is no such function.
    """
    return _places(function, question) if isinstance(function, FunctionType) else None


@functools.lru_cache(maxsize=512)  # functions; chosen, not measured
def _places(function: FunctionType, question: str) -> tuple[int, int] | None:
    taken = function.__code__.co_varnames[: function.__code__.co_argcount]
    if len(taken) < 2 or question not in function.__code__.co_names:
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id=asked), args=[ast.Name(id=value), ast.Name(id=kinds)]
            ) if asked == question and value in taken and kinds in taken:
                return taken.index(value), taken.index(kinds)
            case _:
                pass
    return None


def another_kind(kinds: list[Any], asked: Mapping[Any, None]) -> list[Any]:
    """Where each of these types is one that the body asks for, or derived from one: a type that
    none of its questions fits, as a list of one. Else empty.
    """
    origins = [typing.get_origin(kind) or kind for kind in asked]
    classes = tuple([kind for kind in origins if isinstance(kind, type)])
    others = [kind for kind in kinds if kind is not None and kind not in asked]
    if not classes or not all(_is_one_of(kind, classes) for kind in others):
        return []
    return [kind for kind in (str, int, list[int]) if not _is_one_of(kind, classes)][:1]


def _is_one_of(kind: Any, classes: tuple[type, ...]) -> bool:
    try:
        return issubclass(typing.get_origin(kind) or kind, classes)
    except TypeError:  # a protocol, or a type with arguments
        return True


def any_of(likely: Sequence[Any], asked: Mapping[Any, None]) -> Any:
    """The type of what may be of these types, the most likely first, or of others that a body asks
    for by name. A stand-in and None among them stay however many types there are.
    """
    others = [each for each in asked if type(each) is not Named]
    first = [each for each in likely[:1] if each is not Something]
    ordered = dict.fromkeys([*first, *others, *likely])
    last = [each for each in ordered if each is Something or (each is None and each not in asked)]
    kinds = [each for each in ordered if each not in last][:MOST_TOGETHER]
    if asked and Something not in last:
        kinds += another_kind(kinds, asked) if len(kinds) > 1 else []
    kinds += last
    try:
        return functools.reduce(operator.or_, kinds)
    except TypeError:  # `None | None`, or what is no type
        return kinds[0]


def together(kinds: Sequence[Any]) -> list[Any]:
    """The types, with all objects that lists or iterators among them hold in each of these: what
    goes through a container asks one element for one thing, and the next one for another.
    """
    held = [_parts(typing.get_args(kind)[0]) for kind in kinds if _holds_objects(kind)]
    if not held:
        return list(kinds)
    each = any_of([part for parts in held for part in parts], {})
    # Of those that hold ints nothing is known but that they are containers.
    made = [
        typing.get_origin(kind)[each] if kind in _UNTOLD or _holds_objects(kind) else kind
        for kind in kinds
    ]
    return list(dict.fromkeys(made))


def _holds_objects(kind: Any) -> bool:
    """Whether a type is that of lists or iterators which may hold a stand-in."""
    is_row = typing.get_origin(kind) in (list, collections.abc.Iterator)
    return is_row and Something in _parts(typing.get_args(kind)[0])


def _parts(kind: Any) -> tuple[Any, ...]:
    """The types that a union is made of; any other type alone. None is None."""
    parts = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    return tuple([None if part is types.NoneType else part for part in parts])


def is_enum(kinds: list[Any]) -> bool:
    """Whether these types are one enumeration."""
    return len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], enum.Enum)


def matched(pattern: ast.pattern, names: Mapping[str, Any]) -> list[Any]:
    """The types that a pattern of `match` takes."""
    match pattern:
        case ast.MatchClass(cls=kind):
            return named_kinds(kind, names)
        case ast.MatchValue(value=value):
            return constant_kind(value, names)
        case ast.MatchSingleton(value=None):
            return [None]
        case ast.MatchSingleton():
            return [bool]
        case ast.MatchSequence(patterns=patterns):
            inside = [kind for each in patterns for kind in matched(each, names)]
            return [list_of(inside[0] if inside and inside[0] is not None else int)]
        case ast.MatchMapping(keys=keys, patterns=patterns):
            kinds: dict[str, Any] = {}
            for key, inside_pattern in zip(keys, patterns, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    kinds[key.value] = next(iter(matched(inside_pattern, names)), int) or int
            if kinds:
                return [record(kinds)]
            return [dict[int, int]]
        case ast.MatchOr(patterns=patterns):
            return [kind for each in patterns for kind in matched(each, names)]
        case ast.MatchAs(pattern=inner) if inner is not None:
            return matched(inner, names)
        case _:
            return []
