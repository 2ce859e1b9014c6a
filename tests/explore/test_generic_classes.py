"""What a type variable of a class stands for is what each annotation says, not the first one."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

CLASSES = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Generic, TypeVar
T = TypeVar("T")
K = TypeVar("K")
@dataclass(frozen=True)
class Box(Generic[T]):
    v: T
@dataclass(frozen=True)
class Pair(Generic[K, T]):
    a: Box[K]
    b: Box[T]
@dataclass(frozen=True)
class Tree(Generic[T]):
    v: T
    left: Tree[T] | None = None
@dataclass(frozen=True)
class Named(Box[str]):
    n: int = 0
@dataclass(frozen=True)
class One(Generic[T]):
    v: T
    other: Two[list[T]] | None = None
@dataclass(frozen=True)
class Two(Generic[T]):
    v: T
    other: One[list[T]] | None = None
"""
NUMBERS = """
from collections.abc import Sequence
from typing import Generic, TypeVar
G = TypeVar("G", covariant=True)
S = TypeVar("S", contravariant=True)
class Given(Generic[G]):
    def __init__(self, n: int) -> None:
        self.n = n
class Ints(Given[int]):
    pass
class Rows(Given[Sequence[int]]):
    pass
class Taker(Generic[S]):
    def __init__(self, n: int) -> None:
        self.n = n
class Floats(Taker[float]):
    pass
"""
# An int is taken for a float, so that objects of these classes are among those that are declared.
STANDING_FOR = {
    "covariant": "def f(b: Given[float]) -> int:\n"
    "    if isinstance(b, Ints):\n        return 1\n    return 0\n",
    "contravariant": "def f(b: Taker[int]) -> int:\n"
    "    if isinstance(b, Floats):\n        return 1\n    return 0\n",
    "one level down": "def f(b: Given[Sequence[complex]]) -> int:\n"
    "    if isinstance(b, Rows):\n        return 1\n    return 0\n",
}
FEASIBLE = {
    "two parameters": "def f(a: Box[int], b: Box[str]) -> int:\n"
    "    if b.v == 'q':\n        return 1\n    if a.v == 3:\n        return 2\n    return 0\n",
    "one of two": "def f(b: Box[int] | Box[str]) -> int:\n"
    "    if b.v == 'q':\n        return 1\n    if b.v == 3:\n        return 2\n    return 0\n",
    "with None in one": "def f(a: Box[int] | None, b: Box[int | None]) -> int:\n"
    "    if b.v is None:\n        return 1\n    if a is None:\n        return 2\n    return 0\n",
    "inside itself": "def f(b: Box[Box[str]]) -> int:\n"
    "    if b.v.v == 'q':\n        return 1\n    return 0\n",
    "handed on": "def f(p: Pair[int, str]) -> int:\n"
    "    if p.b.v == 'q':\n        return 1\n    if p.a.v == 3:\n        return 2\n    return 0\n",
    "recursive": "def f(a: Tree[int], b: Tree[str]) -> int:\n"
    "    if b.left is not None and b.left.v == 'q':\n        return 1\n"
    "    if a.left is not None and a.left.v == 3:\n        return 2\n    return 0\n",
    "said by a base": "def f(a: Named) -> int:\n    if a.v == 'q':\n        return 1\n    return 0\n",
}


@pytest.mark.parametrize("source", FEASIBLE.values(), ids=list(FEASIBLE))
def test_every_meaning_of_a_type_variable_is_tried(source: str, tmp_path: Path) -> None:
    report = explore(CLASSES + source, tmp_path, budget=5.0)

    assert report.infeasible == ()
    assert report.open == ()


def test_what_a_type_variable_stands_for_is_still_part_of_a_proof(tmp_path: Path) -> None:
    source = (
        "def f(a: Box[int], b: Box[str]) -> int:\n"
        "    if a.v > 5 and a.v < 4:\n        return 1\n"
        "    if b.v == 'q' and len(b.v) == 2:\n        return 2\n    return 0\n"
    )

    report = explore(CLASSES + source, tmp_path, budget=5.0)

    assert [each.text for each in report.infeasible] == ["a.v < 4", "len(b.v) == 2"]
    assert report.open == ()


def test_objects_of_a_class_that_says_otherwise_are_no_inputs(tmp_path: Path) -> None:
    source = (
        "def f(a: Box[int]) -> int:\n"
        "    if isinstance(a, Named):\n        return 1\n    return a.v + 1\n"
    )

    report = explore(CLASSES + source, tmp_path, budget=5.0)

    assert not [each for each in report.inputs if "Named" in each.args["a"]]
    assert not [each for each in report.inputs if each.error]


def test_classes_that_hold_each_other_with_ever_other_types_are_read_to_an_end(
    tmp_path: Path,
) -> None:
    source = "def f(a: One[int]) -> int:\n    if a.v == 3:\n        return 1\n    return 0\n"

    report = explore(CLASSES + source, tmp_path, budget=5.0)

    assert report.error == ""
    assert report.branches.covered == 2


@pytest.mark.parametrize("source", STANDING_FOR.values(), ids=list(STANDING_FOR))
def test_classes_of_what_stands_for_the_declared_are_inputs(source: str, tmp_path: Path) -> None:
    report = explore(NUMBERS + source, tmp_path, budget=5.0)

    assert report.infeasible == ()
    assert report.open == ()


def _subclasses(others: int, own: int) -> str:
    """A generic class with this many subclasses of texts, and of numbers."""
    lines = ["from typing import Generic, TypeVar", 'T = TypeVar("T")', "class Box(Generic[T]):"]
    lines += ["    v = 1"]
    for name, count, held in (("Text", others, "str"), ("Number", own, "int")):
        for number in range(count):
            lines += [f"class {name}{number}(Box[{held}]):", "    pass"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("others", "own"),
    [pytest.param(9, 3, id="beside those of texts"), pytest.param(0, 20, id="among many")],
)
def test_the_class_that_is_asked_for_is_tried(others: int, own: int, tmp_path: Path) -> None:
    source = (
        "def f(b: Box[int]) -> int:\n"
        f"    if isinstance(b, Number{own - 1}):\n        return 1\n    return 0\n"
    )

    report = explore(_subclasses(others, own) + source, tmp_path, budget=5.0)

    assert report.branches.covered == 2
