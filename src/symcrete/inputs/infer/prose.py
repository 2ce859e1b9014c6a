"""What a docstring says of the type of a parameter."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.inputs.infer.project_classes import class_named

LONGEST_TYPE = 4  # words of a description that names a type; a longer one is a sentence

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
    return _by_prose(text, name, names)


def _by_prose(text: str, name: str, names: Mapping[str, Any]) -> list[Any]:
    """Types named in the sentence that a docstring has for a parameter: `x: A string or ...`, or
    by a class of the program: `G : NetworkX graph`.
    """
    match = re.search(rf"^\s*{re.escape(name)}\s*(?:\(.*?\))?\s*[:-]\s*(.+)$", text, re.MULTILINE)
    words = re.findall(r"[A-Za-z]\w*", match[1]) if match is not None else []
    plain = [_WORDS[word.lower()] for word in words if word.lower() in _WORDS]
    if not plain and len(words) <= LONGEST_TYPE:
        plain = [kind for word in words for kind in class_named(word, names)][:1]
    return list(dict.fromkeys(plain))
