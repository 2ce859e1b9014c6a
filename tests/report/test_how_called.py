"""Calls as tests have them."""

from __future__ import annotations

import pytest

from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.report.tests.how_called import (
    WITHOUT_CONSTRUCTOR,
    Caller,
    ends,
    first_items,
    form_of,
    snake,
)
from symcrete.report.tests.layout import Layout
from symcrete.run.use import Ending


def found(args: dict[str, str], returned: str | None = "0", **more: object) -> FoundInput:
    return FoundInput(args, Ending.RETURNED, returned, None, (), "", **more)  # type: ignore[arg-type]


def caller(scope: str = "f", **more: object) -> Caller:
    target = TargetReport("m.py", Status.COMPLETE, module="m", scope=scope, **more)  # type: ignore[arg-type]
    return Caller(target, scope, Layout())


@pytest.mark.parametrize(
    ("args", "call"),
    [
        ({"a": "1", "b": "[2]"}, "f(1, [2])"),
        ({"*args": "(1, 2)"}, "f(1, 2)"),
        ({"*args": "()", "**kwargs": "{}"}, "f()"),
        ({"a": "1", "**kwargs": '{"b": (1, 2), "c": "x"}'}, 'f(1, b=(1, 2), c="x")'),
        ({"**kwargs": '{"class": 1}'}, 'f(**{"class": 1})'),
        ({"**kwargs": '{"no name": 1}'}, 'f(**{"no name": 1})'),
        ({"*args": "tuple(range(3))"}, "f(*tuple(range(3)))"),
    ],
)
def test_arguments_are_passed_as_a_person_would(args: dict[str, str], call: str) -> None:
    assert caller().once(found(args)).call == call


def test_an_object_is_changed_in_place_by_the_statement_that_people_write() -> None:
    changes = 'self.__iadd__([1]), self.__setitem__("a", 2), self.closed'
    given = found({"self": f"(self := Cart(), {changes})[0]"})

    lines = caller("Cart.total", is_method=True).once(given).before

    written = ["cart = Cart()", "cart += [1]", 'cart["a"] = 2', "_ = cart.closed"]
    assert [line.strip() for line in lines] == written


def test_a_parameter_that_is_passed_by_keyword_is_named() -> None:
    given = found({"a": "1", "b": "2"}, keywords=frozenset({"b"}))

    assert caller().once(given).call == "f(1, b=2)"


@pytest.mark.parametrize(
    ("scope", "args", "call"),
    [
        ("Cart.add", {"self": "Cart()", "n": "1"}, "Cart().add(1)"),
        ("Cart.__hidden", {"self": "Cart()"}, "Cart()._Cart__hidden()"),
        ("Cart.add", {"*args": "(Cart(), 1)"}, "Cart.add(Cart(), 1)"),
        ("Shop.Cart.add", {"self": "Shop.Cart()"}, "Shop.Cart().add()"),
    ],
)
def test_a_method_is_called_on_its_object(scope: str, args: dict[str, str], call: str) -> None:
    assert caller(scope, is_method=True).once(found(args)).call == call


@pytest.mark.parametrize(
    ("scope", "call"),
    [
        ("Cart.__of", "Cart._Cart__of(1)"),
        ("Shop.Cart.__of", "Shop.Cart._Cart__of(1)"),
        ("__of", "__of(1)"),
    ],
)
def test_a_private_function_of_a_class_is_called_as_it_is_stored(scope: str, call: str) -> None:
    assert caller(scope).once(found({"n": "1"})).call == call


def test_a_private_property_is_read_as_it_is_stored() -> None:
    given = found({"self": "Cart()"})

    assert caller("Cart.__n", is_method=True, kind="property").once(given).call == "Cart()._Cart__n"


def test_a_property_is_read() -> None:
    written = caller("Cart.total", is_method=True, kind="property").once(found({"self": "Cart()"}))

    assert written.call == "Cart().total"


@pytest.mark.parametrize(
    ("drained", "returned", "call"),
    [
        ("", "0", "f(1)"),
        ("coroutine", "0", "asyncio.run(f(1))"),
        ("generator", "[0]", "list(f(1))"),
        ("generator", repr([0] * 100), "list(itertools.islice(f(1), 10))"),
        ("asyncgen", "[0]", "asyncio.run(items())"),
    ],
)
def test_what_has_to_be_run_is_run(drained: str, returned: str, call: str) -> None:
    written = caller().once(found({"x": "1"}, returned, drained=drained))

    assert written.call == call


def test_what_a_call_gave_counts_more_than_how_the_function_is_written() -> None:
    target = caller(kind="generator").target

    assert form_of(target, found({}, drained="")) == ""
    assert form_of(target, found({})) == "generator"


def test_of_an_iterator_without_an_end_the_first_items_are_compared() -> None:
    endless = found({"x": "1"}, repr([[0, "],"]] * 100), drained="generator")

    shown = first_items(endless)

    assert shown.returned == repr([[0, "],"]] * 10)
    assert caller().once(shown) == caller().once(endless)


def test_an_iterator_that_raised_came_to_an_end() -> None:
    raised = FoundInput({}, Ending.RAISED, None, "ValueError()", (), "", drained="generator")

    assert ends(raised)
    assert not ends(found({}, None, drained="generator"))


def test_names_that_linters_refuse_are_others() -> None:
    assert caller().parameters(found({"l": "1", "monkeypatch": "2", "x": "3"})) == [
        "l_",
        "monkeypatch_",
        "x",
    ]


def test_what_an_argument_names_is_named_before_the_call() -> None:
    written = caller().once(found({"a": "(same := [(one := [1]), 2])", "b": "same", "c": "one"}))

    assert written.before == ("    one = [1]", "    same = [one, 2]")
    assert written.call == "f(same, same, one)"


def test_a_name_inside_a_function_is_left_where_it_is() -> None:
    text = "lambda x: (y := x)"

    assert caller().once(found({"a": text})).call == f"f({text})"


def test_names() -> None:
    assert snake("ValueError") == "value_error"


def test_an_object_made_without_its_constructor_says_so() -> None:
    blank = '(self := object.__new__(Box), setattr(self, "size", 4))[0]'

    made = caller("Box.double", is_method=True).once(found({"self": blank}))

    assert made.before == (WITHOUT_CONSTRUCTOR, "    box = object.__new__(Box)", "    box.size = 4")
    assert made.call == "box.double()"


def test_a_run_of_capitals_is_one_word() -> None:
    assert snake("HTTPDigestAuth") == "http_digest_auth"
