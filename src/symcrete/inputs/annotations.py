"""From a parameter's annotation to the shape of its inputs."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Callable
from random import Random
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.sampling import Pool
from symcrete.inputs.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
)
from symcrete.inputs.texts import ByteArrayShape, BytesShape, StrShape

SIMPLE: dict[Any, Shape] = {
    int: IntShape(),
    float: FloatShape(),
    bool: BoolShape(),
    str: StrShape(),
    bytes: BytesShape(),
    bytearray: ByteArrayShape(),
    None: ConstantShape(None),
    type(None): ConstantShape(None),
}


def shape_of(annotation: Any, where: str) -> Shape:
    """The shape for an annotation; `where` names the parameter in the error."""
    found = SIMPLE.get(annotation) if _hashable(annotation) else None
    if found is not None:
        return found
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return shape_of(args[0], where)
    if origin is typing.Union or origin is types.UnionType:
        # None last: an input that is there says more than one that is not.
        parts = sorted(args, key=lambda arg: arg is type(None))
        return ChoiceShape(tuple([shape_of(part, where) for part in parts]))
    if origin is typing.Literal:
        return ChoiceShape(tuple([ConstantShape(value) for value in args]))
    if origin is tuple and args and args[-1] is not Ellipsis:
        return TupleShape(tuple([shape_of(arg, where) for arg in args]))
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum) and len(annotation):
        return ChoiceShape(tuple([ConstantShape(member) for member in annotation]))
    maker = _MAKERS.get(origin or annotation) if _hashable(origin or annotation) else None
    if maker is not None:
        return _sampled(annotation, maker, where)
    raise UnsupportedInput(
        f"cannot make inputs of type {type_name(annotation)} for {where}; "
        f'give another with --types "{where.split(".")[-1]}: int"'
    )


def type_name(annotation: Any) -> str:
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__qualname__
    return str(annotation).replace("typing.", "")


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _sampled(annotation: Any, maker: Callable[..., Any], where: str) -> Shape:
    parts = [shape_of(arg, where) for arg in typing.get_args(annotation) if arg is not Ellipsis]

    def draw(pool: Pool, random: Random) -> Any:
        return maker(pool, random, [_drawer(part) for part in parts])

    kind = typing.get_origin(annotation) or annotation
    return SampledShape(draw, kind())


def _drawer(shape: Shape) -> Callable[[Pool, Random], Any]:
    def draw(pool: Pool, random: Random) -> Any:
        given: dict[str, Any] = {}
        shape.sample("x", pool, random, given)
        return shape.plain("x", given)

    return draw


def _items(pool: Pool, random: Random, parts: list[Any]) -> list[Any]:
    draw = parts[0] if parts else _drawer(IntShape())
    return [draw(pool, random) for _ in range(random.choice((0, 1, 2, 3, 5)))]


def _pairs(pool: Pool, random: Random, parts: list[Any]) -> dict[Any, Any]:
    keys, values = parts if len(parts) == 2 else [_drawer(IntShape())] * 2
    return {keys(pool, random): values(pool, random) for _ in range(random.choice((0, 1, 2, 3)))}


_MAKERS: dict[Any, Callable[..., Any]] = {
    list: _items,
    tuple: lambda pool, random, parts: tuple(_items(pool, random, parts)),
    set: lambda pool, random, parts: set(_items(pool, random, parts)),
    frozenset: lambda pool, random, parts: frozenset(_items(pool, random, parts)),
    dict: _pairs,
    complex: lambda pool, random, parts: complex(pool.float(random), pool.float(random)),
}
