"""Objects that are made as people make them: both sides behind them are covered by tests that
pass.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.report.whole_modules import covered

DEFAULTS = """
class Style:
    def __init__(self, start: str = "{{", end: str = "}}", width: int = 80, names=()):
        if start == end or width < 10:
            raise ValueError("no style")
        self.start, self.end, self.width, self.names = start, end, width, names


def shown(style: Style, text: str) -> str:
    if style.width > 100 and text:
        return style.start + text
    return text
"""


def test_arguments_with_defaults_are_left_out_until_a_branch_needs_them(tmp_path: Path) -> None:
    found = covered(DEFAULTS, tmp_path)

    assert found.passes, found.said
    assert found.open() == []
    assert re.search(r'Style\(width=\d+\), "a"', found.text)
    assert "end=" not in found.text


LOOPS = """
def drain(cursor):
    found = []
    row = cursor.fetchone()
    while row:
        found.append(row)
        row = cursor.fetchone()
    if len(found) == 2:
        return "two"
    return "other"


def skipped(stream):
    index, token = stream.next_token()
    while token:
        if token.kind == "end":
            return index
        index, token = stream.next_token()
    return -1
"""


def test_a_stand_in_that_is_asked_again_may_answer_otherwise(tmp_path: Path) -> None:
    found = covered(LOOPS, tmp_path, budget=8.0)

    assert found.passes, found.said
    assert found.open() == []
    assert "Mock(side_effect=[" in found.text


LIBRARY = """
import ast
import re
from datetime import timedelta, tzinfo


def first_word(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return "none" if found is None else found.group(0)


def kind_of(node: ast.AST) -> str:
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add):
            return "sum"
        return "operation"
    if isinstance(node, ast.Name) and node.id == "a":
        return "a"
    return "?"


class Zone(tzinfo):
    def __init__(self, minutes, name):
        self.minutes, self.name = minutes, name

    def utcoffset(self, dt):
        return timedelta(minutes=self.minutes)

    def tzname(self, dt):
        return "UTC" if self.minutes == 0 else self.name


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError("negative")
        setattr(instance, self.name, value)
"""


def test_patterns_nodes_zones_and_descriptors_are_real_objects(tmp_path: Path) -> None:
    found = covered(LIBRARY, tmp_path, budget=8.0)

    assert found.passes, found.said
    assert found.open() == []
    for text in (r're.compile(r"\w+")', 'Name(id="a", ctx=Load())', "Zone(0,", "op=Add()"):
        assert text in found.text, found.text
    assert "guessed" not in found.said


STARTS = """
import datetime as dt
import enum


class Unit(enum.Enum):
    SECONDS = 1
    DAYS = 2


def delta(days: int, unit: str = "seconds") -> str:
    least = Unit[unit.upper()]
    if days > 30:
        return "months"
    return least.name


def day(value: dt.date) -> str:
    if (value - dt.date.today()).days == 1:
        return "tomorrow"
    return "some day"
"""


def test_a_function_is_first_called_with_its_defaults_and_on_a_day_of_the_tests(
    tmp_path: Path,
) -> None:
    found = covered(STARTS, tmp_path)

    assert found.passes, found.said
    assert found.open() == []
    assert '"months"' in found.text
    assert '"tomorrow"' in found.text


REFUSED = """
class Server:
    def __init__(self, port):
        raise OSError("no network here")


class Handler:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.path = server.path

    def __getattr__(self, name):
        if name == "scheme":
            return "http"
        raise AttributeError(name)

    def root(self):
        if self.path == "/":
            return self.scheme
        return "?"


def busy(server: Server, most: int) -> bool:
    if server.load > most:
        return True
    return False
"""


def test_an_object_that_nobody_can_make_is_a_stand_in_or_made_without_its_constructor(
    tmp_path: Path,
) -> None:
    found = covered(REFUSED, tmp_path, budget=6.0)

    assert found.passes, found.said
    assert found.open() == []
    assert "SimpleNamespace(load=" in found.text
