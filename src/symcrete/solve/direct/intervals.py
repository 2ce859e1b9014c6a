"""Between which values an integer lies whatever the inputs are: `x % 7` never reaches 7.

Comparisons with numbers beyond need no solver. Terms are looked into one level deep, which is what
programs compare.
"""

from __future__ import annotations

from typing import TypeAlias

from symcrete.terms.operations import (
    ABS,
    BIT_LENGTH,
    BITAND,
    EQ0,
    LE0,
    LINEAR,
    MOD,
    MODELLED,
    MUL,
    NOT,
)
from symcrete.terms.term import CONST, VAR, Term
from symcrete.terms.texts import length_name

Interval: TypeAlias = tuple[int | None, int | None]

ANYTHING: Interval = (None, None)
LENGTH = length_name("").partition(")")[0]  # how the names of lengths of inputs begin
_KEY = "integer interval"


def never_holds(condition: Term) -> bool:
    """Whether a comparison is false for all values that its integer can have."""
    negated = condition.op is NOT
    inner = condition.args[0] if negated else condition
    if inner.op is LE0:
        low, high = interval(inner.args[0])
        return (high is not None and high <= 0) if negated else (low is not None and low > 0)
    if inner.op is EQ0 and not negated:
        low, high = interval(inner.args[0])
        return (low is not None and low > 0) or (high is not None and high < 0)
    return False


def interval(term: Term) -> Interval:
    """The least and greatest value of an integer term, None where there is no bound."""
    if term.op is not LINEAR:
        return _of_atom(term)
    notes = term.notes
    if notes is None:
        notes = term.begin_notes()
    found: Interval | None = notes.get(_KEY)
    if found is None:
        found = notes[_KEY] = _of_sum(term)
    return found


def _of_sum(term: Term) -> Interval:
    low: int | None = term.args[0]
    high: int | None = term.args[0]
    for atom, factor in zip(term.args[1::2], term.args[2::2], strict=True):
        least, most = _of_atom(atom)
        if factor < 0:
            least, most = most, least
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or most is None else high + factor * most
        if low is None and high is None:
            break
    return low, high


def _of_atom(term: Term) -> Interval:
    op, args = term.op, term.args
    if op is MOD and args[1].op is CONST and args[1].args[0]:
        divisor = args[1].args[0]
        return (0, divisor - 1) if divisor > 0 else (divisor + 1, 0)
    if op is BITAND and args[1].op is CONST and args[1].args[0] >= 0:
        return 0, args[1].args[0]
    if op is ABS or op is BIT_LENGTH or (op is MUL and args[0] is args[1]):
        return 0, None
    if op is CONST:
        return args[0], args[0]
    if op is MODELLED:  # its value is that of its first argument
        return interval(args[0])
    if op.function is len or (op is VAR and args[0].startswith(LENGTH)):
        return 0, None
    return ANYTHING
