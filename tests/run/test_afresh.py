"""Calls played afresh: each as if it were the first, in a fork; and the interpreter that does it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcrete.codec import decoded, encoded
from symcrete.run.untouched.afresh import Afresh, Chance, death
from symcrete.run.untouched.interpreter import Begin, Job, Said
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.replayer import Replayer

PROGRAM = """
    import os
    import random
    import time

    random.seed(5)
    seen = []

    def remembers(x):
        seen.append(x)
        return len(seen)

    def draws():
        return random.random()

    def waits():
        seen.append(1)
        time.sleep(30)

    def leaves():
        seen.append(1)
        os._exit(4)

    def pure(x):
        return x + 1
"""
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "played_afresh.py"
    file.write_text(textwrap.dedent(PROGRAM))
    path, state = list(sys.path), random.getstate()
    yield file
    sys.path[:] = path
    sys.modules.pop(file.stem, None)
    random.setstate(state)


@pytest.fixture
def afresh(module: Path) -> Iterator[Afresh]:
    chance = Chance(watched=True)
    made = Afresh(Replayer((str(module.parent),), module.stem, str(module)), chance)
    yield made
    made.close()


def test_every_call_is_the_first_one_unless_it_is_to_come_after_others(afresh: Afresh) -> None:
    call = Call({"x": "1"})

    first = [afresh.play("remembers", call, 10.0).returned for _ in range(2)]
    later = [afresh.play("remembers", call, 10.0, after_others=True).returned for _ in range(2)]

    assert first == ["1", "1"]
    assert later == ["1", "2"]
    assert sys.modules["played_afresh"].seen == []


def test_the_sides_of_a_call_are_those_that_it_takes_as_the_first(module: Path) -> None:
    def around(scope: str, play: Callable[[], Replayed]) -> Replayed:
        did = play()
        return replace(did, sides=frozenset({f"{did.returned}+"}))

    replayer = Replayer((str(module.parent),), module.stem, str(module))
    afresh = Afresh(replayer, Chance(watched=True), around=around)
    call = Call({"x": "1"})

    _, second = (afresh.play("remembers", call, 10.0, after_others=True) for _ in range(2))
    afresh.close()

    assert (second.returned, second.sides, second.sides_later) == (
        "2",
        frozenset({"1+"}),
        frozenset({"2+"}),
    )


def test_a_program_that_seeded_chance_draws_the_same_in_every_fork(afresh: Afresh) -> None:
    assert afresh.play("draws", Call({}), 10.0) == afresh.play("draws", Call({}), 10.0)


def test_a_call_that_hangs_or_ends_its_process_is_told_in_words(afresh: Afresh) -> None:
    hung = afresh.play("waits", Call({}), 0.3)
    gone = afresh.play("leaves", Call({}), 10.0)
    again = afresh.play("pure", Call({"x": "1"}), 10.0)

    assert (hung.outcome, hung.reason) == ("timeout", "does not end within 0.3 s")
    assert (gone.outcome, gone.reason) == ("crashed", "target ended the process (code 4)")
    assert again.returned == "2"


def test_whoever_watches_is_asked_before_and_around_every_play(module: Path) -> None:
    said: list[Any] = []
    replayer = Replayer((str(module.parent),), module.stem, str(module))
    afresh = Afresh(
        replayer,
        Chance(watched=False),
        before=said.append,
        around=lambda scope, play: said.append(scope) or play(),  # type: ignore[func-returns-value]
    )

    afresh.play("pure", Call({"x": "1"}), 7.0)

    # A call that leaves nothing behind is played here: what it says is heard.
    assert said == [7.0, "pure"]


def test_a_program_without_a_seed_is_known_by_the_state_of_chance() -> None:
    chance = Chance(watched=True)

    chance.after_import()

    assert not chance.seeded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (3, "target ended the process (code 3)"),
        (-11, "target crashed: SIGSEGV"),
        (-40, "target crashed: signal 40"),
    ],
)
def test_the_end_of_a_process_is_told_in_words(code: int, said: str) -> None:
    assert death(code) == said


def spoken(lines: list[object]) -> list[Said]:
    """What an interpreter of its own answers to these lines."""
    done = subprocess.run(
        [sys.executable, "-m", "symcrete.run.untouched.interpreter"],
        input="".join(json.dumps(encoded(line)) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return [decoded(Said, json.loads(line)) for line in done.stdout.splitlines()]


def test_an_interpreter_answers_each_line_and_keeps_the_programs_output_apart(
    tmp_path: Path,
) -> None:
    (tmp_path / "spoken.py").write_text("def f(x):\n    print('noise')\n    return 2 * x\n")
    begin = Begin((str(tmp_path),), "spoken", "f", str(tmp_path / "spoken.py"), False)

    ready, one, two = spoken([begin, Job(Call({"x": "4"}), 5.0), Job(Call({"x": "'a'"}), 5.0)])

    assert ready == Said()
    assert one.did is not None
    assert two.did is not None
    assert (one.did.returned, two.did.returned) == ("8", '"aa"')


def test_an_interpreter_says_why_nothing_can_be_called(tmp_path: Path) -> None:
    (tmp_path / "spoken.py").write_text("raise RuntimeError('no')\n")

    (said,) = spoken([Begin((str(tmp_path),), "spoken", "f", "", False)])

    assert said == Said(failed="RuntimeError: no")
