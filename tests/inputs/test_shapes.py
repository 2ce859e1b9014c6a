"""The text of an input, evaluated in a namespace that has its imports only, is that input."""

from __future__ import annotations

import collections
import dataclasses
import enum
import importlib
import math
import numbers
import typing
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import pytest

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.infer.something import Named
from symcrete.inputs.infer.telling import NOTHING, Telling
from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.inputs.shapes.annotations import Reader, shape_of
from symcrete.inputs.shapes.containers import SetShape
from symcrete.inputs.shapes.fakes import FakeShape
from symcrete.inputs.shapes.inferred import guessed_choice
from symcrete.inputs.shapes.objects import InstanceShape
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    LaterShape,
    known,
    one_of,
    write,
)
from symcrete.inputs.subtypes import any_classes, classes_for


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Mode(enum.IntFlag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Pair(NamedTuple):
    left: int
    right: str


class Options(TypedDict, total=False):
    deep: bool
    size: int


class Box:
    def __init__(self, label: str) -> None:
        self.label = label
        self.things: list[int] = []

    def put(self, thing: int) -> None:
        self.things.append(thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Chain:
    def __init__(self, value: int, rest: Chain | None = None) -> None:
        self.value, self.rest = value, rest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass(frozen=True)
class Bound:
    ge: int = 0
    lt: int = 100


KINDS: list[Any] = [
    int,
    float,
    bool,
    None,
    str,
    bytes,
    complex,
    date,
    datetime,
    time,
    timedelta,
    Decimal,
    Fraction,
    UUID,
    PurePosixPath,
    Color,
    Right,
    Mode,
    Point,
    Pair,
    Options,
    Box,
    Chain,
    list[int],
    list[list[str]],
    list[Point],
    tuple[int, str],
    tuple[float, ...],
    set[int],
    set[tuple[int, bool]],
    frozenset[str],
    dict[str, int],
    dict[int, list[Color]],
    collections.deque[int],
    collections.Counter[int],
    collections.OrderedDict[int, str],
    collections.defaultdict[int, list[int]],
    int | None,
    Literal[1, "two", None],
    Annotated[int, Bound()],
]
POOL = Pool(integers=(3, 7), texts=("ab", ".py"))


def evaluated(text: str, imports: Any) -> Any:
    namespace: dict[str, Any] = {}
    for module, name in imports:
        namespace[name] = getattr(importlib.import_module(module), name)
    return eval(text, namespace)


def alike(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return repr(left) == repr(right)
    if isinstance(left, complex):
        return repr(left) == repr(right)
    if isinstance(left, Decimal):
        return str(left) == str(right)
    if isinstance(left, tuple | list | collections.deque):
        return len(left) == len(right) and all(map(alike, left, right))
    if dataclasses.is_dataclass(left):
        return alike(list(vars(left).values()), list(vars(right).values()))
    return bool(left == right)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_text_of_a_drawn_input_gives_the_same_value(kind: Any) -> None:
    shape, random = shape_of(kind, "x"), Random(1)

    for _ in range(40):
        given: dict[str, Any] = {}
        shape.sample("x", POOL, random, given)
        written = write(shape, "x", given)
        again, plain = evaluated(written.text, written.imports), shape.plain("x", given)

        assert type(again) is type(plain)
        assert alike(again, plain), written.text


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_input_that_is_not_given_is_plain(kind: Any) -> None:
    shape = shape_of(kind, "x")
    written = write(shape, "x", {})

    assert alike(evaluated(written.text, written.imports), shape.plain("x", {}))


def test_two_inputs_are_never_the_same_nan() -> None:
    nan = float("nan")
    first, second = (FloatShape().plain(name, {"x": nan, "y": nan}) for name in "xy")

    assert first not in [second]


def test_an_iterator_is_written_as_one() -> None:
    shape = shape_of(Iterator[int], "x")

    written = write(shape, "x", {"len(x)": 2, "x[0]": 4, "x[1]": 5})

    assert written.text == "iter([4, 5])"


def test_a_callable_answers_as_it_did_in_the_run() -> None:
    shape = shape_of(Callable[[int], int], "f")
    given = {"f(0)": 10, "f(0).asked": (1,), "f(1)": 20, "f(1).asked": (2,)}

    function = evaluated(write(shape, "f", given).text, ())

    assert [function(1), function(2), function(1)] == [10, 20, 10]


def test_an_object_changed_by_its_methods_is_one_expression() -> None:
    shape = shape_of(Box, "box")
    given = {
        "box.label": "a",
        "box.calls()": 2,
        "box.calls()[0].thing": 4,
        "box.calls()[1].thing": 5,
    }

    text = write(shape, "box", given).text

    assert text == '(box := Box("a"), box.put(4), box.put(5))[0]'


def test_bounds_hold_for_every_draw() -> None:
    shape, random = shape_of(Annotated[int, Bound()], "x"), Random(0)

    for _ in range(200):
        given: dict[str, Any] = {}
        shape.sample("x", POOL, random, given)
        assert 0 <= given["x"] < 100


def test_draws_of_a_type_that_mentions_itself_end() -> None:
    shape, random = shape_of(Chain, "x"), Random(0)

    for _ in range(200):
        given: dict[str, Any] = {}
        shape.sample("x", POOL, random, given)
        assert len(given) < 20


def test_what_a_library_opens_is_no_input() -> None:
    import socket

    with pytest.raises(UnsupportedInput, match="--types"):
        shape_of(socket.socket, "f.s")


Nested = typing.Union[int, list["Nested"], dict["Nested", "Nested"]]  # noqa: UP007


def test_a_type_that_is_about_itself_ends_after_some_levels() -> None:
    shape, random = shape_of(Nested, "x", {"Nested": Nested}), Random(0)

    drawn = []
    for _ in range(300):
        given: dict[str, Any] = {}
        shape.sample("x", POOL, random, given)
        drawn.append(shape.plain("x", given))

    assert {type(each) for each in drawn} == {int, list, dict}
    assert any(isinstance(each, list) and list in map(type, each) for each in drawn)


@pytest.mark.parametrize("kind", [type, typing.Type, type[Any], type[object]])  # noqa: UP006
def test_where_any_class_may_be_given_those_are_tried_that_the_program_asks_for(kind: Any) -> None:
    reader = Reader({}, Telling(kinds=(Decimal,)))

    shape = reader.shape(kind, "f.kind")

    assert [each.value for each in shape.choices] == [Decimal, int, str, list]  # type: ignore[attr-defined]
    assert reader.open == {"f.kind may be any class": None}


def test_a_class_that_is_named_is_tried_with_those_derived_from_it() -> None:
    assert classes_for(Color | Right, NOTHING) == [Color, Right]
    assert classes_for(Color | Any, NOTHING) == []
    assert bool in classes_for(int, NOTHING)
    assert shape_of(type[Color], "x") == ConstantShape(Color)
    assert any_classes(Telling(kinds=(bytes,)))[0] is bytes


def test_a_class_derived_further_is_tried_if_asked_for_and_others_are_left_open() -> None:
    reader = Reader({}, Telling(kinds=(FileNotFoundError, str)))

    shape = reader.shape(type[Exception], "f.kind")

    assert ConstantShape(FileNotFoundError) in shape.choices  # type: ignore[attr-defined]
    assert ConstantShape(str) not in shape.choices  # type: ignore[attr-defined]
    assert reader.open == {"f.kind may be any class derived from Exception": None}


def test_a_class_that_none_can_be_derived_from_leaves_nothing_open() -> None:
    reader = Reader({}, NOTHING)

    assert reader.shape(type[bool] | type[Color], "f.kind").choices == (  # type: ignore[attr-defined]
        ConstantShape(bool),
        ConstantShape(Color),
    )
    assert reader.open == {}


@pytest.mark.parametrize(
    ("declared", "asked", "made"),
    [
        (Mapping[str, int], dict, "dict"),
        (MutableMapping[str, int], collections.UserDict, "dict"),
        (Set[int], frozenset, "set"),
    ],
)
def test_an_abstract_collection_is_left_open_where_the_program_asks_for_a_concrete_one(
    declared: Any, asked: type, made: str
) -> None:
    reader, silent = Reader({}, Telling(kinds=(asked,))), Reader({}, Telling(kinds=(str,)))

    reader.shape(declared, "f.x")
    silent.shape(declared, "f.x")

    assert list(reader.open) == [f"f.x may be a {declared.__name__} that is no {made}"]
    assert silent.open == {}


def test_an_abstract_set_that_the_program_tells_apart_is_tried_as_a_frozenset_too() -> None:
    shape = Reader({}, Telling(kinds=(set,))).shape(Set[int], "f.x")

    assert {type(each.plain("x", {})) for each in shape.choices} == {set, frozenset}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "tried"),
    [
        (numbers.Number, {int, float, complex}),
        (numbers.Real, {int, float}),
        (numbers.Rational, {int, Fraction}),
    ],
)
def test_an_abstract_number_is_tried_with_classes_that_are_such_numbers_and_left_open(
    kind: Any, tried: set[type]
) -> None:
    reader = Reader({}, NOTHING)

    shape = reader.shape(kind, "f.x")

    assert {type(each.plain("x", {})) for each in shape.choices} == tried  # type: ignore[attr-defined]
    assert reader.open == {"f.x may be a number of any class": None}


def test_an_object_that_a_module_has_a_name_for_is_written_by_it() -> None:
    shape = shape_of(Named(dataclasses.MISSING, "dataclasses", "MISSING"), "x")

    written = write(shape, "x", {})

    assert shape.plain("x", {}) is dataclasses.MISSING
    assert written.text == "MISSING"
    assert written.imports == {("dataclasses", "MISSING")}


def test_a_type_variable_is_its_bound() -> None:
    variable = typing.TypeVar("variable", bound=bool)

    assert shape_of(variable, "x") == shape_of(bool, "x")


@pytest.mark.parametrize(
    "value",
    [
        Point(1, -0.0),
        Pair(1, "a"),
        Right.READ | Right.WRITE,
        Right(0),
        Mode(9),
        Mode.READ | Mode.WRITE,
        Color.RED,
        collections.Counter({1: 2}),
        collections.deque([1, 2], maxlen=3),
        collections.defaultdict(list, {1: [2]}),
        {1: Decimal("1.50")},
        [date(2024, 2, 29), timedelta(days=-1, microseconds=5)],
        Fraction(-1, 3),
        slice(Decimal(1), None),
        math.inf,
        int,
    ],
    ids=repr,
)
def test_a_result_has_a_text_that_gives_it_again(value: Any) -> None:
    again = evaluated(literal(value), imports_of(value))

    assert type(again) is type(value)
    assert alike(again, value)


def test_a_whole_decimal_is_written_as_linters_have_it() -> None:
    assert literal(Decimal(-3)) == "Decimal(-3)"
    assert literal(Decimal("-0")) == 'Decimal("-0")'
    assert literal(Decimal("3.0")) == 'Decimal("3.0")'


def test_a_decimal_of_more_digits_than_an_int_may_have_is_read_as_text() -> None:
    value = Decimal("1" + "0" * 5000)

    assert alike(evaluated(literal(value), imports_of(value)), value)


def test_a_cyclic_list_has_no_text() -> None:
    items: list[Any] = []
    items.append(items)

    with pytest.raises(NoLiteral):
        literal(items)


def test_equal_elements_of_a_set_are_written_once() -> None:
    given = {"len(x)": 3, "list(x)[0]": 1, "list(x)[1]": 1, "list(x)[2]": 2}

    assert SetShape(IntShape()).write("x", given).text == "{1, 2}"


def test_a_stand_in_comes_before_the_further_classes_of_what_was_guessed() -> None:
    many = one_of([ConstantShape(each) for each in range(20)])
    stand_in = FakeShape(lambda name, attribute: IntShape())

    first = guessed_choice([many, stand_in])
    later = guessed_choice([LaterShape(lambda: many), stand_in])

    assert isinstance(first, ChoiceShape)
    assert first.choices[:3] == (ConstantShape(0), stand_in, ConstantShape(1))
    assert len(first.choices) < 10
    assert known(later) == first


def test_a_class_asked_for_by_name_is_among_the_few_beside_a_stand_in() -> None:
    kinds = [type(f"Kind{number}", (), {}) for number in range(20)]
    many = one_of([InstanceShape(kind, tuple, tuple) for kind in kinds])
    stand_in = FakeShape(lambda name, attribute: IntShape())

    made = guessed_choice([many, stand_in], Telling(kinds=(kinds[15],)))

    assert isinstance(made, ChoiceShape)
    assert [getattr(each, "kind", None) for each in made.choices[:3]] == [kinds[0], None, kinds[15]]
