"""SPF-Mixed, the dissertation's second comparator by simplification (section 5.7.1).

The linear conditions are solved; what is not linear is computed at that solution and put in its
place, the variables it was computed from stay as they are, and what is left, which is linear, is
solved. With the randomisation heuristic this is tried three times, from other solutions of the
linear part.
"""

from __future__ import annotations

from random import Random

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.errors import TimeLimit
from symcrete.solve.solver import Answer, Sat, Unknown
from symcrete.solve.walk.problem import Problem, prepare
from symcrete.solve.walk.terrain.linear_sums import form
from symcrete.solve.walk.terrain.opaque_calls import Calls
from symcrete.solve.wrappers.run_time_values import replaced
from symcrete.terms.evaluate import Assignment
from symcrete.terms.operations import FADD, FNEG, FSUB, LINEAR, TO_FLOAT
from symcrete.terms.term import CONST, FALSE, VAR, Sort, Term
from symcrete.terms.visit import names, postorder, seen_by_solvers

TRIES = 3  # as the dissertation sets it; the tool's default is 1
WIDEST = 100  # how far from 0 the values of other solutions are drawn; the text does not say
_SUMS = frozenset({VAR, CONST, LINEAR, FADD, FSUB, FNEG, TO_FLOAT})


class Mixed:
    """A solver for linear conditions that executes the rest at what it found."""

    def __init__(self, *, seed: int = 0, seconds: float = 10.0, clock: Clock = wall) -> None:
        self.seconds = seconds
        self._random = Random(seed)
        self._calls = Calls(seconds=0.5, clock=clock)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        with self._calls.limited():
            try:
                problem = self._prepared(constraint.conditions, near)
                if not isinstance(problem, Problem):
                    return problem
                for number in range(TRIES):
                    at = self._another(problem) if number else problem.start
                    found = self._executed(problem, at) if at is not None else None
                    if found is not None:
                        return Sat(found)
            except TimeLimit:
                return Unknown("mixed solving ran out of time")
        return Unknown(f"mixed solving failed from {TRIES} solutions of the linear part")

    def _prepared(self, conditions: tuple[Term, ...], near: Assignment) -> Problem | Answer:
        constraint = PathConstraint(conditions[:-1], conditions[-1])
        return prepare(constraint, near, calls=self._calls, seconds=self.seconds)

    def _executed(self, problem: Problem, at: Assignment) -> Assignment | None:
        """A solution in which whatever is computed without being linear has its value at a point."""
        fixed: set[str] = set()
        for node in postorder(problem.conditions, seen_by_solvers):
            if _is_complex(node):
                fixed |= names(node)
        memo: dict[Term, Term] = {}
        left: dict[Term, None] = {}
        for condition in problem.conditions:
            simple = replaced(
                condition,
                at,
                lambda term: _is_complex(term) or (term.op is VAR and term.args[0] in fixed),
                memo,
            )
            if simple is FALSE:
                return None
            if simple.op is not CONST:
                left[simple] = None
        answer = self._prepared(tuple(left), at) if left else Sat(at)
        if not isinstance(answer, Sat):
            return None
        found = {**at, **answer.assignment}
        return found if problem.is_solved_by(found) else None

    def _another(self, problem: Problem) -> Assignment | None:
        """Another solution of the linear conditions, near a random point; None if none was
        found.
        """
        point = dict(problem.start)
        for name, sort in problem.sorts.items():
            if sort is Sort.INT:
                point[name] = self._random.randint(-WIDEST, WIDEST)
            elif sort is Sort.FLOAT:
                point[name] = self._random.uniform(-WIDEST, WIDEST)
        linear = tuple(dict.fromkeys(p.condition for p in problem.pieces if p.is_linear))
        answer = self._prepared(linear, point) if linear else Sat(point)
        return {**point, **answer.assignment} if isinstance(answer, Sat) else None


def _is_complex(term: Term) -> bool:
    """Whether a solver for linear arithmetic needs a value in the place of this node."""
    if term.sort is Sort.BOOL:
        return bool(term.op.opaque)
    return term.op not in _SUMS and form(term) is None
