"""Ask first for the answers that models describe, then for any.

A modelled term is free where its model does not agree with it, so that "unsat" stays a proof. A
backend would use that freedom at once and answer with what evaluation refutes: so it is first asked
for an answer within the models.
"""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.logic import same_truth
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import FALSE, TRUE, Sort, Term, int_const, var
from symcrete.terms.texts import WINDOW, element_names, length_name, texts_in
from symcrete.terms.visit import names, postorder, seen_by_solvers

_KEY = "hopes"
BEYOND = "an answer lies beyond what is modelled of its texts, if there is one"
# A text is first asked for with a length of at most the least of these that is ROOM_FOR_MORE
# characters or more above its present length; chosen, not measured.
SHORT = (8, 16, WINDOW)
ROOM_FOR_MORE = 3


class Hopeful:
    """A solver that asks the one inside it for answers within the models first, then for any."""

    def __init__(self, inner: Solver) -> None:
        self.inner = inner

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        hoped = hopes_of(constraint)
        if not hoped:
            return self.inner.solve(constraint, near)
        texts = texts_in(near)
        short = shortness(constraint, texts, near)
        answer = self._hoping(constraint, {**short, **hoped}, near)
        if not isinstance(answer, Unsat):
            return _tidied(answer, texts, near)
        answer = self.inner.solve(constraint, near)
        if not isinstance(answer, Sat) or all_hold(constraint.conditions, answer.assignment):
            return _tidied(answer, texts, near)
        if short:
            answer = self._hoping(constraint, hoped, near)
            if isinstance(answer, Sat):
                return _tidied(answer, texts, near)
        return Unknown(BEYOND)

    def _hoping(
        self, constraint: PathConstraint, hoped: dict[Term, None], near: Assignment
    ) -> Answer:
        """The inner solver's answer to the constraint with these hopes before its prefix."""
        conditions = dict.fromkeys((*hoped, *constraint.prefix))
        conditions.pop(constraint.goal, None)
        return self.inner.solve(PathConstraint(tuple(conditions), constraint.goal), near)


def hopes_of(constraint: PathConstraint) -> dict[Term, None]:
    """The conditions under which all models in a constraint agree with what they stand for."""
    found: dict[Term, None] = {}
    for condition in constraint.conditions:
        notes = condition.notes
        below = notes.get(_KEY) if notes is not None else None
        if below is None:
            below = hopes(condition)
        if below:
            found.update(dict.fromkeys(below))
    return found


def shortness(constraint: PathConstraint, texts: list[str], near: Assignment) -> dict[Term, None]:
    """Conditions that texts are not much longer than they were: left to themselves, solvers choose
    very long ones.
    """
    used: set[str] = set()
    for condition in constraint.conditions:
        used |= names(condition)
    found: dict[Term, None] = {}
    for name in texts:
        length = length_name(name)
        enough = [most for most in SHORT if most >= near[length] + ROOM_FOR_MORE]
        if length in used and enough:
            found[integers.le(var(length, Sort.INT), int_const(enough[0]))] = None
    return found


def _tidied(answer: Answer, texts: list[str], near: Assignment) -> Answer:
    """The answer with characters behind the end of a text as they were, whatever a solver made of
    them.
    """
    if isinstance(answer, Sat):
        for name in texts:
            count = answer.assignment[length_name(name)]
            for each in element_names(name, WINDOW)[max(count, 0) : WINDOW]:
                if each in near:
                    answer.assignment[each] = near[each]
    return answer


def hopes(condition: Term) -> tuple[Term, ...]:
    """The hopes of one condition; kept on every node, since conditions share most nodes."""
    for node in postorder([condition], _without_hopes):
        notes = node.notes
        if notes is None:
            notes = node.begin_notes()
        if _KEY not in notes:
            notes[_KEY] = _of_node(node)
    assert condition.notes is not None
    return condition.notes[_KEY]  # type: ignore[no-any-return]


def _of_node(node: Term) -> tuple[Term, ...]:
    found: tuple[Term, ...] = ()
    for arg in seen_by_solvers(node):
        assert arg.notes is not None
        below: tuple[Term, ...] = arg.notes[_KEY]
        if below and below is not found:
            both = dict.fromkeys(found + below)
            if len(both) > len(found):
                found = below if len(both) == len(below) else tuple(both)
    if node.op is MODELLED and node.args[2] is not TRUE:
        hope = _hope(node)
        return found if hope in found else (*found, hope)
    return found


def _without_hopes(node: Term) -> list[Term]:
    args = seen_by_solvers(node)
    return [arg for arg in args if arg.notes is None or _KEY not in arg.notes]


def _hope(node: Term) -> Term:
    _, model, agrees = node.args
    if agrees is not FALSE:
        return agrees  # type: ignore[no-any-return]
    # The model is only a hint: hope that it is right.
    if node.sort is Sort.BOOL:
        return same_truth(node, model)
    return integers.eq(node, model) if node.sort is Sort.INT else floats.eq(node, model)
