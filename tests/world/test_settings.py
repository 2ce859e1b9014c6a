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


def test_what_others_have_set_up_of_a_logger_is_given_to_it_until_the_run_is_over() -> None:
    logger = logging.getLogger("tests.world.set_up")
    asked = Answers(
        {
            "handlers of logger 'tests.world.set_up'": ("NullHandler",),
            "disabled of logger 'tests.world.set_up'": True,
            "level of logger 'tests.world.set_up'": logging.ERROR,
        }
    )
    found = calls(asked)

    for attribute in ("handlers", "disabled", "level"):
        found[f"Logger.{attribute}"](logger)

    assert found["hasHandlers"](logger)
    assert logger.disabled and logger.level == logging.ERROR
    for each in asked.ended:
        each()
    assert logger.handlers == [] and not logger.disabled and logger.level == logging.NOTSET


def test_what_the_program_itself_has_set_up_of_a_logger_stays() -> None:
    logger = logging.getLogger("tests.world.own")
    logger.setLevel(logging.DEBUG)
    asked = Answers()

    calls(asked)["Logger.level"](logger)

    assert asked.asked == []
    assert logger.level == logging.DEBUG


def test_a_test_gives_a_logger_handlers_and_switches_it_off() -> None:
    handlers = Answer("handlers of logger 'shop'", ("NullHandler",), "('NullHandler',)")

    assert told(handlers) == [
        "import logging\n\n"
        'monkeypatch.setattr(logging.getLogger("shop"), "handlers", [logging.NullHandler()])'
    ]
    assert told(Answer("disabled of logger 'root'", True, "True")) == [
        'import logging\n\nmonkeypatch.setattr(logging.getLogger(), "disabled", True)'
    ]
    assert told(Answer("level of logger 'shop'", 10, "10")) == [
        'caplog.set_level(10, logger="shop")'
    ]
