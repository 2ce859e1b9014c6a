"""Two calls are compared by result, exception, arguments and output; what cannot be is not the same."""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import enum
import random
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from symcrete.oracle import outcomes
from symcrete.oracle.mutants.switch import TooLong
from symcrete.oracle.outcomes import (
    Incomparable,
    alike,
    both,
    difference,
    function_at,
    moved,
    same,
    shown,
)

NOON = datetime.datetime(2024, 1, 1, 12, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class Point:
    x: object
    y: object = 0


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Counter:
    made = 0

    def __init__(self, start: int) -> None:
        self.count = start

    def __hidden(self) -> int:
        return self.count


class Names(set[str]):
    pass


class Row(list[int]):
    name = ""


class Queue(collections.deque[int]):
    pass


class Day(datetime.datetime):
    pass


class Price(decimal.Decimal):
    pass


class Hidden:
    __slots__ = ("__value",)

    def __init__(self, value: int) -> None:
        self.__value = value


def pair(*names: str) -> Any:
    return type("Pair", (tuple,), {"_fields": names})((1, 2))


def named(value: Any, name: str) -> Any:
    value.name = name
    return value


def told(one: Any, other: Any, *args: Any) -> list[str]:
    """In what two functions differ on an input; nothing if they are the same."""
    first, second = both(one, other, args, {})
    found = [each[0] for each in difference(first, second)]
    assert bool(same(first, second)) is (found == [])
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (float("nan"), float("nan")),
        (0.0, -0.0),
        ([1, [2.5, "a"]], [1, [2.5, "a"]]),
        ({"a": 1, "b": float("nan")}, {"b": float("nan"), "a": 1}),
        (Point(1, [2]), Point(1, [2])),
        (Counter(3), Counter(3)),
        (ValueError("a"), ValueError("a")),
        (Colour.RED, Colour.RED),
        (None, None),
        (range(3), range(3)),
        (Names("a"), Names("a")),
        (named(Row([1]), "a"), named(Row([1]), "a")),
        (Queue([1]), Queue([1])),
        (Day(2024, 1, 1, 2), Day(2024, 1, 1, 2)),
        (Price("nan"), Price("nan")),
        (Hidden(1), Hidden(1)),
        (int, int),
        ({1, 2.5}, {2.5, 1}),
        ({1, "a"}, {"a", 1}),
        ({frozenset([1]), frozenset([2])}, {frozenset([2]), frozenset([1])}),
        ({(1, 2): 0}, {(1, 2): 0}),
        (collections.defaultdict(int, a=1), collections.defaultdict(int, a=1)),
        (decimal.Decimal("0.0"), decimal.Decimal("-0.0")),
        (collections.OrderedDict(a=1), collections.OrderedDict(a=1)),
    ],
)
def test_values_that_nobody_can_tell_apart_are_alike(one: object, other: object) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        ([1], (1,)),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 1, "b": 2}),
        (Point(1), Point(2)),
        (Counter(3), Counter(4)),
        (ValueError("a"), ValueError("b")),
        (ValueError("a"), KeyError("a")),
        (Colour.RED, Colour.GREEN),
        (None, 0),
        (range(3), range(4)),
        (Names("a"), Names("b")),
        (Names("a"), Names()),
        (Row([1]), Row([2])),
        (named(Row([1]), "a"), named(Row([1]), "b")),
        (named(Row([1]), "a"), Row([1])),
        (named(ValueError("a"), "a"), named(ValueError("a"), "b")),
        (Queue([1]), Queue([2])),
        (Day(2024, 1, 1, 2), Day(2024, 1, 1, 3)),
        (Price("1"), Price("2")),
        (Price("1"), Price("nan")),
        (Hidden(1), Hidden(2)),
        ({1}, {True}),
        ({1, "a"}, {True, "a"}),
        ({frozenset([1])}, {frozenset([1.0])}),
        (frozenset([1]), frozenset([1.0])),
        ({1: "a"}, {1.0: "a"}),
        ({(1, 0): "a"}, {(1, False): "a"}),
        (collections.deque([1]), collections.deque([True])),
        (collections.deque([1], 2), collections.deque([1], 3)),
        (collections.defaultdict(int), collections.defaultdict(str)),
        (collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)),
        (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
        (NOON, NOON.astimezone(datetime.timezone(datetime.timedelta(hours=1)))),
        (pair("x", "y"), pair("y", "x")),
        (array.array("i", [1]), array.array("d", [1.0])),
        (slice(1, 2), slice(True, 2)),
        (range(3, 3), range(0)),
        ({1: 0}.keys(), {True: 0}.keys()),
        ({"a": 1}.items(), {"a": True}.items()),
        (NOON, NOON.replace(fold=1)),
    ],
)
def test_values_of_another_class_or_with_other_parts_are_not_alike(
    one: object, other: object
) -> None:
    assert not alike(one, other)


def test_values_of_which_nothing_tells_are_not_guessed_about() -> None:
    circle: list[object] = []
    circle.append(circle)

    for one, other in [(lambda: 1, lambda: 1), (object(), object()), (circle, [circle])]:
        with pytest.raises(Incomparable):
            alike(one, other)
    with pytest.raises(Incomparable):
        alike(random.Random(1), random.Random(2))
    assert told(lambda: object(), lambda: object()) == ["incomparable"]
    made = [type("Made", (), {"size": size}) for size in (1, 2)]
    for one, other in [made, [each() for each in made]]:
        with pytest.raises(Incomparable, match="classes Made that calls make"):
            alike(one, other)
    assert told(lambda: iter(int, 1) and (n for n in iter(int, 1)), lambda: 1) == ["incomparable"]


def test_calls_differ_in_what_they_return_raise_change_and_print() -> None:
    def fails(xs: list[int]) -> int:
        raise ValueError(str(xs))

    def changes(xs: list[int]) -> int:
        xs.append(1)
        return 0

    def prints(xs: list[int]) -> int:
        sys.stdout.writelines(["a", "b"])
        print(len(xs), file=sys.stdout, flush=True)
        return 0

    assert told(lambda xs: 0, lambda xs: 0, [1]) == []
    assert told(lambda xs: 0, lambda xs: 1, [1]) == ["returned"]
    assert told(lambda xs: 0, fails, [1]) == ["raised"]
    assert told(lambda xs: 0, changes, [1]) == ["arguments"]
    assert told(changes, changes, [1]) == []
    assert told(lambda xs: 0, prints, [1]) == ["printed"]
    assert told(prints, prints, [1]) == []


def test_the_words_of_an_exception_count_only_where_the_program_chose_them() -> None:
    def says(words: str) -> Any:
        def function(x: int) -> int:
            raise ValueError(words)

        return function

    assert told(says("a"), says("b"), 1) == ["raised"]
    assert told(lambda x: sys.exit(x), lambda x: sys.exit(x + 1), 1) == ["raised"]
    assert told(lambda x: sys.exit(x), lambda x: sys.exit(1), 1) == []
    assert told(lambda x: x // 0, lambda x: x % 0, 1) == []
    assert told(lambda x: print("first") or x // 0, lambda x: x // 0, 1) == []


def test_iterators_and_coroutines_are_run_to_their_end() -> None:
    async def waits(x: int) -> int:
        return x

    def counts(x: int) -> Any:
        yield from range(x)

    assert told(counts, lambda x: (each for each in range(x)), 3) == []
    assert told(counts, lambda x: (each for each in range(1, x + 1)), 3) == ["returned"]
    assert told(lambda x: map(str, [x]), lambda x: filter(None, [str(x)]), 3) == []
    assert told(waits, waits, 3) == []


def test_a_result_at_once_is_another_than_one_that_has_to_be_iterated_or_awaited() -> None:
    async def waits(x: int) -> int:
        return x

    def counts(x: int) -> Any:
        if x < 0:
            raise ValueError("below 0")
        yield from range(x)

    def asks(x: int) -> Any:
        if x < 0:
            raise ValueError("below 0")
        return (each for each in range(x))

    assert told(counts, lambda x: list(range(x)), 3) == ["how"]
    assert told(waits, lambda x: x, 3) == ["how"]
    assert told(counts, asks, 3) == []
    assert told(counts, asks, -3) == ["how"]


def test_exceptions_that_are_no_errors_are_outcomes_if_the_program_raises_them() -> None:
    class Stop(BaseException):
        pass

    def stops(x: int) -> int:
        raise Stop("here")

    assert told(stops, lambda x: x, 3) == ["raised"]
    assert told(stops, stops, 3) == []


def test_exceptions_of_the_engine_pass_through() -> None:
    def stops(x: int) -> int:
        raise TooLong

    with pytest.raises(TooLong):
        told(stops, stops, 3)


def test_arguments_that_cannot_be_copied_are_no_ground_for_a_comparison() -> None:
    unique = (each for each in "abc")

    assert told(list, list, unique) == ["incomparable"]


def test_a_name_finds_methods_properties_and_what_a_cache_hides() -> None:
    here = sys.modules[__name__]

    assert function_at(here, "Counter.__hidden")(Counter(3)) == 3
    assert function_at(outcomes, "alike") is alike


def test_arguments_of_another_version_are_made_of_its_classes() -> None:
    module: Any = types.ModuleType("other")
    text = "import enum\nclass Point:\n    pass\nclass Colour(enum.Enum):\n    RED = 1\n"
    exec(text, vars(module))
    point = Point(1, [Colour.RED])

    made = moved(([point, point], {"p": point}), ((__name__, module),), [])

    assert type(made[0][0]) is module.Point
    assert made[0][0].y == [module.Colour.RED]
    assert made[0][0] is made[0][1] is made[1]["p"]


def test_objects_are_shown_without_addresses() -> None:
    assert shown([1, "a"]) == "[1, 'a']"
    assert shown(Counter(3)) == "<Counter with count=3>"


def test_the_copy_needs_nothing_of_ours_but_what_is_copied_with_it() -> None:
    text = Path(outcomes.__file__).read_text()

    lines = [line for line in text.splitlines() if "import" in line and "symcrete" in line]

    assert [line.split()[1] for line in lines] == ["symcrete.oracle.traces"]


def test_what_is_given_for_a_declared_class_may_come_back_as_one_of_that_class() -> None:
    class Number(int):
        pass

    def told(result: object, other: object, declared: tuple[str, ...], given: object) -> Any:
        return same(*both(lambda x: result, lambda x: other, (given,), {}, (), declared))

    assert told(1, True, ("int",), True)
    assert told([1], [True], ("list", "int"), [False])
    assert told(Number(2), 2, ("int",), Number(2))
    assert told(2, 2.0, ("float",), 2)
    assert not told(1, True, ("int", "bool"), True)
    assert not told(1, True, ("int",), 3)
    assert not told("1", 1, ("int",), True)
