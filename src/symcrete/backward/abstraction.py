"""Conditions with opaque applications as a solver can see them: each application a variable.

The variable is named as the application reads and lies where its results lie, so that a
contradiction among such conditions is one of the program too; a solution of them is none yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from symcrete.backward.transfer import expressible
from symcrete.solve.wrappers.opaque_ranges import range_of, within
from symcrete.solve.wrappers.run_time_values import replaced
from symcrete.terms import integers
from symcrete.terms.term import VAR, Sort, Term, int_const, var
from symcrete.terms.visit import postorder, seen_by_solvers

MARK = "`"  # stands around the names of such variables


def understood(terms: Iterable[Term]) -> tuple[list[Term], bool]:
    """The conditions in terms that solvers know, and whether nothing was lost: what a solver does
    not know is replaced by a free variable, or left out.
    """
    found: list[Term] = []
    facts: dict[Term, None] = {}
    complete = True
    memo: dict[Term, Term] = {}
    texts: Counter[str] = Counter()
    for term in terms:
        if expressible(term):
            found.append(term)
            continue
        complete = False
        made = _abstracted(term, memo, texts, facts)
        if made is not None and not made.is_const:
            found.append(made)
    return [*facts, *found], complete


def _abstracted(
    term: Term, memo: dict[Term, Term], texts: Counter[str], facts: dict[Term, None]
) -> Term | None:
    """The condition without its applications; None where nothing is known of one of them.

    `texts` are those of the applications so far.
    """
    nodes = postorder([term], seen_by_solvers)
    applications = [node for node in nodes if node.op.opaque and node.sort is not Sort.OBJECT]
    if not applications or not all(_is_known(node) for node in applications):
        return None
    for node in applications:
        if node not in memo:
            text = str(node)
            texts[text] += 1  # two different applications may read alike
            memo[node] = var(f"{MARK}{text}{MARK * texts[text]}", node.sort)
            facts |= dict.fromkeys(_facts(node, memo[node]))
    made = replaced(term, {}, lambda node: False, memo)
    return made if expressible(made) else None


def _is_known(application: Term) -> bool:
    """Whether equal applications have equal results of one kind: then a variable stands for it.

    What sees the heap is marked with its version, so that applications are equal only if nothing
    was written between them.
    """
    return application.sort in (Sort.BOOL, Sort.INT) or range_of(application) is not None


def _facts(application: Term, variable: Term) -> list[Term]:
    """Conditions that hold of every result of this application, told of the variable in its
    place.
    """
    bounds = range_of(application)
    if bounds is not None:
        return [within(variable, bounds)]
    function = getattr(application.op.function, "__wrapped__", None)
    return [integers.le(int_const(0), variable)] if function is len else []


def without_applications(assignment: dict[str, object]) -> dict[str, object]:
    """The assignment without the variables that stand for applications."""
    return {name: value for name, value in assignment.items() if not name.startswith(MARK)}


def plainest(terms: list[Term]) -> dict[str, Any]:
    """A first value for each variable in the terms: 0, 0.0 or False."""
    zero: dict[Sort, Any] = {Sort.INT: 0, Sort.FLOAT: 0.0, Sort.BOOL: False}
    return {
        node.args[0]: zero[node.sort]
        for node in postorder(terms)
        if node.op is VAR and node.sort in zero
    }
