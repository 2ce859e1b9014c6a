"""Settings of the process are inputs, and those of this machine are never seen."""

import logging
import os
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.settings import SETTINGS
from symcrete.world.source import Answer


def calls(asked: Answers) -> dict[str, Any]:
    return {each.name: each.by for each in SETTINGS.stand_ins(asked)}  # type: ignore[union-attr]


def told(answer: Answer) -> list[str]:
    return [each.line for each in SETTINGS.shown([answer], lambda *name: [".".join(name)])]


def test_the_plain_machine_is_nobodys() -> None:
    found = calls(Answers())

    assert found["getcwd"]() == "/home/someone"
    assert found["getuser"]() == "someone"
    assert found["getpwuid"](0).pw_dir == "/home/someone"
    assert found["expanduser"]("a/~b") == "a/~b"


def test_a_folder_has_a_plain_name() -> None:
    with pytest.raises(AssumptionFailed):
        calls(Answers({"os.getcwd()": "a//b"}))["getcwd"]()


def test_a_logger_is_enabled_by_the_level_of_the_input() -> None:
    logger = logging.getLogger("tests.world.shop")
    debug = Answers({"logging level of 'tests.world.shop'": logging.DEBUG})

    assert not calls(Answers())["isEnabledFor"](logger, logging.DEBUG)
    assert calls(debug)["isEnabledFor"](logger, logging.DEBUG)


def test_a_user_that_the_system_does_not_know_is_a_key_error() -> None:
    (line,) = told(Answer("pwd.getpwuid()", None, "None"))

    assert line == 'monkeypatch.setattr("pwd.getpwuid", lambda key: {}[key])'


def test_a_test_sets_the_level_with_the_fixture_for_it() -> None:
    assert told(Answer("logging level of 'shop'", 10, "10")) == [
        'caplog.set_level(10, logger="shop")'
    ]
    assert told(Answer("logging level of 'root'", 10, "10")) == ["caplog.set_level(10)"]


def test_a_program_that_sends_signals_is_told_its_own_number() -> None:
    assert calls(Answers())["getpid"]() == 1234
    assert calls(Answers(words=("kill",)))["getpid"]() == os.getpid()
