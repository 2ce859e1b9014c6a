"""Stand-ins in test files: readable, passing, and nothing of ours in them."""

from __future__ import annotations

from pathlib import Path

from tests.report.whole_modules import covered

PROGRAM = """
from abc import ABC, abstractmethod
from typing import TextIO


def status(response, strict=False):
    if response.status_code >= 400:
        return "bad"
    return response.json().get("a", 1)


def count(file: TextIO):
    return len([line for line in file if line.strip()])


class Base(ABC):
    @abstractmethod
    def area(self): ...

    def large(self, least: int):
        if least > 3:
            return 1
        return 0


class Connection:
    def __init__(self, url):
        raise ConnectionError("no network")

    def size(self, n: int):
        if self.ready and n > 3:
            return n
        return 0
"""


def test_tests_with_stand_ins_pass_and_show_nothing_of_ours(tmp_path: Path) -> None:
    found = covered(PROGRAM, tmp_path, budget=6.0)

    assert found.passes, found.said
    tests = found.text.partition("# Written by")[0]
    assert found.open() == []
    for text in (
        "SimpleNamespace(status_code=",
        "StringIO(",
        'type("Base", (Base,)',
        "object.__new__",
    ):
        assert text in tests, tests
    assert "symcrete" not in tests.partition("import")[2]


def test_an_object_that_methods_have_changed_is_made_in_statements(tmp_path: Path) -> None:
    program = """
    class Bag:
        def __init__(self):
            self.items = []

        def add(self, x: int) -> None:
            self.items.append(x)


    def weigh(bag: Bag, limit: int) -> str:
        if len(bag.items) > 1:
            return "many"
        return "few"
    """

    found = covered(program, tmp_path)

    assert found.passes, found.said
    assert "    bag = Bag()\n    bag.add(0)\n    bag.add(0)\n    assert weigh(bag, 0)" in found.text
    assert ":=" not in found.text
