"""Steps in all variables at once, for conditions that are smooth: Gauss and Newton.

The equations and the violated inequalities, taken for linear at the point, are solved together by
the shortest step; inequalities are entered by a margin, and those nearly violated are kept by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Any

from symcrete.solve.walk.moves.one_variable import Search
from symcrete.solve.walk.moves.roots import usable
from symcrete.solve.walk.terrain.goal import Relation
from symcrete.solve.walk.terrain.landscape import Measured
from symcrete.terms.term import Sort

# equations solved together, in time that grows with the cube; of more, so many are drawn; chosen,
# not measured
MOST_EQUATIONS = 40
# parts of the step, tried in turn until one makes things better
SHORTENED = (1.0, 0.5, 0.2, 0.05, 0.01)
SECANT = 1.5e-8  # the square root of the distance between doubles near 1: a good secant for a slope
# The margin by which inequalities are entered is a power of two, from this exponent to 0; chosen.
LEAST_MARGIN_EXPONENT = -12
LARGEST_MOVED = 1e100  # values: slopes at larger ones overflow
LEAST_SCALE = 1e-6  # values nearer to 0 count as this one where steps are relative; chosen
LEAST_SECANT = 1e-4  # values nearer to 0 get a secant as long as this one; chosen, not measured
DAMPING = 1e-13  # added to the diagonal, so that equations which say the same can be solved


def newton(search: Search, rounds: int) -> bool:
    """Take up to so many steps towards a solution of all conditions; whether they all hold then."""
    margin = 2.0 ** search.chance.randint(LEAST_MARGIN_EXPONENT, 0)
    # whether a step's length is measured relative to the values rather than absolutely
    relative = search.chance.random() < 0.5
    for _ in range(rounds):
        if search.is_there:
            return True
        wanted = _wanted(search, margin)
        if not wanted:
            return False
        step = _step(search, wanted, relative=relative)
        if not step or not _take(search, step):
            return False
    return search.is_there


def _wanted(search: Search, margin: float) -> list[tuple[Measured, float]]:
    """The comparisons to mend or to keep, each with how far its difference is from where it should
    be.
    """
    found = []
    for goal in search.goals:
        for each in goal.to_mend(search.point):
            relation = each.comparison.relation
            if each.comparison.left.sort is Sort.BOOL or not usable(each.value):
                continue
            if relation is Relation.EQUAL:
                found.append((each, float(each.value)))
            elif relation is not Relation.UNEQUAL and each.value > -margin:
                found.append((each, float(each.value) + margin))
    if len(found) > MOST_EQUATIONS:
        return search.chance.sample(found, MOST_EQUATIONS)
    return found


def _step(
    search: Search, wanted: list[tuple[Measured, float]], *, relative: bool
) -> dict[str, float] | None:
    slopes = {}
    for name, variable in search.variables.items():
        here = search.point[name]
        if variable.sort is Sort.BOOL or not abs(here) < LARGEST_MOVED:
            continue
        column = _slopes(search, name, [measured for measured, _ in wanted])
        if any(column):
            slopes[name] = column
    scales = [max(abs(float(search.point[n])), LEAST_SCALE) if relative else 1.0 for n in slopes]
    columns = [[s * scale for s in c] for c, scale in zip(slopes.values(), scales, strict=True)]
    shortest = least_norm(columns, [residual for _, residual in wanted])
    if shortest is None:
        return None
    return {n: s * scale for n, s, scale in zip(slopes, shortest, scales, strict=True)}


def _slopes(search: Search, name: str, wanted: Sequence[Measured]) -> list[float]:
    point = search.point
    here = point[name]
    if type(here) is int:
        moved: Any = here + 1
    else:
        moved = here + max(abs(here), LEAST_SECANT) * SECANT
    point[name] = moved
    column = []
    for measured in wanted:
        search.budget.spend()
        column.append(_slope(measured.difference(point), measured.value, moved - here))
    point[name] = here
    return column


def _slope(moved: Any, here: Any, distance: Any) -> float:
    if not usable(moved):
        return 0.0
    try:
        slope = (moved - here) / distance
    except OverflowError:
        return 0.0
    return slope if math.isfinite(slope) else 0.0


def _take(search: Search, step: dict[str, float]) -> bool:
    for part in SHORTENED:
        trial = dict(search.point)
        for name, distance in step.items():
            moved = trial[name] - part * distance
            if not math.isfinite(moved):
                break
            if search.variables[name].sort is Sort.INT:
                moved = round(moved)
            trial[name] = search.variables[name].range.clamped(moved)
        else:
            if search.offer(trial):
                return True
    return False


def least_norm(columns: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float] | None:
    """The shortest x with `sum(x[j] * columns[j]) == wanted`, without the rows that nothing moves;
    None if there is none.

    Rows are brought to length 1 first: a steep condition must not drown a flat one.
    """
    lengths = [
        math.sqrt(sum(column[i] * column[i] for column in columns)) for i in range(len(wanted))
    ]
    kept = [i for i, length in enumerate(lengths) if 0.0 < length < math.inf]
    rows = [[column[i] / lengths[i] for column in columns] for i in kept]
    system = [
        [sum(map(mul, row, other)) for other in rows] + [wanted[i] / lengths[i]]
        for i, row in zip(kept, rows, strict=True)
    ]
    for i, line in enumerate(system):
        line[i] += DAMPING
    weights = solved(system)
    if not weights:
        return None
    step = [
        sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(len(columns))
    ]
    return step if all(map(math.isfinite, step)) else None


def solved(system: list[list[float]]) -> list[float] | None:
    """The unknowns of a system of equations by Gauss' elimination; None if it has no single
    solution.

    Each line holds the factors of the unknowns and the right side; it is changed in place.
    """
    size = len(system)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(system[k][i]))
        system[i], system[pivot] = system[pivot], system[i]
        top = system[i]
        if not abs(top[i]) > 0.0:
            return None
        for line in system[i + 1 :]:
            factor = line[i] / top[i]
            if factor:
                for j in range(i, size + 1):
                    line[j] -= factor * top[j]
    unknowns = [0.0] * size
    for i in reversed(range(size)):
        line = system[i]
        known = sum(line[j] * unknowns[j] for j in range(i + 1, size))
        unknowns[i] = (line[size] - known) / line[i]
    return unknowns
