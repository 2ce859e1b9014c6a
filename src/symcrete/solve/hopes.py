"""Ask first for the answers that models describe, then for any.

A modelled term is free where its model does not agree with it, so that "unsat" stays a proof. A backend
would use that freedom at once and answer with what evaluation refutes: so it is first asked for an answer
within the models.
"""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.logic import same_truth
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import FALSE, TRUE, Sort, Term
from symcrete.terms.visit import children, postorder

_KEY = "hopes"
_BEYOND = "an answer lies beyond what is modelled of its texts, if there is one"


class Hopeful:
    """A solver that asks the one inside it twice where models are in the way of a plain answer."""

    def __init__(self, inner: Solver) -> None:
        self.inner = inner

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        hopeful = with_hopes(constraint)
        answer = self.inner.solve(hopeful, near)
        if hopeful is constraint or answer.__class__ is not Unsat:
            return answer
        answer = self.inner.solve(constraint, near)
        if isinstance(answer, Sat) and not all_hold(constraint.conditions, answer.assignment):
            return Unknown(_BEYOND)
        return answer


def with_hopes(constraint: PathConstraint) -> PathConstraint:
    """The constraint with each condition's hopes before it; the same one where there are none."""
    conditions: dict[Term, None] = {}
    found = False
    for condition in constraint.conditions:
        for hope in hopes(condition):
            conditions[hope] = None
            found = True
        if condition is not constraint.goal:
            conditions[condition] = None
    return PathConstraint(tuple(conditions), constraint.goal) if found else constraint


def hopes(condition: Term) -> tuple[Term, ...]:
    """What must hold for the models in a condition to agree with what they stand for."""
    if condition.lowered is None:
        condition.lowered = {}
    found = condition.lowered.get(_KEY)
    if found is None:
        made: dict[Term, None] = {}
        for node in postorder([condition], _seen_by_solvers):
            if node.op is MODELLED and node.args[2] is not TRUE:
                made[_hope(node)] = None
        found = condition.lowered[_KEY] = tuple(made)
    return found  # type: ignore[no-any-return]


def _seen_by_solvers(node: Term) -> list[Term]:
    if node.op.opaque:
        return []
    return list(node.args[1:]) if node.op is MODELLED else children(node)


def _hope(node: Term) -> Term:
    _, model, agrees = node.args
    if agrees is not FALSE:
        return agrees  # type: ignore[no-any-return]
    # The model is no more than a hint.
    if node.sort is Sort.BOOL:
        return same_truth(node, model)
    return integers.eq(node, model) if node.sort is Sort.INT else floats.eq(node, model)
