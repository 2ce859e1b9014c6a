"""Numbers, texts and dates between bounds, exactly as Hypothesis means them."""

from __future__ import annotations

import functools
import math
import operator
import re
import sys
from collections.abc import Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.shapes.shape import ConstantShape, FloatShape, IntShape, Shape, one_of
from symcrete.inputs.strategies.composed import FilteredShape

LARGEST_FLOAT = sys.float_info.max
SMALLEST_FLOAT = math.nextafter(0.0, 1.0)


def integers(low: Any, high: Any) -> Shape:
    """Ints between two bounds, which need not be ints themselves."""
    return IntShape(
        None if low is None else math.ceil(low), None if high is None else math.floor(high)
    )


def floats(low: Any, high: Any, nan: bool | None, infinity: bool | None) -> Shape:
    """Floats between two bounds; whether nan and the infinities are among them follows from the
    bounds where it is not said. A bound of 0.0 leaves out -0.0, and the other way round.
    """
    unbounded = low is None and high is None
    nan = unbounded if nan is None else nan
    infinity = (low is None or high is None) if infinity is None else infinity
    if unbounded and nan and infinity:
        return FloatShape()
    least = -math.inf if low is None else float(low)
    most = math.inf if high is None else float(high)
    if not infinity:
        least, most = max(least, -LARGEST_FLOAT), min(most, LARGEST_FLOAT)
    shapes: list[Shape] = []
    if _is_zero(least, 1.0):
        shapes, least = [ConstantShape(0.0)], SMALLEST_FLOAT
    if _is_zero(most, -1.0):
        shapes, most = [ConstantShape(-0.0)], -SMALLEST_FLOAT
    if least <= most:
        shapes.append(FloatShape(least, most))
    return one_of([*shapes, ConstantShape(math.nan)] if nan else shapes)


def _is_zero(value: float, sign: float) -> bool:
    return value == 0.0 and math.copysign(1.0, value) == sign


def of_characters(intervals: Sequence[tuple[int, int]], least: int, most: int | None) -> Shape:
    """Texts of so many characters, with code points in these intervals."""
    if not intervals:
        return ConstantShape("")
    parts = [f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in intervals]
    pattern = re.compile(f"[{''.join(parts)}]*", re.DOTALL)
    return FilteredShape(StrShape(least, most), pattern.fullmatch)


def between(shape: Shape, low: Any, high: Any) -> Shape:
    """The values of a shape that are not below one bound nor above the other."""
    above = FilteredShape(shape, functools.partial(operator.le, low))
    return FilteredShape(above, functools.partial(operator.ge, high))
