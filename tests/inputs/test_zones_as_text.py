"""Times with a zone, and paths, are written as expressions that give them again."""

import datetime
import pathlib
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from symcrete.inputs.literal import imports_of, literal
from symcrete.inputs.shapes.library import SIMPLE
from symcrete.inputs.shapes.shape import write

NOON = datetime.datetime(2024, 1, 1, 12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime.UTC, "UTC"),
        (datetime.timezone(datetime.timedelta(hours=-5)), "timezone(timedelta(hours=-5))"),
        (
            datetime.timezone(datetime.timedelta(minutes=90), "A"),
            'timezone(timedelta(seconds=5400), "A")',
        ),
        (ZoneInfo("UTC"), 'ZoneInfo("UTC")'),
        (NOON.replace(tzinfo=datetime.UTC), "datetime(2024, 1, 1, 12, 0, tzinfo=UTC)"),
        (datetime.time(3, tzinfo=ZoneInfo("UTC")), 'time(3, 0, tzinfo=ZoneInfo("UTC"))'),
    ],
)
def test_a_zone_is_written_with_what_it_needs(value: Any, text: str) -> None:
    names: dict[str, Any] = {}
    for module, name in imports_of(value):
        exec(f"from {module} import {name}", names)

    assert literal(value) == text
    assert eval(text, names) == value


def test_a_duration_is_written_by_the_parts_that_it_has() -> None:
    shape = SIMPLE[datetime.timedelta]

    assert write(shape, "d", {}).text == "timedelta()"
    assert write(shape, "d", {"d.days": -1, "d.seconds": 5}).text == "timedelta(days=-1, seconds=5)"


def test_a_path_of_this_system_is_written_as_it_is_made() -> None:
    assert literal([pathlib.Path("a/b")]) == '[Path("a/b")]'
    assert imports_of([pathlib.Path("a/b")]) == {("pathlib", "Path")}
    assert literal(pathlib.PurePosixPath("a")) == 'PurePosixPath("a")'
    assert imports_of(type(pathlib.Path())) == {("pathlib", type(pathlib.Path()).__name__)}
