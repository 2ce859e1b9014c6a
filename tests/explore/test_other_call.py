"""A call of the attack is told as text that gives the same values again."""

from pathlib import Path
from typing import Any

import pytest
from tests.explore.test_parts_of_proof import explored

from symcrete.explore.attack.other_call import Items, Number, OtherCall, Row, Text
from symcrete.explore.loop.loop import Explored
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.told_apart import imported
from symcrete.run.untouched.played import Call

SOURCE = """
    def f(a: list, b: list, s: str, t: tuple, n: int) -> int:
        return 1 if n > 2 else 0
"""


@pytest.fixture
def found(tmp_path: Path) -> Explored:
    return explored(SOURCE, tmp_path)


def call_with(found: Explored, name: str, value: Any, same_as: str = "") -> Call:
    given = found.progress.kept[0].trace.assignment
    values = found.parts.arguments.plain(given)
    return OtherCall(given, values, name, value, same_as).call(found.parts.arguments)


def evaluated(call: Call) -> dict[str, Any]:
    names: dict[str, Any] = dict([imported(*each) for each in call.imports])
    exec("\n".join(call.setup), names)
    return {label: eval(text, names) for label, text in call.args.items()}


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", Number(0)), ("s", Text("")), ("t", Row(())), ("a", Items([])), ("n", True)],
)
def test_a_value_of_a_subtype_is_written_as_one(found: Explored, name: str, value: Any) -> None:
    made = evaluated(call_with(found, name, value))[name]

    assert made == value
    assert type(made).__mro__[1:] == type(value).__mro__[1:]
    assert type(made).__name__ == type(value).__name__


def test_an_iterator_and_twice_the_same_element_are_written(found: Explored) -> None:
    inner: list[int] = []

    once = call_with(found, "a", iter([]))
    twice = evaluated(call_with(found, "a", [inner, inner]))["a"]

    assert once.args["a"] == "iter([])"
    assert twice[0] is twice[1]


def test_one_object_for_two_parameters_has_a_name(found: Explored) -> None:
    first = evaluated(call_with(found, "a", [], same_as="b"))
    second = evaluated(call_with(found, "b", [], same_as="a"))

    assert first["a"] is first["b"]
    assert second["a"] is second["b"]


def test_what_has_no_text_is_no_call(found: Explored) -> None:
    with pytest.raises(NoLiteral):
        call_with(found, "a", object())


def test_a_long_value_is_cut_in_a_note(found: Explored) -> None:
    given = found.progress.kept[0].trace.assignment
    values = found.parts.arguments.plain(given)

    shown = OtherCall(given, values, "s", "x" * 100).shown(found.parts)

    assert f"s='{'x' * 56}...," in shown
