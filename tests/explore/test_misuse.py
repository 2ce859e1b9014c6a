"""Values that a declared type does not allow are tried where the program refuses them itself."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.cover.misuse import TECHNIQUE

CHECKED_BY_ITSELF = """
def f(n: int) -> int:
    if not isinstance(n, int):
        raise TypeError("a number is needed")
    return n + 1
"""
CHECKED_BY_ANOTHER = """
def is_text(x) -> bool:
    return isinstance(x, str)

def f(s: str) -> int:
    if not is_text(s):
        raise ValueError(
            "no text"
        )
    return len(s)
"""
CHECKED_LATER = """
def f(a: int, names: list[str]) -> int:
    if a > 3:
        if not isinstance(names, list):
            raise ValueError("a list is needed")
        return len(names)
    return a
"""
LEFT_OVER = """
def f(x: int | str) -> str:
    if isinstance(x, int):
        return "number"
    if isinstance(x, str):
        return "text"
    raise TypeError(f"unsupported: {x}")
"""
OF_A_CONSTRUCTOR = """
class Box:
    def __init__(self, width: float) -> None:
        if isinstance(width, str):
            raise TypeError("width")
        self.width = width
"""


@pytest.mark.parametrize(
    ("program", "name"),
    [
        (CHECKED_BY_ITSELF, "f"),
        (CHECKED_BY_ANOTHER, "f"),
        (CHECKED_LATER, "f"),
        (LEFT_OVER, "f"),
        (OF_A_CONSTRUCTOR, "Box.__init__"),
    ],
)
def test_what_a_program_refuses_on_purpose_is_covered(
    program: str, name: str, tmp_path: Path
) -> None:
    report = explore(program, tmp_path, name, replay=True, max_runs=40)

    assert report.branches.covered == report.branches.total
    refused = report.inputs[-1]
    assert refused.outcome == "raised"
    covers = [each.as_json(report.techniques) for each in refused.covers]
    assert TECHNIQUE in [each.get("technique") for each in covers]


@pytest.mark.parametrize(
    "body",
    [
        "if x is None:\n        return x + 1\n    return x",  # Python itself complains
        "if x is None:\n        return 0\n    return x",  # nobody complains
        "assert isinstance(x, int)\n    return x",
    ],
)
def test_what_python_says_of_a_wrong_value_is_no_input(body: str, tmp_path: Path) -> None:
    report = explore(f"def f(x: int) -> int:\n    {body}\n", tmp_path)

    assert len(report.infeasible) == 1
    assert {each.args["x"] for each in report.inputs} <= {"0", "1", "True", "False"}


def test_values_that_the_declared_type_allows_are_no_misuse(tmp_path: Path) -> None:
    program = """
        def f(x: int | None) -> int:
            if x is None:
                raise ValueError("none")
            return x
    """

    report = explore(program, tmp_path)

    assert not report.techniques
    assert report.branches.covered == 2


def test_misuse_can_be_left_out(tmp_path: Path) -> None:
    report = explore(CHECKED_BY_ITSELF, tmp_path, goals="branches")

    assert [each.proof for each in report.infeasible] == ["n is declared as int"]


@pytest.mark.parametrize("head", ["x", "x: object", "x: 'Any'"])
def test_a_result_that_the_type_alone_decides_is_seen_both_ways(head: str, tmp_path: Path) -> None:
    program = f"from typing import Any\ndef f({head}) -> bool:\n    return isinstance(x, str)\n"

    report = explore(program, tmp_path, replay=True, max_runs=40)

    assert {each.returned for each in report.inputs} == {"True", "False"}
