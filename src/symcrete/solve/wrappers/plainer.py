"""Small, plain inputs close to the run they came from, rather than whatever a solver's model says.

Each variable that moved goes back as far as the conditions let it, one after the other: in closed
form where they are linear in it, by trying a few values where they are not. The closer an answer
stays to the run, the more of the path it keeps, which is what IPPC's partial constraints live on.
"""

from __future__ import annotations

from typing import Any

from symcrete.constraint.form import AT_MOST, EQUAL, form
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.term import Term
from symcrete.terms.texts import is_character
from symcrete.terms.visit import names

# rounds over all variables, since a plainer value may make room for another; chosen, not measured
MOST_PLAINER_ROUNDS = 3
# moved variables times conditions; a larger answer stays as it is; chosen, not measured
MOST_WORK = 3000
MOST_HALVINGS = 4  # values tried between the one aimed at and the one that holds; chosen
DIGITS_OF_PLAIN = (1, 3)  # significant digits of a plainer double; chosen, not measured


def polish(conditions: tuple[Term, ...], found: Assignment, near: Assignment) -> Assignment:
    """An assignment that satisfies the same conditions, nearer to `near` where one is found."""
    assignment = dict(found)
    moved = [name for name, value in assignment.items() if value != near.get(name, value)]
    if not moved or len(moved) * len(conditions) > MOST_WORK:
        return assignment
    about = {name: [term for term in conditions if name in names(term)] for name in moved}
    for _ in range(MOST_PLAINER_ROUNDS):
        # One variable's step back may make room for another's.
        stepped = False
        for name in moved:
            before = assignment[name]
            _settle(name, about[name], assignment, near[name])
            stepped = stepped or assignment[name] != before
        moved = [name for name in moved if assignment[name] != near[name]]
        if not stepped or not moved:
            break
    return assignment


def _settle(name: str, about: list[Term], assignment: Assignment, old: Any) -> None:
    """Move one variable back towards its old value, the others as they are."""
    value = assignment[name]
    if value.__class__ is not int:
        _try(name, about, assignment, [old, *_plain_values(value)])
        return
    low: int | None = None
    high: int | None = None
    avoid: set[int] = set()
    others: list[Term] = []
    for term in about:
        shape = form(term)
        if shape is None:
            others.append(term)
            continue
        relation, bound, pairs = shape
        factor = 0
        for variable, each in pairs:
            if variable == name:
                factor = each
            elif variable not in assignment:
                return  # a character beyond the end of its text, of which nothing is known
            else:
                bound -= each * assignment[variable]
        if relation == EQUAL:
            return  # an equation holds it in place
        if relation > EQUAL:
            if bound % factor == 0:
                avoid.add(bound // factor)
        elif (relation == AT_MOST) == (factor > 0):
            most = bound // factor
            if high is None or most < high:
                high = most
        else:
            least = -(-bound // factor)
            if low is None or least > low:
                low = least
    aim = old
    if low is not None and aim < low:
        aim = low
    elif high is not None and aim > high:
        aim = high
    step = 1 if value > aim else -1
    while aim in avoid and aim != value:
        aim += step
    if not others:
        assignment[name] = aim
    elif aim != value:
        # A code between those of two characters resembles neither.
        nearer = [] if is_character(name) else _between(aim, value)
        _try(name, about, assignment, [aim, *nearer])


def _between(aim: int, value: int) -> list[int]:
    """Values between the one aimed at and the one known to hold, ever nearer to the latter."""
    found = []
    for _ in range(MOST_HALVINGS):
        aim = (aim + value) // 2
        if aim == value:
            break
        found.append(aim)
    return found


def _plain_values(value: Any) -> list[Any]:
    if value.__class__ is bool or value != value:
        return []
    rounded = [float(f"{value:.{digits}g}") for digits in DIGITS_OF_PLAIN]
    return [0.0, 1.0, -1.0, *rounded] if value not in (0.0, 1.0, -1.0) else []


def _try(name: str, about: list[Term], assignment: Assignment, values: list[Any]) -> None:
    """Give the variable the first of the values that the conditions allow, or leave it as it
    was.
    """
    value = assignment[name]
    for each in values:
        if each == value and each.__class__ is value.__class__:
            break  # nothing plainer than what there was
        assignment[name] = each
        if first_broken(about, assignment) is None:
            return
    assignment[name] = value
