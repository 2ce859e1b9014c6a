"""The last bits: equations that are almost satisfied, made exact.

A root of an equation between doubles is rarely a double itself, but with two or more variables
there are many doubles along the curve of roots, and some satisfy it exactly. So one variable is
moved a little and another solved for, again and again. Integers likewise: x * y == 1147 is tried
for one x after another.
"""

from __future__ import annotations

import math
from typing import Any

from symcrete.solve.walk.moves.one_variable import Search
from symcrete.solve.walk.moves.roots import root, usable
from symcrete.solve.walk.terrain.goal import Relation
from symcrete.solve.walk.terrain.landscape import Measured
from symcrete.solve.walk.terrain.ordinal import stepped
from symcrete.solve.walk.terrain.variable import ROUNDABLE
from symcrete.terms.term import Sort

MOST_DIGITS_KEPT = 16  # digits behind the point, one more than are tried: a double has no more
MOST_WANDERED_BITS = 30  # the distance to wander, in doubles, has at most so many; chosen


def snap(search: Search) -> bool:
    """Round the values, all together and one by one, to ever more digits, as people write numbers;
    whether all goals hold then.
    """
    here = dict(search.point)
    names = [
        name
        for name, variable in search.variables.items()
        if variable.sort is Sort.FLOAT and abs(here[name]) < ROUNDABLE
    ]
    for digits in range(MOST_DIGITS_KEPT):
        together = {**here, **{name: round(here[name], digits) for name in names}}
        if search.offer(together) and search.is_there:
            return True
        for name in names:
            search.offer({**search.point, name: together[name]})
    return search.is_there


def polish(search: Search, tries: int) -> bool:
    """Wander among the doubles around a root of equations for so many tries; whether all goals
    hold then.
    """
    chance = search.chance
    for _ in range(tries):
        violated = search.violated()
        if not violated:
            return True
        goal = chance.choice(violated)
        names = [n for n in search.names(goal) if search.variables[n].sort is Sort.FLOAT]
        if not names:
            return False
        name = chance.choice(names)
        if not math.isfinite(search.point[name]):
            return False
        before = (dict(search.point), list(search.scores), search.total)
        distance = chance.randrange(1, 2 << chance.randrange(MOST_WANDERED_BITS))
        search.move(name, stepped(search.point[name], chance.choice((-distance, distance))))
        others = [other for other in names if other != name]
        if others:
            _settle(search, chance.choice(others))
        if search.total > before[2]:
            search.go_back(before[0], before[1])
    return search.is_there


def _settle(search: Search, name: str) -> None:
    """Move this variable to where it makes up for what moving another one broke."""
    for value in search.roots(name):
        if search.score_at(name, value) < search.score_of(name):
            search.move(name, value)


def scan(search: Search, count: int) -> bool:
    """Take one integer through so many values in a row and solve for another; whether all goals
    hold then.
    """
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
