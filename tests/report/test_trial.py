"""What is made of the words of pytest."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symcrete.report.trial import trial
from symcrete.report.trial.trial import (
    AS_WRITTEN,
    ELSEWHERE,
    REARRANGED,
    Candidates,
    Conditions,
    Variation,
    Verdicts,
    as_shown,
    last_words,
    lines_to_blame,
    tried,
)
from symcrete.report.trial.trial_process import key, tells_environment, told_reason

IMPORT_ERROR = """
ImportError while importing test module '/x/trial_m.py'.
/x/trial_m.py:5: in <module>
    from m import f, gone
/x/m.py:3: in <module>
    import nothing
E   ImportError: cannot import name 'gone' from 'm' (/x/m.py)
"""


def test_the_lines_of_the_file_itself_are_to_blame() -> None:
    assert lines_to_blame(IMPORT_ERROR, "trial_m.py") == [5]


def test_the_last_sentence_is_the_reason() -> None:
    assert last_words(IMPORT_ERROR) == "ImportError: cannot import name 'gone' from 'm' (/x/m.py)"
    assert last_words("") == "it cannot be imported"


def test_a_case_is_known_by_its_file_its_test_and_its_name() -> None:
    assert key("tests/trial_m.py::test_f[x[::2] > 0]") == ("trial_m.py", "test_f", "x[::2] > 0")
    assert key("trial_m.py::test_f") == ("trial_m.py", "test_f", "")


def test_a_case_with_a_backslash_is_known_as_pytest_shows_it(tmp_path: Path) -> None:
    case = "s == '\\n'"
    file = tmp_path / "trial_m.py"
    parameters = f'@pytest.mark.parametrize("x", [pytest.param(1, id={case!r})])'
    file.write_text(f"import pytest\n\n{parameters}\ndef test_f(x):\n    assert x == 2\n")

    verdicts = tried(Candidates((file,), ((file.name, "test_f"),)), Conditions())

    (failed,) = verdicts.failed
    assert failed[2] in as_shown(case)


def test_one_variation_in_which_a_test_fails_is_enough() -> None:
    found = Verdicts()
    found.take(Verdicts(modules={"m": "/x/m.py"}), AS_WRITTEN)
    assert found.hold
    found.take(Verdicts(failed={("trial_m.py", "test_f", ""): "assert 1 == 2"}), ELSEWHERE)

    assert not found.hold
    assert found.failed == {
        ("trial_m.py", "test_f", ""): "on another day, for another user: assert 1 == 2"
    }


def test_the_second_run_differs_in_all_that_must_not_matter() -> None:
    assert AS_WRITTEN.hash_seed != ELSEWHERE.hash_seed
    assert ELSEWHERE.away and ELSEWHERE.elsewhere


@pytest.mark.parametrize("second", [ELSEWHERE, REARRANGED])
def test_each_of_two_tests_comes_first_once(second: Variation) -> None:
    assert (AS_WRITTEN.order, AS_WRITTEN.backwards) == (second.order, not second.backwards)


LEAVING = """
import shop

def test_{}(): assert shop.seen() == 1
def test_{}(): assert (shop.add(), shop.seen()) == (None, 2)
"""
SHOP = """
_seen = [0]

def add(): _seen.append(0)
def seen(): return len(_seen)
"""


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a"), ("first", "then"), ("p", "q")])
def test_a_test_that_fails_after_another_is_found_whatever_the_names(
    names: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "conftest.py").write_text("")  # puts the folder on the path
    file = tmp_path / "test_shop.py"
    file.write_text(LEAVING.format(*names))
    tests = tuple((file.name, f"test_{name}") for name in names)

    verdicts = tried(Candidates((file,), tests), Conditions())

    assert verdicts.failed.keys() == {(file.name, f"test_{names[0]}", "")}


NOTICING = """
import datetime, gc, os

def test_garbage(): assert gc.isenabled() and gc.get_freeze_count() > 0
def test_hash(): assert (hash("a") & 1, hash("b") & 1, hash("c") & 1, hash("d") & 1) == {}
def test_day(): assert datetime.date.today().year == {}
def test_user(): assert os.environ.get("USER", "") != "nobody-else"
"""


def test_what_a_test_notices_is_told(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("")
    file = tmp_path / "test_noticing.py"
    file.write_text(NOTICING.format(hashes(AS_WRITTEN.hash_seed), datetime.date.today().year))
    tests = tuple((file.name, f"test_{name}") for name in ("garbage", "hash", "day", "user"))

    verdicts = tried(Candidates((file,), tests), Conditions())

    told = {test: why.partition(":")[0] for (_, test, _), why in verdicts.failed.items()}
    assert told == {"test_hash": REARRANGED.what, "test_day": ELSEWHERE.what}


def hashes(seed: str) -> str:
    """The last bits of the hashes of four letters, which another seed changes."""
    code = "print(tuple(hash(each) & 1 for each in 'abcd'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


ZONED = """
from datetime import datetime, timedelta

def test_the_hour(): assert (datetime.fromtimestamp(0).hour == 9) is False
def test_a_step(): assert datetime.fromtimestamp(60) - datetime.fromtimestamp(0) == timedelta(0, 60)
"""


def test_a_test_that_one_time_zone_breaks_is_found(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("")
    file = tmp_path / "test_zoned.py"
    file.write_text(ZONED)
    tests = ((file.name, "test_the_hour"), (file.name, "test_a_step"))

    verdicts = tried(Candidates((file,), tests), Conditions())

    assert verdicts.failed.keys() == {(file.name, "test_the_hour", "")}
    assert "depends on the time zone" in next(iter(verdicts.failed.values()))


def test_a_reason_that_has_a_piece_of_the_environment_in_it_is_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "hunter2-of-this-machine")

    assert tells_environment("assert 'None' == \"b'hunter2-of...\"")
    assert not tells_environment("assert 1 == 2")


def test_a_short_variable_is_told_by_a_whole_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PIN", "4711")

    assert tells_environment("assert 4711 == 0")
    assert not tells_environment("assert 14711 == 0")


def test_a_reason_has_the_test_and_not_what_came_out_instead() -> None:
    shown = "    def test_me():\n>       assert me(7) == 'none'\nE       AssertionError: assert ..."

    assert told_reason("AssertionError: assert 'sword' == 'none'\n- none\n+ sword", shown) == (
        "AssertionError: assert ... == 'none'"
    )
    assert told_reason("ValueError: bad sword", shown) == "ValueError: assert me(7) == 'none'"
    assert told_reason("AssertionError: assert 2 == 3", shown) == "AssertionError: assert 2 == 3"


def test_a_reason_of_which_pytest_tells_no_class_gives_away_no_values_either() -> None:
    shown = ">       assert me(7) == 3\nE       assert 123456 == 3"

    reason = told_reason("assert 123456 == 3\n +  where 123456 = me(7)", shown)

    assert reason == "AssertionError: assert ... == 3"


def test_a_trial_without_configuration_leaves_the_datetime_that_broke_the_files_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    answers = iter([Verdicts(broken={"a.py": "no"}), Verdicts(failure="no pytest"), Verdicts()])

    def attempt(*given: object, bare: bool, own_datetime: bool) -> Verdicts:
        asked.append((bare, own_datetime))
        return next(answers)

    monkeypatch.setattr(trial, "_attempt", attempt)
    trial._trial(Candidates((), ()), Conditions(), ELSEWHERE)

    assert asked == [(False, True), (False, False), (True, False)]
