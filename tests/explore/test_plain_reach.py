"""What `reach` answers with is as plain as what `cover` shows, whatever phase found it."""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from symcrete.explore.options import options_from
from symcrete.explore.reach.goals import goal_at, goals_of_error
from symcrete.explore.reach.reached import Reached
from symcrete.explore.reach.symcretic import reach
from symcrete.run.untouched.played import Replayed
from symcrete.run.use import Ending

ONE_OF_MANY = """
    def total(xs: list[int]) -> int:
        found = 0
        for x in xs:
            if x % 2:
                found += x  # here
        return found
"""
TIED = """
    def f(a: int, b: int) -> int:
        if a == b and a > 0:
            return a  # here
        return b
"""
CALLEE = """
    def is_word(s: str) -> bool:
        return s.startswith("w")


    def f(s: str) -> int:
        if is_word(s):
            return len(s)  # here
        return 0
"""
OPAQUE = """
    import math


    def f(x: float) -> int:
        if math.sin(x) > 0.5:
            return 1  # here
        return 0
"""


def reached(source: str, folder: Path, **options: Any) -> Reached:
    file = folder / f"plain_{len(list(folder.iterdir()))}_{abs(hash(source))}.py"
    file.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    number = 1 + next(i for i, line in enumerate(lines) if line.endswith("# here"))
    found = reach(goal_at(f"{file}:{number}"), options_from({"budget": 20.0} | options))
    assert isinstance(found, Reached), found
    return found


@pytest.mark.parametrize(
    ("source", "options", "wanted"),
    [
        pytest.param(ONE_OF_MANY, {}, {"xs": "[1]"}, id="elements that nothing depends on"),
        pytest.param(TIED, {}, {"a": "1", "b": "1"}, id="numbers that are tied"),
        pytest.param(CALLEE, {"lazy": True}, {"s": '"w"'}, id="lazily"),
        pytest.param(OPAQUE, {}, {"x": "1.0"}, id="through a function without a term"),
    ],
)
def test_the_answer_has_plain_values(
    source: str, options: dict[str, Any], wanted: dict[str, str], tmp_path: Path
) -> None:
    found = reached(source, tmp_path, replay=False, **options)

    assert found.args == wanted


def test_a_plainer_input_that_is_not_confirmed_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "refusing.py"
    file.write_text(textwrap.dedent(ONE_OF_MANY).replace("x % 2", "x % 2 and len(xs) > 1"))
    seen: list[dict[str, str]] = []

    def only_the_first(target: object, call: Any, seconds: float) -> Replayed:
        seen.append(call.args)
        return Replayed(Ending.RETURNED, lines=frozenset({6}) if len(seen) == 1 else frozenset())

    options = options_from({"budget": 20.0, "start": "xs=[4, 8, 5, 9, 6]"})
    found = reach(goal_at(f"{file}:6"), options, replay=only_the_first)

    assert isinstance(found, Reached)
    assert len(seen) == 2
    assert found.args == seen[0] != seen[1]


def test_a_plainer_input_raises_the_same(tmp_path: Path) -> None:
    file = tmp_path / "raising.py"
    file.write_text("def f(a: int, b: int) -> float:\n    return a / (b - 7)\n")
    goal = goals_of_error(str(file), "ZeroDivisionError")[0]

    found = reach(goal, options_from({"budget": 20.0}))

    assert isinstance(found, Reached)
    assert found.args == {"a": "0", "b": "7"}
    assert found.report.inputs[0].error == "ZeroDivisionError"
