"""`Annotated[int, Gt(0)]` and the like: what the metadata of a type says about its values.

The metadata of annotated-types, pydantic and msgspec is known by the names of its attributes:
none of them has to be installed.
"""

from __future__ import annotations

import dataclasses
import fractions
import math
import operator
from collections.abc import Callable
from typing import Any

from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
)

_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "multiple_of": lambda value, step: not step or value % step == 0,
}


def bounded(shape: Shape, metadata: tuple[Any, ...]) -> Shape:
    """The shape narrowed by all metadata that is understood."""
    for each in metadata:
        shape = _narrowed(shape, each)
    return shape


def _narrowed(shape: Shape, item: Any) -> Shape:
    """The shape narrowed by one item of metadata, which may be a group of them."""
    if isinstance(shape, SharedShape):
        return SharedShape(_narrowed(shape.own, item), shape.key)
    if isinstance(item, slice):
        return _length(shape, item.start, item.stop)
    for grouped in _parts(item):
        shape = _narrowed(shape, grouped)
    for name in ("gt", "ge", "lt", "le", "multiple_of"):
        value = getattr(item, name, None)
        if isinstance(value, int | float) and not isinstance(value, bool):
            shape = _number(shape, name, value)
    return _length(shape, getattr(item, "min_length", None), getattr(item, "max_length", None))


def _parts(item: Any) -> list[Any]:
    """The items of metadata that is a group, such as Interval or Field."""
    inner = getattr(item, "metadata", None)
    return list(inner) if isinstance(inner, list | tuple) else []


def _number(shape: Shape, name: str, value: int | float) -> Shape:
    """The shape with one bound; alternatives without a value within it are left out."""
    if isinstance(shape, ChoiceShape):
        within = [each for each in shape.choices if _allowed(each, name, value)]
        narrowed = [_number(each, name, value) for each in within or shape.choices]
        if len(narrowed) == 1:
            return narrowed[0]
        return dataclasses.replace(shape, choices=tuple(narrowed))
    if isinstance(shape, BoolShape):
        # `True` is 1: an int that may be at most 0 is no `True`.
        allowed = [each for each in (False, True) if _HOLDS[name](each, value)]
        return ConstantShape(allowed[0]) if len(allowed) == 1 else shape
    if isinstance(shape, IntShape):
        return _int(shape, name, value)
    return _float(shape, name, float(value)) if isinstance(shape, FloatShape) else shape


def _allowed(shape: Shape, name: str, value: int | float) -> bool:
    """Whether some value of an alternative is within a bound."""
    if isinstance(shape, BoolShape):
        return any(_HOLDS[name](each, value) for each in (False, True))
    if isinstance(shape, ConstantShape) and isinstance(shape.value, int | float):
        return _HOLDS[name](shape.value, value)
    return True


def _int(shape: IntShape, name: str, value: int | float) -> IntShape:
    if name == "multiple_of":
        step = int(value)
        return dataclasses.replace(shape, multiple=math.lcm(shape.multiple, step or 1))
    if name in ("gt", "ge"):
        least = math.floor(value) + 1 if name == "gt" else math.ceil(value)
        return dataclasses.replace(shape, low=least if shape.low is None else max(least, shape.low))
    most = math.ceil(value) - 1 if name == "lt" else math.floor(value)
    return dataclasses.replace(shape, high=most if shape.high is None else min(most, shape.high))


def _float(shape: FloatShape, name: str, value: float) -> FloatShape:
    if name == "multiple_of":
        return dataclasses.replace(shape, multiple=_common_multiple(shape.multiple, value))
    is_open = name in ("gt", "lt")
    # The tighter bound holds; of two at one number, the one that leaves it out.
    if name in ("gt", "ge"):
        if shape.low is not None and (shape.low, shape.low_open) > (value, is_open):
            return shape
        return dataclasses.replace(shape, low=value, low_open=is_open)
    if shape.high is not None and (-shape.high, shape.high_open) > (-value, is_open):
        return shape
    return dataclasses.replace(shape, high=value, high_open=is_open)


def _common_multiple(one: float | None, other: float) -> float | None:
    """The smallest number that is a multiple of both, as they are written: 0.3 for 0.1 and 0.15."""
    if not one or not other or not math.isfinite(one) or not math.isfinite(other):
        return other or one
    first, second = fractions.Fraction(repr(one)), fractions.Fraction(repr(other))
    common = first.denominator * second.denominator
    return float(fractions.Fraction(math.lcm(int(first * common), int(second * common)), common))


def _length(shape: Shape, least: Any, most: Any) -> Shape:
    """The shape with these lengths as bounds, where it has a length; None is no bound."""
    if isinstance(shape, ChoiceShape):
        bounds = [_length(each, least, most) for each in shape.choices]
        return dataclasses.replace(shape, choices=tuple(bounds))
    if isinstance(shape, ConstantShape) or not dataclasses.is_dataclass(shape):
        return shape
    if not {"least", "most"} <= {each.name for each in dataclasses.fields(shape)}:
        return shape
    changes: dict[str, int] = {}
    if isinstance(least, int):
        changes["least"] = max(least, getattr(shape, "least", 0))
    if isinstance(most, int):
        former = getattr(shape, "most", None)
        changes["most"] = most if former is None else min(most, former)
    return dataclasses.replace(shape, **changes)  # type: ignore[type-var,unused-ignore]
