"""Variables that are equal in several calls of one input.

What a program remembers is found again by an equal argument: `slow(-2)` before `slow(-2)`. Made
plainer one at a time, neither stays equal to the other.
"""

from __future__ import annotations

import re

from symcrete.inputs.shapes.objects import calls_name
from symcrete.run.history import EARLIER
from symcrete.terms.evaluate import Assignment

_CALL = re.compile(rf"(?<![\w.]){EARLIER}\[\d+\]|{re.escape(calls_name(''))}\[\d+\]")
# The path of an argument: `x`, `earlier[1].x`, `s.calls()[0].key`; not `len` of `len(x)`.
_ARGUMENT = re.compile(r"(?<![\w.\])])(?:\w+(?:\(\))?(?:\[\d+\])?\.)*\w+(?![\w(])")


def twins(assignment: Assignment, name: str) -> list[str]:
    """The variables that have the same value as this one, as the same part of an argument of
    another call; none where there are no other calls, and none for a choice between types.
    """
    if name.endswith("?") or not any(_CALL.search(each) for each in assignment):
        return []
    call, part, value = _call(name), _part(name), assignment[name]
    return [
        other
        for other, each in assignment.items()
        if type(each) is type(value) and each == value and not other.endswith("?")
        if _call(other) != call and _part(other) == part
    ]


def _call(name: str) -> str:
    """The call that a variable is an argument of; empty for the run's own."""
    found = _CALL.search(name)
    return found[0] if found else ""


def _part(name: str) -> str:
    """What a variable is of its argument: `[3]` for a character, `len()` for a length."""
    return _ARGUMENT.sub("", name, count=1)
