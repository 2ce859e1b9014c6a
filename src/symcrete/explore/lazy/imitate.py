"""Go through a callee as a run went through another call of it, with other arguments.

A path through `lex(text, 0)` says nothing about `lex(text, 1)`: its conditions are about other
cells. But most ways through a callee are open to calls with other arguments too, and following one
branch by branch takes no search: where a run leaves the example, what the branches depend on is
given the values that their counterparts had there, or, where both depend on the same (how long the
text is), values that a solver finds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.explore.lazy.callee_path import CalleePath, conditions_of
from symcrete.run.callees.results import DoesNotFit, tie
from symcrete.run.trace import Called, Trace
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.logic import negate
from symcrete.terms.term import Term
from symcrete.terms.visit import names
from symcrete.values.tracking.recording import Event, held

MOST_CALLEE_EXAMPLES = 400  # examples kept of one callee; chosen, not measured
MOST_IMITATED = 3  # examples tried for one call; chosen, not measured
# branches of one call that are solved for, as the example's values do not fit; chosen, not measured
MOST_SOLVED = 2

Skeleton = tuple[int, ...]


def skeleton(passed: tuple[Event, ...]) -> Skeleton:
    """The sites and sides of the branches on a way, without their conditions."""
    return tuple([code for code, _ in passed])


@dataclass(frozen=True, slots=True)
class Example:
    """A way that a call went through its callee, and the input that made it."""

    key: Any
    passed: tuple[Event, ...]
    result: Any
    assignment: Assignment


class Examples:
    """Keeps one run for each way through each callee."""

    def __init__(self) -> None:
        self._kept: dict[Any, dict[Skeleton, Example]] = {}
        # Keys of an example and of a call that it cannot be imitated by: too many branches of the
        # two depend on the same variables and ask for other values.
        self._unlike: set[tuple[Any, Any]] = set()

    def keep(self, call: Called, run: Trace) -> None:
        """Keep the way that a call took in a run, if there is none like it yet."""
        kept = self._kept.setdefault(call.callee, {})
        if len(kept) < MOST_CALLEE_EXAMPLES:
            example = Example(call.key, call.passed, call.result, run.assignment)
            kept.setdefault(skeleton(call.passed), example)

    def fitting(
        self, call: Called, conditions: tuple[Term, ...], known: Collection[CalleePath]
    ) -> list[Example]:
        """The shortest examples whose results satisfy what the conditions ask of this call,
        without the ways that are known of it.
        """
        kept = self._kept.get(call.callee)
        if not kept:
            return []
        asked = [term for term in conditions if _is_about(term, call.name)]
        if not asked:
            return []
        fit = [each for each in kept.values() if _returned(each, call, asked)]
        fit = [each for each in fit if (each.key, call.key) not in self._unlike]
        if fit:
            taken = {skeleton(path.passed) for path in known}
            fit = [each for each in fit if skeleton(each.passed) not in taken]
        return sorted(fit, key=lambda each: len(each.passed))[:MOST_IMITATED]

    def imitated(
        self,
        example: Example,
        call: Called,
        conditions: tuple[Term, ...],
        assignment: Assignment,
        run: Callable[[Assignment], Trace | None],
        solve: Callable[[PathConstraint, Assignment], Answer],
    ) -> tuple[CalleePath | None, Assignment]:
        """The way of the example through this call, if its arguments let it be taken; and the input
        that goes along with it furthest, for a search to start from.

        `assignment` satisfies the conditions around the call, and so does the input returned. `run`
        runs an input with every call followed; it gives None when no more runs are allowed.
        """
        reached = -1
        solved = 0
        while (whole := run(assignment)) is not None:
            mine = next((each for each in whole.calls if each.name == call.name), None)
            if mine is None:
                break
            passed, at = mine.passed, _as_in(example, mine.passed)
            if at == len(passed) == len(example.passed) and mine.raised is None:
                path = CalleePath(conditions_of(mine), mine.result, (), whole, passed)
                return path, assignment
            if at <= reached or not _turns_at(passed, example, at):
                break
            turned = (*map(held, passed[:at]), negate(held(passed[at])))
            nearer = _alike(passed, example, at, assignment)
            if first_broken(turned, nearer) is not None:
                # Both depend on the same variables, and the branches ask for other values.
                solved += 1
                if solved > MOST_SOLVED:
                    self._unlike.add((example.key, call.key))
                    break
                answer = solve(PathConstraint((*conditions, *turned[:-1]), turned[-1]), assignment)
                if not isinstance(answer, Sat):
                    break
                nearer = {**assignment, **answer.assignment}
            elif first_broken(conditions, nearer) is not None:
                break
            reached, assignment = at, nearer
        return None, assignment


def hangs_on_results(key: Any) -> bool:
    """Whether a call was given results of abstract calls, so that what it does is open as long as
    they are.
    """
    if isinstance(key, tuple):
        return any(map(hangs_on_results, key))
    return isinstance(key, Term) and any("#" in name for name in names(key))


def _is_about(term: Term, name: str) -> bool:
    """Whether a condition is about the result of this call and nothing else."""
    found = names(term)
    return bool(found) and all(_is_of(each, name) for each in found)


def _is_of(variable: str, name: str) -> bool:
    """Whether a variable is part of the result of this call, and not of one inside it."""
    bare = variable.removeprefix("len(")
    rest = bare.removeprefix(name)
    return bare.startswith(name) and (not rest or rest[0] in "[?.)") and "#" not in rest


def _returned(example: Example, call: Called, asked: list[Term]) -> bool:
    values: Assignment = {}
    try:
        tie(call.callee.shape, call.name, example.result, values)
    except DoesNotFit:
        return False
    return first_broken(asked, values) is None


def _as_in(example: Example, passed: tuple[Event, ...]) -> int:
    """How many branches, from the first on, are as in the example."""
    same = 0
    for mine, other in zip(passed, example.passed, strict=False):
        if mine[0] != other[0]:
            break
        same += 1
    return same


def _turns_at(passed: tuple[Event, ...], example: Example, at: int) -> bool:
    """Whether the way leaves the example at this branch by taking its other side."""
    inside = at < min(len(passed), len(example.passed))
    return inside and passed[at][0] ^ example.passed[at][0] == 1


def _alike(
    passed: tuple[Event, ...], example: Example, at: int, assignment: Assignment
) -> Assignment:
    """The input, in which each variable that a branch so far depends on has the value that its
    counterpart has in the example.
    """
    theirs = example.assignment
    counterparts: dict[str, str] = {}
    for (_, mine), (_, other) in zip(passed[: at + 1], example.passed, strict=False):
        new, its = names(mine) - counterparts.keys(), names(other) - {*counterparts.values()}
        if len(new) == 1 == len(its) and new != its:
            counterparts[next(iter(new))] = next(iter(its))
    given = {mine: theirs[other] for mine, other in counterparts.items() if other in theirs}
    return assignment | given
