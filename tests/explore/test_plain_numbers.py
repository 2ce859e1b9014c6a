"""Numbers that conditions tie to each other become small together."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a == b == c and a > 0", {"a": "1", "b": "1", "c": "1"}),
        ("c > b > a > 0", {"a": "1", "b": "2", "c": "3"}),
        ("a > b > c > 0 and a < b + c", {"a": "4", "b": "3", "c": "2"}),
    ],
)
def test_tied_numbers_are_small(condition: str, expected: dict[str, str], tmp_path: Path):
    source = f"def f(a: int, b: int, c: int):\n    if {condition}:\n        return 1\n    return 0"

    start = "a=699, b=699, c=699" if "==" in condition else ""
    report = explore(source, tmp_path, start=start)

    true = [each.args for each in report.inputs if any(spot.line == 2 for spot in each.covers)]
    assert expected in true
