"""The concolic walk at its best: the dissertation's search, with what measured better added.

It starts from `near` within the polytope of the linear conditions, walks along single variables,
steps in all of them where conditions are smooth, polishes equations down to the last bit, and
begins again elsewhere until its time is up. Every answer is checked by evaluating the conditions.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.errors import TimeLimit
from symcrete.solve.solver import QUERY_SECONDS, Answer, Sat, Unknown
from symcrete.solve.walk.attempt import MOVES, Attempt
from symcrete.solve.walk.moves.one_variable import Budget, OutOfBudget
from symcrete.solve.walk.problem import Problem, prepare
from symcrete.solve.walk.terrain.compiled import Compiler
from symcrete.solve.walk.terrain.opaque_calls import CALL_SECONDS_IN_A_WALK, Calls
from symcrete.terms.evaluate import Assignment

REMEMBERED = 8  # earlier solutions that a search may start from; chosen, not measured


class Walk:
    """A solver by the concolic walk.

    `seconds` and `points` (evaluated points) bound one query, `call_seconds` one application of an
    opaque function. `moves` can be fewer than all, to see what each is worth. The same seed and
    the same queries give the same answers, as far as the time limit does not interfere.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = QUERY_SECONDS,
        points: int | None = None,
        call_seconds: float = CALL_SECONDS_IN_A_WALK,
        moves: Iterable[str] = MOVES,
        clock: Clock = wall,
    ) -> None:
        self.seed = seed
        self.seconds = seconds
        self.points = points
        self.moves = frozenset(moves)
        self.clock = clock
        self.spent = 0  # points evaluated so far, over all queries
        self._calls = Calls(seconds=call_seconds, clock=clock)
        self._compiler = Compiler(self._calls)
        self._solutions: deque[Assignment] = deque(maxlen=REMEMBERED)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        budget = Budget(end=self.clock() + self.seconds, clock=self.clock, points=self.points)
        with self._calls.limited():
            try:
                problem = prepare(constraint, near, calls=self._calls, seconds=self.seconds)
                if not isinstance(problem, Problem):
                    return problem
                return self._search(problem, budget)
            except (OutOfBudget, TimeLimit) as reason:
                return Unknown(str(reason))
            finally:
                self.spent += budget.spent

    def _search(self, problem: Problem, budget: Budget) -> Answer:
        chance = random.Random(self.seed)
        point = problem.start
        for part in problem.parts():
            attempt = Attempt(
                part, self._compiler, chance, budget, moves=self.moves, solutions=self._solutions
            )
            point = {**point, **attempt.solution()}
        if not problem.is_solved_by(point):
            # Happens only if an application does not give the same every time.
            return Unknown("the concolic walk found a point where the conditions do not hold again")
        self._solutions.append(point)
        return Sat(point)
