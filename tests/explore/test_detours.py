"""A wanted side without a solution on one path is reached on another, in few runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore

DOCUMENT = """
    import json

    WORDS = ["month", "HELLO", "beef", "I", "X"]  # what texts are drawn from

    def f(s: str) -> bool:
        if json.loads(s).get("k") == 1:
            return True
        return False
"""
DIGITS = """
    def f(s: str) -> bool:
        total = 0
        for each in s:
            if not "0" <= each <= "9":
                return False
            total = 10 * total + ord(each) - 48
        if len(s) > 2 and total == 7:
            return True
        return False
"""
SMALL = """
    def f(s: set[int]) -> bool:
        if 5 in s and len(s) == 3:
            return True
        return False
"""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("program", [DOCUMENT, DIGITS, SMALL], ids=["document", "digits", "small"])
def test_the_side_is_reached_in_few_runs(program: str, seed: int, tmp_path: Path) -> None:
    report = explore(program, tmp_path, seed=seed, max_runs=1500)

    assert_covers_all(report)
