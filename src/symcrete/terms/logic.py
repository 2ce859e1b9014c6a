"""Truth terms, simplified while they are built."""

from __future__ import annotations

from symcrete.terms.operations import AND, EQ0, FEQ, FLE, FLT, IFF, ITE, LE0, NOT, OR
from symcrete.terms.term import FALSE, TRUE, Sort, Term, intern, intern_as


def negate(term: Term) -> Term:
    """The condition that the term is false."""
    found = term.negation
    if found is None:
        found = term.oppose(intern(NOT, (term,)))
    return found


def conjoin(terms: list[Term]) -> Term:
    """The condition that all terms hold."""
    return _join(terms, unit=TRUE, zero=FALSE, op_is_and=True)


def disjoin(terms: list[Term]) -> Term:
    """The condition that at least one term holds."""
    return _join(terms, unit=FALSE, zero=TRUE, op_is_and=False)


def both(left: Term, right: Term) -> Term:
    """The condition that both hold. Unlike in `conjoin` the left one stays a node of its own, so
    that chains which grow at the end share all but their ends.
    """
    if left is FALSE or right is FALSE or right is negate(left):
        return FALSE
    if left is TRUE or left is right:
        return right
    return left if right is TRUE else intern(AND, (left, right))


def _join(terms: list[Term], *, unit: Term, zero: Term, op_is_and: bool) -> Term:
    op = AND if op_is_and else OR
    kept: dict[Term, None] = {}
    denied: set[Term] = set()
    for term in terms:
        for part in term.args if term.op is op else (term,):
            if part is zero or part in denied:
                return zero
            if part.op is NOT:
                if part.args[0] in kept:
                    return zero
                denied.add(part.args[0])
            if part is not unit:
                kept[part] = None
    if not kept:
        return unit
    if len(kept) == 1:
        return next(iter(kept))
    return intern(op, tuple(kept))


def same_truth(left: Term, right: Term) -> Term:
    """The condition that both are true or both are false."""
    if left is right:
        return TRUE
    if left.is_const:
        return right if left.value else negate(right)
    if right.is_const:
        return left if right.value else negate(left)
    if negate(left) is right:
        return FALSE
    if left.index > right.index:
        left, right = right, left
    return intern(IFF, (left, right))


def choose(condition: Term, then: Term, other: Term) -> Term:
    """`then if condition else other`; both of one sort."""
    assert then.sort is other.sort, (then.sort, other.sort)
    if condition.is_const:
        return then if condition.value else other
    if then is other:
        return then
    if condition.op is NOT:
        condition, then, other = condition.args[0], other, then
    if then.sort is Sort.BOOL:
        if then.is_const:
            return (
                disjoin([condition, other]) if then.value else conjoin([negate(condition), other])
            )
        if other.is_const:
            return disjoin([negate(condition), then]) if other.value else conjoin([condition, then])
    return intern_as(then.sort, ITE, (condition, then, other))


def atom_of(term: Term) -> tuple[Term, bool]:
    """The condition without its negation, and whether it had none."""
    return (term.args[0], False) if term.op is NOT else (term, True)


COMPARISONS = frozenset({LE0, EQ0, FLT, FLE, FEQ})
