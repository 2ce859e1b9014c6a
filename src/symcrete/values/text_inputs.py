"""A text input with its terms."""

from __future__ import annotations

from typing import Any

from symcrete.inputs.texts import spread
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import (
    WINDOW,
    Kind,
    codes_of,
    element_names,
    length_name,
    shape_of,
    source,
)
from symcrete.values import recording
from symcrete.values.strings import text
from symcrete.values.text_contents import InputRoot, Span
from symcrete.values.text_marks import At


def tracked_text(kind: Kind, name: str, given: Assignment) -> Any:
    """The text that an assignment gives; every character of it is noted there, and none behind its end."""
    if isinstance(given.get(name), str | bytes | bytearray):
        spread(name, list(kind.codes(given.pop(name))), given)
    given.setdefault(length_name(name), 0)
    codes = codes_of(given, name)
    count = len(codes)
    names = element_names(name, count)
    for each, code in zip(names, codes, strict=False):
        given[each] = code
    for each in names[count : max(count, WINDOW)]:
        given.pop(each, None)  # a solver gives values to characters that are not there
    origin = source(name, kind)
    recording.active().assume(shape_of(origin))
    root = InputRoot(origin, count)
    return text(kind.join(codes), Span(root, At(0), root.end))
