"""Inputs like those known: of the same types, and of such as nothing else can be told from."""

from __future__ import annotations

import ast
import textwrap

import pytest

from symcrete.explore.findings import FoundInput
from symcrete.oracle.mutants.varied import MOST_VARIED, other_values, varied
from symcrete.program.source.target import targets_of
from symcrete.run.use import Ending

PROGRAM = '''
    from typing import Literal

    def share(amount: float, code: str, way: Literal["up", "down"] = "up") -> float:
        """A share.

        >>> share(20.0, "P5")
        1.0
        """
        return amount * int(code[1:]) / 300
'''


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[FoundInput]:
    file = tmp_path_factory.mktemp("varied") / "shares.py"
    file.write_text(textwrap.dedent(PROGRAM))
    known = FoundInput(
        {"amount": "0.0", "code": '"P0"', "way": '"up"'}, Ending.RETURNED, "0.0", None, (), ""
    )
    return varied(targets_of(f"{file}::share")[0], [known])


def test_all_arguments_are_changed_at_once_too(calls: list[FoundInput]) -> None:
    assert any(
        float(each.args["amount"]) > 0 and each.args["code"] not in ('"P0"', '""') for each in calls
    )


def test_the_calls_of_docstrings_come_first(calls: list[FoundInput]) -> None:
    assert calls[0].args == {"amount": "20.0", "code": '"P5"', "way": '"up"'}


def test_an_argument_stays_as_it_is_if_not_every_value_is_of_its_type(
    calls: list[FoundInput],
) -> None:
    assert {each.args["way"] for each in calls} == {'"up"'}


def test_no_two_calls_are_alike_and_they_are_not_too_many(calls: list[FoundInput]) -> None:
    assert len({each.key for each in calls}) == len(calls) <= MOST_VARIED


def test_the_constants_of_the_function_and_what_is_beside_them_are_tried(
    calls: list[FoundInput],
) -> None:
    assert {"300.0", "299.5", "300.5"} <= {each.args["amount"] for each in calls}


@pytest.mark.parametrize("value", [True, 3, 2.5, "a1", [1], (1, "b"), {"a": 1}, {1}])
def test_other_values_are_of_the_same_type(value: object) -> None:
    found = list(other_values(value))

    assert found
    assert {type(each) for each in found} == {type(value)}


def test_a_tuple_of_a_declared_length_keeps_it() -> None:
    found = list(other_values((1, 2), ast.parse("tuple[int, int]", mode="eval").body))

    assert {len(each) for each in found} == {2}


def test_an_empty_list_is_filled_with_what_is_declared() -> None:
    found = list(other_values([], ast.parse("list[int]", mode="eval").body))

    assert all(type(each) is int for value in found for each in value)
    assert max(map(len, found)) > 2


def test_a_text_with_a_digit_gets_others() -> None:
    assert {"P7", "P1", "P25"} <= set(other_values("P0"))
