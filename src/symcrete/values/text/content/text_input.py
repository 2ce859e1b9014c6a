"""A text input with its terms."""

from __future__ import annotations

from typing import Any

from symcrete.inputs.draw.text import spread
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import int_const
from symcrete.terms.texts import (
    PLAIN_CODE,
    WINDOW,
    Kind,
    codes_of,
    element_names,
    length_name,
    mended,
    shape_of,
    source,
)
from symcrete.values.text.content.contents import InputRoot, Span
from symcrete.values.text.content.marks import At
from symcrete.values.text.content.strings import text
from symcrete.values.tracking import recording


def tracked_text(kind: Kind, name: str, given: Assignment) -> Any:
    """The tracked text that an assignment gives.

    All its characters are noted in the assignment, and so are those behind its end which models
    look at, with the code of the last one: a text that a solver makes longer goes on as it was.
    """
    if isinstance(given.get(name), str | bytes | bytearray):
        spread(name, list(kind.codes(given.pop(name))), given)
    given.setdefault(length_name(name), 0)
    codes = codes_of(given, name)
    try:
        joined = kind.join(codes)
    except (TypeError, ValueError):
        codes = mended(codes, kind)
        joined = kind.join(codes)
    count = len(codes)
    beyond = [codes[-1] if codes else PLAIN_CODE] * (WINDOW - count)
    given.update(zip(element_names(name, count), codes + beyond, strict=False))
    origin = source(name, kind)
    # The length apart: a solver that leaves the models is free to choose it otherwise.
    recording.active().assume(integers.le(int_const(0), origin.length))
    recording.active().assume(shape_of(origin))
    root = InputRoot(origin, count)
    return text(joined, Span(root, At(0), root.end))
