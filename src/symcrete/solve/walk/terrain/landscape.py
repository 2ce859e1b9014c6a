"""The valuation space with its error scores: goals that can be scored at any point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symcrete.slotted import dataclass
from symcrete.solve.walk.terrain.compiled import Compiler, Difference
from symcrete.solve.walk.terrain.goal import AllOf, AnyOf, Comparison, Goal, Relation, comparisons
from symcrete.solve.walk.terrain.score import UNCOMPUTABLE, Score, Scoring, joined
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term, int_const
from symcrete.terms.visit import names


class Landscape:
    """Goals, numbered; the score of each, and which variables move it."""

    def __init__(
        self,
        goals: Sequence[Goal],
        compiler: Compiler,
        scoring: Scoring,
        definitions: Mapping[str, Term] | None = None,
    ) -> None:
        self._compiler = compiler
        self._definitions = definitions or {}
        self.goals = [ScoredGoal(goal, compiler, scoring, self._definitions) for goal in goals]
        self.moved_by: dict[str, list[int]] = {}  # by variable, the numbers of the goals it moves
        for number, goal in enumerate(self.goals):
            for name in sorted(goal.names):
                self.moved_by.setdefault(name, []).append(number)

    def compute(self, term: Term) -> Difference:
        """The function that gives the value of an integer term at a point."""
        zero = Comparison(term, Relation.EQUAL, int_const(0))
        return self._compiler.difference(zero, self._definitions)

    def scores(self, point: Assignment) -> list[float]:
        """The score of each goal at a point, 0 where it holds."""
        return [goal.score(point) for goal in self.goals]

    def holds(self, point: Assignment, changed: Sequence[str]) -> bool:
        """Whether the goals that mention one of the changed variables hold at a point."""
        return all(
            self.goals[number].score(point) == 0
            for name in changed
            for number in self.moved_by.get(name, ())
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """A comparison at a point: its difference there, and how to compute it elsewhere."""

    comparison: Comparison
    difference: Difference
    value: Any
    score: float


class ScoredGoal:
    """One goal with its compiled comparisons."""

    def __init__(
        self, goal: Goal, compiler: Compiler, scoring: Scoring, definitions: Mapping[str, Term]
    ) -> None:
        self.goal = goal
        self.comparisons = list(dict.fromkeys(comparisons(goal)))
        self.names = free_names(self.comparisons, definitions)
        self._differences = [compiler.difference(each, definitions) for each in self.comparisons]
        self._scores: list[Score] = [scoring.of(each) for each in self.comparisons]
        self._nan = scoring.nan
        self._joined = None
        if not isinstance(goal, Comparison):
            places = {each: place for place, each in enumerate(self.comparisons)}
            self._joined = joined(goal, places, scoring.nan)

    def score(self, point: Assignment) -> float:
        """How far the goal is from holding at a point; 0 if it holds."""
        if self._joined is None:
            score = self._scores[0](self._differences[0](point))
        else:
            pairs = zip(self._scores, self._differences, strict=True)
            score = self._joined([of(difference(point)) for of, difference in pairs])
        return score if score != UNCOMPUTABLE else self._nan

    def measure(self, point: Assignment) -> list[Measured]:
        """The comparisons that the goal is made of, each with its difference at a point."""
        measured = []
        for comparison, difference, of in zip(
            self.comparisons, self._differences, self._scores, strict=True
        ):
            value = difference(point)
            measured.append(Measured(comparison, difference, value, of(value)))
        return measured

    def violated(self, point: Assignment) -> list[Measured]:
        """The comparisons of the goal that do not hold at a point."""
        return [each for each in self.measure(point) if each.score]

    def to_mend(self, point: Assignment) -> list[Measured]:
        """The comparisons that have to hold for the goal to hold; of alternatives, those of the
        nearest.
        """
        return _chosen(self.goal, {each.comparison: each for each in self.measure(point)})[1]


def _chosen(goal: Goal, measured: Mapping[Comparison, Measured]) -> tuple[float, list[Measured]]:
    match goal:
        case Comparison():
            return measured[goal].score, [measured[goal]]
        case AllOf(parts):
            every = [_chosen(part, measured) for part in parts]
            return sum(score for score, _ in every), [each for _, some in every for each in some]
        case AnyOf(parts):
            return min((_chosen(part, measured) for part in parts), key=lambda pair: pair[0])


def free_names(found: Sequence[Comparison], definitions: Mapping[str, Term]) -> frozenset[str]:
    """The variables that comparisons depend on once the defined ones are computed."""
    pending = {name for each in found for side in (each.left, each.right) for name in names(side)}
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        seen.add(name)
        if name in definitions:
            pending |= names(definitions[name]) - seen
    return frozenset(seen - definitions.keys())
