"""Answers without a solver: change one input variable and leave the others as they were.

For a linear goal the values one variable may take are an interval, read off in closed form; a
condition that a value breaks narrows the interval, as IPPC's partial constraints grow, until
evaluation accepts a value or nothing is left. Two conditions that bound the same sum apart are a
proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from symcrete.constraint.form import AT_LEAST, AT_MOST, DIFFERENT, EQUAL, Form, form, interval
from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import OPAQUE, theory
from symcrete.solve.count import Counts
from symcrete.solve.direct.contradictions import contradiction
from symcrete.solve.direct.direction import in_direction
from symcrete.solve.direct.intervals import never_holds
from symcrete.solve.direct.invert import candidates
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.terms.evaluate import NOT_COMPUTABLE, Assignment, evaluator, first_broken
from symcrete.terms.term import Term
from symcrete.terms.visit import names

# How much is tried before a solver is asked, whose call costs many times as much as one try.
MOST_REPAIRS = 6  # conditions on one variable that narrow its interval, one after the other
MOST_CHANGED = 6  # variables of a goal, each changed alone
# Directions are tried in every query while they succeed often enough, else once in so many queries.
WORTH_TRYING = 0.2  # the share of tries that succeed
MOST_WAITING = 16  # queries
MOST_CANDIDATES = 8  # values tried for one variable of a goal that is not linear
FIRST_HELPED = 0.5  # the share of tries that succeed, before the first one; chosen, not measured
LATEST_COUNTS = 0.1  # the weight of the latest try in that share; chosen, not measured
# Values worth trying where a function cannot be computed backwards, of ints and of floats; chosen,
# not measured.
PLAIN_VALUES = (0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 10, -10, 100)
MORE_PLAIN_FLOATS = (0.5, -0.5, 0.1, 1e6)
LARGEST_STEPPED = 1e15  # larger values are not changed by one or doubled; chosen, not measured


class Nearby:
    """A solver that asks the one inside it only where no single variable will do."""

    def __init__(self, inner: Solver, counts: Counts) -> None:
        self.inner = inner
        self.counts = counts
        self._helped = FIRST_HELPED  # the share of directions that helped, of late
        self._waiting = 0  # queries until directions are tried again

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        answer = self._in_direction(constraint, near) or nearby(constraint, near)
        if answer is None and never_holds(constraint.goal):
            answer = Unsat((constraint.goal,))
        if answer is None:
            return self.inner.solve(constraint, near)
        self.counts.count_nearby()
        return answer

    def _in_direction(self, constraint: PathConstraint, near: Assignment) -> Sat | None:
        """An answer by `in_direction`; where that seldom helps it is tried now and then, as it
        costs as much as a fast backend.
        """
        shape = form(constraint.goal)
        if shape is None or len(shape.pairs) != 2:
            return None
        if self._helped < WORTH_TRYING and self._waiting:
            self._waiting -= 1
            return None
        found = in_direction(constraint, shape, near)
        self._helped = (1 - LATEST_COUNTS) * self._helped + (LATEST_COUNTS if found else 0.0)
        self._waiting = MOST_WAITING
        return found


def nearby(constraint: PathConstraint, near: Assignment) -> Sat | Unsat | None:
    """An answer that changes a single variable of the goal, or a proof that there is none; None if
    neither is seen.
    """
    goal = constraint.goal
    shape = form(goal)
    if shape is None:
        return _any_goal(constraint, near)
    trial = dict(near)
    total = 0
    try:
        for name, factor in shape.pairs:
            total += factor * near[name]
    except LookupError:
        return None
    for name, factor in shape.pairs[:MOST_CHANGED]:
        old = near[name]
        found = _one_variable(constraint, shape, trial, name, factor, total - factor * old)
        if found is not None:
            return found
        trial[name] = old
    return None


def _one_variable(
    constraint: PathConstraint, shape: Form, trial: Assignment, name: str, factor: int, rest: int
) -> Sat | Unsat | None:
    """The answer with this variable moved as little as the goal asks, and further where a
    condition refuses; or a proof that no value fits.
    """
    old = trial[name]
    low, high = interval(shape.relation, shape.bound - rest, factor)
    # Of a goal that the old input meets already, the value to avoid is another one.
    avoid: list[int] = []
    if shape.relation == DIFFERENT and (shape.bound - rest) % factor == 0:
        avoid.append((shape.bound - rest) // factor)
    blockers: list[Term] = []
    prefix = constraint.prefix
    for _ in range(MOST_REPAIRS):
        value = _nearest(old, low, high, avoid)
        if value is None:
            if len(shape.pairs) == 1 and all(len(names(term)) == 1 for term in blockers):
                return Unsat((*blockers, constraint.goal))
            return None
        trial[name] = value
        broken = first_broken(prefix, trial)
        if broken is None:
            return Sat(trial)
        other = form(broken)
        if other is None:
            return None
        if other.pairs == shape.pairs and _apart(shape, other):
            return Unsat((broken, constraint.goal))
        coefficient, others = 0, 0
        for variable, factor in other.pairs:
            if variable == name:
                coefficient = factor
            else:
                others += factor * trial[variable]
        if not coefficient:
            return None  # it does not depend on the variable: the old input breaks it, too
        blockers.append(broken)
        if other.relation == DIFFERENT:
            avoid.append(value)
        else:
            least, most = interval(other.relation, other.bound - others, coefficient)
            if least is not None and (low is None or least > low):
                low = least
            if most is not None and (high is None or most < high):
                high = most
    return None


def _nearest(old: int, low: int | None, high: int | None, avoid: list[int]) -> int | None:
    """The value in the interval that is closest to the old one; upward first."""
    if low is not None and high is not None and low > high:
        return None
    value: int = old
    if low is not None and value < low:
        value = low
    elif high is not None and value > high:
        value = high
    if value not in avoid:
        return value
    for step in range(1, len(avoid) + 1):
        for candidate in (value + step, value - step):
            if candidate in avoid:
                continue
            if (low is None or candidate >= low) and (high is None or candidate <= high):
                return candidate
    return None


def _apart(one: Form, two: Form) -> bool:
    """Whether two bounds on the same sum exclude each other."""
    if one.relation == EQUAL:
        one, two = two, one
    if two.relation == EQUAL:
        value = two.bound
        if one.relation == AT_MOST:
            return value > one.bound
        if one.relation == AT_LEAST:
            return value < one.bound
        return (value != one.bound) == (one.relation == EQUAL)
    if one.relation == AT_MOST:
        return two.relation == AT_LEAST and two.bound > one.bound
    return one.relation == AT_LEAST and two.relation == AT_MOST and two.bound < one.bound


def _any_goal(constraint: PathConstraint, near: Assignment) -> Sat | Unsat | None:
    """An answer for a goal that is not linear, by computing it backwards for each of its variables
    in turn.
    """
    refuted = contradiction(constraint)
    if refuted is not None:
        return refuted
    goal, prefix = constraint.goal, constraint.prefix
    trial = dict(near)
    test = goal.evaluator or evaluator(goal)
    for name in sorted(names(goal))[:MOST_CHANGED]:
        if name not in near:
            return None
        values: Iterator[Any] = islice(candidates(goal, name, near), MOST_CANDIDATES)
        if theory(goal) & OPAQUE:
            values = chain(values, _plain(near[name]))
        for value in values:
            trial[name] = value
            try:
                if not test(trial):
                    continue
            except NOT_COMPUTABLE:
                continue
            if first_broken(prefix, trial) is None:
                return Sat(trial)
        trial[name] = near[name]
    return None


def _plain(old: Any) -> Iterator[Any]:
    """Values worth trying where a function cannot be computed backwards."""
    if old.__class__ is bool:
        yield not old
        return
    kind = float if old.__class__ is float else int
    for each in PLAIN_VALUES:
        yield kind(each)
    if kind is float:
        yield from MORE_PLAIN_FLOATS
    if old == old and abs(old) < LARGEST_STEPPED:
        yield from (old + 1, old - 1, old * 2, -old)
