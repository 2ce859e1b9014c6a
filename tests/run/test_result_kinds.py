"""What a run returned, in words."""

import enum
from typing import Any

import pytest

from symcrete.run.result_kinds import kind_of_result, text_of_result


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (True, "returns True"),
        (False, "returns False"),
        (None, "returns None"),
        (Colour.RED, "returns Colour.RED"),
        (1, "returns a value"),
    ],
)
def test_truths_members_and_nothing_are_told_apart(result: Any, kind: str) -> None:
    assert kind_of_result(result) == (kind, None)


def test_a_result_that_no_input_decides_has_no_text() -> None:
    assert text_of_result(7) == text_of_result("seven") == ""
