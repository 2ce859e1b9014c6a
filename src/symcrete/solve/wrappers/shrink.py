"""Which conditions contradict each other, and no more: QuickXplain (Junker, 2004).

A solver's core may be all that was asserted. Whoever goes back on choices because of it goes back
on the wrong ones: then the few questions that halve the core pay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Answer, Unsat
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term

# queries to make one core smaller; then the core so far is taken; chosen, not measured
MOST_QUESTIONS = 80


def shrunk(
    core: tuple[Term, ...],
    goal: Term,
    near: Assignment,
    solve: Callable[[PathConstraint, Assignment], Answer],
    given: Collection[Term] = (),
) -> tuple[Term, ...]:
    """Conditions of the core that contradict the goal; fewer would not, as far as was asked.

    Conditions that are `given` hold anyway: only what is needed besides them is looked for.
    """
    questions = 0

    def contradict(part: list[Term]) -> bool:
        nonlocal questions
        questions += 1
        return isinstance(solve(PathConstraint(tuple(part), goal), near), Unsat)

    def explain(held: list[Term], changed: bool, candidates: list[Term]) -> list[Term]:
        if questions >= MOST_QUESTIONS:
            return candidates
        if changed and contradict(held):
            return []
        if len(candidates) == 1:
            return candidates
        half = len(candidates) // 2
        first, second = candidates[:half], candidates[half:]
        needed = explain(held + first, True, second)
        return explain(held + needed, bool(needed), first) + needed

    conditions = [condition for condition in dict.fromkeys(core) if condition is not goal]
    candidates = [condition for condition in conditions if condition not in given]
    if not candidates:
        return core
    there = [condition for condition in conditions if condition in given]
    return (*explain(there, True, candidates), *there, goal)
