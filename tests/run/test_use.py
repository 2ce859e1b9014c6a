"""One use of a result: what runs and replays do alike."""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator

import pytest

from symcrete.run.use import WAYS, Use, awaited_steps, entering

happened: list[str] = []


def doubling() -> Generator[int, int, None]:
    got = yield 0
    try:
        yield 2 * got
    except KeyError:
        yield -1


@contextlib.contextmanager
def lent(n: int) -> Iterator[int]:
    try:
        yield n
    except ValueError:
        happened.append("caught")


@contextlib.asynccontextmanager
async def lent_later(n: int) -> AsyncIterator[int]:
    try:
        yield n
    except ValueError:
        happened.append("caught later")


async def doubling_later() -> AsyncGenerator[int, int]:
    got = yield 0
    try:
        yield 2 * got
    except KeyError:
        yield -1


def test_asynchronous_generators_are_driven_in_one_loop() -> None:
    steps: list[tuple[str, list[object]]] = [("anext", []), ("asend", [4]), ("athrow", [KeyError])]

    given = [awaited_steps(doubling_later(), steps[: count + 1]) for count in range(3)]

    assert given == [0, 8, -1]
    with pytest.raises(StopAsyncIteration):
        awaited_steps(doubling_later(), [*steps, ("anext", [])])
    assert awaited_steps(doubling_later(), [steps[0], ("aclose", [])]) is None


def test_generators_are_driven() -> None:
    generator = doubling()

    given = [
        WAYS["next"](generator),
        WAYS["send"](generator, 4),
        WAYS["throw"](generator, KeyError),
        WAYS["close"](generator),
    ]

    assert given == [0, 8, -1, None]


@pytest.mark.parametrize(("context", "told"), [(lent, "caught"), (lent_later, "caught later")])
def test_contexts_are_entered_and_left_with_and_without_an_exception(
    context: object, told: str
) -> None:
    happened.clear()
    how = entering(context(3))  # type: ignore[operator]

    given = [
        WAYS[how](context(3)),  # type: ignore[operator]
        WAYS[how](context(4), ValueError),  # type: ignore[operator]
    ]

    assert given == [3, 4]
    assert happened == [told]


def test_what_is_no_context_is_not_entered() -> None:
    assert entering(contextlib.nullcontext()) == ""


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (Use("call", "3, x=4", name="add"), "add(3, x=4)"),
        (Use("next", name="generator"), "next(generator)"),
        (Use("send", "7", name="generator"), "generator.send(7)"),
        (Use("with"), "with"),
        (Use("with", "KeyError"), "with: raise KeyError"),
    ],
)
def test_a_reader_sees_what_was_done(use: Use, text: str) -> None:
    assert use.text == text
