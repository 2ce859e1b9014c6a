"""A nan is equal to no number, but in a container the same object is equal to itself."""

import sys
from pathlib import Path

import pytest
from tests.explore.exploring import explore

CLASS = """
from dataclasses import dataclass
@dataclass
class Q:
    x: float
"""
# Each is true of one nan that is given twice.
FEASIBLE = {
    "tuples": ("a: float, b: float", "(a,) == (b,) and a != b"),
    "tuples that are given": ("a: tuple[float], b: tuple[float]", "a == b and a[0] != b[0]"),
    "dict": ("a: float, b: float", "{a: 1}.get(b) and a != b"),
    "set": ("a: float, b: float", "a in {b} and a != b"),
    "count": ("a: float, b: float", "[b].count(a) == 1 and a != b"),
}


@pytest.mark.parametrize(("parameters", "asked"), FEASIBLE.values(), ids=list(FEASIBLE))
def test_two_nans_may_be_one_object(parameters: str, asked: str, tmp_path: Path) -> None:
    report = explore(
        f"{CLASS}def f({parameters}) -> int:\n    if {asked}:\n        return 1\n    return 0\n",
        tmp_path,
        budget=2.0,
    )

    assert report.infeasible == ()


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="dataclasses compare field by field there")
def test_the_eq_of_a_dataclass_compares_tuples(tmp_path: Path) -> None:
    report = explore(
        f"{CLASS}def f(a: Q, b: Q) -> int:\n"
        "    if a == b and a.x != b.x:\n        return 1\n    return 0\n",
        tmp_path,
        budget=2.0,
    )

    assert report.infeasible == ()


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        ("", "a == b and a != b"),
        ("    if a != a or b != b:\n        return 2\n", "(a,) == (b,) and a != b"),
        ("", "a in (1.0, 2.0) and a == 3.0"),
    ],
    ids=["outside of containers", "no nan", "constants"],
)
def test_where_there_is_no_such_nan_the_proof_is_there(
    before: str, asked: str, tmp_path: Path
) -> None:
    report = explore(
        f"def f(a: float, b: float) -> int:\n{before}    if {asked}:\n        return 1\n    return 0\n",
        tmp_path,
        budget=2.0,
    )

    assert [each.side for each in report.infeasible] == [True]
    assert report.open == ()
