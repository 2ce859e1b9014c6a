"""Count the paths of a program over cells: a tester as small as the subjects allow.

Each input cell is an int that notes how it is compared with constants. Every noted outcome is
flipped in turn by choosing another value for that cell alone, so each path is run exactly once.
It needs no solver, and stands for none: programs that compare cells with each other are beyond it.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence

VALUES = range(128)

Decision = tuple[int, Callable[[int, int], bool], int, bool]  # cell, relation, constant, outcome


class Cell(int):
    """A cell of the input; `shift` is what has been taken away from it."""

    place: int
    shift: int
    decisions: list[Decision]

    def compare(self, relation: Callable[[int, int], bool], other: object) -> bool:
        assert isinstance(other, int)
        outcome = relation(int(self), int(other))
        self.decisions.append((self.place, relation, int(other) + self.shift, outcome))
        return outcome

    def __eq__(self, other: object) -> bool:
        return self.compare(operator.eq, other)

    def __ne__(self, other: object) -> bool:
        return self.compare(operator.ne, other)

    def __lt__(self, other: int) -> bool:
        return self.compare(operator.lt, other)

    def __le__(self, other: int) -> bool:
        return self.compare(operator.le, other)

    def __sub__(self, other: int) -> Cell:
        return cell(int(self) - other, self.place, self.decisions, self.shift + other)

    __hash__ = int.__hash__


def cell(value: int, place: int, decisions: list[Decision], shift: int = 0) -> Cell:
    made = Cell(value)
    made.place = place
    made.decisions = decisions
    made.shift = shift
    return made


def count_paths(program: Callable[[list[int]], object], start: Sequence[int]) -> Counter[object]:
    """How many paths end with each result; a raised exception counts by its type."""
    ends: Counter[object] = Counter()
    waiting = [(list(start), 0)]
    while waiting:
        values, first = waiting.pop()
        decisions: list[Decision] = []
        cells = [cell(value, place, decisions) for place, value in enumerate(values)]
        try:
            end = program(list(cells))
        except Exception as error:
            end = type(error)
        ends[end] += 1
        for flipped in range(first, len(decisions)):
            place = decisions[flipped][0]
            asked = [decision for decision in decisions[:flipped] if decision[0] == place]
            other = find(asked, decisions[flipped])
            if other is not None:
                waiting.append(([*values[:place], other, *values[place + 1 :]], flipped + 1))
    return ends


def find(asked: list[Decision], flipped: Decision) -> int | None:
    """A value that keeps the decisions asked for and turns the last one round."""
    _, relation, constant, outcome = flipped
    for value in VALUES:
        if relation(value, constant) != outcome and all(
            before(value, bound) == taken for _, before, bound, taken in asked
        ):
            return value
    return None
