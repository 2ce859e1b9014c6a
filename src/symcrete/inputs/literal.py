"""A value as Python source text that gives the same value again."""

from __future__ import annotations

import enum
import math
from typing import Any

LONGEST_DECIMAL = (
    60  # beyond this a decimal says less than hexadecimal, and CPython refuses it at 4300
)


class NoLiteral(Exception):
    """There is no expression that gives this value."""


def literal(value: Any, depth: int = 0) -> str:
    """The expression; names in it other than built-ins and `math` are those of `imports_of`."""
    if depth > 50:
        raise NoLiteral("nested too deeply")
    kind = type(value)
    if kind is float:
        return _float(value)
    if kind is int:
        return hex(value) if abs(value) >= 10**LONGEST_DECIMAL else repr(value)
    if kind in (bool, type(None), bytes, type(Ellipsis)):
        return repr(value)
    if kind is str:
        return _text(value)
    if kind is complex:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if kind is bytearray:
        return f"bytearray({bytes(value)!r})"
    if kind is range:
        return repr(value)
    if isinstance(value, enum.Enum) and kind.__qualname__ == kind.__name__:
        return f"{kind.__name__}.{value.name}"
    return _container(value, kind, depth + 1)


def _container(value: Any, kind: type, depth: int) -> str:
    if kind is list:
        return "[" + ", ".join([literal(each, depth) for each in value]) + "]"
    if kind is tuple:
        parts = [literal(each, depth) for each in value]
        return f"({parts[0]},)" if len(parts) == 1 else "(" + ", ".join(parts) + ")"
    if kind is dict:
        pairs = [f"{literal(k, depth)}: {literal(v, depth)}" for k, v in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if kind is set or kind is frozenset:
        if not value:
            return f"{kind.__name__}()"
        parts = sorted(literal(each, depth) for each in value)
        text = "{" + ", ".join(parts) + "}"
        return text if kind is set else f"frozenset({text})"
    raise NoLiteral(f"no literal for {kind.__qualname__}")


def _float(value: float) -> str:
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    return repr(value)


def _text(value: str) -> str:
    """Quoted as formatters like it; what cannot be seen or encoded is escaped."""
    text = repr(value)
    if any(
        not char.isprintable() or 0xD800 <= ord(char) <= 0xDFFF or ord(char) > 0x2000
        for char in text
    ):
        text = ascii(value)
    if text[0] == "'" and '"' not in text:
        text = '"' + text[1:-1].replace("\\'", "'") + '"'
    return text


def imports_of(value: Any) -> set[tuple[str, str]]:
    """(module, name) of every class that the literal of a value mentions."""
    kind = type(value)
    if isinstance(value, enum.Enum):
        return {(kind.__module__, kind.__name__)}
    if kind in (list, tuple, set, frozenset):
        return set().union(*[imports_of(each) for each in value]) if value else set()
    if kind is dict:
        parts = [imports_of(each) for pair in value.items() for each in pair]
        return set().union(*parts) if parts else set()
    return set()
