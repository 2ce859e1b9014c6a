"""The lines of a test that assert what a call gives."""

from __future__ import annotations

import ast

from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import free

# What needs no brackets on the left of a comparison.
_WITHOUT_BRACKETS = ast.Call | ast.Attribute | ast.Name | ast.Subscript | ast.Constant
# Classes that every test can name, as they are quoted.
_BUILT_IN_KINDS = frozenset({'"list"', '"tuple"', '"dict"', '"set"', '"frozenset"'})


def assertion(layout: Layout, call: str, extra: str, value: str, taken: list[str]) -> list[str]:
    """The lines that assert what a call returns; what is too long for one line is given a name
    first.
    """
    operator = "is" if value in ("None", "True", "False") else "=="
    line = comparison(call, extra, operator, value)
    if len(line) <= layout.width:
        return [line]
    expected, result = free("expected", taken), free("result", taken)
    short = comparison(call, extra, operator, expected)
    if len(value) > len(expected) and len(short) <= layout.width and operator == "==":
        return [*layout.assignment(expected, value, 4), "", short]
    line = comparison(result, extra, operator, value)
    if len(line) <= layout.width:
        return [*layout.assignment(result, call, 4), "", line]
    made = [*layout.assignment(expected, value, 4), *layout.assignment(result, call, 4)]
    return [*made, "", comparison(result, extra, operator, expected)]


def comparison(call: str, extra: str, operator: str, value: str) -> str:
    """The line that compares a call with a value; `extra` says what of it: its class ("kind"),
    whether it is of a class ("of"), whether it is that object ("is"), or else itself.
    """
    if extra == "kind" and value in _BUILT_IN_KINDS:
        return f"    assert type({call}) is {value[1:-1]}"
    if extra == "kind":
        return f"    assert type({call}).__qualname__ == {value}"
    if extra == "of":
        return f"    assert isinstance({call}, {value})"
    if not isinstance(ast.parse(call, mode="eval").body, _WITHOUT_BRACKETS):
        call = f"({call})"
    return f"    assert {call} {'is' if extra == 'is' else operator} {value}"
