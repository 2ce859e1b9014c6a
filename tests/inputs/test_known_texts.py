"""Texts that a program is likely to read, by what it calls and by the names of its parameters."""

from __future__ import annotations

import ast

import pytest

from symcrete.inputs.draw.known_texts import known_texts
from symcrete.inputs.draw.sampling import mine


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("host = urlparse(x).hostname", "https://example.com"),
        ("date.fromisoformat(x)", "2024-02-29"),
        ("socket.inet_aton(x)", "192.168.1.1"),
        ("def f(user_email): ...", "someone@example.com"),
    ],
)
def test_a_text_of_the_form_that_is_read_is_among_those_drawn(program: str, text: str) -> None:
    tree = ast.parse(program)

    assert text in known_texts(tree)
    assert text in mine([tree]).texts


def test_what_nothing_speaks_for_is_not_drawn() -> None:
    assert known_texts(ast.parse("def f(n): return n + 1")) == []
