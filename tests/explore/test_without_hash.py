"""Classes whose metaclass takes their hash, by an `__eq__` without a `__hash__`."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

CLASSES = """
class Meta(type):
    def __eq__(cls, other):
        return type.__eq__(cls, other)
class Base:
    def __init__(self, n: int) -> None:
        self.n = n
class Own(Base, metaclass=Meta):
    pass
"""
TARGETS = {
    "none": "def f(n: int) -> int:\n    return 1 if n == 5 else 0\n",
    "declared": "def f(a: Own) -> int:\n    return a.n\n",
    "asked for": "def f(a, b):\n    return isinstance(a, Own) or b.n\n",
    "matched": "def f(a: Own | None) -> int:\n    match a:\n        case Own(n=3):\n"
    "            return 1\n    return 2\n",
    "a class": "def f(kind: type[Own]):\n    return kind(3)\n",
    "a result": "def f(n: int):\n    return (Own, Own(n))\n",
}


@pytest.mark.parametrize("source", TARGETS.values(), ids=list(TARGETS))
def test_a_module_with_a_class_without_a_hash_is_explored(source: str, tmp_path: Path) -> None:
    report = explore(CLASSES + source, tmp_path, budget=1.0)

    assert report.error == ""
    assert not [each for each in report.inputs if "ended the process" in (each.error or "")]


def test_a_derived_class_without_a_hash_is_no_input_and_stays_open(tmp_path: Path) -> None:
    source = (
        "def f(a: Base, b: Base) -> int:\n"
        "    if isinstance(a, Own):\n        return 1\n    return a.n\n"
    )

    report = explore(CLASSES + source, tmp_path, budget=2.0)

    assert report.error == ""
    assert report.infeasible == ()
    assert [each.text for each in report.open] == ["isinstance(a, Own)"]
