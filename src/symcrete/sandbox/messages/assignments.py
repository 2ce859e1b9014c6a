"""An input as the engine has it, as text and back."""

from __future__ import annotations

import math
from typing import Any

from symcrete.inputs.shapes.callables import ASKED
from symcrete.terms.evaluate import Assignment


def text_of(given: Assignment) -> str:
    """An input as text that `assignment_from` reads, without what callables were asked: a run
    notes that anew, and it may have no text.
    """
    if any(name.endswith(ASKED) for name in given):
        given = {name: value for name, value in given.items() if not name.endswith(ASKED)}
    try:
        return repr(given)
    except ValueError:  # an int with more digits than Python writes
        parts = [f"{name!r}: {_digits(value)}" for name, value in given.items()]
        return f"{{{', '.join(parts)}}}"


def _digits(value: Any) -> str:
    return hex(value) if type(value) is int else repr(value)


def assignment_from(text: str) -> Assignment:
    """The input that `text_of` wrote."""
    found: Assignment = eval(text, {"inf": math.inf, "nan": math.nan})  # our own text
    return found
