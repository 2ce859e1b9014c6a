"""What both walks do before they set out: split, find the variables, solve the linear part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from symcrete.constraint.path import PathConstraint
from symcrete.solve.polytope import Polytope
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.walk_goal import AllOf, Goal, comparisons, goal_of
from symcrete.solve.walk_linear import is_linear
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.term import FALSE, TRUE, VAR, Sort, Term
from symcrete.terms.visit import postorder

DEFAULTS = {Sort.INT: 0, Sort.FLOAT: 0.0, Sort.BOOL: False}


@dataclass(frozen=True, slots=True)
class Problem:
    """A path constraint, split; `start` satisfies the linear part as far as that is known."""

    conditions: tuple[Term, ...]
    sorts: dict[str, Sort]
    linear: tuple[Goal, ...]
    nonlinear: tuple[Goal, ...]
    start: Assignment

    def is_solved_by(self, point: Assignment) -> bool:
        """By evaluating the conditions as they came, whatever the search believes."""
        try:
            return all_hold(self.conditions, point)
        except Exception:  # an application may raise anything
            return False

    def parts(self) -> list[Problem]:
        """The goals that share variables, together; those satisfied at the start left out."""
        groups: list[tuple[set[str], list[Goal]]] = []
        for goal in (*self.linear, *self.nonlinear):
            mine, members = set(_variables_in([goal])), [goal]
            for group in [each for each in groups if each[0] & mine]:
                groups.remove(group)
                mine |= group[0]
                members = group[1] + members
            groups.append((mine, members))
        found = []
        for mine, members in groups:
            if self._is_open(members):
                found.append(
                    replace(
                        self,
                        sorts={name: sort for name, sort in self.sorts.items() if name in mine},
                        linear=tuple(goal for goal in self.linear if goal in members),
                        nonlinear=tuple(goal for goal in self.nonlinear if goal in members),
                    )
                )
        return found

    def _is_open(self, goals):
        return True


def prepare(constraint: PathConstraint, near: Assignment, *, seconds: float) -> Problem | Answer:
    """The problem for a search, or the answer if none is needed."""
    conditions = tuple(dict.fromkeys(c for c in constraint.conditions if c is not TRUE))
    if FALSE in conditions:
        return Unsat((FALSE,))
    sorts = variables(conditions)
    start = {**{name: DEFAULTS.get(sort) for name, sort in sorts.items()}, **near}
    fixed = [name for name, sort in sorts.items() if sort is Sort.OBJECT and name not in near]
    if fixed:
        return Unknown(f"no value is known for {', '.join(fixed)}, which the walk cannot change")
    pieces = [
        (goal, condition) for condition in conditions for goal in _conjuncts(goal_of(condition))
    ]
    linear = [piece for piece in pieces if is_linear(piece[0])]
    problem = Problem(
        conditions,
        sorts,
        tuple(goal for goal, _ in linear),
        tuple(goal for goal, _ in pieces if not is_linear(goal)),
        start,
    )
    if problem.is_solved_by(start):
        return Sat(start)
    return _with_linear_part_solved(problem, linear, seconds) if linear else problem


def _with_linear_part_solved(
    problem: Problem, linear: list[tuple[Goal, Term]], seconds: float
) -> Problem | Answer:
    polytope = Polytope(linear, _sorts_in(problem.linear, problem.sorts))
    point = polytope.point(problem.start, seconds=seconds)
    if isinstance(point, dict):
        problem = replace(problem, start={**problem.start, **point})
        if problem.is_solved_by(problem.start):
            return Sat(problem.start)
    if not problem.nonlinear and not isinstance(point, Unsat):
        # Real numbers satisfy it and their nearest doubles do not: only now it matters which exist.
        point = polytope.exact_point(seconds=seconds)
        if isinstance(point, dict) and problem.is_solved_by({**problem.start, **point}):
            return Sat({**problem.start, **point})
    return point if isinstance(point, Unsat) else problem


def variables(terms: Iterable[Term]) -> dict[str, Sort]:
    """By name, in the order in which they are met."""
    return {node.args[0]: node.sort for node in postorder(terms) if node.op is VAR}


def _variables_in(goals: Iterable[Goal]) -> dict[str, Sort]:
    sides = [
        side for goal in goals for each in comparisons(goal) for side in (each.left, each.right)
    ]
    return variables(sides)


def _sorts_in(goals: Iterable[Goal], sorts: dict[str, Sort]) -> dict[str, Sort]:
    sides = [
        side for goal in goals for each in comparisons(goal) for side in (each.left, each.right)
    ]
    return {name: sorts[name] for name in variables(sides)}


def _conjuncts(goal: Goal) -> list[Goal]:
    if isinstance(goal, AllOf):
        return [piece for part in goal.parts for piece in _conjuncts(part)]
    return [goal]
