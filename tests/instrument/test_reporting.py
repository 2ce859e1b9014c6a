"""Conditions rewritten to report their sides: where hooks are called, and that all else stays."""

from __future__ import annotations

import ast

import pytest

from symcrete.instrument.naming import PREFIX
from symcrete.instrument.reporting import ReportingConditions
from symcrete.program.source.sites import ModuleSites, SiteTable


def rewritten(text: str) -> str:
    """The text after rewriting, with hooks shown by their plain names."""
    tree = ast.parse(text)
    sites = ModuleSites(tree, "it.py", SiteTable())
    return ast.unparse(ReportingConditions(sites).visit(tree)).replace(PREFIX, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1 if a else 2", "x = 1 if branch(0, a) else 2"),
        ("assert a and not b", "assert branch(0, a) and (not branch(2, b))"),
        ("x = a or b", "x = kept() if test(0, a) else b"),
        ("x = a and b", "x = b if test(0, a) else kept()"),
        (
            "assert a < b < c",
            "assert link(0, 'lt', a, b) and last_link(2, 'lt', kept(), c)",
        ),
        ("x = a < b < c", "x = lt(kept(), c) if link(0, 'lt', a, b) else kept()"),
        ("x = [y for y in ys if y]", "x = [y for y in steps(0, ys) if branch(2, y)]"),
        ("x: (1 if a else 2) = b", "x: 1 if a else 2 = b"),
        ("x = a == b", "x = a == b"),
        ("assert True", "assert True"),
    ],
)
def test_each_condition_reports_and_all_else_stays(text: str, expected: str) -> None:
    assert rewritten(text) == expected


def test_a_loop_reports_each_step_and_that_there_are_no_more() -> None:
    assert rewritten("for x in y:\n    pass").splitlines() == [
        "for x in y:",
        "    step(0)",
        "    pass",
        "else:",
        "    done(0)",
    ]


def test_conditions_inside_functions_defaults_and_decorators_report_but_not_annotations() -> None:
    text = rewritten("@(a if b else c)\ndef f(x: (1 if d else 2) = 1 if e else 2):\n    pass")

    assert text.count("branch(") == 2
    assert "1 if d else 2" in text
