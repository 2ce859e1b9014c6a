"""Replays set state as a test does with pytest's fixture, and take it back."""

import logging
import os
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from symcrete.run.untouched.monkeypatch import LogLevels, MonkeyPatch


class Shop:
    size = 1
    name = "corner"


@pytest.mark.parametrize("kind", [MonkeyPatch, pytest.MonkeyPatch])
def test_what_is_set_is_there_until_it_is_undone(
    kind: type[MonkeyPatch], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_OPEN", "yes")
    monkeypatch.delenv("SHOP_NAME", raising=False)
    table = {"a": 1}
    folder, clock = os.getcwd(), time.time
    made = kind()

    made.setattr(Shop, "size", 2)
    made.delattr(Shop, "name")
    made.delattr("os.path.no_such", raising=False)
    made.delattr("os.path.extsep")
    made.setattr("time.time", lambda: 3.0)
    made.setattr("os.path.sep", "!")
    made.setitem(table, "b", 2)
    made.delitem(table, "a")
    made.delitem(table, "z", raising=False)
    made.setenv("SHOP_NAME", "corner")
    made.delenv("SHOP_OPEN")
    made.chdir(tmp_path)
    seen = (Shop.size, time.time(), os.path.sep, dict(table), os.environ["SHOP_NAME"])
    left = "SHOP_OPEN" in os.environ or hasattr(Shop, "name") or hasattr(os.path, "extsep")
    there = os.getcwd()
    made.undo()

    assert seen == (2, 3.0, "!", {"b": 2}, "corner")
    assert not left
    assert there == os.path.realpath(tmp_path)
    assert (Shop.size, time.time, os.path.sep, table) == (1, clock, "/", {"a": 1})
    assert os.environ["SHOP_OPEN"] == "yes"
    assert (Shop.name, os.path.extsep) == ("corner", ".")
    assert "SHOP_NAME" not in os.environ
    assert os.getcwd() == folder


def test_levels_of_loggers_are_taken_back() -> None:
    changes = MonkeyPatch()
    logger = logging.getLogger("tests.run.shop")

    LogLevels(changes).set_level(logging.DEBUG, logger="tests.run.shop")
    during = logger.level
    changes.undo()

    assert during == logging.DEBUG
    assert logger.level == logging.NOTSET


def test_a_mock_that_nobody_calls_is_told_by_its_statement() -> None:
    made = MonkeyPatch()
    called = "monkeypatch.setattr('time.time', Mock(side_effect=[1.0]))"
    idle = "monkeypatch.setattr('time.monotonic', Mock(side_effect=[1.0]))"
    plain = "monkeypatch.setattr('time.gmtime', lambda: 3)"

    try:
        for statement in (called, idle, plain):
            made.execute(statement, {"monkeypatch": made, "Mock": Mock})
        time.time()
        told = made.idle()
    finally:
        made.undo()

    assert told == (idle,)


def test_a_statement_that_sets_more_than_mocks_is_kept() -> None:
    made = MonkeyPatch()
    statement = "monkeypatch.setattr('time.time', Mock())\nmonkeypatch.setattr('time.gmtime', len)"

    try:
        made.execute(statement, {"monkeypatch": made, "Mock": Mock})
        told = made.idle()
    finally:
        made.undo()

    assert told == ()


def test_a_static_method_that_was_taken_away_comes_back_as_one() -> None:
    class Till:
        @staticmethod
        def rate() -> int:
            return 3

    made = MonkeyPatch()
    made.delattr(Till, "rate")
    taken = hasattr(Till, "rate")
    made.undo()

    assert not taken
    assert Till().rate() == 3
