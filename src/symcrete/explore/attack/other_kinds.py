"""Calls with values that the declared types allow and the shapes may have left out."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import Progress
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, FloatShape, IntShape, Shape

_MUTABLE = (list, dict, set, bytearray)


class _Number(int):
    """An int of a subclass."""


class _Text(str):
    """A str of a subclass."""

    __slots__ = ()


class _Items(list):  # type: ignore[type-arg]
    """A list of a subclass."""


def variants(parts: Parts, progress: Progress, most: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Arguments by name with the call as text, made from the inputs that were kept; at most so
    many.
    """
    return itertools.islice(_every(parts, progress), most)


def _every(parts: Parts, progress: Progress) -> Iterator[tuple[dict[str, Any], str]]:
    for kept in progress.kept[:4]:
        try:
            values = parts.arguments.plain(kept.trace.assignment)
        except Exception:  # a constructor of the program's own
            continue
        shapes = {each.name: each.shape for each in parts.arguments.parameters}
        for name, value in values.items():
            for other in _of_subtypes(value):
                if not _within_bounds(shapes.get(name), other):
                    continue
                yield _shown(parts, {**values, name: other})
            if type(value) is list and "Iterable" in _annotation(parts, name):
                once = {**values, name: iter(value)}
                yield once, _shown(parts, values)[1]
        for one, two in itertools.permutations(values, 2):
            same = type(values[one]) is type(values[two])
            if same and (isinstance(values[one], _MUTABLE) or _is_object(values[one])):
                yield _shown(parts, {**values, one: values[two]})


def _annotation(parts: Parts, name: str) -> str:
    found = inspect.signature(parts.runner.function).parameters.get(name)
    return "" if found is None else str(found.annotation)


def _of_subtypes(value: Any) -> Iterator[Any]:
    """Values that a declared type allows in place of this one: of a subclass, or of a type it
    accepts.
    """
    if type(value) is int:
        yield from (True, False, _Number(value))
    elif type(value) is float:
        yield int(value) if value == value and abs(value) < 1e15 else 0
    elif type(value) is str:
        yield _Text(value)
    elif type(value) is list:
        yield _Items(value)
        if value:
            yield [value[0]] * 2


def _within_bounds(shape: Shape | None, value: Any) -> bool:
    """Whether a value heeds the bounds that an annotation adds to its type."""
    match shape:
        case ChoiceShape():
            return any(_within_bounds(each, value) for each in shape.choices)
        case SharedShape():
            return _within_bounds(shape.own, value)
        case ConstantShape():
            return bool(shape.value == value)
        case IntShape() | FloatShape() if isinstance(value, int | float):
            return shape.allows(value)  # type: ignore[arg-type]
        case SequenceShape() if isinstance(value, list):
            return shape.least <= len(value) and (shape.most is None or len(value) <= shape.most)
    return True


def _is_object(value: Any) -> bool:
    return type(value).__module__ != "builtins" and hasattr(value, "__dict__")


def _shown(parts: Parts, values: dict[str, Any]) -> tuple[dict[str, Any], str]:
    told = ", ".join(f"{name}={_text(value)}" for name, value in values.items())
    return values, f"{parts.target.scope}({told})"


def _text(value: Any) -> str:
    if type(value).__module__ not in ("builtins", __name__):
        return type(value).__name__
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."
