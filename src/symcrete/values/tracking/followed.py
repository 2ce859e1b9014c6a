"""Which code keeps terms by itself: rewritten code and the engine's own; any other drops them."""

from __future__ import annotations

import os
from types import FunctionType
from typing import Any

import symcrete

rewritten_files: set[str] = set()
_OWN = os.path.dirname(symcrete.__file__) + "/"
# Their operators look at our values through the methods of ours, or refuse them whatever they are.
_WELL_KNOWN = frozenset(
    {int, float, bool, str, bytes, list, tuple, dict, set, frozenset, type(None), object, type}
)


def is_followed(function: Any) -> bool:
    """Whether a function is rewritten or the engine's own."""
    if type(function) is not FunctionType:
        return False
    file = function.__code__.co_filename
    return file in rewritten_files or file.startswith(_OWN)


def drops_terms(kind: type, *methods: str) -> bool:
    """Whether objects of a class answer one of these methods by code that is not followed."""
    if kind in _WELL_KNOWN:
        return False
    for name in methods:
        found = getattr(kind, name, None)
        if found is not None and found is not getattr(object, name, None):
            return not is_followed(found)
    return False
