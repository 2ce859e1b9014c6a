"""One iterative walk over a term, children before parents, each shared node once.

Terms of long loops are deeper than Python's stack, so nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from symcrete.terms.operations import MODELLED
from symcrete.terms.term import Term

R = TypeVar("R")
# levels of a term that are walked by recursion: three times as fast as a loop, and most conditions
# are no deeper
SHALLOW_DEPTH = 20


def children(term: Term) -> list[Term]:
    """The arguments of a term that are terms."""
    return [arg for arg in term.args if arg.__class__ is Term]


def seen_by_solvers(term: Term) -> list[Term]:
    """The arguments that a solver is told of: of a modelled term its model and the condition under
    which that agrees, of opaque ones none.
    """
    if term.op.opaque:
        return []
    return list(term.args[1:]) if term.op is MODELLED else children(term)


def postorder(
    roots: Iterable[Term], below: Callable[[Term], Iterable[Term]] = children
) -> list[Term]:
    """Every node below the roots, each once, arguments before the node that holds them."""
    done: set[Term] = set()
    order: list[Term] = []
    for root in roots:
        stack = [root]
        while stack:
            term = stack[-1]
            if term in done:
                stack.pop()
                continue
            missing = [arg for arg in below(term) if arg not in done]
            if missing:
                stack += missing
            else:
                stack.pop()
                done.add(term)
                order.append(term)
    return order


def fold(term: Term, combine: Callable[[Term, list[R]], R], memo: dict[Term, R]) -> R:
    """`combine(node, results of its term arguments)` from the leaves up; `memo` may outlive the
    call.
    """
    found = memo.get(term)
    if found is not None:
        return found
    for node in postorder([term]):
        if node not in memo:
            memo[node] = combine(node, [memo[arg] for arg in children(node)])
    return memo[term]


def names(term: Term) -> frozenset[str]:
    """The free variables of a term."""
    if term.names is not None:
        return term.names
    if term.depth <= SHALLOW_DEPTH:
        return _shallow_names(term)
    for node in postorder([term], _nameless):
        if node.names is None:
            node.find_names()
    assert term.names is not None
    return term.names


def _shallow_names(term: Term) -> frozenset[str]:
    """The free variables of a term, found by recursion."""
    for arg in term.args:
        if arg.__class__ is Term and arg.names is None:
            names(arg)  # not `_shallow_names`: a modelled term may hold terms deeper than itself
    return term.find_names()


def _nameless(term: Term) -> list[Term]:
    return [arg for arg in term.args if arg.__class__ is Term and arg.names is None]
