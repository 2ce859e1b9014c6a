"""Branches that other tools were seen to miss, each in a function of its own."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import PurePath
from typing import Any


def upper_case(s: str) -> bool:
    if s.upper() == "HELLO":
        return True
    return False


def hexadecimal(n: int) -> bool:
    if f"{n:04x}" == "beef":
        return True
    return False


def exclusive_or(a: int, b: int) -> bool:
    if a ^ b == 0x55AA and a > b > 0:
        return True
    return False


def masked(a: int) -> bool:
    if a & 0x30 == 0x20:
        return True
    return False


def floor(x: float) -> bool:
    if math.floor(x) == 17:
        return True
    return False


def square_root(x: float) -> bool:
    if math.sqrt(x) == 12.0:
        return True
    return False


def absorbed(x: float) -> bool:
    if math.isfinite(x) and x + 1.0 == x:
        return True
    return False


def document(s: str) -> bool:
    if json.loads(s).get("k") == 1:
        return True
    return False


def decimal_number(d: str) -> bool:
    if Decimal(d) * 3 == Decimal("7.5"):
        return True
    return False


def suffix(p: str) -> bool:
    if PurePath(p).suffix == ".py":
        return True
    return False


def member(s: set[int]) -> bool:
    if 5 in s and len(s) == 3:
        return True
    return False


def imaginary(z: complex) -> bool:
    if z.imag == 2.0:
        return True
    return False


def version_cmp(a: str, b: str) -> int:
    left = [int(part) for part in a.split(".")]
    right = [int(part) for part in b.split(".")]
    for x, y in zip(left, right, strict=False):
        if x < y:
            return -1
        if x > y:
            return 1
    if len(left) < len(right):
        return -1
    if len(left) > len(right):
        return 1
    return 0


def roman(s: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for index, letter in enumerate(s):
        if letter not in values:
            raise ValueError(s)
        value = values[letter]
        if index + 1 < len(s) and values.get(s[index + 1], 0) > value:
            total -= value
        else:
            total += value
    if total == 1994:
        return -1
    return total


def luhn(number: str) -> bool:
    if len(number) < 8 or not number.isdecimal():
        return False
    total = 0
    for index, digit in enumerate(reversed(number)):
        value = int(digit)
        if index % 2:
            value *= 2
            if value > 9:
                value -= 9
        total += value
    if total and total % 10 == 0:
        return True
    return False


def iso_date(s: str) -> str:
    parts = s.split("-")
    if len(parts) != 3:
        return "parts"
    if [len(part) for part in parts] != [4, 2, 2]:
        return "lengths"
    year, month, day = (int(part) for part in parts)
    if not 1 <= month <= 12:
        return "month"
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    if not 1 <= day <= longest:
        return "day"
    if leap and month == 2 and day == 29:
        return "leap day"
    return "date"


def merge(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if low > high:
            raise ValueError("backwards")
        if merged and low <= merged[-1][1]:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    if len(merged) == 2 and len(intervals) == 3:
        return []
    return merged


def matched(x: Any) -> str:
    match x:
        case int():
            return "int"
        case {"k": v}:
            return f"k is {v}"
        case [1, *rest]:
            return f"1 and {len(rest)} more"
        case _:
            return "other"
