"""The valuation space with its error scores: goals that can be scored at any point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symcrete.solve.walk_compile import Compiler, Difference
from symcrete.solve.walk_goal import Comparison, Goal, comparisons
from symcrete.solve.walk_score import NAN_SCORE, UNCOMPUTABLE, Score, Scoring, joined
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term
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
        self.goals = [ScoredGoal(goal, compiler, scoring, definitions or {}) for goal in goals]
        self.moved_by: dict[str, list[int]] = {}
        for number, goal in enumerate(self.goals):
            for name in goal.names:
                self.moved_by.setdefault(name, []).append(number)

    def __len__(self) -> int:
        return len(self.goals)

    def scores(self, point: Assignment) -> list[float]:
        return [goal.score(point) for goal in self.goals]

    def holds(self, point: Assignment, changed: Sequence[str] | None = None) -> bool:
        """Whether every goal does; with `changed`, every goal that these variables move."""
        if changed is None:
            return all(goal.score(point) == 0 for goal in self.goals)
        return all(
            self.goals[number].score(point) == 0
            for name in changed
            for number in self.moved_by.get(name, ())
        )


class ScoredGoal:
    """One goal with its compiled comparisons."""

    def __init__(
        self, goal: Goal, compiler: Compiler, scoring: Scoring, definitions: Mapping[str, Term]
    ) -> None:
        self.goal = goal
        self.comparisons = list(comparisons(goal))
        self.differences: list[Difference] = [
            compiler.difference(each, definitions) for each in self.comparisons
        ]
        self._scores: list[Score] = [scoring(each) for each in self.comparisons]
        self.names = free_names(self.comparisons, definitions)

    def score(self, point: Assignment) -> float:
        if self.goal.__class__ is Comparison:
            score = self._scores[0](self.differences[0](point))
        else:
            pairs = zip(self._scores, self.differences, strict=True)
            score = joined(self.goal, [score(difference(point)) for score, difference in pairs])
        return score if score != UNCOMPUTABLE else NAN_SCORE

    def violated(self, point: Assignment) -> list[tuple[Comparison, Difference]]:
        """The comparisons in it that do not hold."""
        found = zip(self.comparisons, self.differences, self._scores, strict=True)
        return [(c, difference) for c, difference, score in found if score(difference(point))]


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
