"""A condition in fixed fields, as in a query by form: column, comparison, value and connective.

Each row has 11 codes: 4 of a column's name, 2 of a comparison, 2 of a number, 3 of a connective.
What lies behind the parser is how the query would be answered.
"""

from __future__ import annotations

WIDTH = 11
COLUMNS = ("name", "age ", "town")
COMPARISONS = ("= ", "< ", "> ", "<=", ">=", "<>")
CONNECTIVES = ("and", "or ", "end")


class BadFormError(ValueError):
    """A form that is no query."""


def answer(form: tuple[int, ...]) -> str:
    rows = len(form) // WIDTH
    indexed = 0
    for row in range(rows):
        column = choice(form, row * WIDTH, COLUMNS)
        comparison = choice(form, row * WIDTH + 4, COMPARISONS)
        if column < 0 or comparison < 0:
            raise BadFormError("no such column or comparison")
        value = number(form, row * WIDTH + 6)
        if value < 0:
            raise BadFormError("a value has two digits")
        connective = choice(form, row * WIDTH + 8, CONNECTIVES)
        if connective < 0:
            raise BadFormError("no such connective")
        if (connective == 2) != (row == rows - 1):
            raise BadFormError("end stands in the last row")
        if column == 1 and comparison == 0:
            indexed = indexed + 1
        if connective == 1:
            return scanned(indexed)
    if indexed == rows:
        return "empty unless the values are equal"
    return "index" if indexed > 0 else "scan"


def scanned(indexed: int) -> str:
    if indexed > 0:
        return "index, then scan"
    return "scan"


def choice(form: tuple[int, ...], place: int, words: tuple[str, ...]) -> int:
    """Which of the words stands at a place, or -1."""
    which = 0
    while which < len(words):
        if same(form, place, words[which]):
            return which
        which = which + 1
    return -1


def same(form: tuple[int, ...], place: int, word: str) -> bool:
    i = 0
    while i < len(word):
        if form[place + i] != ord(word[i]):
            return False
        i = i + 1
    return True


def number(form: tuple[int, ...], place: int) -> int:
    value = 0
    i = 0
    while i < 2:
        code = form[place + i]
        if code < ord("0") or code > ord("9"):
            return -1
        value = 10 * value + code - ord("0")
        i = i + 1
    return value
