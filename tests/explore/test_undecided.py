"""Parameters that nobody declares, or that nobody can build: what is tried for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.explore.exploring import explore

FOUND = {
    "a real object where isinstance asks for one": """
        class Card:
            def __init__(self, number, limit=0):
                self.number = number
                self.limit = limit


        def f(x):
            if isinstance(x, Card):
                return "found" if x.limit > 100 else "card"
            return None
    """,
    "what a Protocol declares": """
        from typing import Protocol


        class Reader(Protocol):
            def read(self) -> str: ...


        def f(reader: Reader):
            return "found" if reader.read() == "yes" else None
    """,
    "what a class declares that has no subclass": """
        from abc import ABC, abstractmethod


        class Shape(ABC):
            @abstractmethod
            def area(self) -> int: ...


        def f(shape: Shape):
            return "found" if shape.area() > 100 else None
    """,
    "lines of a file": """
        from typing import TextIO


        def f(file: TextIO):
            for line in file:
                if line.startswith("#"):
                    return "found"
            return None
    """,
    "a regular expression": """
        import re


        def f(pattern: re.Pattern[str], text: str):
            return "found" if pattern.match(text) else None
    """,
    "the answer of a callable": """
        from collections.abc import Callable


        def f(call: Callable[[int], str]):
            return "found" if call(3) == "ok" else None
    """,
    "a tree as deep as the branch needs": """
        class Tree:
            def __init__(self, value: int, children: "list[Tree] | None" = None):
                self.value, self.children = value, children or []


        def f(tree: Tree):
            for child in tree.children:
                for grandchild in child.children:
                    if grandchild.value == 7:
                        return "found"
            return None
    """,
    "five numbers at once": """
        def f(a, b, c, d, e):
            items = [a, b, c, d, e]
            return "found" if sorted(items) == items and items[0] != items[1] else None
    """,
    "a text of which single characters are read": """
        def f(name):
            return "found" if ord(name[2]) == 98 else None
    """,
}


@pytest.mark.parametrize("program", FOUND.values(), ids=FOUND)
def test_it_is_found_without_being_told_the_type(program: str, tmp_path: Path) -> None:
    report = explore(program, tmp_path, max_runs=600, replay=True)

    assert '"found"' in [found.returned for found in report.inputs]
    assert not report.infeasible


def test_a_function_that_only_raised_wrong_types_proves_nothing(tmp_path: Path) -> None:
    program = """
        def f(x):
            for key in x.no_such_thing().neither():
                if key == 3 and key == 4:
                    return 1
            return x + []
    """

    report = explore(program, tmp_path, max_runs=300)

    assert not report.infeasible
    assert report.conditions.covered < report.conditions.total
