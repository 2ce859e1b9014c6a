"""What a run returned, in words: so that tests can show each kind of result."""

from __future__ import annotations

import enum
from typing import Any

from symcrete.terms.term import Term
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt
from symcrete.values.tracking.truth import Truth

MOST_BITS_SHOWN = 256  # of a result that is compared with others as text


def kind_of_result(result: Any) -> tuple[str, Term | None]:
    """The kind of a result in words: which truth, which member of an enumeration, whether there is
    one; with the condition, where the inputs decide the truth.
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
    """A number or text that the inputs decide, as text; nothing for other results."""
    kind = type(result)
    if kind is ConcolicInt:
        return int.__repr__(result) if int.bit_length(result) < MOST_BITS_SHOWN else ""
    if kind is ConcolicFloat:
        return float.__repr__(result)
    return str.__repr__(result) if kind is ConcolicStr else ""
