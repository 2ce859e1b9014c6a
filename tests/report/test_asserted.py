"""The lines that assert what a call gives."""

from __future__ import annotations

import pytest

from symcrete.report.tests.asserted import assertion, comparison
from symcrete.report.tests.layout import Layout


@pytest.mark.parametrize(
    ("extra", "value", "line"),
    [
        ("", "1", "assert f(0) == 1"),
        ("is", "xs", "assert f(0) is xs"),
        ("of", "Cart", "assert isinstance(f(0), Cart)"),
        ("kind", '"Cart"', 'assert type(f(0)).__qualname__ == "Cart"'),
        ("kind", '"list"', "assert type(f(0)) is list"),
        ("kind", "kind", "assert type(f(0)).__qualname__ == kind"),
    ],
)
def test_a_call_is_compared_as_people_write_it(extra: str, value: str, line: str) -> None:
    assert comparison("f(0)", extra, "==", value).strip() == line


def test_an_operation_is_put_in_brackets_where_it_is_compared() -> None:
    assert comparison("a + b", "", "==", "1").strip() == "assert (a + b) == 1"
    assert comparison("a + b", "kind", "==", '"Cart"').startswith("    assert type(a + b).")


def test_what_is_too_long_for_a_line_is_given_a_name_that_is_free() -> None:
    lines = assertion(Layout(width=30), "f(0)", "", repr("x" * 25), ["expected"])

    assert [line.strip() for line in lines][-1] == "assert f(0) == expected_"
    assert lines[0].strip().startswith("expected_ = ")
