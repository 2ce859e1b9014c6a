"""What is known of the results of functions that no solver knows: between which values they lie.

Enough to prove that `math.atan2(y, x) > 4` never holds. A result may also be nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Solver, Unsat
from symcrete.terms import floats
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin
from symcrete.terms.term import Sort, Term, const
from symcrete.terms.visit import postorder, seen_by_solvers

_QUARTER = math.pi / 2
RANGES: dict[Callable[..., Any], tuple[float | None, float | None]] = {
    math.sin: (-1.0, 1.0),
    math.cos: (-1.0, 1.0),
    math.tanh: (-1.0, 1.0),
    math.erf: (-1.0, 1.0),
    math.erfc: (0.0, 2.0),
    math.asin: (-_QUARTER, _QUARTER),
    math.atan: (-_QUARTER, _QUARTER),
    math.acos: (0.0, math.pi),
    math.atan2: (-math.pi, math.pi),
    math.exp: (0.0, None),
    math.cosh: (1.0, None),
    math.acosh: (0.0, None),
    math.hypot: (0.0, None),
    math.dist: (0.0, None),
    math.fabs: (0.0, None),
}


class WithRanges:
    """A solver that tells the one inside it the known ranges; they are left out of the cores that
    come back, since they always hold.
    """

    def __init__(self, inner: Solver) -> None:
        self.inner = inner

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        known = facts(constraint)
        if not known:
            return self.inner.solve(constraint, near)
        more = PathConstraint((*known, *constraint.prefix), constraint.goal)
        answer = self.inner.solve(more, near)
        if isinstance(answer, Unsat):
            return Unsat(tuple([term for term in answer.core if term not in known]))
        return answer


Range: TypeAlias = tuple[float | None, float | None]


def range_of(application: Term) -> Range | None:
    """The bounds of what an application of an opaque function gives; None if they are not known."""
    if not application.op.opaque or application.sort is not Sort.FLOAT:
        return None
    function = getattr(application.op.function, "__wrapped__", application.op.function)
    return RANGES.get(function)


def within(term: Term, bounds: Range | None) -> Term:
    """The condition that a term lies within the bounds, or is no number (nan)."""
    low, high = bounds or (None, None)
    inside = [floats.le(const(low), term)] if low is not None else []
    inside += [floats.le(term, const(high))] if high is not None else []
    return disjoin([floats.is_nan(term), conjoin(inside)])


def facts(constraint: PathConstraint) -> tuple[Term, ...]:
    """A condition that always holds, for each application whose range is known."""
    found: dict[Term, None] = {}
    for node in postorder(constraint.conditions, seen_by_solvers):
        bounds = range_of(node)
        if bounds is not None:
            found[within(node, bounds)] = None
    return tuple([fact for fact in found if fact not in constraint.conditions])
