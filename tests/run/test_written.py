"""Attributes that a callee sets: unknown where its call is abstracted, noted where it is followed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore_lazily
from tests.run.running import expanding

from symcrete.run.callees.written import holders_of, store, values_of

STREAM = """
    class Stream:
        def __init__(self, text: str) -> None:
            self.text = text
            self.at = 0

        def lex(self) -> int:
            while self.at < len(self.text) and self.text[self.at] == " ":
                self.at += 1
            if self.at >= len(self.text):
                return 0
            self.at += 1
            if self.text[self.at - 1] == "<":
                return 2
            return 1

    def f(text: str) -> int:
        stream = Stream(text)
        first = stream.lex()
        if first == 2 and stream.at == 4:
            return 9
        return first
"""


def test_an_attribute_is_unknown_after_an_abstract_call_and_noted_after_a_followed_one(
    tmp_path: Path,
) -> None:
    with expanding(STREAM, tmp_path, "lex") as (runner, _):
        runner.run({"len(text)": 0})  # what is set is known only after it was seen
        judge: Any = runner.callees._judge
        with runner.callees.observed_by(judge.observe):
            runner.run({"len(text)": 1, "text[0]": 97})
        runner.callees.known.clear()

        abstract = runner.run_abstract({"len(text)": 0, "Stream.lex#1[0]": 2, "Stream.lex#1[1]": 4})
        followed = runner.run({"len(text)": 2, "text[0]": 32, "text[1]": 60})

    assert [str(term) for term in abstract.conditions] == [
        "Stream.lex#1[0] == 2",
        "Stream.lex#1[1] == 4",
    ]
    (call,) = followed.calls
    assert tuple(call.result) == (2, 2)


def test_what_hangs_on_the_place_of_a_lexer_is_covered_and_nothing_is_called_proved(
    tmp_path: Path,
) -> None:
    report = explore_lazily(STREAM, tmp_path, lazy=True, max_runs=400)

    assert report.conditions.covered == report.conditions.total
    assert any("abstracted: Stream.lex" in note for note in report.notes)


def test_a_shape_that_was_only_seen_proves_nothing(tmp_path: Path) -> None:
    """None is returned for one number alone, which no run shows before the shape is chosen."""
    source = """
        def weigh(x: int):
            if x == 1234567:
                return None
            if x > 500:
                return 2
            if x > 200:
                return 1
            return 0

        def f(x: int) -> int:
            weight = weigh(x)
            if weight is None:
                return -1
            return weight
    """

    report = explore_lazily(source, tmp_path, lazy=True, max_runs=200)

    assert report.infeasible == ()


class Slotted:
    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = 1


class Counting:
    def __init__(self) -> None:
        self._at = 1

    @property
    def at(self) -> int:
        return self._at

    @at.setter
    def at(self, value: int) -> None:
        self._at = value + 1


class Watched:
    def __init__(self) -> None:
        self.__dict__["at"] = 1

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError(name)


class Empty: ...


def advance(lexer: Any, *, by: int = 1) -> None:
    lexer.at += by


@pytest.mark.parametrize("given", [Counting(), Watched(), Empty(), 3])
def test_an_object_whose_attributes_do_more_than_hold_a_value_is_not_set(given: Any) -> None:
    assert holders_of(advance.__code__, [("lexer", "at")], advance, (given,), {}) is None


def test_attributes_of_an_argument_are_read_and_set_where_they_are() -> None:
    lexer = Slotted()

    holders = holders_of(advance.__code__, [("lexer", "at")], advance, (), {"lexer": lexer})
    assert holders is not None
    store(holders, [7])

    assert values_of(holders) == [7] == [lexer.at]
