"""Functions as inputs: a table of answers, or an exception.

The n-th new combination of arguments gets the n-th answer; the same arguments always get the same
one. Which arguments those were is known when the run is over, so it is noted beside the variables.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from random import Random
from typing import Any

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.literal import imports_of, literal
from symcrete.inputs.shapes.shape import Shape, Written, import_of, joined, write
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# answers that a draw makes up; further ones are the plainest; chosen, not measured
ANSWERS_DRAWN = 4
# the share of draws in which a callable raises, where the program handles that; chosen, not
# measured
RAISING_DRAWN = 0.2
ASKED = ".asked"  # ends the names of notes about arguments, which are no variables


@dataclass(frozen=True, slots=True)
class CallableShape:
    """A callable with answers of this shape, or one that raises: the variable `name!` says which
    class.
    """

    answer: Shape
    raises: tuple[type[Exception], ...] = ()

    def error(self, name: str, given: Assignment) -> type[Exception] | None:
        """The class of the exception that every call raises; None if calls are answered."""
        which = given.get(self.error_name(name), 0)
        return self.raises[which - 1] if 0 < which <= len(self.raises) else None

    def error_name(self, name: str) -> str:
        return f"{name}!"

    def answer_name(self, name: str, index: int) -> str:
        return f"{name}({index})"

    def asked_name(self, name: str, index: int) -> str:
        return f"{name}({index}){ASKED}"

    def keywords_name(self, name: str, index: int) -> str:
        """The name of the note of what was passed by keyword; only calls that do so have one."""
        return f"{name}({index}).keywords{ASKED}"

    def asked(self, name: str, given: Assignment) -> list[Any]:
        """The combinations of arguments that were asked for, in the order of their answers."""
        found: list[Any] = []
        while self.asked_name(name, len(found)) in given:
            found.append(given[self.asked_name(name, len(found))])
        return found

    def keywords(self, name: str, given: Assignment) -> list[dict[str, Any]]:
        """The keyword arguments of each combination that `asked` gives."""
        count = len(self.asked(name, given))
        return [given.get(self.keywords_name(name, index), {}) for index in range(count)]

    def plain(self, name: str, given: Assignment) -> Any:
        error = self.error(name, given)
        if error is not None:
            return raising(error)
        asked = zip(self.asked(name, given), self.keywords(name, given), strict=True)
        table = [
            (args, keywords, self.answer.plain(self.answer_name(name, index), given))
            for index, (args, keywords) in enumerate(asked)
        ]
        return answering(table, self.answer.plain(self.answer_name(name, len(table)), given))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if self.raises and random.random() < RAISING_DRAWN:
            given[self.error_name(name)] = random.randint(1, len(self.raises))
        for index in range(ANSWERS_DRAWN):
            self.answer.sample(self.answer_name(name, index), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        error = self.error(name, given)
        if error is not None:
            return raising_text(error)
        asked, keywords = self.asked(name, given), self.keywords(name, given)
        by_keyword = any(keywords)
        head = "lambda *args, **kwargs" if by_keyword else "lambda *args"
        if len(asked) <= 1:  # one answer whatever it was asked, which may have no text
            only = write(self.answer, self.answer_name(name, 0), given)
            return joined([only], f"{head}: {only.text}")
        rows: list[str] = []
        parts: list[Written] = []
        for index, args in enumerate(asked):
            answer = write(self.answer, self.answer_name(name, index), given)
            each = (args, keywords[index]) if by_keyword else args
            rows.append(f"({literal(each)}, {answer.text})")
            parts += (answer, Written("", frozenset(imports_of(each))))
        taken = "(args, kwargs)" if by_keyword else "args"
        table = ", ".join(rows)
        text = f"{head}: next(answer for asked, answer in [{table}] if asked == {taken})"
        return joined(parts, text)


@dataclass(frozen=True, slots=True)
class AwaitableShape:
    """Something that is awaited, and then gives a value of this shape."""

    answer: Shape

    def plain(self, name: str, given: Assignment) -> Any:
        return Awaited(self.answer.plain(self.answer_name(name), given))

    def answer_name(self, name: str) -> str:
        return f"(await {name})"

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        self.answer.sample(self.answer_name(name), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        answer = write(self.answer, self.answer_name(name), given)
        return Written(f"sleep(0, {answer.text})", answer.imports | {("asyncio", "sleep")})


class Awaited(Coroutine[Any, Any, Any]):
    """A coroutine that gives an answer, however often it is awaited: what is asked twice is
    answered by the same one.
    """

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._answer
        yield  # makes it a generator

    def send(self, value: Any) -> Any:
        raise StopIteration(self._answer)

    def throw(self, *error: Any) -> Any:
        raise error[0]

    def close(self) -> None: ...


def raising_text(error: type[BaseException]) -> Written:
    """The source text of a callable that raises an exception of this class at every call."""
    imports = {("unittest.mock", "Mock"), import_of(error)}
    kept = frozenset([each for each in imports if each[0] != "builtins"])
    return Written(f"Mock(side_effect={error.__qualname__})", kept)


def answering(table: list[tuple[Any, dict[str, Any], Any]], default: Any) -> Callable[..., Any]:
    """A function that gives the answer of the row that has its arguments, or else the default. A
    row is the positional arguments, those by keyword, and the answer.
    """

    def answer(*args: Any, **kwargs: Any) -> Any:
        asked = (args, kwargs)
        return next((found for *known, found in table if tuple(known) == asked), default)

    return answer


def raising(error: type[Exception]) -> Callable[..., Any]:
    """A function that raises this exception whatever it is called with."""

    def fail(*args: Any, **kwargs: Any) -> Any:
        raise error

    return fail
