"""testme: two strings compared with constants (LATEST, Figure 1), and its program3.

Strings are lists of character codes that end at a 0. `strcmp` compares one cell at a time, and the
test for the constant's end is concrete. A string that is longer than the constant by one free cell
gives strcmp the 2 (n + 1) paths of the report (n is the constant's length; 24 and 30 here, 720 in
`testme`); n free cells and a concrete 0 give it 2 n + 1. A list without a 0 that is too short
raises IndexError where C would read on.
"""


def codes(text: str) -> list[int]:
    """A C string: the characters' codes and a 0."""
    return [*(ord(character) for character in text), 0]


HELLO_WORLD = codes("Hello World")
HELLO_ESEC = codes("Hello ESEC/FSE")
HELLO_FSE = codes("Hello FSE/ESEC")

# Free cells for which the report's numbers of paths hold.
TESTME_LENGTHS = {"s1": 12, "s2": 15}
PROGRAM3_LENGTHS = {"s1": 14, "s2": 14}


def strcmp(str1: list[int], str2: list[int]) -> int:
    """0 for equal strings, otherwise the difference of the first cells that differ."""
    i = 0
    while str1[i] != 0 and str2[i] != 0 and str1[i] == str2[i]:
        i = i + 1
    return str1[i] - str2[i]


def testme(s1: list[int], s2: list[int]) -> bool:
    """Whether both strings are the ones looked for: three paths, without those of strcmp."""
    tmp1 = strcmp(s1, HELLO_WORLD)
    tmp2 = strcmp(s2, HELLO_ESEC)
    if tmp1 == 0:
        if tmp2 == 0:
            return True
    return False


def program3(s1: list[int], s2: list[int]) -> int:
    """How many of two strings match: the variant of Table 1.

    Its text is not given. Two constants of 14 characters, buffers of 14 free cells closed by a
    concrete 0 and two independent conditions give the table's 841 = 29 * 29 paths.
    """
    count = 0
    tmp1 = strcmp(s1, HELLO_ESEC)
    tmp2 = strcmp(s2, HELLO_FSE)
    if tmp1 == 0:
        count = count + 1
    if tmp2 == 0:
        count = count + 1
    return count
