"""A call fails by an assertion, a contract or an exception that nobody announced."""

# mypy: disallow-untyped-decorators=False

from __future__ import annotations

import itertools
from typing import Any

import pytest

from symcrete.explore import findings
from symcrete.oracle import faults, outcomes
from symcrete.oracle.contracts import broken, contract_of, may_be_called, named
from symcrete.oracle.faults import fault_of
from symcrete.oracle.traces import broke_precondition, line_in
from symcrete.run import drain

HERE = "test_faults.py"


def test_files_that_are_copied_have_the_constants_of_those_they_cannot_import() -> None:
    assert faults._OF_WRONG_TYPES == findings.OF_WRONG_TYPES
    assert outcomes.MOST_ITEMS == drain.MOST_ITEMS


def fault(function: Any, *args: Any, announced: tuple[str, ...] = (), guessed: bool = False) -> Any:
    found = fault_of(contract_of(function), args, {}, announced, guessed, HERE)
    return None if found is None else (found[0], found[2])


def asserts(x: int) -> int:
    assert x != 3
    return 12 // x


def test_assertions_and_unannounced_exceptions_are_faults() -> None:
    assert fault(asserts, 1) is None
    assert fault(asserts, 3) == ("assert", "AssertionError")
    assert fault(asserts, 0) == ("exception", "ZeroDivisionError")
    assert fault(asserts, 0, announced=("ArithmeticError",)) is None


def test_operations_on_guessed_types_may_fail_and_raise_statements_may_not() -> None:
    def refuses(x: int) -> int:
        raise TypeError("no number")

    assert fault(asserts, "a", guessed=True) is None
    assert fault(asserts, "a") == ("exception", "TypeError")
    assert fault(refuses, "a", guessed=True) == ("exception", "TypeError")


def test_the_line_is_that_of_the_file_that_is_judged() -> None:
    line = fault_of(asserts, (3,), {}, (), False, HERE)[1]

    assert line == asserts.__code__.co_firstlineno + 1
    assert fault_of(asserts, (3,), {}, (), False, "another.py")[1] == 0
    assert line_in(HERE) == 0
    assert not broke_precondition()


def test_contracts_of_icontract_are_asked_outside_of_their_wrapper() -> None:
    icontract = pytest.importorskip("icontract")

    @icontract.require(lambda x: x > 0)
    @icontract.ensure(lambda x, step, result: result > x + step - 1)
    def grows(x: int, step: int = 1, *, more: int = 0) -> int:
        return x + step if x != 7 else 0

    contract = contract_of(grows)

    assert named(contract, (5,), {"more": 2}) == {"x": 5, "step": 1, "more": 2}
    assert may_be_called(contract, {"x": 1})
    assert not may_be_called(contract, {"x": 0})
    assert broken(contract, {"x": 1, "step": 1}, 2) is None
    place = broken(contract, {"x": 1, "step": 1}, 0)
    assert place is not None and place[0] == "contract" and place[1] > 0
    assert fault(grows, 0) is None
    assert fault(grows, 1) is None
    assert fault(grows, 7) == ("contract", "")


def test_contracts_of_deal_are_asked_outside_of_their_wrapper() -> None:
    deal = pytest.importorskip("deal")

    @deal.pre(lambda x: x > 0)
    @deal.post(lambda result: result > 0)
    @deal.ensure(lambda x, result: result != 9)
    def shrinks(x: int) -> int:
        return x - 1

    assert isinstance(contract_of(shrinks), tuple)
    assert fault(shrinks, 0) is None
    assert fault(shrinks, 2) is None
    assert fault(shrinks, 1) == ("contract", "")
    assert fault(shrinks, 10) == ("contract", "")


def test_a_promise_whose_condition_raises_is_broken() -> None:
    deal = pytest.importorskip("deal")

    @deal.post(lambda result: 12 // result > 0)
    def gives(x: int) -> int:
        return x

    assert fault(gives, 3) is None
    assert fault(gives, 0) == ("contract", "")


def test_contracts_of_another_kind_are_left_to_their_wrapper() -> None:
    icontract, deal = pytest.importorskip("icontract"), pytest.importorskip("deal")

    @icontract.require(lambda x: x > 0)
    @icontract.snapshot(lambda x: x)
    @icontract.ensure(lambda result, OLD: result > OLD.x)  # noqa: N803, its own name
    def remembers(x: int) -> int:
        return x + 1 if x != 7 else 0

    @deal.pre(lambda _: _.x > 0)
    @deal.raises(ValueError)
    def promises(x: int) -> int:
        return 12 // (x - 3)

    def calls(x: int) -> int:
        return int(remembers(x))

    assert contract_of(remembers) is remembers
    assert contract_of(asserts) is asserts
    assert fault(remembers, 0) is None
    assert fault(remembers, 7) == ("contract", "ViolationError")
    assert fault(calls, 0) == ("contract", "ViolationError")
    assert fault(promises, 0) is None
    assert fault(promises, 3) == ("contract", "RaisesContractError")


async def later(x: int) -> Any:
    yield 12 // x


@pytest.mark.parametrize(
    "function",
    [
        lambda x: lambda: 12 // x,
        lambda x: [lambda: 12 // x],
        lambda x: (1, (12 // each for each in [x])),
        lambda x: {"a": map(asserts, [x])},
        lambda x: itertools.chain(map(asserts, [x])),
        later,
    ],
)
def test_what_may_fail_only_when_it_is_used_is_told(function: Any) -> None:
    assert fault(function, 1) == (faults.UNUSED, "")


@pytest.mark.parametrize("result", [1, "a", [1], (int, "b"), {"a": [1]}, {1}, int, None])
def test_values_and_classes_need_no_use(result: Any) -> None:
    assert fault(lambda: result) is None
