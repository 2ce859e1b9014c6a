"""The concolic walk as the dissertation has it: Algorithms 5.1 to 5.4.

The linear constraints span a polytope; a tabu search walks inside it, one variable at a time,
towards lower error scores of the others, with random steps and with steps to where a constraint
would be satisfied if it were linear. Where the text and the authors' code differ, both can be had.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.errors import TimeLimit
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Unknown
from symcrete.solve.walk.problem import Problem, prepare
from symcrete.solve.walk.terrain.compiled import LARGEST_DOUBLE, Compiler
from symcrete.solve.walk.terrain.goal import Comparison, Goal, Relation
from symcrete.solve.walk.terrain.landscape import Landscape, Measured
from symcrete.solve.walk.terrain.linear_sums import form
from symcrete.solve.walk.terrain.opaque_calls import CALL_SECONDS_IN_A_WALK, Calls
from symcrete.solve.walk.terrain.score import PAPER
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort

LEAST_WHOLE_DOUBLE = 2.0**53  # above this doubles are whole, and some integers are no doubles


class PaperWalk:
    """A solver by the concolic walk, the dissertation's parameters as keyword arguments.

    `steps` is I, `neighbours` R, `samples` M, `spread` S. `tabu` is T: a number, "max" for the
    code's max(round(n / 2), 3) or "min" for the text's min(3, n / 2). `step` is "normal" for the
    text's normal distribution or "heavy" for the code's, which goes upward only and far.
    `overshoot` is the code's longer bisection step for inequalities, `adjust` the text's
    ADJUSTTOSATISFY, which the code lacks. The defaults are the code's, which solves a little more
    of CORAL than the text's (`experiments/walk.py`).
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = 10.0,  # chosen, not measured; the others are the code's
        steps: int = 150,  # for each nonlinear condition
        neighbours: int = 10,  # for each step
        tabu: int | Literal["max", "min"] = "max",
        samples: int = 25,  # for each random step
        spread: float = 10.0,  # the standard deviation of a normal step
        step: Literal["normal", "heavy"] = "heavy",
        bisection: bool = True,
        overshoot: bool = True,
        adjust: bool = True,
        call_seconds: float = CALL_SECONDS_IN_A_WALK,
        clock: Clock = wall,
    ) -> None:
        self.seed = seed
        self.seconds = seconds
        self.steps = steps
        self.neighbours = neighbours
        self.tabu = tabu
        self.samples = samples
        self.spread = spread
        self.step = step
        self.bisection = bisection
        self.overshoot = overshoot
        self.adjust = adjust
        self.clock = clock
        self._calls = Calls(seconds=call_seconds, clock=clock)
        self._compiler = Compiler(self._calls)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        end = self.clock() + self.seconds
        with self._calls.limited():
            try:
                problem = prepare(constraint, near, calls=self._calls, seconds=self.seconds)
                if not isinstance(problem, Problem):
                    return problem
                return self._walk(problem, end)
            except TimeLimit:
                return Unknown("the concolic walk ran out of time")

    def _walk(self, problem: Problem, end: float) -> Answer:
        walk = TabuSearch(self, problem, self._compiler)
        for _ in range(self.steps * max(1, len(problem.nonlinear))):
            if walk.is_there():
                return Sat(walk.values())
            if self.clock() > end:
                return Unknown(f"the concolic walk found nothing in {self.seconds:g} s")
            walk.advance()
        if walk.is_there():
            return Sat(walk.values())
        return Unknown(f"the concolic walk found nothing in its {self.steps} steps per condition")

    def tabu_steps(self, variables: int, nonlinear: int) -> int:
        """The dissertation's T for so many variables, in all and in the non-linear constraints."""
        if self.tabu == "max":
            return max(round(0.5 * variables), 3)  # as in the code
        if self.tabu == "min":
            return min(3, math.ceil(nonlinear / 2))  # as in the text
        return self.tabu


class TabuSearch:
    """The state of Algorithm 5.1 between two iterations: the point of the walk, and which
    variables are tabu.
    """

    def __init__(self, parameters: PaperWalk, problem: Problem, compiler: Compiler) -> None:
        self._parameters = parameters
        self._problem = problem
        self._random = random.Random(parameters.seed)
        self._polytope = Landscape(problem.linear, compiler, PAPER)
        self._constraints = Landscape(problem.nonlinear, compiler, PAPER)
        self._equations = [e for goal in problem.linear if (e := _equation(goal)) is not None]
        self._variables = sorted({*self._polytope.moved_by, *self._constraints.moved_by})
        self._patience = parameters.tabu_steps(
            len(self._variables), len(self._constraints.moved_by)
        )
        self.tabu = dict.fromkeys(self._variables, 0)
        self.point = dict(problem.start)

    def values(self) -> Assignment:
        """The point of the walk with integer variables rounded."""
        return self.rounded(self.point)

    def is_there(self) -> bool:
        """Whether the point of the walk satisfies every condition."""
        values = self.values()
        return not any(self._constraints.scores(values)) and self._problem.is_solved_by(values)

    def advance(self) -> None:
        """One iteration of the loop (lines 9 to 29)."""
        if all(self.tabu.values()):
            self.point = self.random_step(self.point, self._variables)
            self.tabu = dict.fromkeys(self._variables, 0)
        scores = self._constraints.scores(self.values())
        variable = self._worst_variable(scores)
        if variable is None:
            return
        error, neighbour = self.find_best_neighbour(variable, scores)
        if error < _total(scores):
            self.point = neighbour
            self.tabu = {name: max(0, left - 1) for name, left in self.tabu.items()}
        else:
            self.tabu[variable] = self._patience

    def _worst_variable(self, scores: list[float]) -> str | None:
        """The variable whose constraints have the largest errors together, the first of equals
        (line 21).
        """
        free = [name for name in self._variables if not self.tabu[name]]
        if not free:
            return None
        moved_by = self._constraints.moved_by
        errors = {name: _total([scores[i] for i in moved_by.get(name, ())]) for name in free}
        return max(free, key=errors.__getitem__)

    def find_best_neighbour(self, variable: str, scores: list[float]) -> tuple[float, Assignment]:
        """FINDBESTNEIGHBOR (Algorithm 5.3): the least error found along one variable, infinite if
        no point was found, and the point that has it.
        """
        here = self.values()
        touched = self._constraints.moved_by.get(variable, [])
        violated = [each for i in touched for each in self._constraints.goals[i].violated(here)]
        least, best = math.inf, self.point
        for _ in range(self._parameters.neighbours):
            beta = self.random_step(self.point, [variable])
            if beta is self.point:
                continue
            candidates = [beta]
            if self._parameters.bisection and violated:
                gamma = self.bisection_step(self._random.choice(violated), beta)
                if gamma is not None:
                    candidates.append(gamma)
            for candidate in candidates:
                error = self.compute_error(candidate, scores)
                if error < least:
                    least, best = error, candidate
        return least, best

    def compute_error(self, candidate: Assignment, scores: list[float]) -> float:
        """COMPUTEERROR (Algorithm 5.2): the error of a candidate, where only constraints are
        computed whose variables changed.
        """
        values = self.rounded(candidate)
        moved = {
            number
            for name in self._variables
            if candidate[name] != self.point[name]
            for number in self._constraints.moved_by.get(name, ())
        }
        goals = self._constraints.goals
        return _total([goals[i].score(values) if i in moved else s for i, s in enumerate(scores)])

    def bisection_step(self, violated: Measured, beta: Assignment) -> Assignment | None:
        """BISECTIONSTEP: the point where the comparison would hold if it were linear; None if that
        is outside of the polytope.
        """
        at_alpha, at_beta = violated.value, violated.difference(self.rounded(beta))
        try:
            slope = -at_alpha / (at_beta - at_alpha)
        except (ZeroDivisionError, OverflowError):
            slope = self._random.gauss(0.0, 1.0)
        if self._parameters.overshoot and violated.comparison.relation is not Relation.EQUAL:
            slope *= 1 + self._random.randint(0, 249) / 100  # as in the code
            slope = slope or self._random.gauss(0.0, 1.0)
        if not math.isfinite(slope):
            return None
        changed = [name for name in self._variables if beta[name] != self.point[name]]
        gamma = dict(beta)
        for name in changed:
            if type(beta[name]) is not bool:
                distance = _times(slope, beta[name] - self.point[name])
                if not math.isfinite(distance):
                    return None
                gamma[name] = _moved(self.point[name], distance)
        return self._inside(gamma, changed)

    def random_step(self, point: Assignment, variables: Sequence[str]) -> Assignment:
        """RANDOMSTEP (Algorithm 5.4): a random point near this one; the same point if no sample
        lies in the polytope.
        """
        for _ in range(self._parameters.samples):
            sample = dict(point)
            for name in variables:
                if self._problem.sorts[name] is Sort.BOOL:
                    sample[name] = not point[name]
                elif self._problem.sorts[name] is not Sort.OBJECT:
                    sample[name] = _moved(point[name], self._radius())
            found = self._inside(sample, variables)
            if found is not None:
                return found
        return point

    def _radius(self) -> float:
        if self._parameters.step == "normal":
            return self._random.gauss(0.0, self._parameters.spread)
        size, power = self._random.random(), self._random.randrange(-12, 12)  # as in the code
        if power > 0:
            return size * 2.0**power
        return 1.0 / (max(size, 1e-300) * 2.0**-power)  # without dividing by zero

    def _inside(self, sample: Assignment, moved: Sequence[str]) -> Assignment | None:
        """The sample with its linear equations restored; None if it is not in the polytope."""
        if not all(_is_finite(sample[name]) for name in moved):
            return None
        if self._parameters.adjust and self._equations:
            moved = [*moved, *self.adjust_to_satisfy(sample, moved)]
            if not all(_is_finite(sample[name]) for name in moved):
                return None
        return sample if self._polytope.holds(self.rounded(sample), moved) else None

    def adjust_to_satisfy(self, sample: Assignment, moved: Sequence[str]) -> list[str]:
        """ADJUSTTOSATISFY: compute one variable of each broken equation anew, and return which
        ones.
        """
        adjusted: list[str] = []
        for equation in self._equations:
            names = equation.factors.keys()
            if not names & {*moved, *adjusted}:
                continue
            free = [n for n in names if n not in adjusted]
            free.sort(key=lambda name: name in moved)
            if free:
                sample[free[0]] = equation.solved_for(free[0], self.rounded(sample))
                adjusted.append(free[0])
        return adjusted

    def rounded(self, point: Assignment) -> Assignment:
        """The point with integer variables rounded: they walk through the real numbers."""
        values = dict(point)
        for name in self._variables:
            value = values[name]
            if type(value) is float and self._problem.sorts[name] is Sort.INT:
                values[name] = math.floor(value + 0.5)  # the nearest
        return values


@dataclass(frozen=True, slots=True)
class _Equation:
    """The equation constant + the sum of factor * variable == 0."""

    constant: Fraction
    factors: dict[str, Fraction]

    def solved_for(self, name: str, values: Assignment) -> Any:
        if not all(_is_finite(values[other]) for other in self.factors):
            return values[name]
        others = (Fraction(values[n]) * f for n, f in self.factors.items() if n != name)
        exact = -(self.constant + sum(others)) / self.factors[name]
        if type(values[name]) is float:
            return float(exact) if abs(exact) <= LARGEST_DOUBLE else math.inf
        return math.floor(exact + Fraction(1, 2))


def _equation(goal: Goal) -> _Equation | None:
    if not isinstance(goal, Comparison) or goal.relation is not Relation.EQUAL:
        return None
    left, right = form(goal.left), form(goal.right)
    if left is None or right is None:
        return None
    factors = dict(left.factors)
    for name, factor in right.factors.items():
        factors[name] = factors.get(name, Fraction(0)) - factor
    return _Equation(left.constant - right.constant, {n: f for n, f in factors.items() if f})


def _moved(value: Any, by: float) -> Any:
    if type(value) is int and abs(value) >= LEAST_WHOLE_DOUBLE:
        return value + round(by)
    return value + by


def _times(slope: float, distance: Any) -> float:
    try:
        return slope * float(distance)
    except OverflowError:
        return math.inf


def _is_finite(value: Any) -> bool:
    return type(value) is not float or math.isfinite(value)


def _total(scores: list[float]) -> float:
    return min(sum(scores), LARGEST_DOUBLE)
