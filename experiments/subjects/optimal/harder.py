"""Functions on which strategies differ: several loops, rare equalities, text (ours).

Chance covers most of the numeric counterparts of GSL within a second. Here no strategy does well
everywhere: `safe` has equalities that no draw meets, `account` loops whose number of turns decides,
`label` a text with a check sum, and `convoy` a loop in which solving costs more than drawing.
"""

from __future__ import annotations

SECRET = 728_191  # what the first number of the safe has to be
MODULUS = 97


def safe(first: int, second: int, third: int) -> str:
    """How far three numbers open a safe; each step is one equality in millions."""
    if first != SECRET:
        return "closed" if first > 0 else "alarm"
    if second * 3 - first != 11:
        return "first bolt"
    if third == second + first:
        return "trap"
    if third % 1009 == 17 and third > 10**6:
        return "open" if third - second > 5 * 10**6 else "ajar"
    return "second bolt"


def account(deposits: list[int], limit: int) -> str:
    """The state of an account after a list of deposits (negative: withdrawals)."""
    balance, returned, largest = 0, 0, 0
    for amount in deposits:
        if balance + amount < -limit:
            returned += 1
            continue
        balance += amount
        if amount > largest:
            largest = amount
    months = 0
    while balance > 0 and months < 12:
        balance -= 1000
        months += 1
    if returned > 2:
        return "blocked"
    if returned == 2 and largest == 4321:
        return "watched"
    if months == 12:
        return "rich" if len(deposits) == 3 else "richer"
    if balance == 0:
        return "even"
    return "overdrawn" if balance < 0 and months == 0 else "used up"


def label(text: str) -> str:
    """What a label such as `AB-0042-67` says: two letters, four digits, a check sum of both."""
    parts = text.split("-")
    if len(parts) != 3:
        return "not a label"
    name, number, check = parts
    if len(name) != 2 or not name.isalpha() or not name.isupper():
        return "bad name"
    if len(number) != 4 or not number.isdigit():
        return "bad number"
    if not check.isdigit():
        return "bad check"
    total = 0
    for character in name + number:
        total = (total * 10 + ord(character)) % MODULUS
    if total != int(check):
        return "wrong check"
    return "sample" if number == "0000" else "product"


def convoy(start: int, speeds: list[int]) -> str:
    """Where a convoy is after each stage has multiplied and folded its place."""
    place = start
    for speed in speeds:
        if speed == 0:
            return "stopped"
        place = (place * speed + 7) % 1000
        if place == 500:
            return "crossing"
    if len(speeds) > 3 and place < 10:
        return "home"
    return "under way"
