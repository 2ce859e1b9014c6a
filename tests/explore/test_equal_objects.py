"""Objects without an `__eq__` are equal to themselves alone: asking for equality asks for identity."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

CLASSES = """
from __future__ import annotations
from dataclasses import dataclass
class M:
    def __init__(self, v: int) -> None:
        self.v = v
class N:
    def __init__(self, v: int, following: N | None = None) -> None:
        self.v = v
        self.following = following
@dataclass(frozen=True)
class Holder:
    a: M
    b: M
@dataclass(frozen=True)
class Point:
    x: int
"""
FEASIBLE = {
    "tuple": ("a: tuple[M, M]", "a[0] == a[1]"),
    "tuples": ("a: tuple[M, int], b: tuple[M, int]", "a == b"),
    "fields": ("h: Holder", "not h.a != h.b"),
    "field and parameter": ("h: Holder, m: M", "h.a == m"),
    "fields of two": ("h: Holder, k: Holder", "h.a == k.b"),
    "fields of equal objects": ("h: Holder", "Holder(h.b, h.a) == h"),
    "in a list": ("xs: list[M], m: M", "m in xs"),
    "count": ("a: tuple[M, M]", "a.count(a[0]) > 1"),
    "set": ("a: tuple[M, M]", "len({*a}) == 1"),
    "dict": ("a: tuple[M, M]", "{a[0]: 1}.get(a[1])"),
    "any number": ("*xs: M", "len(xs) == 2 and xs[0] == xs[1]"),
    "circle": ("n: N", "n.following == n"),
}


@pytest.mark.parametrize(("parameters", "asked"), FEASIBLE.values(), ids=list(FEASIBLE))
def test_two_parts_may_be_equal_by_being_one_object(
    parameters: str, asked: str, tmp_path: Path
) -> None:
    report = explore(
        f"{CLASSES}def f({parameters}) -> int:\n    if {asked}:\n        return 1\n    return 0\n",
        tmp_path,
        budget=5.0,
    )

    assert report.infeasible == ()
    assert report.branches.covered == 2


def test_objects_with_an_eq_of_their_own_are_still_part_of_a_proof(tmp_path: Path) -> None:
    report = explore(
        f"{CLASSES}def f(a: tuple[Point, Point]) -> int:\n"
        "    if a[0] == a[1] and a[0].x != a[1].x:\n        return 1\n    return 0\n",
        tmp_path,
        budget=5.0,
    )

    assert [each.text for each in report.infeasible] == ["a[0].x != a[1].x"]


def test_what_no_object_is_equal_to_asks_for_nothing(tmp_path: Path) -> None:
    report = explore(
        f"{CLASSES}def f(h: Holder) -> int:\n"
        "    if h.a.v == 3 and h.a.v in (4, 5):\n        return 1\n    return 0\n",
        tmp_path,
        budget=5.0,
    )

    assert [each.text for each in report.infeasible] == ["h.a.v in (4, 5)"]
    assert not any("same" in each.args["h"] for each in report.inputs)
