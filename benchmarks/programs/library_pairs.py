"""Functions of the standard library, and what is documented or commonly used as their equivalent.

`NAME_a` and `NAME_b` are a pair for `symcrete diff`. `SAME` names those that do the same for every
input of their declared types, `DIFFERENT` the others. Pairs of two releases of a package are in
`benchmarks/oracles.py`.
"""

from __future__ import annotations

import bisect
import calendar
import datetime
import fractions
import html
import math
import os.path
import statistics
from xml.sax import saxutils

SAME = ("insertion", "isoweekday", "prefix", "basename", "median", "leap_year")
DIFFERENT = ("bisect_sides", "gcd", "lowest_terms", "iso_date", "isqrt", "escaped")


def insertion_a(xs: tuple[int, int, int], x: int) -> int:
    return bisect.bisect_left(sorted(xs), x)


def insertion_b(xs: tuple[int, int, int], x: int) -> int:
    return sum(each < x for each in xs)


def isoweekday_a(day: datetime.date) -> int:
    return day.isoweekday()


def isoweekday_b(day: datetime.date) -> int:
    return day.weekday() + 1


def prefix_a(text: str, prefix: str) -> str:
    return text.removeprefix(prefix)


def prefix_b(text: str, prefix: str) -> str:
    """What PEP 616 gives as the meaning."""
    if text.startswith(prefix):
        return text[len(prefix) :]
    return text[:]


def basename_a(path: str) -> str:
    return os.path.basename(path)


def basename_b(path: str) -> str:
    return path.rpartition("/")[2]


def median_a(a: int, b: int, c: int) -> int:
    return statistics.median([a, b, c])


def median_b(a: int, b: int, c: int) -> int:
    return max(min(a, b), min(max(a, b), c))


def leap_year_a(year: int) -> bool:
    return calendar.isleap(year)


def leap_year_b(year: int) -> bool:
    return year % (400 if year % 100 == 0 else 4) == 0


def bisect_sides_a(xs: list[int], x: int) -> int:
    return bisect.bisect_left(sorted(xs), x)


def bisect_sides_b(xs: list[int], x: int) -> int:
    return bisect.bisect_right(sorted(xs), x)


def gcd_a(a: int, b: int) -> int:
    return math.gcd(a, b)


def gcd_b(a: int, b: int) -> int:
    """As `fractions` had it before `math`: the sign is that of `b`."""
    while b:
        a, b = b, a % b
    return a


def lowest_terms_a(a: int, b: int) -> int:
    return fractions.Fraction(a, b).denominator


def lowest_terms_b(a: int, b: int) -> int:
    return b // math.gcd(a, b)


def iso_date_a(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def iso_date_b(text: str) -> datetime.date:
    return datetime.datetime.strptime(text, "%Y-%m-%d").date()


def isqrt_a(n: int) -> int:
    return math.isqrt(n) if n >= 0 else 0


def isqrt_b(n: int) -> int:
    return int(math.sqrt(n)) if n >= 0 else 0


def escaped_a(text: str) -> str:
    return html.escape(text)


def escaped_b(text: str) -> str:
    return saxutils.escape(text)
