"""The shape of a parameter, of a function or a constructor: by its annotation, or by evidence."""

from __future__ import annotations

import collections.abc
import inspect
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.inference import inferred_types
from symcrete.inputs.shape import ConstantShape, IntShape, Shape, one_of

if TYPE_CHECKING:
    from symcrete.inputs.annotations import Reader

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
    kinds: list[Any] = [type(default)] if known else []
    inferred = inferred_types(function, parameter.name) if function is not None else []
    inferred = _each(inferred, parameter)
    # Objects within objects that nobody asked for only hide the rest.
    plain = [kind for kind in inferred if not isinstance(kind, type) or is_plain(kind)]
    kinds += [kind for kind in (plain if within else inferred) if kind not in kinds]
    if default is None and None not in kinds:
        kinds.append(None)
    if annotation is Any:
        kinds += [kind for kind in ANYTHING if kind not in kinds]
    shapes: list[Shape] = []
    for kind in kinds:
        try:
            shapes.append(reader.shape(kind, where))
        except UnsupportedInput:
            continue
    if not [shape for shape in shapes if shape != ConstantShape(None)]:
        shapes.insert(0, IntShape())
    return one_of(shapes)


def _each(kinds: list[Any], parameter: inspect.Parameter) -> list[Any]:
    """The types of one of the values of `*args` or `**kwargs`, by those of all of them."""
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return kinds
    inside = [typing.get_args(kind) for kind in kinds if typing.get_origin(kind) in _COLLECTIONS]
    return list(dict.fromkeys([args[-1] for args in inside if args and args[-1] is not ...]))


def is_plain(kind: type) -> bool:
    return kind.__module__ == "builtins"
