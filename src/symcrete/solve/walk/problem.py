"""What both walks do before they set out: split, find the variables, solve the linear part."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Unknown, Unsat
from symcrete.solve.walk.terrain.goal import AllOf, Goal, comparisons, goal_of
from symcrete.solve.walk.terrain.linear_sums import is_linear
from symcrete.solve.walk.terrain.opaque_calls import Calls
from symcrete.solve.walk.terrain.variable import Range
from symcrete.solve.walk.terrain.whole_texts import is_out_of_reach, ranges_of_texts, read_texts
from symcrete.terms.evaluate import Assignment, computed
from symcrete.terms.term import FALSE, TRUE, VAR, Sort, Term
from symcrete.terms.texts import PLAIN_CODE, is_character
from symcrete.terms.visit import postorder

# The values that a walk starts from where the run has none.
DEFAULTS = {Sort.INT: 0, Sort.FLOAT: 0.0, Sort.BOOL: False}


@dataclass(frozen=True, slots=True)
class Piece:
    """A goal, and the condition that it is a conjunct of."""

    goal: Goal
    condition: Term
    is_linear: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """A path constraint split into goals; `start` satisfies the linear ones as far as that is
    known.
    """

    conditions: tuple[Term, ...]
    pieces: tuple[Piece, ...]
    sorts: dict[str, Sort]
    start: Assignment
    calls: Calls
    ranges: dict[str, Range]  # the ranges of the lengths and characters of texts

    @property
    def linear(self) -> list[Goal]:
        return [piece.goal for piece in self.pieces if piece.is_linear]

    @property
    def nonlinear(self) -> list[Goal]:
        return [piece.goal for piece in self.pieces if not piece.is_linear]

    def is_solved_by(self, point: Assignment) -> bool:
        """Whether a point is a solution, by evaluating the conditions as they came."""
        return self.calls.confirm(self.conditions, point)

    def parts(self) -> list[Problem]:
        """The problems that share no variables, without those that the start already solves."""
        groups: list[tuple[set[str], list[Piece]]] = []
        for piece in self.pieces:
            mine, members = set(_variables_of([piece.goal])), [piece]
            for group in [each for each in groups if each[0] & mine]:
                groups.remove(group)
                mine |= group[0]
                members = group[1] + members
            groups.append((mine, members))
        return [
            replace(
                self,
                conditions=tuple(dict.fromkeys(piece.condition for piece in members)),
                pieces=tuple(members),
                sorts={name: sort for name, sort in self.sorts.items() if name in mine},
            )
            for mine, members in groups
            if not self.calls.confirm([piece.condition for piece in members], self.start)
        ]


def prepare(
    constraint: PathConstraint, near: Assignment, *, calls: Calls, seconds: float
) -> Problem | Answer:
    """The problem for a search, or the answer if no search is needed."""
    conditions = tuple(dict.fromkeys(c for c in constraint.conditions if c is not TRUE))
    if FALSE in conditions:
        return Unsat((FALSE,))
    texts = read_texts(conditions)
    sorts = {
        name: sort
        for name, sort in variables(conditions).items()
        if not is_out_of_reach(name, texts, near)
    }
    fixed = [name for name, sort in sorts.items() if sort is Sort.OBJECT and name not in near]
    if fixed:
        return Unknown(f"no value is known for {', '.join(fixed)}, which the walk cannot change")
    start = {**near, **{name: _value(name, near.get(name), sort) for name, sort in sorts.items()}}
    pieces = [
        Piece(goal, condition, is_linear(goal))
        for condition in conditions
        for goal in _conjuncts(goal_of(condition))
    ]
    problem = Problem(conditions, tuple(pieces), sorts, start, calls, ranges_of_texts(texts, near))
    if problem.is_solved_by(start):
        return Sat(start)
    return _with_linear_part_solved(problem, seconds) if problem.linear else problem


def _with_linear_part_solved(problem: Problem, seconds: float) -> Problem | Answer:
    linear = [(piece.goal, piece.condition) for piece in problem.pieces if piece.is_linear]
    if problem.calls.confirm([condition for _, condition in linear], problem.start):
        return problem
    from symcrete.solve.walk.terrain.polytope import Polytope  # it takes z3, and few need it

    seconds /= 4  # the solver may be asked three times, and the walk needs time, too
    polytope = Polytope(linear, _variables_of(problem.linear))
    point = polytope.point(problem.start, seconds=seconds)
    if isinstance(point, dict):
        problem = replace(problem, start={**problem.start, **point})
        if problem.is_solved_by(problem.start):
            return Sat(problem.start)
    if not problem.nonlinear and not isinstance(point, Unsat):
        # Real numbers satisfy it but their nearest doubles do not: now it matters which doubles
        # exist.
        point = polytope.exact_point(seconds=seconds)
        if isinstance(point, dict) and problem.is_solved_by({**problem.start, **point}):
            return Sat({**problem.start, **point})
    return point if isinstance(point, Unsat) else problem


def _value(name: str, value: Any, sort: Sort) -> Any:
    """The value converted to exactly its sort, since moves tell integers from doubles by their
    type.
    """
    if value is None:
        return PLAIN_CODE if is_character(name) else DEFAULTS.get(sort)
    if sort is Sort.INT and isinstance(value, int):
        return int(value)
    if sort is Sort.FLOAT and isinstance(value, int | float):
        return float(value) if abs(value) <= sys.float_info.max else value
    return value


def variables(terms: Iterable[Term]) -> dict[str, Sort]:
    """The sort of each variable by its name, in the order in which they are met; of a whole text,
    its length and characters.
    """
    found: dict[str, Sort] = {}
    for node in postorder(terms, computed):
        if node.op is VAR:
            found[node.args[0]] = node.sort
        elif node.op.reads is not None:
            found |= dict.fromkeys(sorted(node.op.reads(node.args[0])), Sort.INT)
    return found


def _variables_of(goals: Iterable[Goal]) -> dict[str, Sort]:
    found = [each for goal in goals for each in comparisons(goal)]
    return variables(side for each in found for side in (each.left, each.right))


def _conjuncts(goal: Goal) -> list[Goal]:
    if isinstance(goal, AllOf):
        return [piece for part in goal.parts for piece in _conjuncts(part)]
    return [goal]
