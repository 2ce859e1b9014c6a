"""The faults that are seeded: each a program of its own, all of them in one behind a switch."""

from __future__ import annotations

import ast
import itertools
import textwrap
from typing import Any

import pytest

from symcrete.oracle.mutants import switch
from symcrete.oracle.mutants.seeding import mutants_of, mutated, switched

PROGRAM = ast.parse(
    textwrap.dedent(
        '''
        LIMIT = 3

        def price(total, member=False):
            """Doc."""
            if total < 100 and not member:
                return total + 1
            log(total)
            label: str = "low" if total <= 500 else "high"
            for each in range(2):
                if each == 1:
                    break
                total -= each
            while total > 1000:
                total //= 2
            try:
                {0: 1}[total]
            except KeyError:
                total = -total
            return (label, total, f"{total}", LIMIT)
        '''
    )
)


def texts() -> list[str]:
    return [each.text for each in mutants_of(PROGRAM, "price")]


@pytest.mark.parametrize(
    "text",
    [
        "total < 100 becomes total <= 100",
        "total < 100 becomes total >= 100",
        "total < 100 becomes total < 101",
        "total < 100 and (not member) becomes total < 100 or not member",
        "not member becomes member",
        "total + 1 becomes total - 1",
        "return total + 1 becomes return None",
        "log(total) becomes pass",
        "'low' if total <= 500 else 'high' becomes 'XXlowXX' if",
        "break becomes continue",
        "for each in range(2): becomes for each in ():",
        "except KeyError: becomes except ():",
        "total -= each becomes total += each",
        "total //= 2 becomes total *= 2",
    ],
)
def test_every_operator_is_there(text: str) -> None:
    assert any(text in each for each in texts())


def test_defaults_annotations_and_documentation_are_left_alone() -> None:
    assert not any("Doc" in each or "becomes True" in each or "str" in each for each in texts())


def test_each_fault_changes_the_function_and_nothing_else() -> None:
    whole = ast.unparse(PROGRAM)

    versions = [
        ast.unparse(mutated(PROGRAM, "price", each.number)) for each in mutants_of(PROGRAM, "price")
    ]

    assert len(set(versions)) == len(versions)
    assert whole not in versions
    assert all(each.startswith("LIMIT = 3") for each in versions)
    assert ast.unparse(PROGRAM) == whole


def test_a_fault_behind_the_switch_does_what_it_does_alone() -> None:
    faults = mutants_of(PROGRAM, "price")
    together = _made(switched(PROGRAM, "price", "is_there", "step"))

    for fault, total in itertools.product(faults, (0, 99, 100, 101, 500, 501, 900)):
        if "//=" in fault.was or "total > 1000" in fault.was or "break" in fault.was:
            continue
        alone = _made(mutated(PROGRAM, "price", fault.number))
        switch.choose(fault.number)
        assert _did(together, total) == _did(alone, total), fault.text
    switch.choose(0)
    assert _did(together, 900) == _did(_made(PROGRAM), 900)


def test_a_faulty_loop_is_ended() -> None:
    together = _made(switched(PROGRAM, "price", "is_there", "step"))
    fault = next(each for each in mutants_of(PROGRAM, "price") if "//= 2" in each.was)

    switch.choose(fault.number)
    with pytest.raises(switch.TooLong):
        together(1001)
    switch.choose(0)


def len_of(total: int) -> None:
    """What the program calls besides."""


def _made(tree: ast.Module) -> Any:
    names: dict[str, Any] = {"is_there": switch.is_there, "step": switch.step, "log": len_of}
    exec(compile(tree, "price.py", "exec"), names)
    return names["price"]


def _did(function: Any, total: int) -> object:
    try:
        return function(total)
    except Exception as error:
        return type(error)


def test_every_fault_of_a_float_is_another_number() -> None:
    tree = ast.parse("def f(x):\n    return x < 1.5 or x > 1e308 or x == 1e999\n")

    told = [each.becomes for each in mutants_of(tree, "f")]

    assert "x < 2.5" in told
    assert "x > 5e+307" in told
    assert not [each for each in mutants_of(tree, "f") if each.was == each.becomes]
