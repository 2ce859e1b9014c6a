"""A call with a value of another kind that executes a line is the answer to `reach`."""

from pathlib import Path

import pytest
from tests.explore.test_reach import reach_here

from symcrete.explore.reach.other_kinds_there import There
from symcrete.explore.reach.quest import Quest
from symcrete.explore.reach.reached import Reached, Undecided

BY_NAME = """
    def f(n: int, m: int) -> int:
        if n > 3 and n < 2:
            return m  # here
        return 0
"""
DERIVED = """
    def f(n: int) -> int:
        if n.__class__.__name__ == "Number":
            return 1  # here
        return 0
"""


def test_a_line_that_only_a_subclass_comes_to_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Quest, "_backward", lambda quest: ("a proof that is wrong",))

    verdict = reach_here(DERIVED, tmp_path, replay=True)

    assert isinstance(verdict, Reached)
    assert verdict.args == {"n": 'new_class("Number", (int,))(0)'}


def test_a_call_that_is_not_confirmed_is_only_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Quest, "_backward", lambda quest: ("a proof that is wrong",))
    told = There("f(n=5)", None)
    monkeypatch.setattr("symcrete.explore.reach.quest.first_that_is_there", lambda *_: told)

    verdict = reach_here(DERIVED, tmp_path, replay=True)

    assert isinstance(verdict, Undecided)
    assert "f(n=5) executes the line" in verdict.reason


def test_no_value_of_another_kind_comes_to_a_dead_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Quest, "_backward", lambda quest: ("a proof",))

    assert not isinstance(reach_here(BY_NAME, tmp_path), Reached)
