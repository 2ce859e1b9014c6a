"""A run gets the value of an input that it asks for, and the input is noted with the run."""

from collections.abc import Iterator

import pytest

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import IntShape
from symcrete.program.source.sites import SiteTable
from symcrete.values.build.late_inputs import MOST_READS, RunUnderWay, late_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import tracked
from symcrete.values.tracking.recording import Recording
from symcrete.values.vocabulary import vocabulary

SIZE = Late("shop.size", IntShape(), "")


@pytest.fixture
def record() -> Iterator[Recording]:
    vocabulary.use(vocabulary.LISTED)
    made = Recording(SiteTable())
    former = recording.activate(made)
    yield made
    recording.activate(former)


def test_a_run_with_terms_gets_a_tracked_value(record: Recording) -> None:
    record.live, record.given = True, {"shop.size": 7}

    value = late_input(SIZE)

    assert value == 7
    assert tracked(value)
    assert record.late == {"shop.size": SIZE}


def test_a_run_without_terms_gets_a_plain_value(record: Recording) -> None:
    record.given = {"shop.size": 7}

    value = late_input(SIZE)

    assert type(value) is int
    assert value == 7


def test_what_an_input_does_not_say_is_plain_and_noted_in_it(record: Recording) -> None:
    record.live, record.given = True, {}

    late_input(SIZE)

    assert record.given == {"shop.size": 0}


def test_every_read_of_a_root_gives_the_same_object(record: Recording) -> None:
    record.live, record.given = True, {}

    assert late_input(SIZE) is late_input(SIZE)


def test_a_root_that_is_another_input_at_every_read_is_numbered(record: Recording) -> None:
    record.live, record.given = True, {"dice": 1, "dice@2": 5}

    ask = RunUnderWay()

    assert [ask.next_value("dice", IntShape(), "") for _ in range(2)] == [1, 5]
    assert list(record.late) == ["dice", "dice@2"]
    assert not record.losses


def test_more_reads_than_we_build_inputs_for_are_a_loss(record: Recording) -> None:
    record.live, record.given = True, {}

    ask = RunUnderWay()
    for _ in range(MOST_READS + 1):
        ask.next_value("dice", IntShape(), "")

    assert len(record.late) == MOST_READS
    assert record.losses
