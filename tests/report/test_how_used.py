"""Tests use results as a person would."""

from textwrap import dedent, indent

import pytest

from symcrete.explore.findings import FoundInput
from symcrete.report.tests.how_called import Written
from symcrete.report.tests.how_used import used_lines, within_both
from symcrete.report.tests.layout import Layout
from symcrete.run.use import Ending, Use


def found(*uses: Use, outcome: str = "returned") -> FoundInput:
    return FoundInput({"n": "3"}, Ending(outcome), "1", None, (), "", uses=uses)


@pytest.mark.parametrize(
    ("uses", "lines", "call"),
    [
        ([Use("call", "4", name="add")], "add = f(3)\n", "add(4)"),
        (
            [Use("call", "4", name="add"), Use("call", "5", again=True, name="add")],
            "add = f(3)\nadd(4)\n",
            "add(5)",
        ),
        (
            [Use("next", name="generator"), Use("send", "7", again=True, name="generator")],
            "generator = f(3)\nnext(generator)\n",
            "generator.send(7)",
        ),
        ([Use("with", name="entered")], "with f(3) as entered:\n    pass\n", "entered"),
        (
            [Use("with", "ValueError", name="entered")],
            "with f(3) as entered:\n    raise ValueError\n",
            "entered",
        ),
        ([Use("call", "", name="f")], "f_ = f(3)\n", "f_()"),
    ],
)
def test_the_last_use_is_what_a_test_asserts_on(uses: list[Use], lines: str, call: str) -> None:
    before, last, context = used_lines(Layout(), found(*uses), "f(3)", ["f"])

    assert "\n".join(before) == indent(lines, "    ")
    assert last == call
    assert not context


def test_an_error_in_a_context_is_expected_around_it() -> None:
    given = found(Use("with", "ValueError", name="entered"), outcome="raised")

    _, call, context = used_lines(Layout(), given, "f(3)", ["f"])
    lines = within_both(Layout(), "pytest.raises(ValueError)", Written((), call, context, "pass"))

    assert dedent("\n".join(lines)) == "with pytest.raises(ValueError), f(3):\n    pass"


def test_an_asynchronous_context_is_entered_by_a_function() -> None:
    before, call, _ = used_lines(Layout(), found(Use("async with", name="entered")), "f(3)", [])

    assert call == "asyncio.run(entered())"
    assert before[1] == "        async with f(3) as given:"
