"""Answers without a solver for two integers: the simplest direction that the conditions allow.

Conditions such as `2 * a > 5 * b` do not ask how large a and b are, only for their slope b / a.
Each narrows an interval of slopes; the fraction in it with the smallest terms is the smallest
input, and constants in the conditions only say how often to take it. On Euclid's algorithm this
answers nearly all flips, with inputs so small that hardly a step follows the one asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from symcrete.constraint.form import AT_LEAST, AT_MOST, DIFFERENT, EQUAL, Form, form, forms
from symcrete.constraint.path import PathConstraint
from symcrete.solve.solver import Sat
from symcrete.terms.evaluate import Assignment, first_broken

# conditions of a constraint that is looked at; each is read once, and what was read is kept;
# chosen, not measured
MOST_CONDITIONS = 1000
# times that the number of steps in the direction is increased; chosen, not measured
MOST_CORRECTIONS = 4

Slope = tuple[int, int]  # |y| and |x|; (1, 0) is the steepest


def in_direction(constraint: PathConstraint, goal: Form, near: Assignment) -> Sat | None:
    """An answer in the simplest direction of the two variables of a linear goal, all others as
    they were; None if it does not fit.
    """
    if len(constraint.prefix) > MOST_CONDITIONS:
        return None
    (x, _), (y, _) = goal.pairs
    if near.get(x).__class__ is not int or near.get(y).__class__ is not int:
        return None
    up = -1 if near[y] < 0 else 1
    right = -1 if near[x] < 0 else 1
    relations = (AT_LEAST, AT_MOST) if goal.relation == DIFFERENT else (goal.relation,)
    for relation in relations:
        if relation == EQUAL:
            slope = _along(goal, right, up)
        else:
            shapes = forms(constraint.prefix)
            shapes.append(Form(relation, goal.bound, goal.pairs))
            slope = _simplest_of(shapes, x, y, right, up)
        if slope is not None:
            found = _multiple(constraint, near, {x: right * slope[1], y: up * slope[0]})
            if found is not None:
                return found
    return None


def _along(goal: Form, right: int, up: int) -> Slope | None:
    """The slope of the line through the origin that the goal asks for; None if it is no such
    line.
    """
    a, b = goal.pairs[0][1] * right, goal.pairs[1][1] * up
    if goal.bound or a * b > 0:
        return None
    divisor = gcd(a, b)
    return abs(a) // divisor, abs(b) // divisor


def _simplest_of(
    shapes: Iterable[Form | None], x: str, y: str, right: int, up: int
) -> Slope | None:
    """The simplest slope that the inequalities between x and y allow; None if there is none.
    Evaluation judges the other conditions.
    """
    n, d = 0, 1  # the slope is steeper than n / d
    top, bottom = 1, 0  # and less steep than this
    for shape in shapes:
        if shape is None or shape.relation > AT_LEAST:
            continue
        a = b = 0
        for name, factor in shape.pairs:
            if name == x:
                a = factor * right
            elif name == y:
                b = factor * up
            else:
                break
        else:
            if shape.relation == AT_MOST:
                a, b = -a, -b
            # a * |x| + b * |y| is to be positive.
            if b > 0:
                if -a * d > n * b:
                    n, d = -a, b
            elif b < 0:
                if a * bottom < top * -b:
                    top, bottom = a, -b
            elif a < 0:
                return None
    return simplest(n, d, top, bottom) if n * bottom < top * d else None


def simplest(n: int, d: int, top: int, bottom: int) -> Slope:
    """The fraction with the smallest terms strictly between n / d and top / bottom."""
    whole = n // d
    if (whole + 1) * bottom < top:
        return whole + 1, 1
    n, top = n - whole * d, top - whole * bottom
    a, b = simplest(bottom, top, d, n)  # between the reciprocals of what is left
    return whole * a + b, a


def _multiple(constraint: PathConstraint, near: Assignment, step: Assignment) -> Sat | None:
    """The direction taken as often as the bounds of the conditions ask for; None if that does not
    satisfy them.
    """
    trial = near | step
    times = 1
    for _ in range(MOST_CORRECTIONS):
        broken = first_broken((*constraint.prefix, constraint.goal), trial)
        if broken is None:
            return Sat(trial)
        shape = form(broken)
        if shape is None or shape.relation > AT_LEAST:
            return None
        each = others = 0
        for name, factor in shape.pairs:
            if name in step:
                each += factor * step[name]
            else:
                others += factor * trial[name]
        if each == 0:
            return None
        needed = -((others - shape.bound) // each)
        if needed <= times:
            return None
        times = needed
        trial.update({name: times * value for name, value in step.items()})
    return None
