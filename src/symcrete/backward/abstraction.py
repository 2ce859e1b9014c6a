"""Conditions with opaque applications as a solver can see them: each application a variable.

The variable is named as the application reads and lies where its results lie, so that a
contradiction among such conditions is one of the program too; a solution of them is none yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.backward.transfer import expressible
from symcrete.solve.wrappers.opaque_ranges import range_of, within
from symcrete.solve.wrappers.run_time_values import replaced
from symcrete.terms.term import VAR, Sort, Term, var
from symcrete.terms.visit import postorder, seen_by_solvers

MARK = "`"  # around the names of such variables


def understood(terms: Iterable[Term]) -> tuple[list[Term], bool]:
    """What a solver can be told of conditions, and whether that is all of them."""
    found: list[Term] = []
    facts: dict[Term, None] = {}
    complete = True
    memo: dict[Term, Term] = {}
    for term in terms:
        if expressible(term):
            found.append(term)
            continue
        complete = False
        made = _abstracted(term, memo, facts)
        if made is not None and not made.is_const:
            found.append(made)
    return [*facts, *found], complete


def _abstracted(term: Term, memo: dict[Term, Term], facts: dict[Term, None]) -> Term | None:
    """The condition without its applications; None where nothing is known of one of them."""
    nodes = postorder([term], seen_by_solvers)
    applications = [node for node in nodes if node.op.opaque]
    if not applications or not all(range_of(node) for node in applications):
        return None
    for node in applications:
        if node not in memo:
            memo[node] = var(f"{MARK}{node}{MARK}", node.sort)
            facts[within(memo[node], range_of(node))] = None
    made = replaced(term, {}, lambda node: False, memo)
    return made if expressible(made) else None


def without_applications(assignment: dict[str, object]) -> dict[str, object]:
    """The values of real variables alone."""
    return {name: value for name, value in assignment.items() if not name.startswith(MARK)}


def plainest(terms: list[Term]) -> dict[str, Any]:
    """A first value for each variable."""
    zero: dict[Sort, Any] = {Sort.INT: 0, Sort.FLOAT: 0.0, Sort.BOOL: False}
    return {
        node.args[0]: zero[node.sort]
        for node in postorder(terms)
        if node.op is VAR and node.sort in zero
    }
