"""Conditions as the concolic walk sees them: comparisons, joined by "all of" and "any of".

Negations are pushed down to the comparisons, and an if-then-else that is compared becomes a choice
between two goals, so that each comparison has a difference which says how far it is from holding.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from symcrete.slotted import dataclass
from symcrete.terms import integers
from symcrete.terms.operations import AND, EQ0, FEQ, FLE, FLT, IFF, ITE, LE0, LINEAR, NOT, OR
from symcrete.terms.term import CONST, TRUE, VAR, Term, int_const, intern, intern_as
from symcrete.terms.visit import fold, postorder

# Beyond these a condition is one comparison with truth: it holds or not, without a "how far".
LARGEST_GOAL = 400  # comparisons in one condition
DEEPEST_GOAL = 150  # levels of a condition, which is read by recursion
MOST_SPLIT_CHOICES = 4  # if-then-elses inside the arithmetic of one comparison that are split


class Relation(enum.Enum):
    """How the difference left - right must compare to 0."""

    BELOW = "<"
    AT_MOST = "<="
    EQUAL = "=="
    UNEQUAL = "!="


@dataclass(frozen=True, slots=True)
class Comparison:
    """A goal: left and right in this relation."""

    left: Term
    relation: Relation
    right: Term
    nan_satisfies: bool = False  # the negation of a float comparison holds for nan


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Goal, ...]


Goal: TypeAlias = Comparison | AllOf | AnyOf

_ZERO = int_const(0)
_FLOAT_RELATIONS = {FLT: Relation.BELOW, FLE: Relation.AT_MOST, FEQ: Relation.EQUAL}


def goal_of(condition: Term) -> Goal:
    """The goal that makes the condition true."""
    if condition.depth > DEEPEST_GOAL:
        return _truth(condition, wanted=True)
    goal = _Builder().goal(condition, wanted=True)
    return goal if size(goal) <= LARGEST_GOAL else _truth(condition, wanted=True)


def comparisons(goal: Goal) -> Iterator[Comparison]:
    """The comparisons that a goal is made of."""
    match goal:
        case Comparison():
            yield goal
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from comparisons(part)


def size(goal: Goal) -> int:
    """The number of comparisons in a goal, counted up to the limit: shared parts can make it
    enormous.
    """
    return sum(1 for _ in islice(comparisons(goal), LARGEST_GOAL + 1))


class _Builder:
    """Builds the goals of a condition, each part once however often an equivalence needs it."""

    def __init__(self) -> None:
        self._made: dict[tuple[Term, bool], Goal] = {}

    def goal(self, term: Term, *, wanted: bool) -> Goal:
        found = self._made.get((term, wanted))
        if found is None:
            found = self._made[term, wanted] = self._make(term, wanted)
        return found

    def _make(self, term: Term, wanted: bool) -> Goal:
        op, args = term.op, term.args
        if op is NOT:
            return self.goal(args[0], wanted=not wanted)
        if op is AND or op is OR:
            parts = tuple(self.goal(arg, wanted=wanted) for arg in args)
            return AllOf(parts) if (op is AND) is wanted else AnyOf(parts)
        if op is IFF:
            same, opposite = (self.goal(args[1], wanted=truth) for truth in (wanted, not wanted))
            return self._choice(args[0], same, opposite)
        if op is ITE:
            then, other = (self.goal(arg, wanted=wanted) for arg in args[1:])
            return self._choice(args[0], then, other)
        if op is LE0:
            left, right = (args[0], _ZERO) if wanted else (_ZERO, args[0])
            return self._compare(left, Relation.AT_MOST if wanted else Relation.BELOW, right)
        if op is EQ0:
            return self._compare(args[0], Relation.EQUAL if wanted else Relation.UNEQUAL, _ZERO)
        if op in _FLOAT_RELATIONS:
            return self._float_comparison(term, wanted)
        return _truth(term, wanted=wanted)

    def _choice(self, condition: Term, then: Goal, other: Goal) -> Goal:
        yes, no = (self.goal(condition, wanted=truth) for truth in (True, False))
        return AnyOf((AllOf((yes, then)), AllOf((no, other))))

    def _float_comparison(self, term: Term, wanted: bool) -> Goal:
        left, right = term.args
        if wanted:
            return self._compare(left, _FLOAT_RELATIONS[term.op], right)
        if term.op is FEQ:
            return self._compare(left, Relation.UNEQUAL, right, nan_satisfies=True)
        relation = Relation.AT_MOST if term.op is FLT else Relation.BELOW
        return self._compare(right, relation, left, nan_satisfies=True)

    def _compare(
        self, left: Term, relation: Relation, right: Term, *, nan_satisfies: bool = False
    ) -> Goal:
        """The comparison, with the if-then-elses in it brought out to the front."""
        choice = _choice_in(left) or _choice_in(right)
        if choice is None:
            return Comparison(left, relation, right, nan_satisfies)
        condition, *branches = choice.args
        then, other = (
            self._compare(
                _replaced(left, choice, branch),
                relation,
                _replaced(right, choice, branch),
                nan_satisfies=nan_satisfies,
            )
            for branch in branches
        )
        return self._choice(condition, then, other)


def _truth(term: Term, *, wanted: bool) -> Comparison:
    return Comparison(term if wanted else intern(NOT, (term,)), Relation.EQUAL, TRUE)


def _choice_in(term: Term) -> Term | None:
    """An if-then-else to split the term on: itself, or the outermost if there are few in its
    arithmetic; else None.
    """
    if term.op is ITE:
        return term
    if term.op is VAR or term.op is CONST:
        return None
    choices = [node for node in postorder([term]) if node.op is ITE]
    return choices[-1] if 0 < len(choices) <= MOST_SPLIT_CHOICES else None


def _replaced(term: Term, old: Term, new: Term) -> Term:
    return fold(term, _rebuilt, {old: new}) if term is not old else new


def _rebuilt(node: Term, args: list[Term]) -> Term:
    if not args:
        return node  # a variable, a constant or a whole text, which is known by its name
    if node.op is LINEAR:
        total = int_const(node.args[0])
        for atom, factor in zip(args, node.args[2::2], strict=True):
            total = integers.add(total, integers.scale(atom, factor))
        return total
    if node.op is ITE:
        return intern_as(node.sort, ITE, tuple(args))
    rest = iter(args)
    made = [next(rest) if each.__class__ is Term else each for each in node.args]
    return intern(node.op, tuple(made))
