"""Conditions that compare two operands: comparison and branch in one hook.

`if a > b:` is most of what a program decides by, and a call in Python costs as much as all the rest
of it; so there is one hook for each comparison that compares, finds the term, covers the outcome
and records the branch, without a value in between (benchmarks/paths.py).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.operations import NOT
from symcrete.terms.term import CONST, INTS, int_const
from symcrete.values.rows.tables import SPECIAL
from symcrete.values.tracking.numeric import ConcolicInt
from symcrete.values.tracking.operators import COMPARISONS
from symcrete.values.tracking.recording import Recording

# by comparison: the terms built before, and the function that builds one
_TERMS: dict[str, tuple[dict[Any, Any], Callable[..., Any]]] = {
    "lt": (integers.LESS, integers.lt),
    "le": (integers.AT_MOST, integers.le),
    "gt": (integers.MORE, integers.gt),
    "ge": (integers.AT_LEAST, integers.ge),
    "eq": (integers.EQUAL, integers.eq),
    "ne": (integers.DIFFERENT, integers.ne),
}


def comparing_hooks(
    record: Recording, branch: Callable[[int, Any], bool], tick: Callable[[], None]
) -> dict[str, Callable[..., bool]]:
    """The hooks `branch_lt(site, left, right)` and so on, and `loop_lt`, which counts a loop step
    first.
    """
    hooks: dict[str, Callable[..., bool]] = {}
    for name in _TERMS:
        hooks[f"branch_{name}"] = _comparing(name, record, branch, None)
        hooks[f"loop_{name}"] = _comparing(name, record, branch, tick)
    return hooks


def _comparing(
    name: str,
    record: Recording,
    branch: Callable[[int, Any], bool],
    tick: Callable[[], None] | None,
) -> Callable[..., bool]:
    events, known, covered, passed = record.events, record.known, record.covered, record.passed
    built, build = _TERMS[name]
    compare, plain = COMPARISONS[name], getattr(operator, name)
    of_ints = getattr(int, f"__{name}__")
    special, constants = SPECIAL, INTS

    def decide(site: int, left: Any, right: Any) -> bool:
        if tick is not None:
            tick()
        kind = type(right)
        if kind is ConcolicInt:
            b = right.term
            if type(left) is ConcolicInt:
                a = left.term
            elif type(left) is int:
                a = constants.get(left) or int_const(left)
            else:
                return branch(site, compare(left, right))
        elif kind is int and type(left) is ConcolicInt:
            a = left.term
            b = constants.get(right) or int_const(right)
        elif special[kind]:
            return branch(site, compare(left, right))
        else:
            value = plain(left, right)
            if value is True:
                covered[site + 1] = 1
                return True
            if value is False:
                covered[site] = 1
                return False
            return branch(site, value)
        taken: bool = of_ints(left, right)
        key = (a, b)
        term = built.get(key) or build(*key)
        op = term.op
        if op is CONST or record.again is not None or len(events) >= record.most_events:
            return passed(site >> 1, term, taken)
        atom = term.args[0] if op is NOT else term
        code = site + 1 if taken else site
        covered[code] = 1
        if atom not in known:
            known.add(atom)
            events.append((code, term))
        return taken

    return decide
