"""The driver's small parts: the end of a worker in words, Ctrl-C, inputs as text, confirming."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from symcrete.errors import INTERNAL_ERROR, ImportFailed, InternalError, SymcreteError
from symcrete.explore.confirm.claims import call_of_input, confirmed, covering
from symcrete.explore.findings import FoundInput, Spot
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending
from symcrete.sandbox.driver import asking
from symcrete.sandbox.driver.asking import Asking, NoAnswer
from symcrete.sandbox.driver.confirming import HOLD_BACK, Confirming
from symcrete.sandbox.driver.ending import (
    exit_code_of,
    failure_of,
    how_it_ended,
    is_ours,
    killed_by_others,
    note_of,
)
from symcrete.sandbox.driver.interrupt import EXIT_CODE, interruptible
from symcrete.sandbox.driver.replaying import Replays
from symcrete.sandbox.messages.assignments import assignment_from, text_of
from symcrete.sandbox.messages.doings import Exploring, Importing, Running, Solving
from symcrete.sandbox.messages.ends import (
    CutOff,
    Died,
    Ended,
    Exited,
    Failed,
    Finished,
    How,
    Hung,
    Printed,
    Stopped,
)
from symcrete.sandbox.messages.jobs import Explain
from symcrete.sandbox.messages.words import Mistake, Ready

OURS = Failed("Traceback (most recent call last):\n  ...\nKeyError: 'x'\n")


@pytest.mark.parametrize(
    ("how", "outcome", "reason"),
    [
        (Died("SIGSEGV"), "crashed", "target crashed: SIGSEGV"),
        (Exited(3), "crashed", "target ended the process (code 3)"),
        (Hung(2.5), "timeout", "does not end within 2.5 s"),
        (CutOff(), "crashed", "target closed the descriptors of its process"),
        (Finished(), "crashed", "the process of the target ended"),
    ],
    ids=repr,
)
def test_the_end_of_a_worker_is_an_outcome_of_its_input(
    how: How, outcome: str, reason: str
) -> None:
    did = how_it_ended(Ended(how, Running("{}")))

    assert (did.outcome, did.reason) == (outcome, reason)


def test_only_what_the_engine_or_the_budget_ended_is_ours() -> None:
    assert is_ours(Ended(OURS))
    assert is_ours(Ended(Stopped()))
    assert not is_ours(Ended(Died("SIGSEGV")))


def test_a_worker_at_rest_that_was_killed_was_killed_by_others() -> None:
    assert killed_by_others(Ended(Died("SIGKILL")))
    assert not killed_by_others(Ended(Died("SIGKILL"), Running("{}")))
    assert not killed_by_others(Ended(Died("SIGSEGV")))


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (Ended(OURS), "internal error: KeyError: 'x'"),
        (Ended(Stopped()), "the worker did not come to an end by itself when the budget was spent"),
        (Ended(Hung(1), Solving("{}", 0, True)), "a solver did not come back and was ended"),
        (Ended(Died("SIGABRT"), Running("{}")), "target crashed: SIGABRT"),
        (Ended(Hung(2), Running("{}")), "does not end within 2 s"),
        (Ended(Hung(2), Exploring()), "the worker did not come to an end by itself"),
        (Ended(Hung(30)), "a worker process did not start within 30 s"),
    ],
    ids=["failed", "stopped", "solving", "running", "hung", "exploring", "starting"],
)
def test_a_report_notes_why_a_worker_did_not_come_to_its_end(end: Ended, said: str) -> None:
    assert note_of(end).startswith(said)


@pytest.mark.parametrize(
    ("end", "said", "code"),
    [
        (Ended(OURS, Importing("shop")), "internal error: KeyError: 'x'", INTERNAL_ERROR),
        (
            Ended(Exited(1), None, stderr=Printed(9, "no memory")),
            "a worker process cannot start here: no memory",
            INTERNAL_ERROR,
        ),
        (
            Ended(Exited(4), Importing("shop")),
            "importing shop ended the process (code 4)",
            ImportFailed.exit_code,
        ),
        (
            Ended(Hung(20), Importing("shop")),
            "importing shop does not end within 20 s",
            ImportFailed.exit_code,
        ),
        (
            Ended(Died("SIGSEGV"), Importing("shop")),
            "importing shop: target crashed: SIGSEGV",
            ImportFailed.exit_code,
        ),
    ],
    ids=["failed", "never began", "exited", "hung", "died"],
)
def test_a_target_of_which_nothing_was_explored_says_why(end: Ended, said: str, code: int) -> None:
    assert failure_of(end) == said
    assert exit_code_of(end) == code


def test_the_first_interrupt_is_only_noted_and_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)

    with interruptible() as stop:
        early = stop()
        os.kill(os.getpid(), signal.SIGINT)

        assert (early, stop()) == (False, True)

    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_interrupt_ends_everything_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)

    with interruptible():
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)

    assert ended == [EXIT_CODE]


def test_a_thread_that_gets_no_signals_is_never_asked_to_stop() -> None:
    before, said = signal.getsignal(signal.SIGINT), []

    def inside() -> None:
        with interruptible() as stop:
            said.append((stop(), signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()

    assert said == [(False, before)]


@pytest.mark.parametrize(
    "given",
    [
        {"n": -3, "s": "a\n'", "b": True, "x": 1e300, "o": None},
        {"x": math.inf, "y": -math.inf},
        {"n": 7**9000, "s": "beside a number with more digits than Python writes"},
        {"raw": b"\x00\xff", "pair": (1, 2)},
    ],
    ids=["plain", "infinite", "large", "bytes"],
)
def test_an_input_is_read_as_it_was_written(given: dict[str, Any]) -> None:
    assert assignment_from(text_of(given)) == given


def test_a_number_that_is_none_is_read_as_it_was_written() -> None:
    (value,) = assignment_from(text_of({"x": math.nan})).values()

    assert math.isnan(value)


SPOT = Spot(3, 4, True, "x > 1", key="0+")
OTHER = Spot(5, 4, True, "x > 7", key="1+")
FOUND = FoundInput(
    {"x": "2"},
    Ending.RETURNED,
    "1",
    None,
    (SPOT, OTHER),
    "x > 1",
    sides=frozenset({"0+", "1+", "4@"}),
)


def test_what_a_replay_did_replaces_what_the_input_seemed_to_do() -> None:
    did = Replayed(Ending.RAISED, raised="ValueError()", error="ValueError", caught="ValueError")

    told = confirmed(FOUND, did)

    assert (told.outcome, told.returned, told.raised) == ("raised", None, "ValueError()")
    assert (told.error, told.caught) == ("ValueError", "ValueError")


def test_an_input_whose_replay_could_not_be_built_is_flaky_and_a_blocked_one_is_left_alone() -> (
    None
):
    blocked = FoundInput({}, Ending.BLOCKED, None, None, (), "")

    assert confirmed(FOUND, Replayed(Ending.FAILED, reason="no")).outcome == "flaky"
    assert confirmed(blocked, Replayed(Ending.RETURNED, returned="1")) is blocked


def test_a_class_of_the_program_that_was_raised_is_imported_by_the_test() -> None:
    did = Replayed(Ending.RAISED, error="Refused", caught="Refused", caught_module="shop")

    assert confirmed(FOUND, did).imports == (("shop", "Refused"),)


def test_an_input_covers_the_sides_that_its_replay_took() -> None:
    told = covering(FOUND, Replayed(Ending.RETURNED, lines=frozenset({3}), sides=frozenset({"0+"})))

    assert told.covers == (SPOT,)
    # An operation that fails is no condition: only its line is known, so its side stays.
    assert told.sides == {"0+", "4@"}


def test_where_nobody_watched_the_sides_the_executed_lines_decide() -> None:
    told = covering(FOUND, Replayed(Ending.RETURNED, lines=frozenset({5})))

    assert told.covers == (OTHER,)
    assert told.sides == {"1+", "4@"}


def test_an_input_is_a_call_that_can_be_written_down() -> None:
    found = FoundInput(
        {"a": "1", "b": "D(2)"}, Ending.RETURNED, None, None, (), "", imports=(("shop", "D"),)
    )

    assert call_of_input(found) == Call({"a": "1", "b": "D(2)"}, (), (("shop", "D"),), ())


class Playing:
    """Replays that answer when they are told to."""

    def __init__(self) -> None:
        self.posted: list[Callable[[Replayed], None]] = []
        self.source = SimpleNamespace(file=Path(__file__))
        self.chance: dict[int, Any] = {}
        self.output = (0, "")

    def post(self, *order: Any, expected: str) -> None:
        self.posted.append(order[3])

    def printed(self) -> tuple[int, str]:
        return self.output


def given(x: int, outcome: str = "returned") -> FoundInput:
    return FoundInput({"x": str(x)}, Ending(outcome), None, None, (), "")


@pytest.fixture
def playing() -> Playing:
    return Playing()


def confirming(
    folder: Path, playing: Any, told: list[FoundInput], clock: Callable[[], float] = lambda: 0.0
) -> Confirming:
    file = folder / "confirmed.py"
    file.write_text("def f(x: int) -> int:\n    return x\n")
    replays: Replays = playing
    target = targets_of(f"{file}::f")[0]
    return Confirming(target, Options(), replays, told.append, clock=clock)


def test_inputs_are_told_in_the_order_they_were_found_each_once(
    tmp_path: Path, playing: Playing
) -> None:
    told: list[FoundInput] = []
    confirm = confirming(tmp_path, playing, told)

    for each in (given(1), given(2), given(1)):
        confirm.post(each)
    playing.posted[1](Replayed(Ending.RETURNED, returned="2"))
    early = list(told)
    playing.posted[0](Replayed(Ending.RETURNED, returned="1"))

    assert (len(playing.posted), early) == (2, [])
    assert [each.returned for each in told] == ["1", "2"]


def test_inputs_there_was_no_time_for_are_late_and_a_crash_is_not_tried_again(
    tmp_path: Path, playing: Playing
) -> None:
    confirm = confirming(tmp_path, playing, [])
    crash = given(3, "crashed")

    ended, late = confirm.finish([given(1), crash], until=lambda: 0.0)

    assert ended == [crash]
    assert [each.args for each in late] == [{"x": "1"}]
    assert len(playing.posted) == 1


def test_a_clock_tells_of_a_loop_that_was_cut_by_its_steps_and_not_of_another_cut(
    tmp_path: Path, playing: Playing
) -> None:
    told: list[FoundInput] = []
    confirm = confirming(tmp_path, playing, told)
    reason = "takes too many steps"  # a text that says nothing about what cut the run

    for number, by_steps in ((1, True), (2, False)):
        confirm.post(replace(given(number, "timeout"), reason=reason, by_steps=by_steps))
    for answer in playing.posted:
        answer(Replayed(Ending.TIMEOUT, reason="does not end within 2 s"))

    assert [each.reason for each in told] == ["does not end within 2 s", reason]


def test_variables_that_calls_change_are_told_and_one_flaky_result_spoils_no_other(
    tmp_path: Path, playing: Playing
) -> None:
    confirm = confirming(tmp_path, playing, [])
    inputs = [given(1), given(2)]
    for each in inputs:
        confirm.post(each)

    playing.posted[0](Replayed(Ending.RETURNED, returned="1", changed=("seen",)))
    playing.posted[1](Replayed(Ending.FLAKY, reason="two replays differ", changed=("seen",)))

    done = confirm.confirmed(inputs, set(), until=lambda: 0.0)
    assert [each.outcome for each in done] == ["returned", "flaky"]
    assert confirm.touched() == ["seen"]
    assert confirm.notes() == ["calls change seen: results may depend on earlier calls"]


def test_inputs_that_are_held_back_are_replayed_when_that_takes_long(
    tmp_path: Path, playing: Playing
) -> None:
    now = [10.0]
    confirm = confirming(tmp_path, playing, [], clock=lambda: now[0])
    confirm.hold_back()

    confirm.keep(given(1))
    confirm.look()
    before = len(playing.posted)
    now[0] += HOLD_BACK
    confirm.look()
    confirm.keep(given(2))

    assert before == 0
    assert len(playing.posted) == 2


def test_an_input_that_is_not_held_back_is_replayed_at_once(
    tmp_path: Path, playing: Playing
) -> None:
    confirm = confirming(tmp_path, playing, [], clock=lambda: 10.0)

    confirm.keep(given(1))

    assert len(playing.posted) == 1


def test_of_inputs_held_back_only_those_are_replayed_that_take_a_side_that_is_lacking(
    tmp_path: Path, playing: Playing
) -> None:
    confirm = confirming(tmp_path, playing, [])
    one, other = [replace(given(n), sides=frozenset({name})) for n, name in ((1, "0+"), (2, "0-"))]
    confirm.hold_back()
    for each in (one, other):
        confirm.keep(each)

    def until() -> float:
        playing.posted[0](Replayed(Ending.RETURNED, returned="2"))
        return 1.0

    done = confirm.confirmed([one, other], {"0-"}, until)

    assert len(playing.posted) == 1
    assert [each.args for each in done] == [{"x": "2"}]


def test_much_output_of_replays_is_worth_a_note(tmp_path: Path, playing: Playing) -> None:
    confirm = confirming(tmp_path, playing, [])
    playing.output = (2_000_000, "one\nlast words\n")

    assert confirm.notes() == [
        "printed 2.0 MB in replays, captured; it ends with 'last words'",
    ]


def asked(folder: Path, monkeypatch: pytest.MonkeyPatch, *messages: object) -> Any:
    """What comes of a question where the worker says these words."""
    file = folder / "asked.py"
    file.write_text("def f(x: int) -> int:\n    return x\n")
    said: list[list[str]] = []
    monkeypatch.setattr(asking, "watch", lambda *args, **more: iter(messages))
    question = Explain(targets_of(f"{file}::f")[0], Options(), "x=1")
    return Asking(Options(), said.append).asked("nowhere:nothing", question)


def test_a_mistake_of_the_user_is_raised_with_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SymcreteError, match="no such input") as raised:
        asked(tmp_path, monkeypatch, Ready(()), Mistake("no such input", 2))

    assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("end", "error", "said"),
    [
        (Ended(Stopped()), NoAnswer, "the budget was spent"),
        (Ended(Exited(3), Running("{}")), NoAnswer, "ended the process"),
        (Ended(Hung(9), Importing("asked")), ImportFailed, "importing asked does not end"),
        (Ended(OURS), InternalError, "KeyError"),
    ],
    ids=["stopped", "exited", "import", "ours"],
)
def test_a_worker_that_ends_without_an_answer_is_an_error_that_says_why(
    end: Ended,
    error: type[Exception],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(error, match=said):
        asked(tmp_path, monkeypatch, end)


def test_what_a_callable_was_asked_is_no_part_of_an_input_as_text() -> None:
    given = {"f(0)": 3, "f(0).asked": (object(),)}

    assert assignment_from(text_of(given)) == {"f(0)": 3}
