"""Calls replayed in confined interpreters: what they do, and what does not stay the same."""

import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.program.source.module import source_of_file
from symcrete.run.untouched.played import Call, Replayed
from symcrete.sandbox.driver.replaying import Replays

PROGRAM = """
import importlib.util
import os
import random
import time

COUNT = 0


def plain(x):
    return x + 1


def counting(x):
    global COUNT
    COUNT += 1
    return COUNT


def chance(x):
    return "heads" if random.random() < 0.5 else "tails"


def hashed(x):
    return hash("abc") % 2


def clock(x):
    return int(time.time()) // 86400 // 365


def ends(x):
    os._exit(x)


def hangs(x):
    while True:
        pass


def removes(x):
    os.remove(__file__)


def closes(x):
    os.close(1)
    return x


CHOSEN = []


def chooses(x):
    CHOSEN.append(x)
    return 1 if x > 5 else 0


def finds(x):
    return importlib.util.find_spec(x) is not None
"""

Replay = Callable[[str, str], Replayed]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replay]:
    file: Path = tmp_path_factory.mktemp("program") / "replayed.py"
    file.write_text(textwrap.dedent(PROGRAM))
    replays = Replays(source_of_file(file), Options())

    def once(scope: str, text: str) -> Replayed:
        done, answers = threading.Event(), []

        def told(did: Replayed) -> None:
            answers.append(did)
            done.set()

        replays.post(scope, Call({"x": text}), 2.0, told)
        assert done.wait(30)
        return answers[0]

    yield once
    replays.close()


def test_a_call_is_answered(replay: Replay) -> None:
    did = replay("plain", "41")

    assert (did.outcome, did.returned) == ("returned", "42")


def test_what_depends_on_earlier_calls_is_flaky_and_named(replay: Replay) -> None:
    replay("counting", "0")

    did = replay("counting", "0")

    assert did.outcome == "flaky"
    assert "earlier calls" in did.reason and did.changed == ("COUNT",)


def test_chance_is_flaky_although_two_calls_often_agree(replay: Replay) -> None:
    assert replay("chance", "0").outcome == "flaky"


def test_what_depends_on_the_date_is_flaky(replay: Replay) -> None:
    assert replay("clock", "0").outcome == "flaky"


def test_what_depends_on_how_names_of_modules_are_looked_up_is_flaky(replay: Replay) -> None:
    assert replay("finds", "''").outcome == "flaky"
    assert replay("finds", "'os'").returned == "True"
    assert replay("finds", "'no_such_module'").returned == "False"


def test_what_ends_the_process_is_an_outcome_and_the_next_call_is_answered(replay: Replay) -> None:
    assert replay("ends", "7").reason == "target ended the process (code 7)"
    assert replay("plain", "1").returned == "2"


def test_what_does_not_end_is_an_outcome_and_the_next_call_is_answered(replay: Replay) -> None:
    assert replay("hangs", "0").outcome == "timeout"
    assert replay("plain", "1").returned == "2"


def test_a_side_effect_is_blocked(replay: Replay) -> None:
    did = replay("removes", "0")

    assert did.outcome == "blocked" and "--allow files" in did.reason


def test_harm_to_the_process_is_said(replay: Replay) -> None:
    did = replay("closes", "3")

    assert (did.outcome, did.returned) == ("returned", "3")
    assert "closes descriptor 1" in did.harm


def test_the_sides_told_are_those_of_the_function_that_was_called(replay: Replay) -> None:
    """Also after calls of other functions in the same process."""
    replay("counting", "0")
    replay("chooses", "1")

    assert replay("chooses", "7").sides == frozenset({"0+"})
    assert replay("chooses", "1").sides == frozenset({"0-"})
