"""What a run returned, in words: so that tests can show each kind of result."""

from __future__ import annotations

import enum
from typing import Any

from symcrete.terms.term import Term
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt
from symcrete.values.tracking.truth import Truth

MOST_BITS_SHOWN = 256  # bits of an integer result that is told as text; chosen, not measured


def kind_of_result(result: Any) -> tuple[str, Term | None]:
    """The kind of a result in words: True or False, which member of an enumeration, None, or just
    "a value"; with the condition under which it is true, where the inputs decide that.
    """
    kind = type(result)
    if kind is Truth:
        return f"returns {int.__bool__(result)}", result.term
    if result is None or kind is bool:
        return f"returns {result}", None
    if issubclass(kind, enum.Enum):
        return f"returns {kind.__name__}.{result._name_}", None
    return "returns a value", None


def text_of_result(result: Any) -> str:
    """The repr of a number or text that the inputs decide; "" for other results."""
    kind = type(result)
    if kind is ConcolicInt:
        return int.__repr__(result) if int.bit_length(result) < MOST_BITS_SHOWN else ""
    if kind is ConcolicFloat:
        return float.__repr__(result)
    return str.__repr__(result) if kind is ConcolicStr else ""
