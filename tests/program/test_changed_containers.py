"""Where containers in attributes are changed in place, given other names, or handed on."""

import ast

import pytest

from symcrete.program.state.aliased_fields import containers_changed
from symcrete.program.state.scopes import Scopes


@pytest.mark.parametrize(
    ("statement", "changed"),
    [
        ("box.rows.append(1)", True),
        ("box.rows[0] = 1", True),
        ("rows = box.rows; rows.append(1)", True),
        ("rows = box.rows; return rows", True),
        ("global rows; rows = box.rows", True),
        ("a = b = box.rows", True),
        ("return box.rows", True),
        ("do(box.rows)", True),
        ("rows = box.rows; print(len(rows), rows[0])", False),
        ("return len(box.rows), box.rows[0]", False),
        ("box.rows = []", False),  # this is a store of the attribute
        ("box.others.append(1)", False),
    ],
)
def test_containers_in_attributes_are_changed_or_looked_at(statement: str, changed: bool) -> None:
    text = f"def f(box, do): {statement}"

    found = [*containers_changed(Scopes(ast.parse(text), text, "m.py"), {"rows"})]

    assert [(each.line, each.scope) for each in found] == [(1, "f")] * changed
