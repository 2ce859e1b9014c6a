"""Bounds that annotations carry, functions as inputs, and inputs changed a little."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from symcrete.inputs.draw.mutation import LONGEST_MUTATED, mutated
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import StrShape, spread
from symcrete.inputs.shapes.annotated_bounds import bounded
from symcrete.inputs.shapes.callables import CallableShape, answering, raising
from symcrete.inputs.shapes.containers import FEW_BELOW, draw_length
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
)
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import BYTES, STR, codes_of, length_name, source, text_in


@dataclass
class Gt:
    gt: float


@dataclass
class Le:
    le: float


@dataclass
class Ge:
    ge: float


@dataclass
class Lt:
    lt: float


@dataclass
class Multiple:
    multiple_of: float


@dataclass
class Len:
    min_length: int
    max_length: int | None = None


@dataclass
class Field:
    metadata: list[Any]


NUMBER = IntShape()


@pytest.mark.parametrize(
    ("metadata", "low", "high"),
    [
        ((Gt(0),), 1, None),
        ((Ge(0.5),), 1, None),
        ((Lt(10),), None, 9),
        ((Le(9.5),), None, 9),
        ((Gt(0), Gt(5), Le(7), Le(20)), 6, 7),
        ((Field([Gt(0), Field([Lt(3)])]),), 1, 2),
        (("a note", 7), None, None),
    ],
)
def test_bounds_of_an_int_are_the_tightest_whole_numbers(
    metadata: tuple[Any, ...], low: int | None, high: int | None
) -> None:
    found = bounded(NUMBER, metadata)

    assert isinstance(found, IntShape)
    assert (found.low, found.high) == (low, high)


def test_multiples_of_several_numbers_are_multiples_of_all() -> None:
    found = bounded(NUMBER, (Multiple(4), Multiple(6)))

    assert isinstance(found, IntShape)
    assert found.multiple == 12


def test_bounds_of_a_float_may_be_open() -> None:
    found = bounded(FloatShape(), (Gt(0.5), Le(2)))

    assert isinstance(found, FloatShape)
    assert (found.low, found.low_open, found.high, found.high_open) == (0.5, True, 2.0, False)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ((Gt(5), Ge(0)), FloatShape(low=5.0, low_open=True)),
        ((Ge(5), Gt(5)), FloatShape(low=5.0, low_open=True)),
        ((Gt(5), Ge(5)), FloatShape(low=5.0, low_open=True)),
        ((Le(1), Lt(7)), FloatShape(high=1.0)),
        ((Lt(1), Le(1)), FloatShape(high=1.0, high_open=True)),
        ((Multiple(0.5), Multiple(0.75)), FloatShape(multiple=1.5)),
        ((Multiple(0.5), Multiple(0)), FloatShape(multiple=0.5)),
    ],
)
def test_of_several_bounds_of_a_float_all_hold(metadata: Any, expected: FloatShape) -> None:
    assert bounded(FloatShape(), metadata) == expected


def test_of_several_lengths_all_hold() -> None:
    assert bounded(StrShape(), (Len(2, 5), Len(1, 9))) == StrShape(2, 5)


def test_every_choice_is_bounded_and_a_constant_is_as_it_is() -> None:
    found = bounded(ChoiceShape((NUMBER, ConstantShape(None))), (Gt(3),))

    assert isinstance(found, ChoiceShape)
    number, nothing = found.choices
    assert isinstance(number, IntShape) and number.low == 4
    assert nothing == ConstantShape(None)


@pytest.mark.parametrize("metadata", [Len(2, 5), slice(2, 5)])
def test_the_length_of_a_text_is_bounded(metadata: Any) -> None:
    found = bounded(StrShape(), (metadata,))

    assert isinstance(found, StrShape)
    assert (found.least, found.most) == (2, 5)


@pytest.mark.parametrize("shape", [NUMBER, ConstantShape(3)])
def test_what_has_no_length_is_not_bounded_by_one(shape: Shape) -> None:
    assert bounded(shape, (Len(2),)) == shape


POOL = Pool(integers=(3, 40), floats=(2.5,), texts=("SAVE", "ünicode"))


def given_text(text: str, **others: Any) -> Assignment:
    source("s", STR)  # `s` is known as a text from now on
    given: Assignment = dict(others)
    spread("s", [ord(char) for char in text], given)
    return given


def test_a_mutation_changes_a_copy_and_keeps_it_a_valid_input() -> None:
    random = Random(3)
    given = given_text("total=12", n=5, f=1.5, b=True)
    before = dict(given)

    seen = [mutated(given, POOL, random) for _ in range(500)]

    assert given == before
    assert sum(each != given for each in seen) > 450
    for each in seen:
        codes = codes_of(each, "s")
        assert each[length_name("s")] == len(codes)
        assert all(0 <= code < 0x110000 for code in codes)
        assert (type(each["n"]), type(each["f"]), type(each["b"])) == (int, float, bool)


def test_a_text_that_is_too_long_to_be_changed_is_no_list_of_numbers() -> None:
    given = given_text("a" * (LONGEST_MUTATED + 1), n=5)

    seen = [mutated(given, POOL, Random(seed)) for seed in range(20)]

    assert all(codes_of(each, "s") == codes_of(given, "s") for each in seen)


def test_lengths_far_inside_are_within_their_bounds() -> None:
    drawn = {draw_length(POOL, Random(seed), 0, 1, depth=FEW_BELOW) for seed in range(50)}

    assert drawn == {0, 1}


def test_mutations_put_in_what_the_program_mentions() -> None:
    random = Random(1)
    texts = [
        "".join(map(chr, codes_of(mutated(given_text(""), POOL, random), "s"))) for _ in range(300)
    ]

    assert any("SAVE" in text for text in texts)
    assert all(text.isascii() for text in texts)


def test_the_length_of_a_container_moves_by_one_and_never_below_nothing() -> None:
    random = Random(1)
    name = length_name("xs")

    lengths = {mutated({name: 0}, POOL, random)[name] for _ in range(200)}

    assert min(lengths) == 0
    assert max(lengths) <= 3


def test_an_input_without_variables_stays_as_it_is() -> None:
    assert mutated({}, POOL, Random(0)) == {}


def test_a_function_answers_from_its_table_or_with_what_is_left() -> None:
    answer = answering([((1,), {}, "one"), ((2, 3), {}, "more")], "other")

    assert (answer(1), answer(2, 3), answer(4)) == ("one", "more", "other")


def test_a_function_that_raises_raises_whatever_it_is_called_with() -> None:
    with pytest.raises(KeyError):
        raising(KeyError)(1, two=2)


def test_the_answers_of_a_callable_are_variables_of_the_input() -> None:
    shape = CallableShape(IntShape())
    given = {"f(0)": 7, "f(0).asked": (1,), "f(1)": 9, "f(1).asked": (2,), "f(2)": 4}

    plain = shape.plain("f", given)

    assert shape.asked("f", given) == [(1,), (2,)]
    assert (plain(1), plain(2), plain(3)) == (7, 9, 4)


def test_a_callable_written_down_answers_what_it_answered() -> None:
    shape = CallableShape(IntShape())
    given = {"f(0)": 7, "f(0).asked": (1,), "f(1)": 9, "f(1).asked": (2,)}

    made = eval(shape.write("f", given).text)

    assert (made(1), made(2)) == (7, 9)


def test_what_is_passed_by_keyword_tells_calls_apart() -> None:
    shape = CallableShape(IntShape())
    given = {"f(0)": 7, "f(0).asked": (1,), "f(0).keywords.asked": {"loud": True}}
    given |= {"f(1)": 9, "f(1).asked": (1,), "f(1).keywords.asked": {"loud": False}}

    plain, made = shape.plain("f", given), eval(shape.write("f", given).text)

    for each in (plain, made):
        assert (each(1, loud=True), each(1, loud=False)) == (7, 9)


def test_a_callable_may_raise_what_the_program_handles() -> None:
    shape = CallableShape(IntShape(), raises=(OSError, KeyError))

    assert shape.error("f", {}) is None
    assert shape.error("f", {"f!": 2}) is KeyError
    assert shape.write("f", {"f!": 1}).text == "Mock(side_effect=OSError)"
    drawn = [_drawn(shape, seed) for seed in range(200)]
    assert {None, OSError, KeyError} == set(drawn)


def _drawn(shape: CallableShape, seed: int) -> type[Exception] | None:
    given: Assignment = {}
    shape.sample("f", POOL, Random(seed), given)
    return shape.error("f", given)


def test_an_int_that_may_be_at_most_0_is_no_true() -> None:
    either = ChoiceShape((IntShape(), BoolShape()))

    assert bounded(either, (Le(0),)) == ChoiceShape((IntShape(high=0), ConstantShape(False)))
    assert bounded(either, (Ge(1),)) == ChoiceShape((IntShape(low=1), ConstantShape(True)))
    assert bounded(either, (Ge(2),)) == IntShape(low=2)
    assert bounded(either, (Ge(0), Le(1))) == ChoiceShape((IntShape(0, 1), BoolShape()))


def test_values_of_a_literal_outside_a_bound_are_left_out() -> None:
    values = ChoiceShape((ConstantShape(1), ConstantShape(5), ConstantShape("x")))

    assert bounded(values, (Le(3),)) == ChoiceShape((ConstantShape(1), ConstantShape("x")))


def test_numbers_that_a_list_left_under_the_names_of_a_text_are_plain_characters() -> None:
    given = {"len(s)": 4, "s[0]": -2, "s[1]": 0x110000, "s[2]": 1.5, "s[3]": 98}

    assert text_in(given, "s", STR) == "aaab"
    assert text_in(given, "s", BYTES) == b"aaab"
