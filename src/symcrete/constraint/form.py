"""The linear form of a condition over integer inputs, if it has one: read off once, kept on the
node.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from symcrete.terms.operations import EQ0, LE0, LINEAR, NOT
from symcrete.terms.term import VAR, Term

AT_MOST, AT_LEAST, EQUAL, DIFFERENT = 0, 1, 2, 3  # how a sum compares with its bound
_KEY = "form"


class Form(NamedTuple):
    """A condition as a sum of factor * input that is compared with a bound."""

    relation: int
    bound: int
    pairs: tuple[tuple[str, int], ...]


def form(condition: Term) -> Form | None:
    """The linear form of a condition; None if it has none."""
    notes = condition.notes
    if notes is None:
        notes = condition.begin_notes()
    elif _KEY in notes:
        return notes[_KEY]  # type: ignore[no-any-return]
    made = notes[_KEY] = _read(condition)
    return made


def forms(conditions: Iterable[Term]) -> list[Form | None]:
    """The linear form of each condition, as `form` has it."""
    found: list[Form | None] = []
    for condition in conditions:
        notes = condition.notes
        # A call for each costs as much as all that is done with it (benchmarks/paths.py, gcd).
        known = notes is not None and _KEY in notes
        found.append(notes[_KEY] if known else form(condition))  # type: ignore[index]
    return found


def _read(condition: Term) -> Form | None:
    positive = condition.op is not NOT
    inner = condition if positive else condition.args[0]
    if inner.op is not LE0 and inner.op is not EQ0:
        return None
    total = inner.args[0]
    pairs: tuple[tuple[str, int], ...]
    if total.op is VAR:
        bound, pairs = 0, ((total.args[0], 1),)
    elif total.op is LINEAR:
        args = total.args
        if any(atom.op is not VAR for atom in args[1::2]):
            return None
        bound = -args[0]
        pairs = tuple([(args[i].args[0], args[i + 1]) for i in range(1, len(args), 2)])
    else:
        return None
    if inner.op is EQ0:
        return Form(EQUAL if positive else DIFFERENT, bound, pairs)
    return Form(AT_MOST, bound, pairs) if positive else Form(AT_LEAST, bound + 1, pairs)


def ranges(conditions: Iterable[Term]) -> dict[str, tuple[int | None, int | None]]:
    """By input, the least and greatest value that conditions on it alone allow; None is
    unbounded.
    """
    found: dict[str, tuple[int | None, int | None]] = {}
    for condition in conditions:
        shape = form(condition)
        if shape is None or len(shape.pairs) != 1 or shape.relation == DIFFERENT:
            continue
        ((name, factor),) = shape.pairs
        low, high = found.get(name, (None, None))
        least, most = interval(shape.relation, shape.bound, factor)
        if least is not None and (low is None or least > low):
            low = least
        if most is not None and (high is None or most < high):
            high = most
        found[name] = low, high
    return found


def interval(relation: int, bound: int, factor: int) -> tuple[int | None, int | None]:
    """The least and greatest integer x with factor * x <= bound (or >=, ==); None is unbounded, as
    for !=. For an == that no integer satisfies it is (1, 0), which is empty.
    """
    if relation == AT_MOST:
        return (None, bound // factor) if factor > 0 else (-(-bound // factor), None)
    if relation == AT_LEAST:
        return (-(-bound // factor), None) if factor > 0 else (None, bound // factor)
    if relation == EQUAL:
        value, remainder = divmod(bound, factor)
        return (value, value) if remainder == 0 else (1, 0)
    return (None, None)
