"""How a call ended, and one use of what it gave: a function called, a generator driven, a context
entered.

Runs and replays tell and use results by the same code. Nothing of the engine is imported here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from types import GeneratorType
from typing import Any

from symcrete.slotted import dataclass


class Ending(StrEnum):
    """How a call ended, as reports and messages say it."""

    RETURNED = "returned"
    RAISED = "raised"
    TIMEOUT = "timeout"  # it was cut by the clock or by the number of its steps
    REJECTED = "rejected"  # while exploring: what was given is no input of the function
    REFUSED = "refused"  # while exploring: nothing was run, as an earlier worker died of it
    CRASHED = "crashed"  # its process ended with it
    BLOCKED = "blocked"  # it tried what the sandbox does not let through
    FLAKY = "flaky"  # it does not always do the same
    FAILED = "failed"  # of a replay: it could not be made
    UNTOLD = ""  # nobody has told yet

    __repr__ = str.__repr__


MOST_NAMES_TOLD = 4  # of what calls change, in one sentence; chosen, not measured
FINISHED = (Ending.RETURNED, Ending.RAISED)  # the call came to its end by itself


@dataclass(frozen=True, slots=True)
class Use:
    """One step, as text."""

    # call, item, next, send, throw, close, with, async with: a row of `WAYS`; anext, asend, athrow,
    # aclose: of `AWAITED`
    how: str
    given: str = ""  # the arguments as a call has them
    again: bool = False  # the thing used before is used once more; else what the last step gave
    name: str = ""  # what a test may call the thing that is used

    @property
    def item_called(self) -> str:
        """`[1](3)`: a function that the thing holds, and what it is given."""
        key, _, given = self.given.partition(", ")
        return f"[{key}]({given})"

    @property
    def text(self) -> str:
        """For a reader: `add(3)`, `generator.send(7)`."""
        match self.how:
            case "call":
                return f"{self.name}({self.given})"
            case "item":
                return f"{self.name}{self.item_called}"
            case "next" | "anext":
                return f"{self.how}({self.name})"
            case "with" | "async with":
                return f"{self.how}: raise {self.given}" if self.given else self.how
            case _:
                return f"{self.name}.{self.how}({self.given})"


def _with(context: Any, *error: Any) -> Any:
    """What entering the context gives; `error`, if there is one, is raised inside it."""
    with context as entered:
        if error:
            raise error[0]
    return entered


def _async_with(context: Any, *error: Any) -> Any:
    import asyncio  # a quarter of a worker's start-up, for the few programs that need it

    async def entered() -> Any:
        async with context as given:
            if error:
                raise error[0]
        return given

    return asyncio.run(entered())


WAYS: dict[str, Callable[..., Any]] = {
    "call": lambda function, *args, **kwargs: function(*args, **kwargs),
    "item": lambda things, key, *args, **kwargs: things[key](*args, **kwargs),
    "next": next,
    "send": GeneratorType.send,
    "throw": lambda generator, error: generator.throw(error),
    "close": GeneratorType.close,
    "with": _with,
    "async with": _async_with,
}


# Steps of an asynchronous generator, to be awaited one after another in one loop.
AWAITED: dict[str, Callable[..., Any]] = {
    "anext": anext,
    "asend": lambda generator, value: generator.asend(value),
    "athrow": lambda generator, error: generator.athrow(error),
    "aclose": lambda generator: generator.aclose(),
}


def awaited_steps(generator: Any, steps: Iterable[tuple[str, Sequence[Any]]]) -> Any:
    """What the last of the steps with an asynchronous generator gives. The next step is taken from
    `steps` only when those before it are done.
    """
    import asyncio  # a quarter of a worker's start-up, for the few programs that need it

    async def driven() -> Any:
        result = None
        for how, values in steps:
            result = await AWAITED[how](generator, *values)
        return result

    return asyncio.run(driven())


def entering(result: Any) -> str:
    """How a context is entered that a function under `contextlib.contextmanager` gives; "" for
    anything else.
    """
    if isinstance(result, contextlib._GeneratorContextManager):
        return "with"
    is_async = isinstance(result, contextlib._AsyncGeneratorContextManager)
    return "async with" if is_async else ""
