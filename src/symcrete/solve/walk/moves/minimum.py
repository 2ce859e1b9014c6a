"""Down to where an equation is touched but not crossed: `sin(u) == 1`, a sum of squares that is 0.

There a difference has a minimum instead of a change of sign, secants creep and slopes vanish; a
step to the bottom of the parabola through nearby points does not.
"""

from __future__ import annotations

import math
from typing import Any

from symcrete.solve.walk.moves.newton import LARGEST_MOVED, solved
from symcrete.solve.walk.moves.one_variable import Search
from symcrete.solve.walk.moves.roots import usable
from symcrete.solve.walk.terrain.goal import Relation
from symcrete.solve.walk.terrain.landscape import Measured
from symcrete.terms.term import Sort

# variables moved in one round, drawn from those of a condition; chosen, not measured
MOST_MOVED = 6
# rounds at most; it ends earlier when a round gains nothing; chosen, not measured
DESCENT_ROUNDS = 40
# Points of the parabola are so far apart, relative to the values; at most, and at least. Chosen.
WIDEST_SPACING, NARROWEST_SPACING = 1e-3, 1e-8
# What is added to the curvatures, relative to the largest, so that steps stay short: at first, at
# least, and again after it was 0. Chosen, not measured.
FIRST_DAMPING, LEAST_DAMPING, DAMPING_AFTER_NONE = 1e-3, 1e-14, 1e-12
DAMPING_FACTOR = 10  # damping is divided by it after a step down, else multiplied; chosen
DAMPED_STEPS = 8  # tried in one round, each shorter than the one before; chosen, not measured
LEAST_CURVATURE = 1e-300  # taken for the largest curvature where all are 0


def minimise(search: Search) -> bool:
    """Lower one violated equation between doubles by steps along parabolas; whether all goals hold
    then.
    """
    equation = _equation(search)
    if equation is None:
        return False
    measured, names = equation
    valley = _Valley(search, measured, names)
    for _ in range(DESCENT_ROUNDS):
        if search.is_there or not valley.descend():
            break
    return search.is_there


def _equation(search: Search) -> tuple[Measured, list[str]] | None:
    for number in search.violated():
        for measured in search.goals[number].to_mend(search.point):
            if measured.comparison.relation is Relation.EQUAL and usable(measured.value):
                names = [n for n in search.names(number) if _is_movable(search, n)]
                if names:
                    count = min(MOST_MOVED, len(names))
                    return measured, search.chance.sample(names, count)
    return None


def _is_movable(search: Search, name: str) -> bool:
    return search.variables[name].sort is Sort.FLOAT and abs(search.point[name]) < LARGEST_MOVED


class _Valley:
    """abs(difference) over some variables, seen as a parabola around the point."""

    def __init__(self, search: Search, measured: Measured, names: list[str]) -> None:
        self._search = search
        self._difference = measured.difference
        self._names = names
        self._spacing = (
            WIDEST_SPACING  # the relative distance of the points that the parabola goes through
        )
        self._damping = FIRST_DAMPING

    def descend(self) -> bool:
        """Take one step down; whether there was one."""
        search = self._search
        height = self._height({})
        slopes, curves = self._parabola(height)
        if slopes is None or not any(slopes):
            return False
        for _ in range(DAMPED_STEPS):
            step = self._bottom(slopes, curves)
            if step is not None and search.offer(self._moved(step)):
                self._damping = max(self._damping / DAMPING_FACTOR, LEAST_DAMPING)
                longest = max(abs(d) / max(1.0, abs(search.point[n])) for n, d in step.items())
                self._spacing = min(WIDEST_SPACING, max(longest, NARROWEST_SPACING))
                return True
            self._damping = self._damping * DAMPING_FACTOR or DAMPING_AFTER_NONE
        return False

    def _moved(self, step: dict[str, float]) -> dict[str, Any]:
        point = dict(self._search.point)
        for name, distance in step.items():
            point[name] = self._search.variables[name].range.clamped(point[name] + distance)
        return point

    def _height(self, step: dict[str, float]) -> float:
        self._search.budget.spend()
        value = self._difference(self._moved(step))
        return float(abs(value)) if usable(value) else math.inf

    def _parabola(self, height: float) -> tuple[list[float] | None, list[list[float]]]:
        """Slopes and curvatures at the point, from differences with neighbouring points; no slopes
        where those cannot be computed.
        """
        names = self._names
        h = [self._spacing * max(1.0, abs(self._search.point[name])) for name in names]
        up = [self._height({name: d}) for name, d in zip(names, h, strict=True)]
        down = [self._height({name: -d}) for name, d in zip(names, h, strict=True)]
        if not all(map(math.isfinite, (*up, *down, height))):
            return None, []
        slopes = [(u - d) / (2 * s) for u, d, s in zip(up, down, h, strict=True)]
        curves = [[0.0] * len(names) for _ in names]
        for i, name in enumerate(names):
            curves[i][i] = (up[i] - 2 * height + down[i]) / (h[i] * h[i])
            for j in range(i):
                both = self._height({name: h[i], names[j]: h[j]})
                mixed = (both - up[i] - up[j] + height) / (h[i] * h[j])
                curves[i][j] = curves[j][i] = mixed if math.isfinite(mixed) else 0.0
        return slopes, curves

    def _bottom(self, slopes: list[float], curves: list[list[float]]) -> dict[str, float] | None:
        """The step to the bottom of the parabola, made shorter by the damping; None if it cannot
        be computed.
        """
        largest = max(abs(curve) for line in curves for curve in line)
        extra = self._damping * max(largest, LEAST_CURVATURE)
        system = [
            [*(c + (extra if i == j else 0.0) for j, c in enumerate(line)), -slopes[i]]
            for i, line in enumerate(curves)
        ]
        found = solved(system)
        if found is None or not all(map(math.isfinite, found)):
            return None
        return dict(zip(self._names, found, strict=True))
