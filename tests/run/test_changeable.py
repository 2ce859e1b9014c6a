"""What a call may change without its text telling so: then nothing is proved by leaving it out."""

from __future__ import annotations

import enum
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore_lazily

from symcrete.run.callees.changeable import handed_to, is_safe

Pair = namedtuple("Pair", "a b")
Colour = enum.Enum("Colour", "RED BLUE")


class Rows(list[int]):
    """A list with a method of its own."""

    def total(self) -> int:
        return sum(self)


@pytest.mark.parametrize(
    "value",
    [1, "a", 2.5, None, (1, "a"), Pair(1, 2), Colour.RED, len, int, [1, [2]], {"a": {1}}],
    ids=repr,
)
def test_what_cannot_change_and_containers_of_it_are_safe(value: Any) -> None:
    assert is_safe(value, containers=True)


@pytest.mark.parametrize(
    "value",
    [iter([1]), Rows(), [iter([1])], (Rows(),), object(), {"a": object()}],
    ids=["iterator", "rows", "iterator in a list", "rows in a tuple", "object", "object in a dict"],
)
def test_iterators_and_objects_are_not_safe(value: Any) -> None:
    assert not is_safe(value, containers=True)


def test_containers_are_not_safe_from_a_function_that_hides_its_changes() -> None:
    assert not is_safe([1], containers=False)
    assert is_safe((1, 2), containers=False)


def test_the_object_of_a_method_and_what_a_function_closes_over_are_handed_to_it() -> None:
    seen: list[int] = []

    def add(value: int, more: int = 0) -> int:
        return value + more + len(seen)

    assert list(handed_to(add, (1,), {"more": 2})) == [1, 2, seen]
    assert list(handed_to(Rows([3]).total, (), {})) == [[3]]


PROGRAM = """
    import functools

    class Box:
        def __init__(self) -> None:
            self.hits = 0

        @property
        def value(self) -> int:
            self.hits += 1
            return 1

        def __lt__(self, other: int) -> bool:
            self.hits += 1
            return True

        def __enter__(self) -> None:
            self.hits += 1

        def __exit__(self, *_: object) -> None:
            return None

    def noting(function):
        @functools.wraps(function)
        def inner(n: int, t: str, z: object) -> int:
            found = function(n, t, z)
            if n % 1000 == 777 and found > 9:
                z.append(1)
            return found
        return inner

    {decorator}
    def weigh(n: int, t: str, z: object) -> int:
        k = 0
        for c in t:
            if c == "a":
                k += 1
            elif c == "b":
                k += 2
        if n % 1000 == 777 and k > 9:
            {change}
        return k

    def f(n: int, t: str) -> str:
        z = {made}
        k = weigh(n, t, z)
        if {changed}:
            return "changed"
        return "many" if k > 2 else "few"
"""


@pytest.mark.parametrize(
    ("change", "made", "changed"),
    [
        ("k += sum(z)", "iter([1, 2])", "not list(z)"),
        ("k += 1 in z", "iter([1, 2])", "len(list(z)) == 1"),
        ("out = z; out += (1,)", "[]", "z"),
        ("rows = [z]; rows[0] += [1]", "[]", "z"),
        ("list(map(z.append, [1]))", "[]", "z"),
        ("z.__setitem__(0, 1)", "[0]", "z[0]"),
        ("k += z.value", "Box()", "z.hits"),
        ("k += z < 5", "Box()", "z.hits"),
        ("\n            with z: k += 1", "Box()", "z.hits"),
        ("pass", "[]", "z"),
    ],
)
def test_a_change_that_the_text_of_a_callee_does_not_tell_is_not_called_impossible(
    change: str, made: str, changed: str, tmp_path: Path
) -> None:
    decorator = "@noting" if change == "pass" else ""
    source = PROGRAM.format(change=change, made=made, changed=changed, decorator=decorator)

    report = explore_lazily(source, tmp_path, budget=2, lazy="weigh")

    assert not report.infeasible, [(spot.line, spot.text) for spot in report.infeasible]


def test_a_proof_with_lists_that_a_callee_only_reads_is_kept_and_says_what_it_assumes(
    tmp_path: Path,
) -> None:
    source = PROGRAM.format(change="k += len(z)", made="[1, 2]", changed="not z", decorator="")

    report = explore_lazily(source, tmp_path, budget=2, lazy="weigh")

    (impossible,) = report.infeasible
    assert "weigh returns what it declares" in impossible.assumes
