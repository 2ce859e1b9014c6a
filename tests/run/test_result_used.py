"""What a run's call gave is used, with inputs of its own."""

import contextlib
from collections.abc import Callable, Generator, Iterator

import pytest

from symcrete.program.source.sites import SiteTable
from symcrete.program.source.yields import Yields
from symcrete.run.result_used import errors_of, used, uses_of
from symcrete.run.use import Use
from symcrete.values.tracking import followed, recording
from symcrete.values.tracking.recording import Recording
from symcrete.values.vocabulary import vocabulary

seen: list[str] = []


def adder(n: int) -> Callable[[int], int]:
    def add(x: int) -> int:
        return n + x

    return add


def asking() -> Generator[str, int, None]:
    got = yield "how many?"
    yield f"{got + 1} it is"


@contextlib.contextmanager
def lent(n: int) -> Iterator[int]:
    try:
        yield n
    except LookupError:
        seen.append("nothing there")


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recording]:
    vocabulary.use(vocabulary.LISTED)
    monkeypatch.setattr(followed, "rewritten_files", {__file__})
    made = Recording(SiteTable())
    made.given = {}
    former = recording.activate(made)
    yield made
    recording.activate(former)


def told(record: Recording) -> list[Use]:
    assert record.given is not None
    return uses_of(record.memory.get("used", []), record.given)[0]


def test_a_plain_result_is_left_alone(record: Recording) -> None:
    assert used([1, 2]) == [1, 2]
    assert told(record) == []


def test_a_function_is_called_with_an_input_of_its_own(record: Recording) -> None:
    record.given = {"used@1.x": 4}

    result = used(adder(3))

    assert result == 7
    assert told(record) == [Use("call", "4", name="add")]
    assert set(record.late) == {"used@1.x", "used@2.how"}


def test_arguments_that_are_not_there_are_not_written(record: Recording) -> None:
    def whatever(n: int) -> Callable[..., int]:
        def add(*numbers: int, **named: int) -> int:
            return n + sum(numbers) + len(named)

        return add

    assert used(whatever(3)) == 3
    assert told(record) == [Use("call", "", name="add")]


def test_a_function_that_keeps_something_may_be_called_again(record: Recording) -> None:
    record.given = {"used@1.x": 4, "used@2.how?": 1, "used@2.x": 5}

    result = used(adder(3))

    assert result == 8
    assert [each.again for each in told(record)] == [False, True]


def test_a_generator_is_run_to_its_end_unless_the_input_drives_it(record: Recording) -> None:
    def counting() -> Iterator[int]:
        yield from (1, 2)

    assert used(counting()) == [1, 2]
    assert told(record) == []


def test_a_generator_is_sent_what_it_declares(record: Recording) -> None:
    record.given = {"used@1.how?": 1, "used@2.how?": 2, "used@2.value": 6}

    result = used(asking())

    assert result == "7 it is"
    assert [each.text for each in told(record)] == ["next(generator)", "generator.send(6)"]


def test_a_context_is_left_by_an_exception_that_it_catches(record: Recording) -> None:
    record.given = {"used@1.how?": 1}

    result = used(lent(5))

    assert result == 5
    assert told(record) == [Use("with", "LookupError", name="entered")]


def test_exceptions_that_are_thrown_are_those_caught_and_another_one() -> None:
    yields = Yields(is_guarded=True, catches=("KeyError", "json.JSONDecodeError", "Unknown"))

    assert errors_of(yields, {}) == (KeyError, ValueError)
    assert errors_of(Yields(is_guarded=True, catches=("Exception",)), {}) == (ValueError,)
    both = errors_of(Yields(is_guarded=True, catches=("ValueError", "Exception")), {})
    assert both[0] is ValueError and not issubclass(both[1], ValueError)
