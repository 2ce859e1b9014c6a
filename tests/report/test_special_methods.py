"""Constructors, special methods and setters: both sides covered, and written as a person would."""

from __future__ import annotations

from pathlib import Path

from tests.report.whole_modules import covered

PROGRAM = """
class Price:
    def __init__(self, cents: int):
        if cents < 0:
            raise ValueError("negative")
        self.cents = cents

    def __eq__(self, other):
        if isinstance(other, Price):
            return self.cents == other.cents
        return NotImplemented

    def __lt__(self, other: "Price"):
        return self.cents < other.cents

    def __str__(self):
        return "free" if self.cents == 0 else f"{self.cents} ct"

    def __getitem__(self, digit: int):
        if digit > 3:
            raise IndexError(digit)
        return self.cents + digit

    def __iter__(self):
        for each in range(min(self.cents, 3)):
            yield each

    @property
    def euros(self) -> int:
        return self.cents // 100

    @euros.setter
    def euros(self, value: int):
        if value > 10:
            raise ValueError("dear")
        self.cents = 100 * value

    def __exit__(self, kind, value, trace):
        if kind is not None:
            return True
        return False
"""


def test_special_methods_are_covered_and_called_as_a_person_would(tmp_path: Path) -> None:
    found = covered(PROGRAM, tmp_path)

    assert found.passes, found.said
    mine = [each for each in found.open() if each[0] != "Price.euros"]
    assert mine == []
    for text in (
        "Price(",
        "str(price)",
        "price == other",
        "[4]",
        "list(Price(",
        "price.euros = 10",
    ):
        assert text in found.text, found.text
    assert "__init__" not in found.text.partition("# Written by")[0]
    assert "__str__" not in found.text.partition("# Written by")[0]


def test_a_frozen_dataclass_is_validated_by_calling_it(tmp_path: Path) -> None:
    program = """
    from dataclasses import dataclass


    @dataclass(frozen=True)
    class Span:
        start: int
        end: int

        def __post_init__(self):
            if self.end < self.start:
                raise ValueError("backwards")
    """

    found = covered(program, tmp_path)

    assert found.passes, found.said
    assert found.open() == []
    assert "pytest.raises(ValueError" in found.text
    assert "Span(" in found.text
