"""A call that an open branch hangs on is told as its author wrote it."""

from pathlib import Path

import pytest

from symcrete.explore.proof.told_call import (
    as_written,
    names_source,
    nearest_loss,
    told_loss,
    told_read,
)

PROGRAM = """import random
import sys

text = sys.stdin.read()
answer = input("? ")
rng = random.Random(3)
roll = random.randint(1, 6)
name = open("x").name
drawn = rng.random()
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "prog.py"
    path.write_text(PROGRAM)
    return str(path)


def test_a_method_is_named_by_the_object_it_is_called_on(file: str) -> None:
    assert as_written(file, 4, "TextIOWrapper.read()") == "sys.stdin.read()"
    assert as_written(file, 4, "Elsewhere.write()") == "Elsewhere.write()"
    assert as_written("nowhere.py", 4, "TextIOWrapper.read()") == "TextIOWrapper.read()"


@pytest.mark.parametrize(
    ("line", "what", "told"),
    [
        (4, "TextIOWrapper.read()", "depends on standard input, which `sys.stdin.read()` reads"),
        (5, "input()", "depends on standard input, which `input()` reads and no input sets"),
        (6, "Random()", "depends on the numbers that `random.Random()` makes from its seed"),
        (7, "Random.randint()", "depends on chance: what `random.randint()` draws is no input"),
        (9, "Random.random()", "depends on the numbers that `rng.random()` makes from its seed"),
        (8, "open()", "depends on what open() gives, which is no input"),
    ],
)
def test_a_source_with_a_name_is_named(file: str, line: int, what: str, told: str) -> None:
    assert told_read(file, line, what).startswith(told)


def test_a_loss_has_its_place(file: str) -> None:
    assert told_loss(file, 8, "open()") == "a value left the tracked world in open() at prog.py:8"
    assert told_loss(file, 5, "input()").endswith("no input sets (prog.py:5)")
    assert told_loss("", 0, "x has no declared type") == "x has no declared type"


def test_a_loss_that_only_has_a_place_names_no_source(file: str) -> None:
    assert not names_source(file, 8, "open()")
    assert names_source(file, 5, "input()")
    assert names_source("", 0, "x has no declared type")


def test_the_last_loss_above_a_line_is_to_blame() -> None:
    losses = [("a.py", 9, "late()"), ("a.py", 2, "f()"), ("a.py", 4, "g()"), ("b.py", 5, "h()")]

    assert nearest_loss(losses, "a.py", 6) == ("a.py", 4, "g()")
    assert nearest_loss(losses, "c.py", 6) == ("a.py", 9, "late()")
