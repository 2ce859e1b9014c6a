"""A condition as in SQL: `age >= 18 and name = tom`, read character by character.

`where` decides something only of conditions that are well formed: what lies behind the parser.
"""

from __future__ import annotations

END, WORD, NUMBER, EQUAL, LESS, MORE, AT_LEAST, AND, OR, NOT, ERROR = range(11)
KEYWORDS = (("and", AND), ("or", OR), ("not", NOT))


def where(text: str) -> str:
    """How a condition is answered: by index, by scan, or not at all."""
    place = 0
    comparisons = 0
    negated = False
    by_index = True
    while True:
        kind, place = token(text, place)
        if kind == NOT:
            negated = True
            kind, place = token(text, place)
        if kind != WORD:
            raise ValueError("a column is expected")
        operator, place = token(text, place)
        if operator != EQUAL and operator != LESS and operator != MORE and operator != AT_LEAST:
            raise ValueError("a comparison is expected")
        value, place = token(text, place)
        if value != NUMBER and value != WORD:
            raise ValueError("a value is expected")
        comparisons = comparisons + 1
        kind, place = token(text, place)
        if kind == OR:
            by_index = False
        elif kind != AND:
            break
    if kind != END:
        raise ValueError("the end is expected")
    if comparisons > 2 and by_index:
        return "two indices" if negated else "index and filter"
    if not by_index:
        return "scan"
    return "index"


def token(text: str, place: int) -> tuple[int, int]:
    """The kind of the token at a place, and where it ends."""
    while place < len(text) and text[place] == " ":
        place = place + 1
    if place >= len(text):
        return END, place
    for keyword, kind in KEYWORDS:
        end = match(text, place, keyword)
        if end > 0:
            return kind, end
    first = text[place]
    if first == "=":
        return EQUAL, place + 1
    if first == "<":
        return LESS, place + 1
    if first == ">":
        if place + 1 < len(text) and text[place + 1] == "=":
            return AT_LEAST, place + 2
        return MORE, place + 1
    if "0" <= first <= "9":
        return NUMBER, digits(text, place)
    if "a" <= first <= "z":
        return WORD, letters(text, place)
    return ERROR, place


def match(text: str, place: int, keyword: str) -> int:
    """Where a keyword ends that stands at a place; 0 if another word does."""
    i = 0
    while i < len(keyword):
        if place + i >= len(text) or text[place + i] != keyword[i]:
            return 0
        i = i + 1
    if place + i < len(text) and "a" <= text[place + i] <= "z":
        return 0
    return place + i


def digits(text: str, place: int) -> int:
    while place < len(text) and "0" <= text[place] <= "9":
        place = place + 1
    return place


def letters(text: str, place: int) -> int:
    while place < len(text) and "a" <= text[place] <= "z":
        place = place + 1
    return place
