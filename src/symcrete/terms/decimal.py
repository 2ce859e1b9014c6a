"""Integers of any length to digits and back, also where CPython's own limit would refuse."""

from __future__ import annotations

CHUNK = 4000  # digits of a piece, below CPython's limit of 4,300
_BOUND: int = 10**CHUNK


def decimal(value: int) -> str:
    """The digits of an integer, of any length."""
    if -_BOUND < value < _BOUND:
        return str(value)
    head, tail = divmod(abs(value), _BOUND)
    return ("-" if value < 0 else "") + decimal(head) + str(tail).zfill(CHUNK)


def parse_integer(text: str) -> int:
    """The integer that these digits stand for, of any length."""
    if len(text) <= CHUNK:
        return int(text)
    if text.startswith("-"):
        return -parse_integer(text[1:])
    return parse_integer(text[:-CHUNK]) * _BOUND + int(text[-CHUNK:])
