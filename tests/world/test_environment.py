"""Environment variables while runs are made: unset unless the input says otherwise."""

import os

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.environment import ENVIRONMENT
from symcrete.world.source import AsA


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    asked = Answers()
    stand_in, _ = ENVIRONMENT.stand_ins(asked)
    assert isinstance(stand_in, AsA)
    monkeypatch.setenv("SHOP_REAL", "secret")
    monkeypatch.setattr(os.environ, "__class__", stand_in.kind)
    return asked


def test_a_variable_of_this_machine_is_not_seen_in_a_run(answers: Answers) -> None:
    assert os.environ.get("SHOP_REAL") is None
    assert "SHOP_REAL" not in os.environ
    assert os.getenv("SHOP_REAL", "none") == "none"
    with pytest.raises(KeyError):
        os.environ["SHOP_REAL"]
    assert [each.root for each in answers.asked] == ["os.environ['SHOP_REAL']"] * 4


def test_between_runs_the_environment_is_the_real_one(answers: Answers) -> None:
    answers.running = False

    assert os.environ["SHOP_REAL"] == "secret"
    assert "SHOP_REAL" in os.environ
    assert "SHOP_REAL" in list(os.environ)


def test_what_a_run_stores_only_that_run_sees(answers: Answers) -> None:
    answers.memory.clear()  # pytest notes in the environment which test it runs
    os.environ["SHOP_NEW"] = "1"
    seen = os.environ["SHOP_NEW"], os.environ.setdefault("SHOP_NEW", "2"), dict(os.environ)
    del os.environ["SHOP_NEW"]

    assert seen == ("1", "1", {"SHOP_NEW": "1"})
    assert "SHOP_NEW" not in os.environ
    answers.running = False
    assert "SHOP_NEW" not in os.environ


def test_the_environment_is_not_shown_in_a_run(answers: Answers) -> None:
    assert "secret" not in repr(os.environ)


def test_the_input_says_what_is_set(answers: Answers) -> None:
    answers.given["os.environ['SHOP_OPEN']"] = "yes"

    assert os.environ.pop("SHOP_OPEN") == "yes"
    assert os.environ.pop("SHOP_OPEN", "gone") == "gone"


def test_what_the_library_asks_about_the_interpreter_is_no_input(answers: Answers) -> None:
    answers.by_program = False

    assert os.environ.get("PYTHONASYNCIODEBUG") is None
    assert not answers.asked


def test_all_of_the_environment_is_no_input(answers: Answers) -> None:
    answers.memory.clear()

    assert len(os.environ) == 0
    assert answers.lost


def test_no_variable_holds_a_nul(answers: Answers) -> None:
    answers.given["os.environ['SHOP_OPEN']"] = "a\x00"

    with pytest.raises(AssumptionFailed):
        os.environ.get("SHOP_OPEN")


def test_names_and_values_are_texts(answers: Answers) -> None:
    with pytest.raises(TypeError):
        os.environ.get(3)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        os.environ["SHOP_OPEN"] = 3  # type: ignore[assignment]


def test_no_variable_has_a_name_that_python_refuses(answers: Answers) -> None:
    assert [os.environ.get(name) for name in ("", "A=B", "A\0")] == [None, None, None]
    assert answers.asked == []
    with pytest.raises(OSError, match="Invalid argument"):
        os.environ[""] = "1"
    with pytest.raises(ValueError, match="null byte"):
        os.environ["SHOP_NEW"] = "\0"
