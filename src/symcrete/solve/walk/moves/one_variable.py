"""The walk along one variable at a time: where it stands, what that scores, where to go next.

Adaptive search as in Algorithm 5.1 (a violated goal, one of its variables, the best of many values,
tabu if none is better), on scores kept for goals that a step does not move.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from symcrete.solve.walk.moves.roots import root, usable
from symcrete.solve.walk.terrain.goal import Relation
from symcrete.solve.walk.terrain.landscape import Landscape, Measured
from symcrete.solve.walk.terrain.ordinal import stepped
from symcrete.solve.walk.terrain.variable import Variable
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort

VALUES_PER_STEP = 12  # values looked at in one step, beside the roots; chosen, not measured
# multiples of the distance to a root, beyond which an inequality holds
OVERSHOOT = (1.001, 1.1, 2.0, 5.0)
OVERSHOOT_WHOLE = (2, 5)  # the same of integers
POINTS_PER_LOOK = 16  # points between two looks at the clock; chosen, not measured
# steps that a variable which did not help is left alone, and one more for each variable; chosen
TABU_STEPS = 3
# How the second point of a secant is drawn; chosen, not measured.
FAR_PROBE_BITS = 20  # one integer in three is moved by a power of two of up to so many bits
VALUE_PROBED = 0.7  # share of doubles that are moved by one of PROBE_STEPS times their size
PROBE_STEPS = (1e-6, -1e-6, 1e-3, -1e-3, 1.0, -1.0)
# the others are moved by a number of doubles that is a power of two of up to so many bits
PLACE_PROBE_BITS = 62


class OutOfBudget(Exception):
    """The search may look no further, or sees no use in it; the text is the reason."""


class Budget:
    """The number of points a search may look at, and the time until which it may."""

    def __init__(
        self, *, end: float, clock: Callable[[], float], points: int | None = None
    ) -> None:
        self.spent = 0
        self._end = end
        self._clock = clock
        self._points = math.inf if points is None else points

    def spend(self) -> None:
        """Count one point; raises OutOfBudget when there are too many or the time is up."""
        self.spent += 1
        if self.spent > self._points or (
            not self.spent % POINTS_PER_LOOK and self._clock() > self._end
        ):
            raise OutOfBudget(f"the concolic walk found nothing in {self.spent} points")


class Search:
    """A point, the score of each goal there, and the steps that lower it."""

    def __init__(
        self,
        landscape: Landscape,
        variables: dict[str, Variable],
        start: Assignment,
        chance: random.Random,
        budget: Budget,
        *,
        with_roots: bool = True,
    ) -> None:
        self._with_roots = with_roots
        self.landscape = landscape
        self.variables = variables
        self.chance = chance
        self.budget = budget
        self.goals = landscape.goals
        self._moved = {name: landscape.moved_by.get(name, []) for name in variables}
        self._names = [sorted(goal.names & variables.keys()) for goal in self.goals]
        self.go(start)

    def go(self, point: Assignment) -> None:
        """Stand at this point, and score every goal there."""
        self.point = dict(point)
        self.scores = self.landscape.scores(self.point)

    def go_back(self, point: Assignment, scores: list[float]) -> None:
        """Stand where it stood before, with the scores that were computed there."""
        self.point, self.scores = point, scores

    @property
    def total(self) -> float:
        """The sum of the scores of all goals here."""
        return sum(self.scores)

    @property
    def is_there(self) -> bool:
        """Whether all goals hold here."""
        return not any(self.scores)

    def violated(self) -> list[int]:
        """The numbers of the goals that do not hold here."""
        return [number for number, score in enumerate(self.scores) if score]

    def names(self, goal: int) -> list[str]:
        """The variables that can move this goal."""
        return self._names[goal]

    def offer(self, point: Assignment, *, sideways: bool = False) -> bool:
        """Go to the point if it scores better, or with `sideways` if it scores as well; whether it
        went.
        """
        self.budget.spend()
        scores = self.landscape.scores(point)
        total = self.total
        if sum(scores) < total or (sideways and sum(scores) == total):
            self.point, self.scores = dict(point), scores
            return True
        return False

    def move(self, name: str, value: Any) -> None:
        """Give one variable another value, and score the goals that it moves again."""
        self.point[name] = value
        for number in self._moved[name]:
            self.scores[number] = self.goals[number].score(self.point)

    def score_at(self, name: str, value: Any, limit: float = math.inf) -> float:
        """The sum of the scores that the goals which the variable moves would have with this
        value; once it exceeds the limit, the sum so far.
        """
        self.budget.spend()
        point, goals = self.point, self.goals
        before, total = point[name], 0.0
        point[name] = value
        for number in self._moved[name]:
            total += goals[number].score(point)
            if total > limit:
                break
        point[name] = before
        return total

    def score_of(self, name: str) -> float:
        """The sum of the present scores of the goals that the variable moves."""
        return sum(self.scores[number] for number in self._moved[name])

    def along(self, name: str, measured: Measured) -> Callable[[Any], Any]:
        """The difference of a comparison as a function of one variable, the others as here."""
        point, difference, spend = self.point, measured.difference, self.budget.spend
        here = point[name]

        def f(value: Any) -> Any:
            spend()
            point[name] = value
            found = difference(point)
            point[name] = here
            return found

        return f

    def descend(self, steps: int) -> bool:
        """Take up to so many steps, each along one variable; whether all goals hold then."""
        tabu: dict[str, int] = {}
        stuck = 0
        for step in range(steps):
            violated = self.violated()
            if not violated:
                return True
            names = self._names[self.chance.choice(violated)]
            free = [name for name in names if tabu.get(name, 0) <= step]
            if free:
                name = self.chance.choice(free)
                if self.step(name):
                    stuck = 0
                    continue
                tabu[name] = step + TABU_STEPS + len(self.variables)
            stuck += 1
            if stuck > 2 * len(self.variables) + 2 * len(violated):
                return False
        return self.is_there

    def step(self, name: str) -> bool:
        """Move one variable to the best value found; whether that scores better, not just as
        well.
        """
        variable = self.variables[name]
        others = [value for other, value in self.point.items() if other != name]
        values = variable.around(self.point[name], others, self.chance, VALUES_PER_STEP)
        if self._with_roots:
            values += self.roots(name)
        least = before = self.score_of(name)
        best = self.point[name]
        for value in values:
            score = self.score_at(name, value, least)
            if score < least:
                least, best = score, value
                if score == 0:
                    break
            elif score == least == before:
                best = value
        self.move(name, best)
        return least < before

    def roots(self, name: str) -> list[Any]:
        """Values of one variable that should satisfy a violated comparison."""
        if self.variables[name].sort is Sort.BOOL:
            return []
        found = []
        for number in self._moved[name]:
            if self.scores[number]:
                for measured in self.goals[number].violated(self.point):
                    if measured.comparison.left.sort is not Sort.BOOL and usable(measured.value):
                        found += self._beyond(name, measured)
        admits = self.variables[name].range.admits
        return [value for value in found if admits(value)]

    def _beyond(self, name: str, measured: Measured) -> list[Any]:
        """A root of a comparison in one variable and its neighbours, or for an inequality values
        further on.
        """
        here = self.point[name]
        found = root(self.along(name, measured), here, measured.value, self._probe(name))
        if found is None:
            return []
        is_whole = type(here) is int
        if measured.comparison.relation is Relation.EQUAL:
            if is_whole:
                return [found, found - 1, found + 1]
            return [found, stepped(found, 1), stepped(found, -1)]
        gap = found - here
        if is_whole:
            return [found, found + 1, found - 1, *(here + gap * far for far in OVERSHOOT_WHOLE)]
        return [found, *(here + gap * far for far in OVERSHOOT)]

    def _probe(self, name: str) -> Any:
        """A second value of the variable, near or far, through which the first secant is drawn."""
        here, chance = self.point[name], self.chance
        if self.variables[name].sort is Sort.INT:
            return here + chance.choice((1, -1, 1 << chance.randrange(FAR_PROBE_BITS)))
        if chance.random() < VALUE_PROBED:
            return here + chance.choice(PROBE_STEPS) * max(1.0, abs(here))
        return stepped(here, chance.choice((-1, 1)) << chance.randrange(PLACE_PROBE_BITS))
