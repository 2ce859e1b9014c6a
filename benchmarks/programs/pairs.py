"""Pairs of functions for `symcrete diff`: `NAME_a` and `NAME_b`, the same or different.

`SAME` names those that do the same for every input of their declared types, `DIFFERENT` the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

SAME = (
    "leap", "gcd_step", "days", "absolute", "clamp", "triangle", "sign", "de_morgan", "halves",
    "swap", "greeting", "divide", "month", "grade", "bits", "octal", "initial", "interval",
)  # fmt: skip
DIFFERENT = (
    "boundary", "overflow", "magic", "keyword", "rounding", "float_order", "truncation", "message",
    "mutation", "printing", "deep", "checksum", "enumeration", "default", "slicing", "strip",
    "exception", "identity", "loop", "zero",
)  # fmt: skip


# -- the same


def leap_a(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leap_b(year: int) -> bool:
    if year % 400 == 0:
        return True
    return year % 100 != 0 and year % 4 == 0


def gcd_step_a(a: int, b: int) -> tuple[int, int]:
    if b == 0:
        raise ValueError("no remainder by zero")
    return b, a % b


def gcd_step_b(a: int, b: int) -> tuple[int, int]:
    if not b:
        raise ValueError("no remainder by zero")
    return b, a - a // b * b


def days_a(month: int) -> int:
    if month == 2:
        return 28
    if month in (4, 6, 9, 11):
        return 30
    return 31


def days_b(month: int) -> int:
    if month == 2:
        return 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


def absolute_a(x: int) -> int:
    return x if x >= 0 else -x


def absolute_b(x: int) -> int:
    return abs(x)


def clamp_a(x: int, low: int, high: int) -> int:
    if low > high:
        return x
    return max(low, min(x, high))


def clamp_b(x: int, low: int, high: int) -> int:
    if low <= high and x < low:
        return low
    if low <= high and x > high:
        return high
    return x


def triangle_a(n: int) -> int:
    return n * (n + 1) // 2


def triangle_b(n: int) -> int:
    return (n * n + n) // 2


def sign_a(x: float) -> int:
    if x > 0:
        return 1
    return -1 if x < 0 else 0


def sign_b(x: float) -> int:
    return int(x > 0) - int(x < 0)


def de_morgan_a(a: bool, b: bool, c: bool) -> bool:
    return not (a and (b or c))


def de_morgan_b(a: bool, b: bool, c: bool) -> bool:
    return not a or (not b and not c)


def halves_a(n: int) -> int:
    return n // 2 + n % 2


def halves_b(n: int) -> int:
    return -(-n // 2)


@dataclass
class Point:
    x: int
    y: int


def swap_a(point: Point) -> Point:
    return Point(point.y, point.x)


def swap_b(point: Point) -> Point:
    other = Point(0, 0)
    other.x, other.y = point.y, point.x
    return other


def greeting_a(name: str) -> str:
    return f"Hello, {name}!"


def greeting_b(name: str) -> str:
    return "Hello, " + name + "!"


def divide_a(a: int, b: int) -> int:
    return a // b


def divide_b(a: int, b: int) -> int:
    return (a - a % b) // b


def month_a(month: int) -> int:
    if not 1 <= month <= 12:
        raise ValueError(f"no month {month}")
    return (month - 1) // 3 + 1


def month_b(month: int) -> int:
    if month < 1 or month > 12:
        raise ValueError("no month " + str(month))
    return 1 if month <= 3 else 2 if month <= 6 else 3 if month <= 9 else 4


def grade_a(points: int) -> str:
    if points >= 90:
        return "A"
    if points >= 80:
        return "B"
    return "C"


def grade_b(points: int) -> str:
    if points < 80:
        return "C"
    return "B" if points < 90 else "A"


def bits_a(x: int) -> bool:
    return x & 1 == 1


def bits_b(x: int) -> bool:
    return x % 2 == 1


def octal_a(text: str) -> bool:
    return len(text) == 1 and "0" <= text <= "7"


def octal_b(text: str) -> bool:
    return len(text) == 1 and text in "01234567"


def initial_a(name: str) -> str:
    return name[0] if name else "?"


def initial_b(name: str) -> str:
    return name[:1] or "?"


def interval_a(a: int, b: int, c: int, d: int) -> bool:
    return a <= d and c <= b


def interval_b(a: int, b: int, c: int, d: int) -> bool:
    return not (d < a or b < c)


# -- different


def boundary_a(total: int, code: str) -> int:
    if total < 0:
        raise ValueError("negative")
    return total - 10 if code == "SAVE" and total > 1000 else total


def boundary_b(total: int, code: str) -> int:
    if total < 0:
        raise ValueError("negative")
    return total - 10 if code == "SAVE" and total >= 1000 else total


def overflow_a(x: int) -> int:
    return (x * 31 + 7) % 2**32


def overflow_b(x: int) -> int:
    return (x * 31 + 7) & 0x7FFFFFFF


def magic_a(x: int, y: int) -> int:
    return x + y


def magic_b(x: int, y: int) -> int:
    return x + y + (x * 7919 == 982_451 * y and y > 0)


def keyword_a(word: str) -> bool:
    return word.lower() in ("yes", "on", "true")


def keyword_b(word: str) -> bool:
    return word.casefold() in ("yes", "on", "true") or word == "\u017etrue"


def rounding_a(cents: int) -> int:
    return round(cents / 10)


def rounding_b(cents: int) -> int:
    return (cents + 5) // 10


def float_order_a(a: float, b: float, c: float) -> bool:
    return (a + b) + c == 0.0


def float_order_b(a: float, b: float, c: float) -> bool:
    return a + (b + c) == 0.0


def truncation_a(x: int) -> int:
    return x // 4


def truncation_b(x: int) -> int:
    return int(x / 4) if abs(x) < 2**40 else x // 4


def message_a(age: int) -> int:
    if age < 18:
        raise ValueError(f"too young: {age}")
    return age


def message_b(age: int) -> int:
    if age < 18:
        raise ValueError(f"too young: {abs(age)}")
    return age


def mutation_a(xs: list[int]) -> None:
    if len(xs) > 1 and xs[0] > xs[1]:
        xs[0], xs[1] = xs[1], xs[0]


def mutation_b(xs: list[int]) -> None:
    if len(xs) > 1 and xs[0] > xs[1] and xs[0] != 12_345:
        xs[0], xs[1] = xs[1], xs[0]


def printing_a(n: int) -> None:
    print(f"{n} of 100")


def printing_b(n: int) -> None:
    print(n if n != 77 else 78, "of", 100)


def _lookup(code: int) -> int:
    return code % 97 * 13


def deep_a(a: int, b: int, c: int) -> int:
    if a > 100 and b == a * 2 + 1:
        if c != _lookup(b) and c > 3000:
            return 1
    return 0


def deep_b(a: int, b: int, c: int) -> int:
    if a > 100 and b == a * 2 + 1:
        if c != _lookup(b) and c > 3000:
            return 1 if c != b * 17 + a else 2
    return 0


def checksum_a(digits: str) -> bool:
    if len(digits) != 4 or not digits.isdigit():
        return False
    return sum(int(digit) for digit in digits) % 10 == 0


def checksum_b(digits: str) -> bool:
    if len(digits) != 4 or not digits.isdigit():
        return False
    return digits != "7364" and sum(int(digit) for digit in digits) % 10 == 0


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


def enumeration_a(colour: Colour, level: int) -> int:
    return level * 2 if colour is Colour.BLUE else level


def enumeration_b(colour: Colour, level: int) -> int:
    return level << 1 if colour is Colour.BLUE and level < 500 else level


def default_a(x: int, step: int = 3) -> int:
    return x + step


def default_b(x: int, step: int = 3) -> int:
    return x + (step or 3)


def slicing_a(text: str, n: int) -> str:
    return text[-n:] if n else ""


def slicing_b(text: str, n: int) -> str:
    return text[len(text) - n :]


def strip_a(text: str) -> bool:
    return text.strip() == "ok"


def strip_b(text: str) -> bool:
    return text.strip(" \n") == "ok"


def exception_a(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return -1


def exception_b(text: str) -> int:
    return int(text) if text.isdigit() else -1


def identity_a(a: list[int], b: list[int]) -> bool:
    return a == b


def identity_b(a: list[int], b: list[int]) -> bool:
    return a is b


def loop_a(n: int) -> int:
    if not 0 <= n <= 12:
        return 0
    total = 1
    while n > 1:
        total *= n
        n -= 1
    return total


def loop_b(n: int) -> int:
    return math.factorial(n) if 0 < n <= 12 else 0


def zero_a(a: int, b: int) -> int:
    return a // b if b else 0


def zero_b(a: int, b: int) -> int:
    try:
        return a // b
    except ZeroDivisionError:
        return 0 if a else 1
