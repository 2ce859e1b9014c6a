"""Contradictions that need no solver: a condition denies the goal outright, or bounds the same
double so that the goal cannot hold; or the goal asks of an integer what it can never be.

`price < 100.0` on the path refutes `price > 250.0`, whatever computes the price: a term is worth
one double, and doubles other than nan are ordered. A comparison that came out true excludes nan.
"""

from __future__ import annotations

import math

from symcrete.constraint.path import PathConstraint
from symcrete.slotted import dataclass
from symcrete.solve.direct.intervals import never_holds
from symcrete.solve.solver import Unsat
from symcrete.terms.operations import FEQ, FLE, FLT, NOT
from symcrete.terms.term import CONST, Sort, Term

_KEY = "double bound"


@dataclass(frozen=True, slots=True)
class Bound:
    """A condition as bounds of one double: low <= term <= high, or (if `or_nan`) nan."""

    term: Term
    low: float
    high: float
    or_nan: bool


def contradiction(constraint: PathConstraint) -> Unsat | None:
    """A proof that the goal cannot hold, alone or with one condition of the prefix; None if none
    is seen.
    """
    denial = constraint.goal.negation
    if denial is not None and denial in constraint.prefix:
        return Unsat((denial, constraint.goal))
    if never_holds(constraint.goal):
        return Unsat((constraint.goal,))
    goal = bound(constraint.goal)
    if goal is None:
        return None
    for condition in constraint.prefix:
        other = bound(condition)
        if other is None or other.term is not goal.term or (goal.or_nan and other.or_nan):
            continue
        if goal.low > other.high or other.low > goal.high:
            return Unsat((condition, constraint.goal))
    return None


def bound(condition: Term) -> Bound | None:
    """The bounds that a condition sets for the one double it compares with a constant; None if it
    is no such condition.
    """
    notes = condition.notes
    if notes is None:
        notes = condition.begin_notes()
    elif _KEY in notes:
        return notes[_KEY]  # type: ignore[no-any-return]
    made = notes[_KEY] = _read(condition)
    return made


def _read(condition: Term) -> Bound | None:
    negated = condition.op is NOT
    inner = condition.args[0] if negated else condition
    if inner.op is not FLT and inner.op is not FLE and inner.op is not FEQ:
        return None
    left, right = inner.args
    if left.sort is not Sort.FLOAT or right.sort is not Sort.FLOAT:
        return None
    if (left.op is CONST) == (right.op is CONST):
        return None
    term, value = (right, left.args[0]) if left.op is CONST else (left, right.args[0])
    if math.isnan(value):
        return None
    below = right.op is CONST  # the term is the lesser side
    if inner.op is FEQ:
        return None if negated else Bound(term, value, value, False)
    strict = (inner.op is FLT) != negated
    if below != negated:
        high = math.nextafter(value, -math.inf) if strict else value
        if strict and value == -math.inf:
            return None
        return Bound(term, -math.inf, high, negated)
    low = math.nextafter(value, math.inf) if strict else value
    if strict and value == math.inf:
        return None
    return Bound(term, low, math.inf, negated)
