"""The shape of a parameter, of a function or a constructor: by its annotation, or by evidence."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import typing
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.infer.body import inferred_types
from symcrete.inputs.shapes.shape import ConstantShape, IntShape, Shape, one_of

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader

_SCALARS = (bool, int, float, str, bytes)
_NAMED = (type, FunctionType)
_COLLECTIONS = (list, dict, set, collections.abc.Iterator)

# What an argument may be that can be anything.
ANYTHING: tuple[Any, ...] = (int, str, float, bool, None, list[int], dict[str, int])


def shape_of_parameter(
    function: Callable[..., Any] | None,
    parameter: inspect.Parameter,
    annotation: Any,
    where: str,
    reader: Reader,
    *,
    within: bool = False,
) -> Shape:
    """`function` is where the parameter is used, as far as there is such a text.

    `within`: the parameter is that of a constructor or a method of an input.
    """
    if annotation is not inspect.Parameter.empty and annotation is not Any:
        return reader.shape(annotation, where)
    default = parameter.default
    known = default is not inspect.Parameter.empty and default is not None
    kinds: list[Any] = [_kind_of(default)] if known else []
    itself = _itself(default, function) if known else []
    if within and itself:
        return itself[0]  # what else it may be is seldom what an object is about
    inferred = inferred_types(function, parameter.name) if function is not None else []
    inferred = _each(inferred, parameter)
    # Objects within objects that nobody asked for only hide the rest.
    plain = [kind for kind in inferred if not isinstance(kind, type) or is_plain(kind)]
    kinds += [kind for kind in (plain if within else inferred) if kind not in kinds]
    if default is None and None not in kinds:
        kinds.append(None)
    if annotation is Any:
        kinds += [kind for kind in ANYTHING if kind not in kinds]
    shapes: list[Shape] = [*itself]
    for kind in kinds:
        try:
            shapes.append(reader.shape(kind, where))
        except UnsupportedInput:
            continue
    nothing = not [shape for shape in shapes if shape != ConstantShape(None)]
    if nothing and not (within and shapes):
        shapes.insert(0, IntShape())
    return one_of(shapes)


def _kind_of(default: Any) -> Any:
    """The type of a value, with that of the elements of a list or a tuple."""
    kind = type(default)
    if kind in (list, tuple) and default and type(default[0]) in _SCALARS:
        element = type(default[0])
        return list[element] if kind is list else tuple[element, ...]  # type: ignore[valid-type]
    return kind


def _itself(default: Any, function: Callable[..., Any] | None) -> list[Shape]:
    """The default as a shape, where others of its type say little: a tuple that the program spells
    out, a class, a function or an object that its module has a name for.
    """
    if type(default) is tuple and default and all(type(each) in _SCALARS for each in default):
        return [ConstantShape(default)]
    names = getattr(function, "__globals__", {})
    if is_plain(type(default)) and not isinstance(default, _NAMED) and type(default) is not object:
        return []
    if isinstance(default, enum.Enum):
        return []
    found = [name for name, value in names.items() if value is default]
    return [ConstantShape(default, (names["__name__"], found[0]))] if found else []


def _each(kinds: list[Any], parameter: inspect.Parameter) -> list[Any]:
    """The types of one of the values of `*args` or `**kwargs`, by those of all of them."""
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return kinds
    inside = [typing.get_args(kind) for kind in kinds if typing.get_origin(kind) in _COLLECTIONS]
    return list(dict.fromkeys([args[-1] for args in inside if args and args[-1] is not ...]))


def is_plain(kind: type) -> bool:
    return kind.__module__ == "builtins"
