"""One connected part of a constraint: where to begin, what to do there, when to begin again."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence

from symcrete.solve.walk.moves.bit_equations import flip_bits
from symcrete.solve.walk.moves.last_bits import polish, scan, snap
from symcrete.solve.walk.moves.minimum import minimise
from symcrete.solve.walk.moves.newton import newton
from symcrete.solve.walk.moves.one_variable import Budget, OutOfBudget, Search
from symcrete.solve.walk.problem import Problem
from symcrete.solve.walk.terrain.compiled import Compiler
from symcrete.solve.walk.terrain.goal import AllOf, AnyOf, Goal
from symcrete.solve.walk.terrain.known import Bounds, constants, definitions, of_sort
from symcrete.solve.walk.terrain.landscape import Landscape
from symcrete.solve.walk.terrain.score import GENTLE
from symcrete.solve.walk.terrain.variable import Range, Variable
from symcrete.terms.evaluate import Assignment, evaluate
from symcrete.terms.term import Sort
from symcrete.terms.visit import names

# Measured on CORAL, FloPSy and 80 constraints over integers, bits and text, by points evaluated;
# chosen on half of the formulas and measured on the others, the results are the same
# (`experiments/walk_constants.py`).
MOST_POINTS_COMPARED = 16  # random points at most, of which a search begins at the best
# random points tried at most to find one to begin at
MOST_POINTS_TRIED = 200
MOVE_ROUNDS = 3  # rounds of the special moves from one starting point
# the search begins elsewhere if at least this part of the score is left after a round
HOPELESS = 0.9
NEAR = 1e-6  # total scores below this are near enough for the costly moves

# How long each move goes on from one starting point; chosen, not measured.
STEPS_DOWN = 10  # of one variable each; the first time two more for each variable
NEWTON_STEPS = 12
POLISHING_TRIES = 60
LAST_POLISHING_TRIES = 400  # when nothing else leads further
SCANNED = 100  # integers in a row

# Shares of the start's values that a random point keeps, one of them drawn; chosen, not measured.
VALUES_KEPT = (0.0, 0.2, 0.5)


# Name, move, and whether it is only for points near a solution; tried in this order.
SPECIAL: tuple[tuple[str, Callable[[Search], bool], bool], ...] = (
    ("bits", flip_bits, False),
    ("newton", lambda search: newton(search, NEWTON_STEPS), False),
    ("minimise", minimise, False),
    ("snap", snap, True),
    ("polish", lambda search: polish(search, POLISHING_TRIES), True),
    ("scan", lambda search: scan(search, SCANNED), False),
)
# The names of all moves, some of which a walk can be made without.
MOVES = frozenset({"define", "roots", *(name for name, _, _ in SPECIAL)})


class Attempt:
    """A search for a point that satisfies one connected part of a constraint, until its budget
    ends.
    """

    def __init__(
        self,
        part: Problem,
        compiler: Compiler,
        chance: random.Random,
        budget: Budget,
        *,
        moves: Collection[str],
        solutions: Sequence[Assignment],
    ) -> None:
        self._part = part
        self._moves = moves
        self._compiler = compiler
        self._chance = chance
        self._budget = budget
        goals = part.linear + part.nonlinear
        bounds = Bounds(goals, part.sorts)
        implied = bounds.implied()
        self._goals = [goal for goal in goals if goal not in implied]
        self._definitions = definitions(self._goals) if "define" in moves else {}
        self._variables = self._searched_for(bounds, solutions)
        self._landscape = Landscape(self._goals, compiler, GENTLE, self._definitions)
        self._has_choices = any(map(_has_choice, self._goals))
        self._starts = self._starting_points(solutions)

    def solution(self) -> Assignment:
        """Values for the variables of this part; raises `OutOfBudget`."""
        self._check_hope()
        landscape = self._landscape
        while True:
            search = Search(
                landscape,
                self._variables,
                next(self._starts),
                self._chance,
                self._budget,
                with_roots="roots" in self._moves,
            )
            if self._climb(search):
                point = self._completed(search.point)
                if point is not None:
                    return {name: point[name] for name in self._part.sorts}
            landscape = self._landscape
            if self._has_choices and self._chance.random() < 0.5:
                landscape = self._committed()

    def _check_hope(self) -> None:
        for goal in self._landscape.goals:
            if goal.names.isdisjoint(self._variables) and goal.score(self._part.start):
                raise OutOfBudget("a condition fails that no variable of the walk can change")

    def _searched_for(self, bounds: Bounds, solutions: Sequence[Assignment]) -> dict[str, Variable]:
        mined = constants(self._goals)
        found = {}
        for name, sort in self._part.sorts.items():
            if sort is not Sort.OBJECT and name not in self._definitions:
                range_ = bounds.ranges.get(name) or self._part.ranges.get(name, Range())
                earlier = [solution[name] for solution in solutions if name in solution]
                values = of_sort([*mined, *earlier], sort, range_)
                found[name] = Variable(name, sort, range_, values)
        return found

    def _starting_points(self, solutions: Sequence[Assignment]) -> Iterator[Assignment]:
        """The points to begin at: the start, earlier solutions put into it, then random points
        without end.
        """
        start = self._part.start
        yield start
        for solution in reversed(solutions):
            shared = self._variables.keys() & solution.keys()
            if shared:
                yield {**start, **{name: solution[name] for name in shared}}
        while True:
            yield self._fresh()

    def _fresh(self) -> Assignment:
        """The best of a few random points, or of many if most of them cannot be computed."""
        kept = self._chance.choice(VALUES_KEPT)  # the share of the start's values that is kept
        enough = self._chance.randint(1, MOST_POINTS_COMPARED)
        best, least = self._part.start, float("inf")
        for count in range(MOST_POINTS_TRIED):
            if count >= enough and least < GENTLE.nan:
                break
            point = dict(self._part.start)
            for name, variable in self._variables.items():
                if self._chance.random() >= kept:
                    point[name] = variable.fresh(self._chance)
            self._budget.spend()
            total = sum(self._landscape.scores(point))
            if total < least:
                best, least = point, total
        return best

    def _climb(self, search: Search) -> bool:
        """Descend from one starting point until no move leads further; whether all goals hold
        there.
        """
        if search.descend(STEPS_DOWN + 2 * len(search.variables)):
            return True
        for _ in range(MOVE_ROUNDS):
            before = search.total
            if self._special_moves(search) or search.descend(STEPS_DOWN):
                return True
            if search.total >= HOPELESS * before:
                break
        return (
            search.total < NEAR and "polish" in self._moves and polish(search, LAST_POLISHING_TRIES)
        )

    def _special_moves(self, search: Search) -> bool:
        for name, move, only_near in SPECIAL:
            if name in self._moves and (not only_near or search.total < NEAR) and move(search):
                return True
        return False

    def _committed(self) -> Landscape:
        """The landscape of one alternative, drawn by chance, of each choice among the goals: the
        nearest alternative may be a dead end.
        """
        goals = [part for goal in self._goals for part in _one_way(goal, self._chance)]
        return Landscape(goals, self._compiler, GENTLE, self._definitions)

    def _completed(self, point: Assignment) -> Assignment | None:
        """The point with the values of the defined variables; None if they cannot be computed."""
        complete, pending = dict(point), dict(self._definitions)
        while pending:
            ready = next(n for n, term in pending.items() if not names(term) & pending.keys())
            try:
                complete[ready] = evaluate(pending.pop(ready), complete)
            except Exception:  # an application may raise anything
                return None
        return complete


def _has_choice(goal: Goal) -> bool:
    match goal:
        case AllOf(parts):
            return any(map(_has_choice, parts))
        case AnyOf():
            return True
        case _:
            return False


def _one_way(goal: Goal, chance: random.Random) -> list[Goal]:
    match goal:
        case AllOf(parts):
            return [each for part in parts for each in _one_way(part, chance)]
        case AnyOf(parts):
            return _one_way(chance.choice(parts), chance)
        case _:
            return [goal]
