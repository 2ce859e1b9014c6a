"""An unknown result, tied to one that was computed; and calls that compute the same."""

from __future__ import annotations

import dataclasses
import inspect
import math
from types import CodeType
from typing import Any, NamedTuple

import pytest

from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.run.callees.arguments_key import key_of
from symcrete.run.callees.results import DoesNotFit, shape_of_result, tie
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.term import Sort, var
from symcrete.values.containers.lists import concolic_list
from symcrete.values.tracking.numeric import concolic_int
from symcrete.values.vocabulary.vocabulary import use

use()
NONE = ConstantShape(None)
X = var("x", Sort.INT)


class Pair(NamedTuple):
    kind: int
    text: str


@dataclasses.dataclass
class Token:
    kind: int
    pair: Pair


@dataclasses.dataclass
class Checked:
    kind: int

    def __post_init__(self) -> None:
        self.kind = abs(self.kind)


@dataclasses.dataclass
class Written:
    kind: int

    def __init__(self) -> None:
        self.kind = 3


def declared(annotation: Any) -> Shape:
    shape, _ = shape_of_result(annotation, [])
    assert shape is not None
    return shape


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        (int, IntShape()),
        (str, StrShape()),
        (tuple[int, bool], TupleShape((IntShape(), BoolShape()))),
        (None, NONE),
    ],
)
def test_an_annotation_says_what_an_unknown_result_can_be(annotation: Any, shape: Shape) -> None:
    assert shape_of_result(annotation, []) == (shape, "")


@pytest.mark.parametrize("annotation", [dict[str, int], object, Checked, Written, tuple[int, ...]])
def test_results_without_terms_cannot_be_unknown(annotation: Any) -> None:
    assert shape_of_result(annotation, []) == (None, "returns a type whose values have no terms")


@pytest.mark.parametrize(
    ("observed", "shape"),
    [
        ([1, 2], IntShape()),
        ([True], BoolShape()),
        ([1, None], ChoiceShape((IntShape(), NONE))),
        ([(1, "a"), (2, "b")], TupleShape((IntShape(), StrShape()))),
        ([[1]], None),
        ([(1, 2), (1, 2, 3)], None),
        ([], None),
    ],
)
def test_without_annotation_the_results_seen_say_it(
    observed: list[Any], shape: Shape | None
) -> None:
    found, reason = shape_of_result(inspect.Parameter.empty, observed)

    assert found == shape
    assert bool(reason) is (shape is None)


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (IntShape(), 7),
        (FloatShape(), 2.5),
        (FloatShape(), math.nan),
        (BoolShape(), True),
        (NONE, None),
        (ChoiceShape((IntShape(), NONE)), None),
        (ChoiceShape((IntShape(), NONE)), 3),
        (TupleShape((IntShape(), StrShape())), (1, "ab")),
        (StrShape(), "abc"),
        (BytesShape(), b""),
        (declared(Pair), Pair(1, "ab")),
        (declared(Token), Token(3, Pair(1, ""))),
        (declared(Token | None), None),
        (declared(list[int]), [3, 4]),
        (declared(list[Token]), [Token(1, Pair(2, "x"))]),
    ],
)
def test_a_tied_result_satisfies_its_own_conditions(shape: Shape, value: Any) -> None:
    given: Assignment = {}

    conditions = tie(shape, "call#1", value, given)

    assert all_hold(conditions, given)


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (IntShape(), True),
        (IntShape(), 1.0),
        (FloatShape(), 1),
        (BoolShape(), "yes"),
        (NONE, 0),
        (ChoiceShape((IntShape(), NONE)), "text"),
        (TupleShape((IntShape(),)), (1, 2)),
        (StrShape(), b"bytes"),
        (declared(Pair), (1, "ab")),
        (declared(Token), Pair(1, "ab")),
        (declared(list[int]), (1, 2)),
        (declared(list[int]), [1, "a"]),
        (declared(list[int]), concolic_list([1], X, lambda index: 0)),
    ],
)
def test_a_value_of_another_shape_does_not_fit(shape: Shape, value: Any) -> None:
    with pytest.raises(DoesNotFit):
        tie(shape, "call#1", value, {})


def test_a_tie_follows_the_terms_of_the_result() -> None:
    given: Assignment = {"x": 4}

    (condition,) = tie(IntShape(), "call#1", concolic_int(4, X), given)

    assert given["call#1"] == 4
    assert all_hold([condition], {"x": 9, "call#1": 9})
    assert not all_hold([condition], {"x": 9, "call#1": 4})


def called(x: Any, y: Any = None) -> None: ...


CODE: CodeType = called.__code__


def key(*args: Any, **kwargs: Any) -> Any:
    return key_of(CODE, called, args, kwargs, ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1),
        ([1, "a"], [1, "a"]),
        ({"k": (1, 2)}, {"k": (1, 2)}),
        (concolic_int(3, X), concolic_int(8, X)),
        (float("nan"), float("nan")),
    ],
    ids=["numbers", "lists", "dicts", "the same term", "nan"],
)
def test_calls_that_compute_the_same_have_equal_keys(one: Any, other: Any) -> None:
    assert key(one) == key(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 2), (1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ("a", b"a"), (3, concolic_int(3, X))],
    ids=str,
)
def test_calls_that_may_differ_have_different_keys(one: Any, other: Any) -> None:
    assert key(one) != key(other)


def test_a_keyword_argument_is_no_positional_one() -> None:
    assert key(1, y=2) != key(1, 2)
    assert key(x=1, y=2) == key(y=2, x=1)


class Loose:
    def __init__(self, inside: Any) -> None:
        self.inside = inside


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


@pytest.mark.parametrize(
    "value",
    [{1, 2}, frozenset({1}), bytearray(b"a"), nested(20), [0] * 10_000],
    ids=["set", "frozenset", "bytearray", "deep", "wide"],
)
def test_arguments_that_cannot_be_told_apart_have_no_key(value: Any) -> None:
    assert key(value) is None


def test_an_object_is_what_its_attributes_are() -> None:
    assert key(Loose([1])) == key(Loose([1]))
    assert key(Loose([1])) != key(Loose([2]))


LIMIT = 3


def test_globals_that_may_change_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(CODE, called, (1,), {}, ("LIMIT",))
    monkeypatch.setitem(called.__globals__, "LIMIT", 4)

    assert key_of(CODE, called, (1,), {}, ("LIMIT",)) != before


def test_what_a_closure_holds_is_part_of_the_key() -> None:
    def made(n: int) -> Any:
        def inner(x: int) -> int:
            return x + n

        return inner

    one, two, again = made(1), made(2), made(1)

    assert key_of(one.__code__, one, (5,), {}, ()) != key_of(two.__code__, two, (5,), {}, ())
    assert key_of(one.__code__, one, (5,), {}, ()) == key_of(again.__code__, again, (5,), {}, ())
