"""Where a program asks for chance, clocks, hashes or addresses."""

import ast

import pytest

from symcrete.program.source.chance import chance_in


@pytest.mark.parametrize(
    ("imports", "line", "kind", "text"),
    [
        ("import random", "random.randrange(3)", "chance", "random.randrange()"),
        ("from random import choice", "choice([1])", "chance", "choice()"),
        ("import random as r", "r.random()", "chance", "r.random()"),
        ("import uuid", "uuid.uuid4()", "chance", "uuid.uuid4()"),
        ("import time", "time.time()", "clock", "time.time()"),
        ("from time import monotonic", "monotonic()", "clock", "monotonic()"),
        ("from datetime import datetime", "datetime.now()", "clock", "datetime.now()"),
        ("import datetime", "datetime.date.today()", "clock", "datetime.date.today()"),
        ("", "hash('a')", "hash", "hash()"),
        ("", "list({'a', 'b'})", "hash", "a set"),
        ("", "id(object())", "address", "id()"),
    ],
)
def test_it_is_found_by_what_is_imported(imports: str, line: str, kind: str, text: str) -> None:
    found = chance_in(ast.parse(f"{imports}\nx = 1\ny = {line}\n"))

    assert list(found) == [3]
    assert (found[3].kind, found[3].text) == (kind, text)


def test_other_calls_are_none_of_it() -> None:
    assert chance_in(ast.parse("import math\nx = math.sin(1)\ny = len('a')\nz = {1: 2}\n")) == {}
