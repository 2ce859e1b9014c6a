"""Calls before the run's own are part of its input."""

from collections.abc import Iterator
from random import Random

import pytest

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.program.source.sites import SiteTable
from symcrete.run.history import MOST_EARLIER, Earlier, History
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import tracked
from symcrete.values.tracking.recording import Recording
from symcrete.values.vocabulary import vocabulary

seen: list[object] = []


def note(n: int) -> None:
    seen.append(n)


def refuse() -> None:
    raise ValueError


HISTORY = History(
    (
        Earlier("shop", "note", note, arguments_of(note, {}, "note")),
        Earlier("shop", "refuse", refuse, arguments_of(refuse, {}, "refuse")),
    ),
    (Late("shop.seen", ConstantShape([]), "module state"),),
)


@pytest.fixture
def record() -> Iterator[Recording]:
    vocabulary.use(vocabulary.LISTED)
    seen.clear()
    made = Recording(SiteTable())
    made.live, made.given = True, {}
    former = recording.activate(made)
    yield made
    recording.activate(former)


def test_without_a_word_in_the_input_nothing_is_called(record: Recording) -> None:
    given: dict[str, object] = {}

    HISTORY.play(given, tracked=True)

    assert seen == []
    assert given == {"earlier[0]?": 0}
    assert len(record.events) == 1
    assert not record.late


def test_calls_are_made_with_tracked_arguments(record: Recording) -> None:
    given = {"earlier[0]?": 1, "earlier[0].n": 4, "earlier[1]?": 1, "earlier[1].n": 5}

    HISTORY.play(given, tracked=True)

    assert seen == [4, 5]
    assert all(map(tracked, seen))
    assert list(record.late) == ["shop.seen"]


def test_calls_without_terms_are_the_same_calls(record: Recording) -> None:
    HISTORY.play({"earlier[0]?": 1, "earlier[0].n": 4}, tracked=False)

    assert seen == [4]
    assert not record.events


def test_a_call_that_raises_is_part_of_no_input(record: Recording) -> None:
    with pytest.raises(AssumptionFailed):
        HISTORY.play({"earlier[0]?": 2}, tracked=True)


def test_calls_are_told_as_statements() -> None:
    given = {"earlier[0]?": 1, "earlier[0].n": 4, "earlier[1]?": 0}

    assert HISTORY.statements(given) == (["note(4)"], {("shop", "note")})
    assert HISTORY.statements({}) == ([], set())
    assert History().statements(given) == ([], set())


def test_draws_have_few_calls() -> None:
    given: dict[str, object] = {}
    for seed in range(40):
        HISTORY.sample(given, Pool(), Random(seed))

    assert {name for name in given if name.endswith("?")} <= {
        f"earlier[{index}]?" for index in range(MOST_EARLIER)
    }
    assert "earlier[0].n" in given


def test_some_drawn_calls_are_the_one_before_once_more_and_some_take_what_the_run_takes() -> None:
    random, drawn = Random(1), []
    for _ in range(300):
        given: dict[str, object] = {"n": 77}
        HISTORY.sample(given, Pool(), random)
        drawn.append(given)

    twice = [each for each in drawn if each.get("earlier[1]?") == 1 == each["earlier[0]?"]]
    assert any(each["earlier[0].n"] == each["earlier[1].n"] != 77 for each in twice)
    assert any(each.get("earlier[0].n") == 77 for each in drawn)


def test_a_call_may_begin_otherwise_than_with_a_name() -> None:
    made = arguments_of(note, {}, "note")
    history = History((Earlier("shop", "Base", note, made, begun='type("Other", (Base,), {}'),))

    lines, imports = history.statements({"earlier[0]?": 1, "earlier[0].n": 4})

    assert lines == ['type("Other", (Base,), {}, 4)']
    assert imports == {("shop", "Base")}
