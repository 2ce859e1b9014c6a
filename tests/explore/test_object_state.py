"""Objects that other code of the program puts into further states are part of no proof."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.proof.object_state import _attributes, _free_fields

LAMP = """
    class Lamp:
        def __init__(self) -> None:
            self.on = 0
            self.lines = []

    def f(lamp: Lamp) -> int:
        if lamp.on == 1 or len(lamp.lines) == 3:
            return 1
        return 0
"""
ELSEWHERE = {
    "a store": "def press(lamp):\n        lamp.on = 1",
    "a store through setattr": 'def press(lamp):\n        setattr(lamp, "on", 1)',
    "a store of any attribute": "def press(lamp, name):\n        setattr(lamp, name, 1)",
    "a change in place": "def press(lamp):\n        lamp.lines.append(1)",
    "a store by another class": "class Hand:\n        def press(self, lamp):\n            lamp.on = 1",
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_other_code_stores_on_an_object_keeps_it_open(what: str, tmp_path: Path) -> None:
    report = explore(f"{LAMP}\n    {ELSEWHERE[what]}\n", tmp_path)

    assert report.infeasible == ()
    assert any("depends on `lamp." in spot.reason for spot in report.open), report.open
    assert any("press` sets" in spot.reason for spot in report.open), report.open


def test_what_nobody_stores_is_proved(tmp_path: Path) -> None:
    report = explore(LAMP, tmp_path)

    assert report.open == ()
    assert len(report.infeasible) == 2


def test_a_field_that_the_constructor_takes_has_every_value_anyway(tmp_path: Path) -> None:
    source = """
    from dataclasses import dataclass

    @dataclass
    class Lamp:
        on: int

    def press(lamp: Lamp) -> None:
        lamp.on = 1

    def f(lamp: Lamp) -> int:
        if lamp.on * lamp.on < 0:
            return 1
        return 0
    """

    report = explore(source, tmp_path)

    assert len(report.infeasible) == 1


class Plain:
    other: int

    def __init__(self, n: int) -> None:
        self.n = n


def test_a_class_of_its_own_constructor_has_no_field_that_is_free() -> None:
    assert {"n", "other"} <= _attributes(Plain)
    assert _free_fields(Plain) == set()
