"""What locals always are: refereed by running random loops, before any proof stands on it."""

from __future__ import annotations

import itertools
import operator
import sys
import textwrap
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.backward.searching import program_of, searched

from symcrete.backward.invariants import _OF_TWO, ANY, Invariants, Numbers
from symcrete.backward.sorts import Sorts
from symcrete.terms.term import Sort

SMALL = range(-6, 14)


def sets() -> list[Numbers]:
    """Sets of many kinds, small enough to be written out."""
    made = [Numbers(value, value, 0, value) for value in (-3, 0, 2, 7)]
    for low, high in itertools.product((None, -2, 0, 3), (None, 3, 9)):
        for modulus, rest in ((1, 0), (2, 1), (3, 0), (6, 5)):
            made.append(Numbers(low, high, modulus, rest))
    return made


OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "mod": operator.mod}


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_the_result_of_an_operation_is_in_the_set_that_is_computed_for_it(name):
    for a, b in itertools.product(sets(), repeat=2):
        result = _OF_TWO[name](a, b)
        for x, y in itertools.product(SMALL, repeat=2):
            if x in a and y in b and (name != "mod" or y):
                assert OPERATORS[name](x, y) in result, (a, b, x, y)


def test_what_is_in_a_set_is_in_every_one_that_it_is_joined_or_widened_to():
    for a, b in itertools.product(sets(), repeat=2):
        joined = a.joined(b)
        wide = a.widened(joined)
        for x in SMALL:
            assert not (x in a or x in b) or (x in joined and x in wide), (a, b, x)


# -- random loops


class LoopWriter:
    """Writes a function `f(n: int, m: int)` with loops that count, and a line that may be dead."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._lines: list[str] = []

    def text(self) -> str:
        random = self._random
        self._lines = ["def f(n: int, m: int) -> int:"]
        for name in "ijk":
            self._put(
                1,
                f"{name} = {random.choice(['0', '1', '3', '-4', '6', 'n', 'm * 2', 'n * 4 + 1'])}",
            )
        self._put(1, "turns = 0")
        self._loop(1)
        if random.random() < 0.4:
            self._loop(1)
        left = random.choice(["i", "j", "k", "turns", "i + j", "i - k", "2 * j"])
        sign = random.choice(["==", "==", "==", "<", ">", "!="])
        self._put(1, f"if {left} {sign} {random.randint(-9, 21)}:")
        self._put(2, "return 1  # goal")
        self._put(1, "return 0")
        return "\n".join(self._lines) + "\n"

    def _put(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _loop(self, depth: int) -> None:
        random = self._random
        head = random.choice(
            [
                "while i < n and turns < 12:",
                "for i in range(min(n, 9)):",
                "while turns < m and turns < 9:",
                "for k in range(0, 12, 3):",
                "for j in range(8, -2, -2):",
            ]
        )
        self._put(depth, head)
        self._put(depth + 1, "turns += 1")
        for _ in range(random.randint(1, 3)):
            self._statement(depth + 1)
        if depth == 1 and random.random() < 0.25:
            self._loop(2)
        if random.random() < 0.2:
            self._put(depth, "else:")
            self._put(depth + 1, self._update())

    def _statement(self, depth: int) -> None:
        random = self._random
        if random.random() < 0.4:
            self._put(
                depth,
                f"if {random.choice('ijknm')} % {random.randint(2, 4)} == {random.randint(0, 2)}:",
            )
            self._put(depth + 1, self._update())
            if random.random() < 0.4:
                self._put(depth + 1, random.choice(["break", "continue", "return 0"]))
        else:
            self._put(depth, self._update())

    def _update(self) -> str:
        random = self._random
        name, other = random.choice("ijk"), random.choice("ijk")
        amount = random.choice([1, 2, 2, 3, 4, 6])
        return random.choice(
            [
                f"{name} += {amount}",
                f"{name} += {amount}",
                f"{name} -= {amount}",
                f"{name} = {name} * {amount}",
                f"{name} = {name} % {amount}",
                f"{name} = {other} + {2 * amount}",
                f"{name}, {other} = {other}, {name}",
                f"{name} = -{other}",
                f"{name} = len(str({other}))",
                f"{name} = {amount} if n > 3 else {name}",
            ]
        )


def invariants_of(file: Path) -> tuple[Invariants, Any]:
    program = program_of(file)
    flow = program.flows()["f"]
    sorts = Sorts(program)
    sorts.declare(flow, dict.fromkeys(flow.parameters, Sort.INT))
    sorts.settle()
    return Invariants(program, sorts), flow


def run_with(function: Any, *values: int, check: Any) -> Any:
    """Call a function; `check` is given its locals before each line."""

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code is function.__code__:
            check(dict(frame.f_locals))
            return trace
        return None

    sys.settrace(trace)
    try:
        return function(*values)
    finally:
        sys.settrace(None)


PROGRAMS = 150
SAID_SOMETHING = 120  # of them, at least: else the referee has nothing to judge
INPUTS = [*itertools.product(range(-2, 12, 3), range(-1, 10, 4)), (11, 2), (7, 7), (3, 1)]


def test_no_local_of_a_random_loop_ever_holds_what_its_invariant_excludes(tmp_path):
    said = 0
    for seed in range(PROGRAMS):
        text = LoopWriter(seed).text()
        file = tmp_path / f"loops_{seed}.py"
        file.write_text(text)
        invariants, flow = invariants_of(file)
        known = {name: invariants.of(flow, name) for name in ("i", "j", "k", "turns")}
        said += any(each != ANY for each in known.values())
        namespace: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), namespace)

        def holds(found: dict[str, Any], known: Any = known, text: str = text) -> None:
            for name, numbers in known.items():
                if name in found:
                    assert found[name] in numbers, (name, found, numbers, text)

        for values in INPUTS:
            run_with(namespace["f"], *values, check=holds)
    assert said >= SAID_SOMETHING


def test_no_line_behind_a_random_loop_is_proved_unreachable_that_an_input_reaches(tmp_path):
    proved = 0
    for seed in range(24):
        text = LoopWriter(1000 + seed).text()
        file = tmp_path / f"goal_{seed}.py"
        file.write_text(text)
        namespace: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), namespace)
        goal = next(n for n, line in enumerate(text.splitlines(), 1) if "# goal" in line)

        search = searched(file, goal, seconds=0.4)

        if search.proved:
            proved += 1
            reached = [v for v in itertools.product(range(-4, 15), repeat=2) if namespace["f"](*v)]
            assert not reached, (seed, reached, text)
    assert proved >= 2


# -- what must not be believed

NOT_ONLY_ITS_OWN = {
    "a global that another function changes": """
        count = 0

        def bump():
            global count
            count = 7

        def f(n: int) -> int:
            global count
            count = 0
            while n > 0:
                count += 2
                n -= 1
                bump()
            if count == 7:
                return 1  # goal
            return 0
    """,
    "a local that an inner function rebinds": """
        def f(n: int) -> int:
            i = 0

            def odd() -> None:
                nonlocal i
                i = 7

            while n > 0:
                i += 2
                n -= 1
                odd()
            if i == 7:
                return 1  # goal
            return 0
    """,
    "a local that a comprehension binds": """
        def f(n: int) -> int:
            i = 0
            while n > 0:
                i += 2
                n -= 1
                [i := 7 for _ in range(1)]
            if i == 7:
                return 1  # goal
            return 0
    """,
    "a handler that sets it": """
        def f(n: int) -> int:
            i = 0
            for _ in range(n):
                i += 2
                try:
                    i = i // (n - 6)
                except ZeroDivisionError:
                    i = 7
            if i == 7:
                return 1  # goal
            return 0
    """,
    "a pattern that binds it": """
        def f(n: int) -> int:
            i = 0
            while i < n:
                i += 2
                match n:
                    case 7 as i:
                        pass
            if i == 7:
                return 1  # goal
            return 0
    """,
    "len that is not Python's": """
        def len(text) -> int:
            return -5

        def f(n: int) -> int:
            i = 0
            while i < n:
                i = len("ab")
                n = -9
            if i == -5:
                return 1  # goal
            return 0
    """,
    "a loop that another loop begins again": """
        def f(n: int) -> int:
            i = 0
            for start in (1, 2):
                while i < n:
                    i += 2
                i = start
                n += 6
            if i == 2:
                return 1  # goal
            return 0
    """,
}


@pytest.mark.parametrize("what", NOT_ONLY_ITS_OWN)
def test_a_value_that_comes_from_elsewhere_is_not_excluded(what, tmp_path):
    file = tmp_path / "elsewhere.py"
    file.write_text(textwrap.dedent(NOT_ONLY_ITS_OWN[what]))
    goal = next(n for n, line in enumerate(file.read_text().splitlines(), 1) if "# goal" in line)
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)

    search = searched(file, goal, seconds=1.0)

    assert any(namespace["f"](n) for n in range(12))
    assert not search.proved


# -- what is proved with it

DEAD = {
    "parity": "i = 0\nwhile i < n:\n    i += 2\nif i == 7:\n    return 1  # goal",
    "a rest of three": (
        "i = 3\nfor j in range(n):\n    if j % 5 == 1:\n        i += 6\n    else:\n        i -= 3\n"
        "if i == 100:\n    return 1  # goal"
    ),
    "a counter that only grows": (
        "i = 1\nwhile n > 0:\n    n -= 3\n    if n % 7 == 2:\n        i = i * 5\n    i += 1\n"
        "if i < 1:\n    return 1  # goal"
    ),
    "a counter left by break": (
        "i = 0\nwhile True:\n    i += 4\n    if i > n:\n        break\nif i % 2 == 1:\n    return 1  # goal"
    ),
    "a loop with return and else": (
        "i = 10\nfor j in range(n):\n    i += 10\n    if j == m:\n        return 5\nelse:\n    i += 20\n"
        "if i == 45:\n    return 1  # goal"
    ),
    "inside the loop": "i = 0\nwhile i < n:\n    if i == 5:\n        return 1  # goal\n    i += 2",
}


@pytest.mark.parametrize("what", DEAD)
def test_a_line_that_no_number_of_turns_leads_to_is_proved_unreachable(what, tmp_path):
    body = textwrap.indent(DEAD[what], "    ")
    file = tmp_path / "dead.py"
    file.write_text(f"def f(n: int, m: int) -> int:\n{body}\n    return 0\n")
    goal = next(n for n, line in enumerate(file.read_text().splitlines(), 1) if "# goal" in line)

    search = searched(file, goal, seconds=4.0)

    assert search.proved, search.open_reasons
