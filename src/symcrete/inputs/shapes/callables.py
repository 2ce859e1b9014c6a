"""Functions as inputs: a table of answers.

The n-th new combination of arguments gets the n-th answer; the same arguments always get the same
one. Which arguments those were is known when the run is over, so it is noted beside the variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.literal import imports_of, literal
from symcrete.inputs.shapes.shape import Shape, Written, joined, write
from symcrete.terms.evaluate import Assignment

ANSWERS_DRAWN = 4


@dataclass(frozen=True, slots=True)
class CallableShape:
    answer: Shape

    def answer_name(self, name: str, index: int) -> str:
        return f"{name}({index})"

    def asked_name(self, name: str, index: int) -> str:
        return f"{name}({index}).asked"

    def asked(self, name: str, given: Assignment) -> list[Any]:
        """The combinations of arguments that were asked for, in the order of their answers."""
        found: list[Any] = []
        while self.asked_name(name, len(found)) in given:
            found.append(given[self.asked_name(name, len(found))])
        return found

    def plain(self, name: str, given: Assignment) -> Any:
        table = [
            (asked, self.answer.plain(self.answer_name(name, index), given))
            for index, asked in enumerate(self.asked(name, given))
        ]
        return answering(table, self.answer.plain(self.answer_name(name, len(table)), given))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for index in range(ANSWERS_DRAWN):
            self.answer.sample(self.answer_name(name, index), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        rows: list[str] = []
        parts: list[Written] = []
        asked = self.asked(name, given)
        for index, each in enumerate(asked):
            answer = write(self.answer, self.answer_name(name, index), given)
            rows.append(f"({literal(each)}, {answer.text})")
            parts += (answer, Written("", frozenset(imports_of(each))))
        if not rows:
            default = write(self.answer, self.answer_name(name, 0), given)
            return joined([default], f"lambda *args: {default.text}")
        if len(rows) == 1:
            return joined(parts, f"lambda *args: {parts[0].text}")
        table = ", ".join(rows)
        text = f"lambda *args: next(answer for asked, answer in [{table}] if asked == args)"
        return joined(parts, text)


def answering(table: list[tuple[Any, Any]], default: Any) -> Callable[..., Any]:
    def answer(*args: Any) -> Any:
        return next((found for asked, found in table if asked == args), default)

    return answer
