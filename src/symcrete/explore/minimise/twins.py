"""Variables that mean the same argument in several calls of one input.

What a program remembers is found again by an equal argument: `slow(-2)` before `slow(-2)`. Made
plainer one at a time, neither stays equal to the other.
"""

from __future__ import annotations

import re

from symcrete.inputs.shapes.objects import calls_name
from symcrete.run.history import EARLIER
from symcrete.terms.evaluate import Assignment

_CALLS = re.escape(calls_name(""))
# `earlier[1].x` is the argument that `x` is in the run's own call.
_EARLIER_ARGUMENT = re.compile(rf"(?<![\w.]){EARLIER}\[\d+\]\.")
_METHOD_CALL = re.compile(rf"({_CALLS})\[\d+\]")


def twins(assignment: Assignment, name: str) -> list[str]:
    """The variables that have the same value as this one, as the same argument of other calls."""
    if EARLIER not in name and calls_name("") not in name and not _has_calls(assignment):
        return []
    place, value = _place(name), assignment[name]
    return [
        other
        for other, each in assignment.items()
        if other != name and type(each) is type(value) and each == value and _place(other) == place
    ]


def _has_calls(assignment: Assignment) -> bool:
    return any(_place(name) != name for name in assignment)


def _place(name: str) -> str:
    """What a variable is called in whichever call it is an argument of."""
    return _METHOD_CALL.sub(r"\1", _EARLIER_ARGUMENT.sub("", name))
