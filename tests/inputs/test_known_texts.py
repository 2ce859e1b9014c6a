"""Texts that a program is likely to read, by what it calls and by the names of its parameters."""

from __future__ import annotations

import ast

import pytest

from symcrete.inputs.draw.known_texts import known_texts
from symcrete.inputs.draw.read_texts import texts_read_by
from symcrete.inputs.draw.sampling import Pool, mine


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


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        ("base64.b64decode", "a2V5Og=="),
        ("urllib.parse.urlparse", "https://example.com/?page=1"),
        ("urllib.parse.urlsplit", "https://example.com:8443/"),
        ("shlex.split", "page https"),
        ("ipaddress.ip_address", "::1"),
        ("zoneinfo.ZoneInfo", "UTC"),
        ("strptime %I %p", "05 AM"),
    ],
)
def test_constants_of_a_program_are_written_as_what_is_read(reader: str, text: str) -> None:
    pool = Pool(texts=("https", "page"), blobs=(b"key:",), integers=(-1, 8443))

    assert text in pool.read_as(reader)


def test_constants_that_are_mentioned_often_come_first() -> None:
    assert texts_read_by("urllib.parse.parse_qs", ("a", "b", "b"), (), ())[0] == "b=1"
