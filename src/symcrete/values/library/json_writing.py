"""`json.dumps` of tracked values: the text is put together of those of the parts.

Which keys, how many elements, and whether a text needs escapes are decided; numbers and texts stay
terms. Floats, escapes, other classes and options drop their terms.
"""

from __future__ import annotations

import json
import re
from typing import Any

from symcrete.values.models.json_text import DEEPEST_JSON
from symcrete.values.regex import matches as regex
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.rows.tables import OPEN, family_of
from symcrete.values.text.content.strings import ConcolicStr
from symcrete.values.tracking import lengths
from symcrete.values.tracking.comparing import raw, traced
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import ConcolicInt
from symcrete.values.tracking.operators import OPERATORS

_WITHOUT_ESCAPES = re.compile(r"[ !#-\[\]-~]*")


class _NotWritten(Exception):
    """A part of the value is of a kind whose text is not put together here."""


def dumps_model(value: Any, /, **options: Any) -> Any:
    """`json.dumps(value)`."""
    if options or not traced(value):
        return foreign(json.dumps, value, **options)
    try:
        return _written(value, DEEPEST_JSON)
    except _NotWritten:
        return foreign(json.dumps, value)


def _written(value: Any, levels: int) -> Any:
    """The text of a value; raises _NotWritten if it is nested more than `levels` deep, or of a kind
    that is not put together here.
    """
    kind = type(value)
    if kind is ConcolicInt:
        return callee(str)(value)
    if not traced(value):
        return json.dumps(value)
    if kind is ConcolicStr:
        if regex.one_match("fullmatch", _WITHOUT_ESCAPES, value, ()) is None:
            raise _NotWritten
        return _joined('"', value, '"')
    family = family_of(kind)
    if not levels or kind not in (list, tuple, dict, *OPEN):
        raise _NotWritten
    lengths.fixed_kind(value)
    if family == "dict":
        pairs = [_pair(key, each, levels) for key, each in dict.items(value)]
        return _joined("{", *_parted(pairs), "}")
    if family not in ("list", "tuple"):
        raise _NotWritten
    parts = [_written(each, levels - 1) for each in raw(value, family)]
    return _joined("[", *_parted(parts), "]")


def _pair(key: Any, value: Any, levels: int) -> Any:
    if type(key) is not str and type(key) is not ConcolicStr:
        raise _NotWritten  # json makes texts of keys that are numbers or constants
    return _joined(_written(key, levels - 1), ": ", _written(value, levels - 1))


def _parted(parts: list[Any]) -> list[Any]:
    """The parts with `", "` between each two of them."""
    return [each for part in parts for each in (", ", part)][1:]


def _joined(*parts: Any) -> Any:
    whole: Any = ""
    for part in parts:
        whole = OPERATORS["add"](whole, part)
    return whole


MODELS: tuple[ModelRow, ...] = (Model(json.dumps, dumps_model),)
