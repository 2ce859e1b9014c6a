"""What a program can tell about its arguments is read off its text, and that of what it calls."""

from __future__ import annotations

import datetime
import enum
import gc
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcrete.inputs.infer.telling import NOTHING, Telling, told_by
from symcrete.inputs.subtypes import collections_for, subtypes_of

HERE = datetime.timezone(datetime.timedelta(hours=1))
OPENED = datetime.datetime(2020, 1, 1, tzinfo=HERE)


class Level(enum.IntEnum):
    LOW = 1


def _plain(x, y):
    return x + y > 3


def _by_isinstance(x):
    return isinstance(x, (bool, str))


def _by_match(x):
    match x:
        case int() | Level():
            return 1
    return 0


def _by_type(x):
    return type(x) is int


def _by_truth(x):
    return x is True


def _by_identity(x, y):
    return x is not y


def _by_none(x):
    return x is None


def _by_store(x):
    x[0] = 1


def _by_method(x):
    x.append(1)


def _by_number(x):
    x += 1
    return x


def _by_zone(x):
    return x.tzinfo


def _by_zone_of_the_module(x):
    return x < datetime.datetime.now(HERE)


def _by_zoned_constant(x):
    return x < OPENED


def _by_handler(g):
    try:
        return g()
    except (KeyError, UnicodeDecodeError):
        return 0


def _by_another(x):
    return _by_isinstance(x)


class Asking:
    def kind(self, x):
        return isinstance(x, bytes)


def _by_a_method(asking, x):
    return asking.kind(x)


def _safely(x, kinds):
    return isinstance(x, kinds)


def _derives(x, kinds):
    return issubclass(x, kinds)


def _by_classes_handed_on(x):
    return _safely(x, bytes) or _derives(x, (Level, int))


def _by_text(x):
    return f"{x}" == "1"


def _by_text_in_another(x):
    return _by_text(x + 1)


TOLD: list[Any] = [
    (_by_text, "texts", True),
    (_by_text_in_another, "texts", True),
    (_plain, "texts", False),
    (_by_classes_handed_on, "kinds", (bytes, Level, int)),
    (_by_isinstance, "kinds", (bool, str)),
    (_by_match, "kinds", (int, Level)),
    (_by_type, "any_kind", True),
    (_by_truth, "truths", True),
    (_by_identity, "identity", True),
    (_by_store, "changes", True),
    (_by_method, "changes", True),
    (_by_zone, "zones", True),
    (_by_zone_of_the_module, "zones", True),
    (_by_zoned_constant, "zones", True),
    (_by_handler, "catches", (KeyError,)),
    (_by_another, "kinds", (bool, str)),
    (_by_a_method, "kinds", (bytes,)),
]


@pytest.mark.parametrize(("function", "what", "told"), TOLD)
def test_the_text_of_a_function_says_what_it_can_tell(
    function: Callable[..., Any], what: str, told: Any
) -> None:
    assert getattr(told_by(function), what) == told


@pytest.mark.parametrize("function", [_by_none, _by_number])
def test_what_only_looks_like_it_tells_nothing(function: Callable[..., Any]) -> None:
    told = told_by(function)

    assert not told.identity
    assert not told.changes
    assert not told.truths


def test_a_sum_tells_nothing() -> None:
    assert replace(told_by(_plain), uses=frozenset()) == NOTHING


def test_where_there_is_no_text_everything_may_be_told() -> None:
    function = eval("lambda x: x")

    told = told_by(function)

    assert told.any_kind and told.identity and told.changes and told.truths and told.zones


@pytest.mark.parametrize(
    ("kind", "told", "subtypes"),
    [
        (int, NOTHING, []),
        (int, Telling(kinds=(bool,)), [bool]),
        (int, Telling(truths=True), [bool]),
        (int, Telling(kinds=(str,)), []),
        (int, Telling(kinds=(Level,)), [Level]),
        (float, Telling(kinds=(float,)), [int]),
        (datetime.date, Telling(kinds=(datetime.datetime,)), [datetime.datetime]),
        (str, Telling(kinds=(Level,)), []),
    ],
)
def test_subtypes_are_those_that_the_program_asks_for(
    kind: type, told: Telling, subtypes: list[type]
) -> None:
    assert subtypes_of(kind, told) == subtypes


@pytest.mark.parametrize(
    ("kind", "element", "told", "others"),
    [
        (Sequence, int, NOTHING, []),
        (Sequence, int, Telling(kinds=(list,)), [tuple[int, ...]]),
        (Sequence, str, Telling(kinds=(tuple,)), [tuple[str, ...], str]),
        (list, int, Telling(any_kind=True), []),
    ],
)
def test_a_sequence_may_be_more_than_a_list(
    kind: Any, element: type, told: Telling, others: list[Any]
) -> None:
    assert collections_for(kind, (element,), told) == others


def test_an_iterable_that_is_read_again_may_be_an_iterator() -> None:
    (only,) = collections_for(Iterable, (int,), Telling(reads_again=True))

    assert "Iterator[int]" in str(only)


def test_programs_that_were_asked_about_long_ago_are_not_kept(tmp_path: Path) -> None:
    asked = []
    for number in range(40):
        file = tmp_path / f"asked_{number}.py"
        file.write_text("def f(x):\n    return x > 3\n")
        names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
        exec(compile(file.read_text(), str(file), "exec"), names)
        told_by(names["f"])
        asked.append(weakref.ref(names["f"]))
    del names
    gc.collect()

    assert sum(each() is not None for each in asked) <= 20
