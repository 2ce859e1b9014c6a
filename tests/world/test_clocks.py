"""The clock of a run never goes back, and nobody waits."""

import asyncio
import datetime
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed, StepLimit
from symcrete.world.clocks import CLOCK, MOST_PAUSES, MOST_UNTIMED_PAUSES
from symcrete.world.source import Answer, AsA, ReadAs


def functions(asked: Answers) -> dict[str, Callable[..., Any]]:
    found = [each for each in CLOCK.stand_ins(asked) if not isinstance(each, AsA | ReadAs)]
    return {f"{getattr(each, 'kind', each.module)}.{each.name}": each.by for each in found}


def test_each_read_is_as_late_as_the_one_before_and_what_has_passed() -> None:
    asked = Answers({"time.time()": 10.0, "time.time()@2": 2.5})
    read = functions(asked)["time.time"]

    assert [read(), read(), read()] == [10.0, 12.5, 12.5]


def test_a_pause_takes_no_time_and_a_negative_one_raises() -> None:
    sleep = functions(Answers())["time.sleep"]
    began = time.perf_counter()

    sleep(1000)

    assert time.perf_counter() - began < 100
    with pytest.raises(ValueError):
        sleep(-1)


@pytest.mark.parametrize("clock", ["time.time", "datetime.now"])
def test_a_run_that_would_wait_for_years_second_by_second_is_cut_soon(clock: str) -> None:
    by = functions(Answers())
    given = [datetime.datetime] if clock == "datetime.now" else []

    for _ in range(MOST_PAUSES):
        by[clock](*given)
        by["time.sleep"](1)
    by[clock](*given)

    with pytest.raises(StepLimit, match="sleeps more than"):
        by["time.sleep"](1)


def test_a_run_that_reads_no_clock_may_sleep_more_often() -> None:
    by = functions(Answers())
    by["time.time"]()

    for _ in range(MOST_UNTIMED_PAUSES):
        by["time.sleep"](1)

    assert by["time.time"]() == MOST_UNTIMED_PAUSES > MOST_PAUSES
    with pytest.raises(StepLimit, match=f"sleeps more than {MOST_UNTIMED_PAUSES} times"):
        by["time.sleep"](1)


def test_a_task_that_pauses_alone_does_not_wait_and_others_do() -> None:
    asked = Answers()
    sleep = functions(asked)["asyncio.sleep"]

    async def in_order(*pauses: float) -> list[float]:
        done: list[float] = []

        async def one(seconds: float) -> None:
            done.append(await sleep(seconds, seconds))

        await asyncio.gather(*map(one, pauses))
        return done

    async def limited() -> str:
        try:
            return await asyncio.wait_for(sleep(60, "waited"), 0.001)
        except TimeoutError:
            return "late"

    assert asyncio.run(sleep(1000, "result")) == "result"
    assert [each.root for each in asked.asked] == ["asyncio.sleep()"]
    assert asyncio.run(in_order(0.002, 0.001)) == [0.001, 0.002]
    assert asyncio.run(limited()) == "late"
    assert [each.root for each in asked.asked[1:]] == ["asyncio.sleep() waits after 1"]


async def after_a_pause_two_in_turn(sleep: Callable[..., Any], done: list[float]) -> list[float]:
    async def one(seconds: float) -> None:
        await sleep(seconds)
        done.append(seconds)

    await sleep(0)
    await sleep(1000)
    await asyncio.gather(one(0.002), one(0), one(0.001))
    await sleep(0.003)
    return done


def statements(asked: Answers) -> str:
    """What a test has in the place of what this run asked for."""
    answers = [Answer(each.root, each.shape.plain(each.root, {}), "") for each in asked.asked]
    found = CLOCK.shown(answers, lambda module, name: [f"{module}.{name}"])
    return "\n".join([each.line for each in found])


def test_a_test_waits_from_the_pause_on_at_which_its_run_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Answers()
    in_run = asyncio.run(after_a_pause_two_in_turn(functions(asked)["asyncio.sleep"], []))

    exec(statements(asked), {"monkeypatch": monkeypatch})
    in_test = asyncio.run(after_a_pause_two_in_turn(asyncio.sleep, []))

    assert in_run == in_test == [0, 0.001, 0.002]


def test_a_test_skips_all_pauses_where_its_run_was_always_alone() -> None:
    asked = Answers()

    asyncio.run(functions(asked)["asyncio.sleep"](5))

    assert "return result" in statements(asked)
    assert "real" not in statements(asked)


def test_a_clock_of_a_test_is_not_that_of_its_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    async def waits() -> str:
        await asyncio.sleep(0.001)
        return "waited"

    asked = Answers()
    stand_ins = functions(asked)
    stand_ins["time.monotonic"]()
    stand_ins["asyncio.events.new_event_loop"]().close()

    exec(statements(asked), {"monkeypatch": monkeypatch})

    assert time.monotonic() == time.monotonic() == 0.0
    assert asyncio.run(waits()) == "waited"


def test_where_there_is_no_event_loop_a_test_says_nothing_of_it() -> None:
    asked = Answers()

    functions(asked)["time.monotonic"]()

    assert statements(asked) == 'monkeypatch.setattr("time.monotonic", lambda: 0.0)'


def test_a_moment_before_the_last_one_is_no_input() -> None:
    late, early = datetime.datetime(2024, 1, 2), datetime.datetime(2024, 1, 1)
    now = functions(Answers({"datetime.now()": late, "datetime.now()@2": early}))["datetime.now"]

    assert now(datetime.datetime) == late
    with pytest.raises(AssumptionFailed):
        now(datetime.datetime)


def test_a_class_of_the_program_has_its_own_clock() -> None:
    class Always(datetime.date):
        @classmethod
        def today(cls) -> "Always":
            return cls(2020, 1, 1)

    assert functions(Answers())["date.today"](Always) == datetime.date(2020, 1, 1)


def test_two_clocks_of_a_class_have_moments_of_their_own_in_a_test() -> None:
    texts = ["datetime(2024, 1, 1)", "datetime(2024, 1, 2)"]
    answers = [
        Answer(f"datetime.{name}(){number}", None, text)
        for name in ("now", "utcnow")
        for number, text in zip(("", "@2"), texts, strict=True)
    ]

    (found,) = CLOCK.shown(answers, lambda module, name: [f"{module}.{name}"])

    assert "return next(moments_now)" in found.line
    assert "return next(moments_utcnow)" in found.line


def test_between_runs_it_is_the_time_it_is() -> None:
    asked = Answers(running=False)

    assert functions(asked)["time.time"]() > 1.7e9
    assert functions(asked)["datetime.now"](datetime.datetime).year >= 2024
    assert not asked.asked
