"""Dataclasses through JSON and back."""

import json
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from symcrete.codec import Garbled, Vocabulary, decoded, encoded, tagged, untagged
from symcrete.explore.findings import FoundInput, Implicit, Spot, Status, Tally, TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending
from symcrete.sandbox.messages import words
from symcrete.sandbox.messages.doings import Doing, Importing, Running, Solving, Waiting
from symcrete.sandbox.messages.ends import CutOff, Died, Ended, Exited, Failed, Hung, Stopped
from symcrete.sandbox.messages.jobs import Explore
from symcrete.sandbox.messages.words import Kept, Play, Played, Ready, Reported

FOUND = FoundInput(
    {"x": "1", "s": "'ä\\ud800'"},
    Ending.RAISED,
    None,
    "ValueError(1)",
    (Spot(3, 4, True, "x > 0"), Spot(5, 4, False, "", "why", "proof")),
    "x > 0",
    (("m", "A"),),
    frozenset({"s", "x"}),
    claims=frozenset({3, 5}),
)
REPORT = TargetReport(
    "m.py::f", Status.BUDGET, Tally(4, 2, 1), Tally(8, 3, 1), (Implicit(3, "KeyError", True),),
    (Spot(1, 2, False),), (), (FOUND,), 3, 4, 0.5, math.inf, 0.0, {"calls": 3}, notes=("a", "b"),
)  # fmt: skip
TARGET = Target(Source(Path("a/m.py"), "m", Path("a")), "f", "m.py::f")
MESSAGES: list[object] = [
    Ready(("one", "two")),
    Kept(FOUND, "{'x': 1}"),
    Reported(REPORT),
    Play(3, "f", Call({"x": "1"}, ("x",), (("m", "A"),)), 2),
    Played(3, Replayed(Ending.RETURNED, "1", lines=frozenset({1, 2}), changed=("COUNT",))),
    Explore(
        TARGET,
        Options(lazy=(), types={"a": "int"}, allow=("files",)),
        ("{}",),
        (Ended(Died("SIGSEGV"), Running("{}")), Ended(Exited(None)), Ended(Hung(0.5), Waiting())),
    ),
    Ended(Failed("Traceback"), Importing("m")),
    Ended(Stopped(), Solving("{}", 3, True)),
    Ended(CutOff()),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: type(each).__name__)
def test_every_message_comes_back_as_it_was(message: object) -> None:
    carried = json.loads(json.dumps(encoded(message)))

    assert decoded(type(message), carried) == message


@pytest.mark.parametrize(
    "vocabulary",
    [each for name, each in sorted(vars(words).items()) if isinstance(each, Vocabulary)],
)
def test_every_word_has_a_form(vocabulary: Vocabulary[Any]) -> None:
    assert vocabulary.heard({"event": "no such word"}) is None
    assert vocabulary.heard({}) is None


def test_members_of_a_union_are_told_apart() -> None:
    for doing in (Running("{}"), Waiting(), Solving("{}", 1, False)):
        assert untagged(Doing, json.loads(json.dumps(tagged(doing)))) == doing
    assert untagged(Doing, {"is": "Dancing"}) is None
    assert untagged(Doing, {"way": 3}) is None


def test_a_word_of_another_vocabulary_is_not_heard() -> None:
    ready = {"event": "Ready", **encoded(Ready(()))}

    assert words.OF_ANY_WORKER.heard(ready) == Ready(())
    assert words.OF_EXPLORING.heard(ready) is None


@pytest.mark.parametrize(
    "plain",
    [None, 5, [], {"seconds": "long"}, {"seconds": None}, {}, {"seconds": 1.0, "more": 2}],
    ids=str,
)
def test_what_is_not_of_the_form_is_garbled(plain: object) -> None:
    with pytest.raises(Garbled):
        decoded(Hung, plain)


def test_a_word_is_read_as_the_member_that_says_it_and_any_other_is_garbled() -> None:
    plain = json.dumps(encoded(Replayed(Ending.CRASHED)))

    assert '"outcome": "crashed"' in plain
    assert decoded(Replayed, json.loads(plain)).outcome is Ending.CRASHED
    others: tuple[object, ...] = ("crash", "CRASHED", None, 1, [])
    for other in others:
        with pytest.raises(Garbled):
            decoded(Replayed, {"outcome": other})


def test_a_field_that_is_missing_has_its_default() -> None:
    assert decoded(Replayed, {"outcome": "returned"}) == Replayed(Ending.RETURNED)


Odd: TypeAlias = complex


@dataclass(frozen=True)
class Unwritable:
    value: Odd


def test_a_field_that_json_cannot_carry_is_refused_before_it_is_sent() -> None:
    with pytest.raises(TypeError, match="no form for a field"):
        encoded(Unwritable(1j))


def test_every_option_survives_the_way_to_a_worker() -> None:
    plain = encoded(Options())

    assert set(plain) == {field.name for field in fields(Options)}
