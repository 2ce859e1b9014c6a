"""Which of the variables of an input are characters, and which characters a reader would rather
see.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator

from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term
from symcrete.terms.texts import element_names, length_name, texts_assumed, texts_in

# Characters in the order of preference: the first that will do is taken.
PREFERRED = "a0 A1bB,.-_" + string.ascii_lowercase + string.digits + string.punctuation
_RANKS = {ord(char): rank for rank, char in reversed(list(enumerate(PREFERRED)))}

SHORT_LENGTHS = 20  # characters: all lengths below are tried; chosen, not measured
LEAST_HALVED = 40  # characters: longer texts are halved too; chosen, not measured


class Roles:
    """Tells which variables of an assignment are lengths and characters of texts."""

    def __init__(self, assignment: Assignment, assumptions: Collection[Term] = ()) -> None:
        """`assumptions` are those of the run, if it has any: they tell texts from lists."""
        self._lengths: dict[str, str] = {}
        self._places: dict[str, tuple[str, int]] = {}
        known = frozenset(assumptions)
        for text in texts_assumed(assignment, known) if known else texts_in(assignment):
            self._lengths[length_name(text)] = text
            for index, name in enumerate(element_names(text, assignment[length_name(text)])):
                self._places[name] = (text, index)

    def plainer(self, name: str, assignment: Assignment) -> Iterator[int] | None:
        """Plainer values of a length or a character, plainest first; None for other variables."""
        if name in self._lengths:
            return _shorter(assignment[name])
        if name not in self._places:
            return None
        text, index = self._places[name]
        if index >= assignment[length_name(text)]:
            return iter(())
        return _plainer_code(assignment[name])


def _shorter(length: int) -> Iterator[int]:
    yield from range(min(length, SHORT_LENGTHS))
    while length > LEAST_HALVED:
        length //= 2
        yield length


def _plainer_code(code: int) -> Iterator[int]:
    rank = _RANKS.get(code, len(PREFERRED))
    seen: set[int] = set()
    for char in PREFERRED[:rank]:
        if ord(char) not in seen:
            seen.add(ord(char))
            yield ord(char)
