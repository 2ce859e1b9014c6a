"""How deep the divisions of a condition are nested, which tells what linear solvers can stand."""

from __future__ import annotations

from symcrete.constraint.path import PathConstraint
from symcrete.terms import operations as ops
from symcrete.terms.term import Term
from symcrete.terms.visit import postorder

_KEY = "nested divisions"
_QUOTIENTS = frozenset({ops.FLOORDIV, ops.MOD})


def deepest(constraint: PathConstraint) -> int:
    """The deepest nesting of divisions in any condition of a constraint."""
    found = nested(constraint.goal)
    for condition in constraint.prefix:
        notes = condition.notes
        known = notes.get(_KEY) if notes is not None else None
        found = max(found, nested(condition) if known is None else known)
    return found


def nested(term: Term) -> int:
    """How deep divisions are nested in a term; dividing a quotient again, as in `n // 10 // 10`,
    adds nothing.
    """
    for node in postorder([term], _unknown):
        notes = node.notes
        if notes is None:
            notes = node.begin_notes()
        notes[_KEY] = _of_node(node)
    assert term.notes is not None
    return int(term.notes[_KEY])


def _unknown(node: Term) -> list[Term]:
    return [each for each in _terms(node) if each.notes is None or _KEY not in each.notes]


def _terms(node: Term) -> list[Term]:
    return [arg for arg in node.args if arg.__class__ is Term]


def _of_node(node: Term) -> int:
    within = max((arg.notes[_KEY] for arg in _terms(node) if arg.notes), default=0)
    if node.op in _QUOTIENTS and (within == 0 or node.args[0].op not in _QUOTIENTS):
        return int(within) + 1
    return int(within)
