"""Inputs of which there are few: every one is evaluated, which decides any condition.

A bool, an enum, a literal, which alternative of a type it is, an int between two bounds: where all
variables of a constraint have few values, trying them all is an answer and a proof, also of
functions that no solver knows (`math.gcd`, `round`), since evaluation is exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.constraint.form import forms, ranges
from symcrete.constraint.path import PathConstraint
from symcrete.solve.count import Counts
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms.evaluate import NOT_COMPUTABLE, Assignment, evaluator
from symcrete.terms.term import VAR, Sort, Term
from symcrete.terms.visit import names, postorder

# inputs tried before a backend is asked: they take no longer than one call of it
EVALUATED_AT_ONCE = 64
INPUTS_PER_LOOK = 64  # inputs tried between two looks at the clock; chosen, not measured
AT_LAST = 20_000  # inputs tried where every solver gave up; chosen, not measured
# seconds for trying inputs, since a condition may call a slow function; chosen, not measured
TRYING_SECONDS = 0.5
MOST_NAMES = 12  # variables of a constraint that is looked at: two values each are 4,096 inputs
MOST_CONDITIONS_TRIED = 400  # conditions of a constraint that is looked at; chosen, not measured
_KEY = "variables by sort"


class FewValues:
    """A solver that tries every value where there are few, and asks the one inside it else."""

    def __init__(self, inner: Solver, counts: Counts, clock: Clock = wall) -> None:
        self.inner = inner
        self.counts = counts
        self._clock = clock

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        values = domains(constraint, AT_LAST)
        if values is None:
            return self.inner.solve(constraint, near)
        few = _count(values) <= EVALUATED_AT_ONCE
        found = self._tried(constraint, near, values) if few else None
        if found is not None:
            self.counts.count_nearby()
            return found
        answer = self.inner.solve(constraint, near)
        if isinstance(answer, Unknown) and not few:
            return self._tried(constraint, near, values) or answer
        return answer

    def _tried(
        self, constraint: PathConstraint, near: Assignment, values: dict[str, Sequence[Any]]
    ) -> Sat | Unsat | None:
        """What trying every input shows; None where some condition cannot be computed, or time is
        up.
        """
        stop, clock = self._clock() + TRYING_SECONDS, self._clock
        # The goal first: it is what most inputs fail.
        tests = [
            each.evaluator or evaluator(each) for each in (constraint.goal, *constraint.prefix)
        ]
        trial, decided = dict(near), True
        ordered = [_near_first(each, near.get(name)) for name, each in values.items()]
        for number, point in enumerate(itertools.product(*ordered)):
            if (number + 1) % INPUTS_PER_LOOK == 0 and clock() > stop:
                return None
            trial.update(zip(values, point, strict=True))
            fits: bool | None = True
            for test in tests:
                try:
                    if not test(trial):
                        fits = False
                        break
                except NOT_COMPUTABLE:  # not known: only another condition can rule the input out
                    fits = None
            if fits:
                return Sat(trial)
            decided = decided and fits is False
        return Unsat(constraint.conditions) if decided else None


def domains(constraint: PathConstraint, most: int) -> dict[str, Sequence[Any]] | None:
    """All values of each variable of a constraint; None where they make more than `most` inputs,
    or cannot be listed.
    """
    conditions = constraint.conditions
    if len(conditions) > MOST_CONDITIONS_TRIED:
        return None
    found: set[str] = set()
    for condition in conditions:
        found |= condition.names or names(condition)
        if len(found) > MOST_NAMES:
            return None
    bounds = ranges(conditions)
    for shape in forms(conditions):
        for name, _ in () if shape is None else shape.pairs:
            if None in bounds.get(name, (None,)):
                return None  # an int without an upper or lower bound, as most are
    values: dict[str, Sequence[Any]] = {}
    for name in sorted(found):
        low, high = bounds.get(name, (0, 1))  # without bounds it has to be a bool
        if low is None or high is None:
            return None
        if high - low >= most:  # asked first, since `len` fails for ranges beyond 2**63
            return None
        values[name] = range(low, max(low, high + 1))
        if _count(values) > most:
            return None
    sorts: dict[str, set[Sort]] = {name: set() for name in found}
    for condition in conditions:
        if not _note_sorts(condition, sorts):
            return None
    for name, kinds in sorts.items():
        if kinds == {Sort.BOOL}:
            values[name] = (False, True)
        elif kinds != {Sort.INT} or name not in bounds:
            return None
    return values


def _count(values: dict[str, Sequence[Any]]) -> int:
    total = 1
    for each in values.values():
        total *= len(each)
    return total


def _note_sorts(condition: Term, sorts: dict[str, set[Sort]]) -> bool:
    """Add the sorts of a condition's variables to `sorts`; False if it reads a whole text instead
    of single variables.
    """
    notes = condition.notes
    if notes is None:
        notes = condition.begin_notes()
    if _KEY not in notes:
        notes[_KEY] = _variables(condition)
    found: list[tuple[str, Sort]] | None = notes[_KEY]
    for name, sort in found or ():
        sorts[name].add(sort)
    return found is not None


def _variables(condition: Term) -> list[tuple[str, Sort]] | None:
    nodes = postorder([condition])
    if any(node.op.reads is not None for node in nodes):
        return None
    return [(node.args[0], node.sort) for node in nodes if node.op is VAR]


def _near_first(values: Sequence[Any], near: Any) -> Sequence[Any]:
    """The values with that of the last run in front, so that answers stay close to it."""
    if near not in values:
        return values
    first = values[values.index(near)]
    return [first, *[each for each in values if each != first]]
