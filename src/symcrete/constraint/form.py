"""The linear form of a condition over integer inputs, if it has one: read off once, kept on the
node.
"""

from __future__ import annotations

from typing import NamedTuple

from symcrete.terms.operations import EQ0, LE0, LINEAR, NOT
from symcrete.terms.term import VAR, Term

AT_MOST, AT_LEAST, EQUAL, DIFFERENT = 0, 1, 2, 3
_KEY = "form"


class Form(NamedTuple):
    """sum of factor * input, compared with a bound."""

    relation: int
    bound: int
    pairs: tuple[tuple[str, int], ...]


def form(condition: Term) -> Form | None:
    lowered = condition.lowered
    if lowered is None:
        lowered = condition.lowered = {}
    elif _KEY in lowered:
        return lowered[_KEY]  # type: ignore[no-any-return]
    made = lowered[_KEY] = _read(condition)
    return made


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
