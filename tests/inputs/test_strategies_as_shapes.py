"""Strategies of Hypothesis as shapes: their values, all of them, and nothing else."""

from __future__ import annotations

import datetime
import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.shapes.annotations import Reader
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    write,
)
from symcrete.inputs.strategies.bounds import between, floats, integers, of_characters
from symcrete.inputs.strategies.composed import FilteredShape, MappedShape
from symcrete.inputs.strategies.strategy_reader import StrategyReader, drawn


def _told(value: Any) -> str:
    """The name of a case, which must be the same in every process."""
    return "function" if callable(value) else repr(value)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Point:
    x: int
    y: int


def shaped(strategy: Any) -> Shape:
    return StrategyReader(Reader({}), "test.x").shape(strategy)


def values(shape: Shape, count: int = 150) -> list[Any]:
    """Values of a shape that are drawn at random; what a filter refuses is none."""
    pool, random = Pool(texts=("xyx", "ab-1", "ä")), Random(3)
    found = []
    for _ in range(count):
        given: dict[str, Any] = {}
        try:
            shape.sample("x", pool, random, given)
            found.append(shape.plain("x", given))
        except AssumptionFailed:
            continue
    return found


@pytest.mark.parametrize(
    ("strategy", "shape"),
    [
        (st.integers(), IntShape()),
        (st.integers(1, 7), IntShape(1, 7)),
        (st.integers(min_value=3), IntShape(3)),
        (st.booleans(), BoolShape()),
        (st.none(), ConstantShape(None)),
        (st.just(3), ConstantShape(3)),
        (st.sampled_from([1, 2]), ChoiceShape((ConstantShape(1), ConstantShape(2)))),
        (st.none() | st.integers(), ChoiceShape((ConstantShape(None), IntShape()))),
        (st.text(), StrShape()),
        (st.text(min_size=1, max_size=4), StrShape(1, 4)),
        (st.floats(), FloatShape()),
        (st.floats(1.5, 2.5), FloatShape(1.5, 2.5)),
    ],
    ids=_told,
)
def test_a_strategy_with_bounds_is_a_shape_with_the_same_bounds(
    strategy: Any, shape: Shape
) -> None:
    assert shaped(strategy) == shape


@pytest.mark.parametrize(
    ("strategy", "holds"),
    [
        (st.lists(st.integers(0, 3), min_size=2, max_size=4), lambda v: 2 <= len(v) <= 4),
        (st.sets(st.integers(0, 3), min_size=1), lambda v: v and v <= {0, 1, 2, 3}),
        (st.frozensets(st.booleans()), lambda v: type(v) is frozenset),
        (st.tuples(st.booleans(), st.integers()), lambda v: type(v) is tuple and len(v) == 2),
        (st.dictionaries(st.integers(), st.none(), max_size=2), lambda v: len(v) <= 2),
        (
            st.fixed_dictionaries({"a": st.integers(0, 1)}, optional={"b": st.none()}),
            lambda v: {"a"} <= set(v) <= {"a", "b"},
        ),
        (st.text("xy"), lambda v: set(v) <= {"x", "y"}),
        (st.text(st.characters(codec="ascii")), str.isascii),
        (st.from_regex("[a-c]{2}-[0-9]", fullmatch=True), lambda v: len(v) == 4),
        (st.binary(min_size=2, max_size=3), lambda v: 2 <= len(v) <= 3),
        (
            st.dates(datetime.date(2020, 2, 1), datetime.date(2020, 2, 29)),
            lambda v: v.year == 2020 and v.month == 2,
        ),
        (st.integers(0, 50).filter(lambda n: n % 3 == 1), lambda v: v % 3 == 1),
        (st.integers(0, 50).map(lambda n: 2 * n), lambda v: v % 2 == 0 and 0 <= v <= 100),
        (st.sampled_from(Color), lambda v: v in Color),
        (st.builds(Point, x=st.just(1), y=st.integers(0, 2)), lambda v: v.x == 1 and v.y <= 2),
        (st.builds(max, st.integers(0, 2), st.integers(1, 2)), lambda v: 1 <= v <= 2),
        (st.floats(0.0, 1.0), lambda v: math.copysign(1.0, v) == 1.0 and v <= 1.0),
        (st.floats(allow_nan=False, allow_infinity=False), math.isfinite),
    ],
    ids=_told,
)
def test_every_value_of_the_shape_is_one_that_the_strategy_gives(
    strategy: Any, holds: Callable[[Any], bool]
) -> None:
    found = values(shaped(strategy))

    assert len(found) > 3
    assert all(holds(value) for value in found)
    assert all(holds(drawn(strategy, Random(seed))) for seed in range(20))


def test_a_bound_of_zero_leaves_out_the_zero_of_the_other_sign() -> None:
    assert floats(0.0, None, False, True) == ChoiceShape(
        (ConstantShape(0.0), FloatShape(5e-324, math.inf))
    )
    assert floats(-0.0, 1.0, False, False) == FloatShape(-0.0, 1.0)


def test_nan_is_an_alternative_beside_bounds() -> None:
    shape = floats(1.0, 2.0, True, False)

    assert isinstance(shape, ChoiceShape)
    assert math.isnan(shape.choices[1].plain("x", {}))


def test_bounds_of_integers_need_not_be_integers() -> None:
    assert integers(0.5, 2.5) == IntShape(1, 2)


def test_an_empty_alphabet_gives_the_empty_text_alone() -> None:
    assert of_characters([], 0, None) == ConstantShape("")


def test_values_beyond_bounds_are_refused() -> None:
    shape = between(IntShape(), 3, 5)

    assert shape.plain("x", {"x": 4}) == 4
    with pytest.raises(AssumptionFailed):
        shape.plain("x", {"x": 6})


@st.composite
def ordered(draw: Any, least: int) -> tuple[int, int]:
    first = draw(st.integers(least, 9))
    return first, draw(st.integers(first, 9))


def test_a_composite_strategy_draws_inputs_of_its_own() -> None:
    shape = shaped(ordered(4))

    assert shape.plain("x", {"x.draw[0]": 5, "x.draw[1]": 8}) == (5, 8)
    assert all(4 <= first <= second <= 9 for first, second in values(shape))


def test_what_is_mapped_to_an_object_is_written_as_the_call_that_makes_it() -> None:
    shape = MappedShape(IntShape(), Holder)

    written = write(shape, "x", {"x": 7})

    assert written.text == "Holder(7)"
    assert (__name__, "Holder") in written.imports


class Holder:
    def __init__(self, held: int) -> None:
        self.held = held


def test_what_passes_a_filter_is_written_as_it_is() -> None:
    assert write(FilteredShape(IntShape(), bool), "x", {"x": 7}).text == "7"


@pytest.mark.parametrize(
    "strategy",
    [
        st.floats(width=32),
        st.lists(st.integers(), unique=True),
        st.integers(0, 3).flatmap(lambda n: st.lists(st.none(), min_size=n, max_size=n)),
        st.recursive(st.none(), st.lists),
        st.deferred(lambda: st.integers()),
    ],
    ids=_told,
)
def test_what_is_not_understood_is_drawn_by_hypothesis_and_it_is_said(strategy: Any) -> None:
    reader = Reader({})

    shape = StrategyReader(reader, "test.x").shape(strategy)

    assert isinstance(shape, SampledShape)
    assert any("drawn by Hypothesis, not solved for" in reason for reason in reader.open)


def test_texts_with_lone_surrogates_are_left_open() -> None:
    reader = Reader({})

    assert StrategyReader(reader, "test.x").shape(st.text(st.characters())) == StrShape()
    assert "test.x: texts with lone surrogates are not tried" in reader.open
