"""The time as a calendar tells it is an input where nobody hands a moment to it."""

import datetime
from typing import Any

from tests.world.asking import Answers

from symcrete.world.calendar_time import CALENDAR_TIME
from symcrete.world.source import Answer

NIGHT = datetime.datetime(2024, 2, 29, 3, 4, 5)


def functions() -> dict[str, Any]:
    asked = Answers({"time.localtime()": NIGHT, "time.localtime().tm_isdst": 1})
    return {each.name: each.by for each in CALENDAR_TIME.stand_ins(asked)}  # type: ignore[union-attr]


def test_all_functions_tell_the_same_moment() -> None:
    found = functions()

    assert tuple(found["localtime"]()) == (2024, 2, 29, 3, 4, 5, 3, 60, 1)
    assert tuple(found["gmtime"]()) == (2024, 2, 29, 3, 4, 5, 3, 60, 0)
    assert found["strftime"]("%Y-%m-%d %H:%M:%S %a%%") == NIGHT.strftime("%Y-%m-%d %H:%M:%S %a%%")
    assert found["strftime"]("%-d %-H %e %") == NIGHT.strftime("%-d %-H %e %")
    assert found["ctime"]() == found["asctime"]() == NIGHT.ctime()


def test_a_moment_that_is_handed_in_is_told_as_it_is() -> None:
    found = functions()

    assert found["gmtime"](0).tm_year == 1970
    assert found["strftime"]("%Y", found["gmtime"](0)) == "1970"


def test_a_test_replaces_the_functions_that_were_called() -> None:
    answers = [
        Answer("time.strftime('%H',)", None, "None"),
        Answer("time.localtime()", NIGHT, "datetime(2024, 2, 29, 3, 4, 5)"),
    ]

    (found,) = CALENDAR_TIME.shown(answers, lambda module, name: [f"{module}.{name}"])

    assert found.line == 'monkeypatch.setattr("time.strftime", lambda *_: "03")'


def test_summer_time_is_set_with_the_moment() -> None:
    answers = [
        Answer("time.localtime", None, "None"),
        Answer("time.localtime()", NIGHT, "datetime(2024, 2, 29, 3, 4, 5)"),
        Answer("time.localtime().tm_isdst", 1, "1"),
    ]

    (found,) = CALENDAR_TIME.shown(answers, lambda module, name: [f"{module}.{name}"])

    assert found.value == "time.struct_time((2024, 2, 29, 3, 4, 5, 3, 60, 1))"
