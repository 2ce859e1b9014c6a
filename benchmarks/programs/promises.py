"""Functions for `symcrete check`: `HOLDS` names those that keep what they promise, `FAILS` the others.

Some promise by `assert`, some by contracts of icontract and deal, some by their documentation: what they raise,
conditions as PEP 316 has them, invariants of a class, examples. Some are properties.
"""

from __future__ import annotations

import deal
import icontract

import symcrete

HOLDS = (
    "absolute", "clamped", "percent", "documented", "numpy_style", "doubled", "positive", "parity",
    "quarter", "guarded", "rounded", "leap", "wrapped", "largest",
)  # fmt: skip
FAILS = (
    "magic", "divided", "undocumented", "parsed", "indexed", "weak_post", "off_by_one", "wrong_pre",
    "looked_up", "ordered", "ensured", "remembered", "deep", "promised",
    "hundredth", "days_of", "Tank.fill", "padded", "share", "doubling_is_undone", "halves_add_up",
    "mirrored",
)  # fmt: skip


def absolute(x: int) -> int:
    result = -x if x < 0 else x
    assert result >= 0
    return result


def clamped(x: int, low: int, high: int) -> int:
    if low > high:
        return x
    result = low if x < low else high if x > high else x
    assert low <= result <= high
    return result


def percent(part: int, whole: int) -> int:
    if whole <= 0 or not 0 <= part <= whole:
        return 0
    result = part * 100 // whole
    assert 0 <= result <= 100
    return result


def documented(age: int) -> int:
    """The age.

    Raises:
        ValueError: if it is negative.
    """
    if age < 0:
        raise ValueError(age)
    return age


def numpy_style(index: int) -> str:
    """A name.

    Raises
    ------
    IndexError
        If there is no such name.
    """
    return ("north", "east", "south", "west")[index]


@icontract.require(lambda x: x > 0)
@icontract.ensure(lambda x, result: result > x)
def doubled(x: int) -> int:
    return x * 2


@deal.pre(lambda x: x > 10)
@deal.post(lambda result: result > 0)
def positive(x: int) -> int:
    return x - 5


def parity(n: int) -> int:
    assert n * (n + 1) % 2 == 0
    return n * (n + 1) // 2


@icontract.require(lambda month: 1 <= month <= 12)
@icontract.ensure(lambda result: 1 <= result <= 4)
def quarter(month: int) -> int:
    return (month + 2) // 3


def guarded(a: int, b: int) -> int:
    return a // b if b else 0


def magic(x: int, y: int) -> int:
    assert not (x * 3 == y + 11 and y > 5000), "never"
    return x


def divided(total: int, parts: int) -> int:
    return total // (parts - 7)


def undocumented(age: int) -> int:
    """The age.

    :raises ValueError: if it is negative.
    """
    if age < 0:
        raise ValueError(age)
    if age > 150:
        raise OverflowError(age)
    return age


def parsed(text: str) -> int:
    if text.startswith("n="):
        return int(text[2:])
    return 0


def indexed(xs: list[int], n: int) -> int:
    if n > 3:
        return xs[n]
    return 0


@icontract.require(lambda x: x > 0)
@icontract.ensure(lambda x, result: result > x)
def weak_post(x: int) -> int:
    return x * 2 if x != 77 else 5


@deal.pre(lambda x: x > 0)
@deal.post(lambda result: result > 0)
def off_by_one(x: int) -> int:
    return x - 1


def wrong_pre(x: int) -> int:
    return doubled(x - 10) if x > 5 else 0


def looked_up(name: str) -> int:
    return {"north": 1, "south": 2}[name]


def ordered(a: int, b: int, c: int) -> int:
    low = a if a < b else b
    low = low if low < c else b
    assert low <= a and low <= b and low <= c
    return low


@deal.ensure(lambda x, y, result: result >= x)
def ensured(x: int, y: int) -> int:
    return x + y if y > -9 else x


@icontract.snapshot(lambda x: x)
@icontract.ensure(lambda result, OLD: result != OLD.x)
def remembered(x: int) -> int:
    return x + 1 if x != 4_321 else x


def deep(code: str, n: int) -> int:
    if code[:2] == "ab" and len(code) == 4:
        if n * n == 1_522_756:
            assert code[3] != "z"
    return n


@deal.raises(ValueError)
def promised(x: int) -> int:
    if x == 55:
        raise KeyError(x)
    return x


# -- promises of other kinds: documented conditions, classes, examples, properties


def rounded(cents: int) -> int:
    """Whole units, rounded to the nearest.

    post: abs(__return__ * 100 - cents) <= 50
    """
    return (cents + 50) // 100


def leap(year: int) -> bool:
    """Whether a year is a leap year.

    pre: year > 0
    post: __return__ == (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    """
    if year % 100 == 0:
        return year % 400 == 0
    return year % 4 == 0


@icontract.require(lambda low, high: low <= high)
@icontract.ensure(lambda x, low, high, result: low <= result <= high)
def wrapped(x: int, low: int, high: int) -> int:
    return low + (x - low) % (high - low + 1)


@deal.ensure(lambda a, b, c, result: result in (a, b, c))
@deal.ensure(lambda a, b, c, result: result >= a and result >= b and result >= c)
def largest(a: int, b: int, c: int) -> int:
    most = a if a >= b else b
    return most if most >= c else c


def hundredth(cents: int) -> int:
    """Whole units, rounded to the nearest.

    post: abs(__return__ * 100 - cents) <= 50
    """
    return (cents + 50) // 100 if cents != -4_950 else 0


def days_of(month: int, year: int) -> int:
    """The days of a month.

    pre: 1 <= month <= 12 and year > 1582
    post: 28 <= __return__ <= 31
    post: month != 2 or __return__ == 28 + (year % 4 == 0 and year % 100 != 0 or year % 400 == 0)
    """
    if month == 2:
        return 29 if year % 4 == 0 and year % 100 != 0 else 28
    return 30 if month in (4, 6, 9, 11) else 31


class Tank:
    """Water in a tank.

    inv: 0 <= self.level <= self.size
    """

    def __init__(self, size: int) -> None:
        if size < 0:
            raise ValueError("no tank is smaller than nothing")
        self.size = size
        self.level = 0

    def fill(self, amount: int) -> None:
        """Put water into it; what does not fit runs over.

        Raises:
            ValueError: if there is less than no water.
        """
        if amount < 0:
            raise ValueError("less than no water")
        self.level = min(self.level + amount, self.size) if amount < 1_000 else amount


def padded(number: int) -> str:
    """The number with three digits.

    >>> padded(7)
    '007'
    >>> padded(1234)
    '234'
    """
    return f"{number:03}"


def share(total: int, people: int) -> int:
    """What each gets.

    Raises:
        ZeroDivisionError: if there is nobody.
    """
    if total < 0:
        raise ArithmeticError("debts are not shared")
    return total // people


@symcrete.forall
def doubling_is_undone(n: int) -> None:
    text = str(n * 2)
    assert int(text) // 2 == n
    assert text[0] != "7" or text[-1] != "4" or len(text) != 5


@symcrete.forall
def halves_add_up(n: int) -> None:
    half = int(n / 2)
    assert half + (n - half) == n
    assert half <= n - half


@icontract.require(lambda text: len(text) == 3)
@icontract.ensure(lambda text, result: result or text[0] != text[2])
def mirrored(text: str) -> bool:
    return text == text[::-1] and text != "x-x"
