"""Caches, slicing, IPPC and incremental mode change how fast an answer comes, never what it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.solve.tracing import Traced, explore

from symcrete.solve.choose import make_solver
from symcrete.terms.term import Sort, var

OPTIONS: dict[str, dict[str, Any]] = {
    "IPPC off": {"ippc": "off"},
    "Algorithm 2": {"ippc": "paper"},
    "no cache": {"cache": False},
    "no slicing": {"slicing": False},
    "nothing kept asserted": {"incremental": False},
    "none of them": {"ippc": "off", "cache": False, "slicing": False, "incremental": False},
    "z3 alone": {"asked": "z3"},
}
FUNCTIONS = 200


def random_function(source: random.Random) -> Callable[..., int]:
    """A loop-free function of three integers with some infeasible branches."""

    def expression(depth: int) -> str:
        name = source.choice("abc")
        if depth == 0:
            return name
        inner = expression(depth - 1)
        other = source.choice(["a", "b", "c", str(source.randint(-9, 9))])
        return source.choice(
            [
                f"({inner} + {other})",
                f"({inner} - {other})",
                f"({inner} * {source.randint(2, 5)})",
                f"({inner} % {source.choice([2, 3, 7])})",
                f"({inner} // {source.choice([2, 3, 10])})",
                f"({inner} & {source.choice([1, 6, 12])})",
            ]
        )

    lines = ["def function(a, b, c):", "    taken = 0"]
    for place in range(source.randint(2, 4)):
        sign = source.choice(["<", "<=", "==", "!=", ">", ">="])
        bound = source.choice(["a", "b", "c", str(source.randint(-20, 20))])
        left = expression(source.randint(0, 2))
        lines.append(f"    if {left} {sign} {bound}:")
        lines.append(f"        taken += {1 << place}")
        if source.random() < 0.5:
            lines.append(f"        {source.choice('abc')} = {expression(1)}")
    lines.append("    return taken")
    space: dict[str, Callable[..., int]] = {}
    exec("\n".join(lines), space)
    return space["function"]


def functions() -> list[Callable[..., int]]:
    source = random.Random(11)
    return [random_function(source) for _ in range(FUNCTIONS)]


START = {"a": 0, "b": 0, "c": 0}


@pytest.fixture(scope="module")
def expected() -> list[tuple[set, int]]:
    found = []
    for function in functions():
        explored = explore(function, START, make_solver("auto"))
        found.append((explored.paths, explored.infeasible))
        assert explored.unknown == 0
    assert sum(infeasible for _, infeasible in found) > 150
    return found


@pytest.mark.parametrize("name", OPTIONS)
def test_the_same_paths_and_the_same_infeasible_branches_are_found(name: str, expected):
    for function, (paths, infeasible) in zip(functions(), expected, strict=True):
        explored = explore(function, START, make_solver(**OPTIONS[name]))

        assert explored.paths == paths
        assert explored.infeasible == infeasible


def test_the_small_tester_computes_what_python_computes():
    for function in functions():
        for values in ((0, 0, 0), (5, -7, 3), (-100, 20, 99)):
            path: list = []
            traced = [
                Traced(var(name, Sort.INT), value, path)
                for name, value in zip("abc", values, strict=True)
            ]

            assert function(*traced) == function(*values)
