"""What can be read off the conditions before searching: definitions, ranges, constants.

A variable that a condition sets equal to an expression without it is not searched for but computed:
the dissertation's ADJUSTTOSATISFY for one equation, linear or not, and exact to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symcrete.solve.walk.terrain.goal import Comparison, Goal, Relation, comparisons
from symcrete.solve.walk.terrain.linear_sums import form
from symcrete.solve.walk.terrain.variable import Range
from symcrete.terms import integers
from symcrete.terms.evaluate import computed
from symcrete.terms.operations import LINEAR
from symcrete.terms.term import CONST, VAR, Sort, Term
from symcrete.terms.visit import names, postorder

# constants of the conditions that are tried as values of one variable; chosen, not measured
MOST_CONSTANTS = 64


def definitions(goals: Sequence[Goal]) -> dict[str, Term]:
    """For some variables the terms that compute them from the others, without a circle."""
    uses: dict[str, int] = {}
    for goal in goals:
        for name in _names(comparisons(goal)):
            uses[name] = uses.get(name, 0) + 1
    found: dict[str, Term] = {}
    for goal in goals:
        if isinstance(goal, Comparison) and goal.relation is Relation.EQUAL:
            # The variable that fewest conditions know: the others are easier to move without it.
            options = sorted(_solved(goal), key=lambda option: uses[option[0]])
            for name, term in options:
                if name not in found and not _reaches(term, name, found):
                    found[name] = term
                    break
    return found


def _solved(equation: Comparison) -> list[tuple[str, Term]]:
    """The ways to read an equation as `variable == term`, as pairs of name and term."""
    left, right = equation.left, equation.right
    if left.sort is Sort.INT and right.is_const:
        return _solved_sum(left, right)
    sides = ((left, right), (right, left))
    return [
        (one.args[0], other)
        for one, other in sides
        if one.op is VAR and one.sort is other.sort and one.args[0] not in names(other)
    ]


def _solved_sum(total: Term, constant: Term) -> list[tuple[str, Term]]:
    """The same for an equation total == constant: each variable that stands alone in the sum with
    factor 1 or -1.
    """
    form_ = integers.as_linear(total)
    found = []
    for position in range(1, len(form_), 2):
        atom, factor = form_[position], form_[position + 1]
        if atom.op is VAR and abs(factor) == 1:
            rest = integers.sub(constant, integers.sub(total, integers.scale(atom, factor)))
            if atom.args[0] not in names(rest):
                found.append((atom.args[0], integers.scale(rest, factor)))
    return found


def _reaches(term: Term, name: str, found: Mapping[str, Term]) -> bool:
    """Whether computing the term needs the variable, directly or through definitions."""
    pending, seen = set(names(term)), set[str]()
    while pending:
        each = pending.pop()
        if each == name:
            return True
        seen.add(each)
        if each in found:
            pending |= names(found[each]) - seen
    return False


class Bounds:
    """The ranges that conditions on single variables allow, and which of those conditions follow
    from others.
    """

    def __init__(self, goals: Iterable[Goal], sorts: Mapping[str, Sort]) -> None:
        self.ranges: dict[str, Range] = {}
        self._sorts = sorts
        self._low: dict[str, Goal] = {}  # by variable, the goal that gives the bound
        self._high: dict[str, Goal] = {}
        self._all: list[Goal] = []
        for goal in goals:
            if isinstance(goal, Comparison):
                self._narrow(goal)
        for name, range_ in list(self.ranges.items()):
            if range_.is_bounded and range_.low > range_.high:
                # empty: nothing can be found there, and a search need not know
                del self.ranges[name]

    def implied(self) -> set[Goal]:
        """Bounds of one variable that follow from a tighter bound of it: `x < 9` beside `x < 5`."""
        return set(self._all) - {*self._low.values(), *self._high.values()}

    def _narrow(self, comparison: Comparison) -> None:
        if comparison.relation is Relation.UNEQUAL or comparison.left.sort is Sort.BOOL:
            return
        left, right = form(comparison.left), form(comparison.right)
        if left is None or right is None or len(left.factors) + len(right.factors) != 1:
            return
        name, factor = next(iter({**left.factors, **_negated(right.factors)}.items()))
        sort = self._sorts[name]
        if not factor or (sort is Sort.FLOAT and not (left.is_bare and right.is_bare)):
            return
        bound = (right.constant - left.constant) / factor
        range_ = self.ranges.setdefault(name, Range())
        strict = comparison.relation is Relation.BELOW
        self._all.append(comparison)
        if factor > 0 or comparison.relation is Relation.EQUAL:
            high = _end(bound, sort, strict, upper=True)
            if range_.high is None or high < range_.high:
                range_ = self.ranges[name] = replace(range_, high=high)
                self._high[name] = comparison
        if factor < 0 or comparison.relation is Relation.EQUAL:
            low = _end(bound, sort, strict, upper=False)
            if range_.low is None or low > range_.low:
                self.ranges[name] = replace(range_, low=low)
                self._low[name] = comparison


def _end(bound: Fraction, sort: Sort, strict: bool, *, upper: bool) -> Any:
    """The last value of a variable within a bound."""
    if sort is Sort.FLOAT:
        value = float(bound)
        return math.nextafter(value, -math.inf if upper else math.inf) if strict else value
    if upper:
        return math.ceil(bound) - 1 if strict else math.floor(bound)
    return math.floor(bound) + 1 if strict else math.ceil(bound)


def _negated(factors: dict[str, Fraction]) -> dict[str, Fraction]:
    return {name: -factor for name, factor in factors.items()}


def constants(goals: Iterable[Goal]) -> list[int | float]:
    """The numbers in the conditions, those of sums with both signs, and the integers next to
    them.
    """
    sides = [s for goal in goals for each in comparisons(goal) for s in (each.left, each.right)]
    found: dict[Any, None] = {}
    for node in postorder(sides, computed):
        if node.op is CONST and type(node.value) in (int, float):
            found[node.value] = None
        elif node.op is LINEAR:
            found[node.args[0]] = found[-node.args[0]] = None
    for value in list(found):
        if type(value) is int:
            found[value - 1] = found[value + 1] = None
    return list(found)[:MOST_CONSTANTS]


def of_sort(values: Iterable[Any], sort: Sort, range_: Range) -> list[Any]:
    """Those of the values that a variable can take, converted to its sort."""
    found: dict[Any, None] = {}
    for value in values:
        if type(value) is bool or value != value:
            continue
        if sort is Sort.INT and abs(value) != math.inf:
            found[int(value)] = None
        elif sort is Sort.FLOAT and abs(value) < 2**1000:  # a double can be made of it
            found[float(value)] = None
    return [value for value in found if range_.admits(value)]


def _names(found: Iterable[Comparison]) -> set[str]:
    return {name for each in found for side in (each.left, each.right) for name in names(side)}
