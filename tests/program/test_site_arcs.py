"""What counts as a branch between lines."""

from __future__ import annotations

import pytest
from tests.program.texts import Program


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("if a:\n        b()\n    return 1", 2),
        ("if a: b()\n    return 1", 0),  # coverage.py sees one line lead to one other
        ("if a: return 2\n    return 1", 2),
        ("if a: b()\n    else:\n        c()", 2),
        ("while a: a = b()\n    return 1", 0),
        ("for x in a: b()\n    return 1", 0),
        ("while True:\n        b()", 0),
        ("if False:\n        if a:\n            b()\n    return 1", 0),
        ("if 0 and a:\n        b()\n    return 1", 0),
        ("if (a and\n            c): b()\n    return 1", 0),
        ("match a:\n        case 1:\n            b()\n        case _:\n            c()", 2),
    ],
)
def test_a_branch_is_a_line_with_two_exits(text: str, branches: int):
    program = Program(f"def f(a, b, c):\n    {text}\n")

    assert len(program.numbered.own_branches("f")) == branches


def test_nothing_in_dead_code_asks_to_be_covered():
    program = Program("""
        def f(a, b):
            if False:
                return a or b
            return 1
        """)

    assert [site.sides for site in program.numbered.own("f")] == [()]
