"""Stand-ins have just what is read of them, and what is written of them does the same."""

from __future__ import annotations

import ast
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import mine
from symcrete.inputs.infer.attributes import (
    is_asked_again,
    is_method,
    kinds_of_answer,
    kinds_of_attribute,
    kinds_where_kept,
)
from symcrete.inputs.infer.something import Something, asked_for, foreign, functions_reading
from symcrete.inputs.shapes.fakes import (
    AbsentShape,
    BlankShape,
    FakeShape,
    MethodShape,
    fake,
    is_given,
    reading_class,
)
from symcrete.inputs.shapes.shape import IntShape, one_of, write

PROGRAM = ast.parse(
    """
def f(order, day):
    if order.total > 3 and order.name == "x":
        return order.ship(1)
    answer = order.ask("q")
    if answer.ok:
        return answer.body.lower()
    if hasattr(order, "gift"):
        return day.isoformat()
"""
)


@pytest.mark.parametrize(
    ("attribute", "kind"), [("total", int), ("name", str), ("ok", bool), ("body", str)]
)
def test_an_attribute_is_what_it_is_used_as(attribute: str, kind: type) -> None:
    assert kinds_of_attribute(attribute, PROGRAM, {})[0] is kind


class Account:
    def __init__(self, total, name, other, sign):
        self.total = total
        self.name = name or "nobody"
        self.unused = other
        self.sign = sign


def test_what_a_constructor_keeps_is_what_a_module_uses_it_as() -> None:
    program = ast.parse(
        "def f(x):\n"
        "    if x.total > 3 or isinstance(x.total, Account):\n        return x.name.upper()\n"
        "    return x.sign[0] in '+-'\n"
    )
    known = {"Account": Account}

    kept = [
        kinds_where_kept(Account.__init__, parameter, program, known)
        for parameter in ("total", "name", "other", "sign")
    ]

    assert kept[0] == [int, Account]
    assert [each[:1] for each in kept[1:]] == [[str], [], [str]]


def test_an_answer_is_what_is_done_with_it() -> None:
    assert kinds_of_answer("ask", PROGRAM, {})[0] is Something
    assert is_method("ask", PROGRAM)
    assert not is_method("total", PROGRAM)


def test_attributes_that_no_built_in_type_has_speak_for_an_object() -> None:
    assert foreign("status_code") == [Something]
    assert foreign("append") == []
    assert foreign("total_seconds")[-1] is Something
    assert [kind.__name__ for kind in foreign("total_seconds")] == ["timedelta", "Something"]


def test_what_a_module_asks_for_may_be_missing() -> None:
    assert asked_for(PROGRAM) == {"gift"}
    assert [node.name for node in functions_reading(PROGRAM)["total"]] == ["f"]  # type: ignore[attr-defined]


def test_an_attribute_is_found_when_it_is_first_read_and_only_then() -> None:
    asked: list[str] = []

    def find(attribute: str) -> int:
        asked.append(attribute)
        return len(asked)

    made = fake(find)

    assert vars(made) == {}
    assert (made.price, made.price, made.name) == (1, 1, 2)
    assert asked == ["price", "name"]
    assert made == SimpleNamespace(price=1, name=2)
    with pytest.raises(AttributeError):
        made.__wrapped__  # noqa: B018


@pytest.mark.parametrize("name", ["", "&amp;", "0", "class"])
def test_a_stand_in_has_no_attribute_that_a_test_could_not_give_it(name: str) -> None:
    with pytest.raises(AttributeError):
        getattr(fake(len), name)


def numbers() -> FakeShape:
    return FakeShape(lambda name, attribute: IntShape())


def test_the_text_has_what_a_run_has_read() -> None:
    shape = numbers()
    plain = shape.plain("x", {"x.price": 7})

    assert (plain.price, plain.name) == (7, 0)
    assert write(shape, "x", {"x.price": 7}).text == "SimpleNamespace(price=7)"
    assert write(shape, "x", {"x.pricey": 7}).text == "SimpleNamespace()"


def test_draws_vary_what_some_run_has_read() -> None:
    shape, given = numbers(), dict[str, Any]()
    shape.part("x", "price")

    shape.sample("x", mine([PROGRAM]), Random(1), given)

    assert list(given) == ["x.price"]


def test_an_attribute_may_be_missing() -> None:
    shape = FakeShape(lambda name, attribute: one_of([IntShape(), AbsentShape()]))
    given = {"x.gift?": 1}

    assert not hasattr(shape.plain("x", given), "gift")
    assert write(shape, "x", given).text == "SimpleNamespace()"


def test_a_method_gives_its_answer_or_raises() -> None:
    shape = MethodShape(lambda name: IntShape(), (KeyError,))

    assert shape.plain("x.ask", {"x.ask()": 5})(1, b=2) == 5
    assert write(shape, "x.ask", {"x.ask()": 5}).text == "lambda *args, **kwargs: 5"
    assert write(shape, "x.ask", {}).text == "lambda *args, **kwargs: None"
    with pytest.raises(KeyError):
        shape.plain("x.ask", {"x.ask!": 1})()
    assert write(shape, "x.ask", {"x.ask!": 1}).text == "Mock(side_effect=KeyError)"


def test_a_part_is_given_where_one_of_its_variables_is() -> None:
    assert is_given("x.a", {"x.a?": 1})
    assert is_given("x.a", {"x.a.b": 1})
    assert not is_given("x.a", {"x.ab": 1})


class Refusing:
    """An object of which nobody can make one by calling the class."""

    def __init__(self) -> None:
        raise ConnectionError

    def double(self) -> int:
        return 2 * self.size  # type: ignore[attr-defined]


class Outer:
    class Inner(Refusing):
        pass


def test_a_class_inside_another_is_imported_by_the_outer_one() -> None:
    named = (__name__, "Outer.Inner")

    made = BlankShape(Outer.Inner, lambda name, attribute: IntShape(), named)

    found = write(made, "self", {})
    assert found.text == "object.__new__(Outer.Inner)"
    assert found.imports == {(__name__, "Outer")}


def blank_shape() -> BlankShape:
    return BlankShape(Refusing, lambda name, attribute: IntShape(), (__name__, "Refusing"))


def test_an_object_made_without_its_constructor_has_what_its_methods_read() -> None:
    shape = blank_shape()

    made = shape.plain("self", {"self.size": 4})

    assert isinstance(made, Refusing)
    assert made.double() == 8
    expected = '(self := object.__new__(Refusing), setattr(self, "size", 4))[0]'
    assert write(shape, "self", {"self.size": 4}).text == expected
    assert write(shape, "self", {}).text == "object.__new__(Refusing)"


def test_a_class_with_the_layout_of_a_built_in_type_has_no_blank_objects() -> None:
    with pytest.raises(UnsupportedInput):
        reading_class(int)


def test_a_class_that_finds_attributes_is_imported_from_where_the_original_is() -> None:
    made = reading_class(Refusing)

    assert (made.__module__, made.__qualname__) == (__name__, "Refusing")


class Computing:
    """Has an attribute that is computed, one that can be set, and one that nobody makes."""

    @property
    def func(self) -> object:
        return self._partial.func  # type: ignore[attr-defined]


def test_what_a_class_computes_is_not_found_for_a_blank_object() -> None:
    """`curry.func` of toolz: an input that sets it cannot be built."""
    asked: list[str] = []
    made: Any = object.__new__(reading_class(Computing))
    object.__setattr__(made, "_symcrete_find", lambda name: asked.append(name))

    with pytest.raises(AttributeError):
        _ = made.func

    assert asked == ["_partial"]


ASKED = ast.parse(
    """
def rows(cursor, log):
    row = cursor.fetchone()
    while row:
        row = cursor.fetchone()
    log.note("a")
    log.note("b")
    return log.name()
"""
)


@pytest.mark.parametrize(
    ("method", "again"), [("fetchone", True), ("note", False), ("name", False)]
)
def test_a_method_is_asked_again_where_its_answers_are_used_more_than_once(
    method: str, again: bool
) -> None:
    assert is_asked_again(method, ASKED) is again


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"f.m()": 1}, "lambda *args, **kwargs: 1"),
        ({"f.m()": 1, "f.m@2": 1, "f.m()@2": 5}, "Mock(side_effect=[1, 5])"),
        ({"f.m()": 1, "f.m@3": 1, "f.m()@3": 5}, "Mock(side_effect=[1, 1, 5])"),
        (
            {"f.m()": 1, "f.m@2": 1, "f.m()@2": 5, "f.m@more": True},
            "Mock(side_effect=chain([1], repeat(5)))",
        ),
    ],
)
def test_answers_are_written_in_the_order_of_the_calls(given: dict[str, Any], text: str) -> None:
    shape = MethodShape(lambda name: IntShape(), asked_again=True)

    assert write(shape, "f.m", given).text == text


def test_a_method_that_is_asked_again_gives_its_answers_in_turn() -> None:
    shape = MethodShape(lambda name: IntShape(), asked_again=True)

    method = shape.plain("f.m", {"f.m()": 1, "f.m@3": 1, "f.m()@3": 5})

    assert [method() for _ in range(5)] == [1, 1, 5, 5, 5]
