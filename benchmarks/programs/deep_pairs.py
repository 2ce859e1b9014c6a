"""Functions with a fault seeded deep inside: `NAME_a` is right, `NAME_b` is not, for few inputs.

A pair for `symcrete diff` each. The fault shows behind a checksum, several conditions that belong
together, a loop with a state, or in one of very many values.
"""

from __future__ import annotations

from dataclasses import dataclass, field

DIFFERENT = (
    "isbn", "tax", "roman", "network", "machine", "ordinal_day", "packed", "route", "balance",
    "nested", "version", "determinant", "clock", "search", "runs",
)  # fmt: skip


def _weighted(code: str, weights: tuple[int, ...]) -> int:
    return sum(weight * int(digit) for weight, digit in zip(weights, code, strict=True))


def isbn_a(code: str) -> bool:
    if len(code) != 5 or not code.isdigit() or not code.isascii():
        return False
    return _weighted(code, (5, 4, 3, 2, 1)) % 11 == 0


def isbn_b(code: str) -> bool:
    """The fault: with a 9 in the middle one weight is another."""
    if len(code) != 5 or not code.isdigit() or not code.isascii():
        return False
    weights = (5, 4, 3, 2, 1) if code[2] != "9" else (5, 4, 3, 3, 1)
    return _weighted(code, weights) % 11 == 0


def tax_a(income: int, children: int) -> int:
    if income <= 12_000:
        return 0
    if income <= 40_000:
        due = (income - 12_000) // 5
    elif income <= 90_000:
        due = 5_600 + (income - 40_000) * 2 // 5
    else:
        due = 25_600 + (income - 90_000) // 2
    return max(0, due - 300 * max(children, 0))


def tax_b(income: int, children: int) -> int:
    """The fault: the second step begins one too late, where children do not hide it."""
    if income <= 12_000:
        return 0
    if income <= 40_004:
        due = (income - 12_000) // 5
    elif income <= 90_000:
        due = 5_600 + (income - 40_000) * 2 // 5
    else:
        due = 25_600 + (income - 90_000) // 2
    return max(0, due - 300 * max(children, 0))


_STEPS = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman_a(n: int) -> str:
    if not 0 < n < 90:
        raise ValueError("1 to 89")
    text = ""
    for value, letters in _STEPS:
        while n >= value:
            text, n = text + letters, n - value
    return text


def roman_b(n: int) -> str:
    """The fault: 74 is written LXXIIII."""
    if not 0 < n < 90:
        raise ValueError("1 to 89")
    text = ""
    for value, letters in _STEPS:
        while n >= value:
            known = letters if text != "LXX" or value != 4 else "IIII"
            text, n = text + known, n - value
    return text


def network_a(a: int, b: int, c: int, d: int) -> list[int]:
    return sorted([a, b, c, d])


def network_b(a: int, b: int, c: int, d: int) -> list[int]:
    """The fault: the last of five exchanges is missing."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    return [a, b, c, d]


def machine_a(program: str) -> int:
    """A calculator: `+` adds one, `*` doubles, `-` negates, others do nothing."""
    total = 0
    for step in program:
        if step == "+":
            total += 1
        elif step == "*":
            total *= 2
        elif step == "-":
            total = -total
    return total


def machine_b(program: str) -> int:
    """The fault: a value of -6 cannot be doubled."""
    total = 0
    for step in program:
        if step == "+":
            total += 1
        elif step == "*":
            total *= 2 if total != -6 else 1
        elif step == "-":
            total = -total
    return total


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def ordinal_day_a(year: int, month: int, day: int) -> int:
    lengths = (31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return 0
    return sum(lengths[: month - 1]) + day


def ordinal_day_b(year: int, month: int, day: int) -> int:
    """The fault: the last day of a leap year that ends a century counts as the one before."""
    lengths = (31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return 0
    found = sum(lengths[: month - 1]) + day
    return 365 if found == 366 and year % 100 == 0 else found


def packed_a(red: int, green: int, blue: int) -> int:
    if not 0 <= red < 256 or not 0 <= green < 256 or not 0 <= blue < 256:
        raise ValueError("a byte each")
    return red << 16 | green << 8 | blue


def packed_b(red: int, green: int, blue: int) -> int:
    """The fault: one colour of sixteen million."""
    if not 0 <= red < 256 or not 0 <= green < 256 or not 0 <= blue < 256:
        raise ValueError("a byte each")
    found = red * 65_536 + green * 256 + blue
    return found if found != 0xBADA55 else 0xBADA56


def route_a(path: str) -> str:
    parts = path.split("/")
    if len(parts) == 4 and parts[0] == "" and parts[1] == "users":
        if parts[2].isdigit() and parts[3] in ("edit", "show"):
            return parts[3]
    return "none"


def route_b(path: str) -> str:
    """The fault: the user 007 cannot be edited."""
    parts = path.split("/")
    if len(parts) == 4 and parts[0] == "" and parts[1] == "users":
        if parts[2].isdigit() and parts[3] in ("edit", "show"):
            return parts[3] if parts[2] != "007" or parts[3] == "show" else "none"
    return "none"


@dataclass
class Account:
    """Money that somebody has, and what was done with it."""

    balance: int = 0
    limit: int = 0
    log: list[str] = field(default_factory=list)


def balance_a(account: Account, amount: int) -> bool:
    if amount <= 0 or account.balance + account.limit < amount:
        account.log.append("refused")
        return False
    account.balance -= amount
    account.log.append("paid")
    return True


def balance_b(account: Account, amount: int) -> bool:
    """The fault: who takes everything up to the limit, beyond what there is, leaves no trace."""
    if amount <= 0 or account.balance + account.limit < amount:
        account.log.append("refused")
        return False
    account.balance -= amount
    if account.balance != -account.limit or account.limit < 500:
        account.log.append("paid")
    return True


def nested_a(text: str) -> int:
    """How deep brackets are; -1 if they do not match."""
    depth = most = 0
    for each in text:
        if each == "(":
            depth += 1
            most = max(most, depth)
        elif each == ")":
            depth -= 1
            if depth < 0:
                return -1
    return most if depth == 0 else -1


def nested_b(text: str) -> int:
    """The fault: from a depth of three a bracket too many is not seen."""
    depth = most = 0
    for each in text:
        if each == "(":
            depth += 1
            most = max(most, depth)
        elif each == ")":
            depth -= 1
            if depth < 0:
                return -1
    return most if depth == 0 or (most == 3 and depth == 1) else -1


def _numbers(text: str) -> tuple[int, ...]:
    return tuple([int(part) for part in text.split(".") if part.isdecimal()])


def version_a(one: str, other: str) -> bool:
    return _numbers(one) < _numbers(other)


def version_b(one: str, other: str) -> bool:
    """The fault: the third numbers are compared as texts."""
    mine, theirs = _numbers(one), _numbers(other)
    if len(mine) == len(theirs) == 3 and mine[:2] == theirs[:2]:
        return str(mine[2]) < str(theirs[2])
    return mine < theirs


def determinant_a(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Of the matrix [[a, b, c], [d, e, f], [0, 1, 2]]."""
    return a * (2 * e - f) - b * 2 * d + c * d


def determinant_b(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """The fault: one sign, if the first row adds up to the second."""
    if a + b + c == d + e + f and a > 0:
        return a * (2 * e - f) - b * 2 * d - c * d
    return a * (2 * e - f) - b * 2 * d + c * d


def clock_a(start: int, minutes: int) -> str:
    if not 0 <= start < 1440:
        raise ValueError("minutes of a day")
    hour, minute = divmod((start + minutes) % 1440, 60)
    return f"{hour:02}:{minute:02}"


def clock_b(start: int, minutes: int) -> str:
    """The fault: exactly midnight is 24:00 if one came there from the day before."""
    if not 0 <= start < 1440:
        raise ValueError("minutes of a day")
    hour, minute = divmod((start + minutes) % 1440, 60)
    if minutes > 600 and hour == 0 and minute == 0:
        hour = 24
    return f"{hour:02}:{minute:02}"


_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def search_a(x: int) -> int:
    low, high = 0, len(_PRIMES)
    while low < high:
        middle = (low + high) // 2
        if _PRIMES[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def search_b(x: int) -> int:
    """The fault: what is beyond the last one is put before it."""
    low, high = 0, len(_PRIMES) - 1
    while low < high:
        middle = (low + high) // 2
        if _PRIMES[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def runs_a(xs: list[int]) -> int:
    """The length of the longest run of equal numbers."""
    most = length = 0
    for number, each in enumerate(xs):
        length = length + 1 if number and each == xs[number - 1] else 1
        most = max(most, length)
    return most


def runs_b(xs: list[int]) -> int:
    """The fault: a run of zeros after something else is one too long from its third on."""
    most = length = 0
    for number, each in enumerate(xs):
        length = length + 1 if number and each == xs[number - 1] else 1
        most = max(most, length + (length == 3 and each == 0 and number > 2))
    return most
