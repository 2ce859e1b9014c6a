"""One concolic run: the real outcome, the branches passed, and nothing left behind."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.limits import allowed
from tests.run.running import LIMITS, Running, assert_holds, runner_of

from symcrete.errors import CutShort
from symcrete.run.runner import Beside, Limits
from symcrete.run.silence import silenced
from symcrete.run.state import ModuleState
from symcrete.run.watch_line import LineWatch
from symcrete.tree.coverage import outcomes

SIGN = """
def f(x: int) -> str:
    if x > 10:
        return "large"
    if x < 0:
        raise ValueError(x)
    return "small"
"""


@pytest.mark.parametrize(
    ("x", "ending", "error", "branches"),
    [(11, "returned", None, 1), (5, "returned", None, 2), (-1, "raised", "ValueError", 2)],
)
def test_a_trace_tells_how_the_run_ended_and_what_it_passed(
    tmp_path: Path, x: int, ending: str, error: str | None, branches: int
) -> None:
    with runner_of(SIGN, tmp_path) as runner:
        trace = runner.run({"x": x})

    assert (trace.ending, trace.error, len(trace.events)) == (ending, error, branches)
    assert_holds(trace)


def test_the_conditions_of_a_run_hold_for_other_inputs_of_the_same_path_only(
    tmp_path: Path,
) -> None:
    with runner_of(SIGN, tmp_path) as runner:
        path = {x: tuple(map(str, runner.run({"x": x}).conditions)) for x in (3, 7, 20)}

    assert path[3] == path[7] != path[20]


def test_variables_that_an_input_does_not_name_get_their_plainest_value(tmp_path: Path) -> None:
    with runner_of("def f(x: int, s: str) -> int:\n    return x + len(s)\n", tmp_path) as runner:
        trace = runner.run({})

    assert trace.assignment["x"] == 0
    assert trace.ending == "returned"


def test_what_a_run_covered_are_its_own_outcomes_not_those_of_an_earlier_run(
    tmp_path: Path,
) -> None:
    with runner_of(SIGN, tmp_path) as runner:
        runner.run({"x": 11})
        trace = runner.run({"x": 5})

    assert list(outcomes(trace.covered)) == [(0, False), (1, False)]


def test_building_an_argument_covers_nothing_of_the_target(tmp_path: Path) -> None:
    program = """
        class Box:
            def __init__(self, size: int) -> None:
                self.size = size if size > 0 else 1

        def f(box: Box) -> bool:
            return bool(box.size)
    """
    running = Running(program, tmp_path)
    with running.runner() as runner:
        trace = runner.run({})

    kinds = [running.imported.rewritten.sites[site].scope for site, _ in outcomes(trace.covered)]
    assert "Box.__init__" not in kinds


def test_a_loop_that_does_not_end_is_cut_by_its_steps(tmp_path: Path) -> None:
    endless = "def f(x: int) -> int:\n    while True:\n        x += 1\n"
    with runner_of(
        endless, tmp_path, Limits(50, 60.0, plain_steps=50, plain_seconds=60.0)
    ) as runner:
        trace = runner.run({"x": 0})

    assert (trace.ending, trace.error) == ("timeout", "does not end within 50 loop steps")
    assert trace.by_steps


def test_a_run_that_waits_is_cut_by_the_clock_even_if_it_catches_everything(
    tmp_path: Path,
) -> None:
    program = """
        import threading

        def f(x: int) -> int:
            try:
                threading.Event().wait(60)
            except Exception:
                return 1
            return 2
    """
    began = time.monotonic()
    with runner_of(
        program, tmp_path, Limits(1000, 0.2, plain_steps=1000, plain_seconds=0.2)
    ) as runner:
        trace = runner.run({"x": 0})

    assert (trace.ending, trace.error) == ("timeout", "does not end within 0.2 s")
    assert not trace.by_steps
    assert time.monotonic() - began < allowed(5)


def test_a_run_under_way_when_the_budget_is_spent_is_cut_whatever_a_run_may_take(
    tmp_path: Path,
) -> None:
    program = """
        import threading

        def f(x: int) -> int:
            threading.Event().wait(60)
            return 2
    """
    began = time.monotonic()
    limits = Limits(1000, 50.0, plain_steps=1000, plain_seconds=50.0, until=began + 0.3)
    with runner_of(program, tmp_path, limits) as runner:
        trace = runner.run({"x": 0})

    assert (trace.ending, trace.error) == ("timeout", "the budget was spent before it ended")
    assert time.monotonic() - began < allowed(5)


def test_an_input_that_is_refused_is_not_run(tmp_path: Path) -> None:
    beside = Beside(announce=lambda given: given["x"] != 11)
    with runner_of(SIGN, tmp_path, beside=beside) as runner:
        refused, taken = runner.run({"x": 11}), runner.run({"x": 12})

    assert (refused.ending, refused.events, refused.covered) == ("refused", (), 0)
    assert taken.ending == "returned"


def test_what_was_stopped_in_a_run_is_told_with_it(tmp_path: Path) -> None:
    with runner_of(SIGN, tmp_path, beside=Beside(interference=lambda: ["a socket"])) as runner:
        trace = runner.run({"x": 1})
        plain = runner.run_plain({"x": 1})

    assert trace.blocked == ("a socket",)
    assert plain is None


def test_an_assumption_that_fails_rejects_the_input(tmp_path: Path) -> None:
    program = """
        from symcrete import assume

        def f(x: int) -> int:
            assume(x > 3)
            return x
    """
    with runner_of(program, tmp_path) as runner:
        assert runner.run({"x": 0}).ending == "rejected"
        assert runner.run({"x": 4}).ending == "returned"


def test_a_run_without_terms_covers_what_one_with_terms_covers(tmp_path: Path) -> None:
    with runner_of(SIGN, tmp_path) as runner:
        for x in (-5, 0, 10, 11):
            assert runner.run_plain({"x": x}) == runner.run({"x": x}).covered


def test_a_run_without_terms_that_does_not_end_gives_nothing(tmp_path: Path) -> None:
    endless = "def f(x: int) -> int:\n    while True:\n        x += 1\n"
    with runner_of(endless, tmp_path) as runner:
        assert runner.run_plain({"x": 0}) is None


def test_a_generator_is_run_and_a_coroutine_awaited(tmp_path: Path) -> None:
    generator = "def f(x: int):\n    yield 1\n    if x == 3:\n        yield 2\n"
    coroutine = "async def f(x: int) -> int:\n    if x == 3:\n        return 1\n    return 2\n"
    for program in (generator, coroutine):
        with runner_of(program, tmp_path) as runner:
            assert len(runner.run({"x": 3}).events) == 1


def test_code_called_outside_a_run_is_cut_as_a_run_is(tmp_path: Path) -> None:
    program = """
        def endless() -> None:
            while True:
                pass

        def f(x: int) -> int:
            return x
    """
    running = Running(program, tmp_path)
    limits = Limits(50, 60.0, plain_steps=50, plain_seconds=60.0)
    with (
        running.runner(limits) as runner,
        pytest.raises(CutShort, match="50 loop steps"),
        runner.aside(),
    ):
        running.imported.module.endless()


@pytest.mark.parametrize(
    ("when", "places"),
    [("return", ["_begin_aside", "__enter__"]), ("call", ["__exit__", "_end_aside"])],
    ids=["as something is begun", "after it is done"],
)
def test_an_alarm_that_rings_beside_what_is_asked_aside_ends_nothing(
    when: str, places: list[str], tmp_path: Path
) -> None:
    """Found by a random program: `reach` ended with the alarm of a term that it had computed."""
    over = Limits(50, 60.0, plain_steps=50, plain_seconds=60.0, until=0.0)
    rang_in: list[str] = []

    def ring_there(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_name not in places:
            return None
        if event == when:
            ring(signal.SIGALRM, frame)
            rang_in.append(frame.f_code.co_name)
        return ring_there

    with runner_of(SIGN, tmp_path, over) as runner:
        ring: Any = signal.getsignal(signal.SIGALRM)
        sys.settrace(ring_there)
        try:
            with runner.aside():
                done = True
        finally:
            sys.settrace(None)

    assert done
    assert rang_in == places


def test_a_program_that_keeps_state_can_be_started_anew(tmp_path: Path) -> None:
    program = """
        SEEN = []

        def f(x: int) -> int:
            SEEN.append(1)
            if len(SEEN) > 1:
                return 2
            return 1
    """
    running = Running(program, tmp_path)
    state = ModuleState(running.imported.modules())
    with running.runner(state=state) as runner:
        first, second = runner.run({"x": 0}), runner.run({"x": 0})
        changed = runner.start_anew()
        third, fourth = runner.run({"x": 0}), runner.run({"x": 0})

    assert first.covered != second.covered
    assert changed == ["SEEN"]
    assert first.covered == third.covered == fourth.covered


def test_what_the_program_is_called_for_between_two_runs_is_taken_back(tmp_path: Path) -> None:
    program = """
        SEEN = []

        def f(x: int) -> int:
            SEEN.append(1)
            return 2 if len(SEEN) > 1 else 1
    """
    running = Running(program, tmp_path)
    with running.runner(state=ModuleState(running.imported.modules())) as runner:
        first = runner.run({"x": 0})
        runner.start_anew()
        running.imported.module.f(0)  # as where the text of an input is evaluated
        runner.put_back()
        second = runner.run({"x": 0})

    assert first.covered == second.covered


def test_a_watched_line_is_told_with_the_first_run_that_executes_it(tmp_path: Path) -> None:
    running = Running(SIGN, tmp_path)
    watch = LineWatch(str(running.file), 4)
    with running.runner(watch=watch) as runner:
        runner.run({"x": 1})
        missed = watch.take()
        reached = [runner.run({"x": x}) for x in (20, 30)]

    assert missed is None
    assert watch.take() is reached[0]
    assert watch.take() is None


def test_what_a_program_prints_goes_nowhere_and_it_has_nothing_to_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with silenced():
        print("hello")
        print("world", file=sys.stderr)
        read = sys.stdin.read()

    assert read == ""
    assert capsys.readouterr() == ("", "")


def test_the_alarm_is_given_back_after_the_last_run(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with runner_of(SIGN, tmp_path, LIMITS) as runner:
        runner.run({"x": 1})

    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
