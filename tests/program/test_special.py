"""Special methods are called the way a person calls them."""

from __future__ import annotations

import pytest

from symcrete.program.source.special import SPELLINGS, spelling_of


class Money:
    """Answers every special method with its name."""

    def __getitem__(self, key: int) -> int:
        return key

    def __contains__(self, item: int) -> bool:
        return item == 3

    def __add__(self, other: int) -> str:
        return f"plus {other}"


@pytest.mark.parametrize(
    ("scope", "values", "text"),
    [
        ("Money.__str__", ["m"], "str(m)"),
        ("Money.__eq__", ["Money(1)", "m"], "Money(1) == m"),
        ("Money.__add__", ["m", "a - b"], "m + (a - b)"),
        ("Money.__getitem__", ["m", "a - b"], "m[a - b]"),
        ("Money.__contains__", ["m", '"x y"'], '"x y" in m'),
        ("Money.__neg__", ["lambda: 1"], "-(lambda: 1)"),
    ],
)
def test_an_expression_calls_a_special_method(scope: str, values: list[str], text: str) -> None:
    spelling = spelling_of(scope, len(values))

    assert spelling is not None
    assert spelling.written(values) == text


def test_a_function_does_what_the_expression_says() -> None:
    money = Money()
    places = {"m": money, "a": 3}

    for name, values in (("__getitem__", [money, 3]), ("__contains__", [money, 3])):
        spelling = SPELLINGS[name]
        assert spelling.function(*values) == eval(spelling.written(["m", "a"]), places)


def test_other_methods_and_other_numbers_of_operands_are_called_by_name() -> None:
    assert spelling_of("Money.pay", 1) is None
    assert spelling_of("Money.__str__", 2) is None
    assert spelling_of("__str__", 1) is None
