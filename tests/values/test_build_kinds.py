"""An input built with terms has the value that it has without them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes import library
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.callables import CallableShape
from symcrete.inputs.shapes.shape import IntShape
from symcrete.program.source.sites import SiteTable
from symcrete.values.build import library_values, lists_and_dicts
from symcrete.values.build.variables import tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import untracked
from symcrete.values.tracking.recording import Recording


@pytest.fixture
def record() -> Iterator[Recording]:
    """The recording of a run under way."""
    made = Recording(SiteTable())
    former = recording.activate(made)
    yield made
    recording.activate(former)


KINDS: list[Any] = [
    list[int],
    list[str],
    tuple[int, ...],
    set[int],
    dict[str, int],
    list[list[int]],
    datetime.date,
    datetime.datetime,
    datetime.timedelta,
    complex,
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_is_built_is_what_is_drawn(kind: Any, record: Recording) -> None:
    shape, random = shape_of(kind, "x"), Random(3)
    for _ in range(20):
        given: dict[str, Any] = {}
        shape.sample("x", Pool(), random, given)
        record.start()

        built = tracked_input(shape, "x", given)

        assert built == shape.plain("x", given)


def test_an_aware_datetime_has_no_terms_and_says_so(record: Recording) -> None:
    built = tracked_input(library.AWARE[datetime.datetime], "d", {"d.zone": 2})

    assert built.utcoffset() == datetime.timedelta(hours=-5)
    assert record.losses


def test_whether_a_callable_raises_is_a_branch_of_its_first_call(record: Recording) -> None:
    shape = CallableShape(IntShape(), (KeyError, ValueError))

    answers = tracked_input(shape, "g", {"g(0)": 5})
    raises: Callable[..., Any] = tracked_input(shape, "g", {"g!": 2})

    assert untracked(answers(1)) == 5
    assert len(record.events) == 1
    with pytest.raises(ValueError):
        raises(1)


def test_the_same_arguments_get_the_same_answer(record: Recording) -> None:
    given: dict[str, Any] = {"g(0)": 5, "g(1)": 6}
    answers = library_values.Answers(CallableShape(IntShape()), "g", given)

    assert [untracked(answers(n)) for n in (1, 2, 1)] == [5, 6, 5]
    assert given["g(0).asked"] == (1,)


@pytest.mark.parametrize(("least", "count"), [(2, 1), (0, -1)])
def test_a_length_that_the_type_does_not_allow_is_no_input(
    least: int, count: int, record: Recording
) -> None:
    from_two = shape_of(list[int], "xs")
    shape = type(from_two)(IntShape(), list, least)  # type: ignore[call-arg]

    with pytest.raises(AssumptionFailed):
        lists_and_dicts.length(shape, "xs", {"len(xs)": count}, None)
