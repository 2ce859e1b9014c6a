"""What a length cannot be is proved, not given up on."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

IMPOSSIBLE = {
    "text": ("s: str", "len(s) < 0"),
    "bytes": ("s: bytes", "len(s) < 0"),
    "list": ("s: list[int]", "len(s) == -1"),
    "dict": ("s: dict[str, int]", "len(s) <= -1"),
    "set": ("s: set[int]", "len(s) + 1 == 0"),
    "two texts": ("s: str, t: str", "len(s + t) < len(s)"),
    "rest of a text": ("s: str", "len(s[1:]) > len(s)"),
    "text in capitals": ("s: str", "len(s.upper()) < 0"),
    "empty text": ("s: str", "(not s) != (len(s) == 0)"),
    "digits": ("n: int", "len(str(n)) < 0"),
}


@pytest.mark.parametrize(("given", "condition"), IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_an_impossible_length_is_infeasible(given: str, condition: str, tmp_path: Path) -> None:
    report = explore(
        f"def f({given}) -> int:\n    if {condition}:\n        return 1\n    return 0\n", tmp_path
    )

    assert report.status == "complete"
    assert report.conditions.infeasible == 1
    assert not report.open
