"""Calls that a project's tests make are where the search begins."""

import hashlib
import inspect
import json
import os
from pathlib import Path

import pytest

from symcrete.errors import BadOption
from symcrete.explore.compose import cover, prepare
from symcrete.explore.first_inputs import first_inputs
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import Target, targets_of
from symcrete.sandbox.learning.recorded_calls import recorded
from symcrete.sandbox.learning.recorder import MOST_RECORDED_CALLS, Recorder, call_text

PROGRAM = f"""\
import hashlib

def opened(key: str, xs: list[int]) -> int:
    if hashlib.sha1(key.encode()).hexdigest() == {hashlib.sha1(b"open sesame").hexdigest()!r}:
        return len(xs)
    return -1

class Door:
    def push(self, force: float = 1.5, *, how: str) -> bool:
        return force > 1
"""
TESTS = """\
import pathlib
from door import Door, opened

def test_opened(tmp_path):
    assert opened("open sesame", [1]) == 1

def test_push():
    assert Door().push(how="gently")

def test_that_fails():
    pathlib.Path(__file__).with_name("left_behind").write_text("x")
"""


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Target]:
    (tmp_path / "door.py").write_text(PROGRAM)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_door.py").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    return targets_of("door.py")


def test_tests_are_run_once_confined_and_their_calls_are_kept(targets: list[Target]) -> None:
    calls = recorded("tests", targets, confined=True)

    told = {target.scope: calls.of(target) for target in targets}
    assert told == {
        "opened": ('key="open sesame", xs=[1]',),
        "Door.push": ('force=1.5, how="gently"',),
    }
    assert calls.complaint == ""
    assert calls.count() == 2
    assert not Path("tests/left_behind").exists()


def test_a_search_begins_with_what_was_learned(targets: list[Target]) -> None:
    learned = ['key="open sesame", xs=[1]', "key=5, xs=[1]", "no_such_parameter=1"]

    report = cover(targets[0], Options(max_runs=3, replay=False), recorded=learned)

    assert report.branches.covered == 2


def test_what_does_not_fit_the_parameters_is_passed_over(targets: list[Target]) -> None:
    parts = prepare(targets[0], EveryBranch(""), Options())[0].parts
    function, names = parts.runner.function, vars(parts.imported.module)

    texts = ['key="a", xs=[1]', "key=5, xs=[1]", "no_such_parameter=1"]
    found = list(first_inputs(targets[0], function, parts.arguments, names, texts))

    assert [parts.arguments.plain(each) for each in found] == [{"key": "a", "xs": [1]}]


def test_tests_that_are_not_there_are_told(targets: list[Target]) -> None:
    Path("empty").mkdir()

    with pytest.raises(BadOption, match="there is no nowhere"):
        recorded("nowhere", targets, confined=True)
    assert recorded("empty", targets, confined=True).complaint == "there are no tests in it"


def test_a_call_is_written_without_what_has_no_literal() -> None:
    def called(self: object, a: int, b: str = "x", *more: int, c: bytes = b"") -> str:
        frame = inspect.currentframe()
        assert frame is not None
        return call_text(frame)

    assert called(object(), 1, "y", 2) == 'a=1, b="y", c=b""'


def test_only_so_many_different_calls_of_a_function_are_told() -> None:
    ours, theirs = os.pipe()
    recorder = Recorder([os.path.realpath(__file__)], theirs)

    recorder.pytest_runtest_logstart("test")
    for number in [1, 1, *range(2 * MOST_RECORDED_CALLS)]:
        _called(number)
    recorder.pytest_runtest_logfinish("test")

    os.close(theirs)
    with os.fdopen(ours) as channel:
        said = [json.loads(line) for line in channel]
    calls = [each["call"] for each in said if each.get("call")]
    texts = [text for _, scope, text in calls if scope == "_called"]
    assert texts == ["number=1", *[f"number={n}" for n in range(MOST_RECORDED_CALLS) if n != 1]]


def _called(number: int) -> int:
    return number
