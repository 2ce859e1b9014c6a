"""Whole numbers in a row: x * y == 1147 is tried for one x after another, solved for y each time.

Between integers an equation has no slope to follow once one side is a product; but for most values
of all variables but one it is easily solved for that one.
"""

from __future__ import annotations

from typing import Any

from symcrete.solve.walk_goal import Relation
from symcrete.solve.walk_landscape import Measured
from symcrete.solve.walk_roots import root, usable
from symcrete.solve.walk_search import Search
from symcrete.terms.term import Sort


def scan(search: Search, count: int) -> bool:
    """For whole numbers: one variable through so many values in a row, another solved for each."""
    for number in search.violated():
        for measured in search.goals[number].to_mend(search.point):
            names = [n for n in search.names(number) if search.variables[n].sort is Sort.INT]
            if measured.comparison.relation is Relation.EQUAL and len(names) > 1:
                first, second = search.chance.sample(names, 2)
                if _scan(search, measured, first, second, count):
                    return search.is_there
    return False


def _scan(search: Search, measured: Measured, first: str, second: str, count: int) -> bool:
    range_ = search.variables[first].range
    here, direction = search.point[first], search.chance.choice((-1, 1))
    if search.chance.random() < 0.5:
        here, direction = (range_.low or 0), 1  # small numbers are likely ones
    admits = range_.admits
    for distance in range(count):
        value = here + direction * distance
        if not admits(value):
            break
        trial = dict(search.point)
        trial[first] = value
        solution = _solve_for(search, measured, trial, second)
        if solution is not None:
            trial[second] = solution
            if search.offer(trial) and search.is_there:
                return True
    return False


def _solve_for(search: Search, measured: Measured, point: dict[str, Any], name: str) -> Any:
    """The value of a variable that satisfies the equation exactly, if secants find it."""
    here = point[name]

    def f(value: Any) -> Any:
        search.budget.spend()
        point[name] = value
        return measured.difference(point)

    at_here = f(here)
    if not usable(at_here):
        return None
    found = root(f, here, at_here, here + 1)
    return found if found is not None and f(found) == 0 else None
