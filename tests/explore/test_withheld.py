"""What tells something of this machine is in no report."""

from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore.confirm.withheld import environment_in, withheld, without_environment
from symcrete.explore.findings import FoundInput
from symcrete.run.use import Ending

FOUND = FoundInput({"n": "4"}, Ending.RETURNED, '"x hunter2-secret"', None, (), "n > 3")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOP_TOKEN", "hunter2-secret")
    made = tmp_path / "shop.py"
    made.write_text("def f(n: int) -> str: ...\n")
    return made


def test_a_result_with_a_value_of_the_environment_is_not_told(file: Path) -> None:
    told = withheld(FOUND, file)

    assert (told.outcome, told.returned) == ("flaky", None)
    assert "this machine" in told.reason


def test_a_message_with_the_users_folder_is_not_told(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/eve")
    raised = replace(FOUND, returned=None, outcome=Ending.RAISED, message="no /home/eve/.shop")

    assert withheld(raised, file).message is None


def test_what_the_input_or_the_program_says_is_no_secret(file: Path) -> None:
    given = replace(FOUND, args={"n": '"hunter2-secret"'})

    assert withheld(given, file) is given
    file.write_text('def f(n: int) -> str:\n    return "hunter2-secret"\n')
    assert withheld(FOUND, file) is FOUND


def test_short_values_and_paths_are_found_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_FOLDER", "/srv/hunter2")

    assert not [*environment_in("in /srv/hunter2 there are 3")]


def test_the_rest_of_a_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "hunter2-of-this-machine")
    monkeypatch.setenv("SHOP_PIN", "gw0")
    text = "/tmp/gw0/test_m.py:3: ImportError of hunter2-of-this-machine, not of gw01"

    assert without_environment(text) == "/tmp/.../test_m.py:3: ImportError of ..., not of gw01"
