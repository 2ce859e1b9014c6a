"""Settings in the manner of an INI file, of lines of a fixed width, and what is done with them.

A line is `[server]`, `[client]`, `port=` or `level=` and a number, a comment from `;` on, or empty.
Codes of characters, padded with 0; anything else is not a file of settings.
"""

WIDTH = 10

EMPTY, COMMENT, SERVER, CLIENT, PORT, LEVEL, ERROR = range(7)

LINES = (("[server]", SERVER), ("[client]", CLIENT))
KEYS = (("port=", PORT), ("level=", LEVEL))


class NotSettingsError(ValueError):
    """The text cannot be read."""


def start(text: list[int]) -> str:
    """What the settings ask for."""
    section = EMPTY
    port = 0
    level = 0
    line = 0
    while line < len(text) // WIDTH:
        kind = kind_of(text, line)
        if kind == ERROR:
            raise NotSettingsError("a line that is none")
        if kind == SERVER or kind == CLIENT:
            section = kind
        elif kind == PORT or kind == LEVEL:
            if section == EMPTY:
                raise NotSettingsError("a key before the first section")
            value = number(text, line, 5 if kind == PORT else 6)
            if value < 0:
                raise NotSettingsError("a key without a number")
            if kind == PORT:
                port = value
            else:
                level = value
        line = line + 1
    if section == SERVER and port == 8080:
        if level == 3:
            return "debugging server"
        return "server"
    if section == CLIENT and level > 500:
        return "loud client"
    return "nothing"


def kind_of(text: list[int], line: int) -> int:
    """What a line is."""
    first = text[line * WIDTH]
    if first == 0:
        return EMPTY
    if first == ord(";"):
        return COMMENT
    for words, kind in LINES:
        if begins(text, line, words) and text[line * WIDTH + len(words)] == 0:
            return kind
    for words, kind in KEYS:
        if begins(text, line, words):
            return kind
    return ERROR


def begins(text: list[int], line: int, words: str) -> bool:
    i = 0
    while i < len(words):
        if text[line * WIDTH + i] != ord(words[i]):
            return False
        i = i + 1
    return True


def number(text: list[int], line: int, place: int) -> int:
    """The digits from this place to the end of the line; -1 if there are others or none."""
    value = -1
    while place < WIDTH:
        code = text[line * WIDTH + place]
        if code == 0:
            return value
        if code < ord("0") or code > ord("9"):
            return -1
        if value < 0:
            value = 0
        value = value * 10 + code - ord("0")
        place = place + 1
    return value
