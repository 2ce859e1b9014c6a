"""top: look for a character and at what follows it (LATEST, Figure 7), and programs 1 and 2.

Texts are lists of n free cells and a concrete 0. With a plain terminator `locate` has 2 n + 1 paths
and `top` 3 n. The report's 2 n and 3 n - 1 suppose that the scan never passes the last free cell:
`locate_within` raises RejectedError there, and a run that does so lies outside what is assumed, so
it is not to be counted.
"""

LETTER_A = ord("a")
LETTER_B = ord("b")
COLON = ord(":")

# Free cells for which Table 1's 676 = 26 * 26 holds.
PROGRAM1_LENGTHS = {"first": 9, "second": 9}
PROGRAM2_LENGTHS = {"text": 9}


class RejectedError(Exception):
    """The input is not among those assumed."""


def locate(s: list[int], c: int) -> int:
    """The place of the first c, or -1."""
    i = 0
    while s[i] != c:
        if s[i] == 0:
            return -1
        i = i + 1
    return i


def locate_within(s: list[int], c: int) -> int:
    """The same for a text whose last free cell is c or 0."""
    i = 0
    while s[i] != c:
        if s[i] == 0:
            return -1
        i = i + 1
        if i == len(s) - 1:
            raise RejectedError
    return i


def top(text: list[int]) -> int:
    """-1 without an a, 0 if a colon follows the first a, else 1."""
    z = locate(text, LETTER_A)
    if z == -1:
        return -1
    if text[z + 1] != COLON:
        return 1
    return 0


def top_within(text: list[int]) -> int:
    """The same, with the assumption about the last free cell."""
    z = locate_within(text, LETTER_A)
    if z == -1:
        return -1
    if text[z + 1] != COLON:
        return 1
    return 0


def program1(first: list[int], second: list[int]) -> int:
    """Two calls of locate on different buffers; 3 (first) and 1 (second) for each stage passed."""
    score = 0
    z = locate_within(first, LETTER_A)
    if z != -1:
        score = score + 3
        if first[z + 1] == COLON:
            score = score + 3
    z = locate_within(second, LETTER_A)
    if z != -1:
        score = score + 1
        if second[z + 1] == COLON:
            score = score + 1
    return score


def program2(text: list[int]) -> int:
    """Two calls of locate on the same buffer, for an a and for a b.

    Its text is not given. This has 363 paths, and no variant tried the 651 of Table 1.
    """
    score = 0
    z = locate_within(text, LETTER_A)
    if z != -1:
        score = score + 3
        if text[z + 1] == COLON:
            score = score + 3
    z = locate_within(text, LETTER_B)
    if z != -1:
        score = score + 1
        if text[z + 1] == COLON:
            score = score + 1
    return score
