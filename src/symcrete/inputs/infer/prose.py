"""What a docstring says of the type of a parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

_WORDS: dict[str, Any] = {
    "string": str,
    "str": str,
    "text": str,
    "integer": int,
    "int": int,
    "float": float,
    "bytes": bytes,
    "boolean": bool,
}


def documented(function: Callable[..., Any], name: str, names: Mapping[str, Any]) -> list[Any]:
    """The type that the docstring gives a parameter, as a list: `:param int x:`, `:type x: int`,
    `x : int` or `x (int):`; empty if none.
    """
    text = inspect.getdoc(function) or ""
    word = re.escape(name)
    patterns = (
        rf":param\s+([\w\[\], .]+?)\s+{word}\s*:",
        rf":type\s+{word}\s*:\s*([\w\[\], .]+)",
        rf"^\s*{word}\s*\(([\w\[\], .]+?)\)\s*:",
        rf"^\s*{word}\s*:\s*([\w\[\], .]+)$",
    )
    for pattern in patterns:
        match = re.search(pattern, text, re.MULTILINE)
        if match is not None:
            try:
                named = match[1].split(",")[0] if "[" not in match[1] else match[1]
                return [eval(named, dict(names))]
            except Exception:
                continue
    return _by_prose(text, name)


def _by_prose(text: str, name: str) -> list[Any]:
    """Types named in the sentence that a docstring has for a parameter: `x: A string or ...`."""
    match = re.search(rf"^\s*{re.escape(name)}\s*(?:\(.*?\))?\s*[:-]\s*(.+)$", text, re.MULTILINE)
    words = re.findall(r"[a-z]+", match[1].lower()) if match is not None else []
    return list(dict.fromkeys([_WORDS[word] for word in words if word in _WORDS]))
