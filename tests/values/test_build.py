"""Alternatives of a type share a variable: what one left there must not trip up another."""

import math

import pytest

from symcrete.inputs.shapes.shape import FloatShape, IntShape
from symcrete.values.build.variables import tracked_input


@pytest.mark.parametrize(
    "left, whole", [(math.nan, 0), (-math.inf, 0), (2.5, 2), (1e300, int(1e300))]
)
def test_an_int_is_built_where_a_float_was(left: float, whole: int) -> None:
    given = {"x": left}

    value = tracked_input(IntShape(), "x", given)

    assert value == whole
    assert type(given["x"]) is int and given["x"] == whole


@pytest.mark.parametrize("left, kept", [(10**400, 0.0), (-(10**400), 0.0), (7, 7)])
def test_a_float_is_built_where_an_int_was(left: int, kept: float) -> None:
    given = {"x": left}

    assert tracked_input(FloatShape(), "x", given) == kept
    assert given["x"] == kept
