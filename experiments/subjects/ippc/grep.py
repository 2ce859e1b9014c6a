"""grep: a small backtracking matcher with ten symbolic pattern characters (IPPC and CGS papers).

A stated substitute: the papers use GNU grep (15,000 lines of C), of which this has the heart, a
pattern parser and a matcher, over three fixed lines of text. Notation: `^` start and `$` end of the
line, `.` any character, `*` `+` `?` after an item, `[...]` and `[^...]` with ranges, `\\` escapes
and the classes `\\d` `\\w` `\\s`, `|` between alternatives. Patterns are lists of character codes,
a code 0 ends one early. `grep` checks first that the codes are 7-bit characters; `select` does not.
"""

from dataclasses import dataclass, field

LENGTH = 10

# Of every element of the list.
DOMAIN = {"pattern": (0, 127)}

TEXT = (
    "the quick brown fox jumps over 13 lazy dogs",
    "aaa bb c [x-y] ^start end$ a*b a|b 3.14",
    "",
)

Ranges = list[tuple[int, int]]


class PatternError(ValueError):
    """The pattern cannot be read."""


@dataclass(slots=True)
class Item:
    """One element of a pattern: characters from some ranges, or a place in the line."""

    place: str = ""  # "start" or "end" for an anchor
    ranges: Ranges = field(default_factory=list)
    negated: bool = False
    least: int = 1
    most: int = 1  # -1 for any number


def grep(pattern: list[int]) -> list[int]:
    """The numbers of the lines of TEXT that match; none if a code is out of range."""
    for code in pattern:
        if code < 0 or code > 127:
            return []
    return select(pattern)


def select(pattern: list[int]) -> list[int]:
    """The numbers of the lines of TEXT that match, none for a pattern that cannot be read."""
    try:
        alternatives = parse(pattern)
    except PatternError:
        return []
    selected = []
    for number, line in enumerate(TEXT):
        codes = [ord(character) for character in line]
        if matches(codes, alternatives):
            selected.append(number)
    return selected


def parse(pattern: list[int]) -> list[list[Item]]:
    """The alternatives, each a sequence of items."""
    end = 0
    while end < len(pattern) and pattern[end] != 0:
        end = end + 1
    alternatives: list[list[Item]] = [[]]
    i = 0
    while i < end:
        code = pattern[i]
        items = alternatives[-1]
        if code == ord("|"):
            alternatives.append([])
        elif code == ord("^") and not items:
            items.append(Item(place="start"))
        elif code == ord("$") and (i + 1 == end or pattern[i + 1] == ord("|")):
            items.append(Item(place="end"))
        elif code == ord("*"):
            repeat(items, 0, -1)
        elif code == ord("+"):
            repeat(items, 1, -1)
        elif code == ord("?"):
            repeat(items, 0, 1)
        elif code == ord("."):
            items.append(Item(ranges=[(1, 127)]))
        elif code == ord("["):
            item = Item()
            i = parse_class(pattern, i + 1, end, item)
            items.append(item)
        elif code == ord("\\"):
            i = i + 1
            if i == end:
                raise PatternError("nothing follows the backslash")
            items.append(Item(ranges=escape(pattern[i])))
        else:
            items.append(Item(ranges=[(code, code)]))
        i = i + 1
    return alternatives


def repeat(items: list[Item], least: int, most: int) -> None:
    """Let the last item be repeated."""
    if not items:
        raise PatternError("nothing to repeat")
    last = items[-1]
    if last.place != "":
        raise PatternError("an anchor cannot be repeated")
    last.least = last.least * least
    if most == -1 or last.most == -1:
        last.most = -1


def escape(code: int) -> Ranges:
    """What a character stands for after a backslash."""
    if code == ord("d"):
        return [(ord("0"), ord("9"))]
    if code == ord("w"):
        return [(ord("0"), ord("9")), (ord("A"), ord("Z")), (95, 95), (ord("a"), ord("z"))]
    if code == ord("s"):
        return [(9, 13), (32, 32)]
    return [(code, code)]


def parse_class(pattern: list[int], i: int, end: int, item: Item) -> int:
    """Fill a class; the place of its closing bracket."""
    if i < end and pattern[i] == ord("^"):
        item.negated = True
        i = i + 1
    first = i
    while i < end:
        code = pattern[i]
        if code == ord("]") and i > first:
            return i
        if code == ord("\\") and i + 1 < end:
            i = i + 1
            item.ranges.extend(escape(pattern[i]))
        elif i + 2 < end and pattern[i + 1] == ord("-") and pattern[i + 2] != ord("]"):
            if pattern[i + 2] < code:
                raise PatternError("the range is empty")
            item.ranges.append((code, pattern[i + 2]))
            i = i + 2
        else:
            item.ranges.append((code, code))
        i = i + 1
    raise PatternError("the bracket is not closed")


def matches(line: list[int], alternatives: list[list[Item]]) -> bool:
    """Whether an alternative matches somewhere in the line."""
    for items in alternatives:
        start = 0
        while start <= len(line):
            if match_here(line, start, items, 0):
                return True
            start = start + 1
    return False


def match_here(line: list[int], i: int, items: list[Item], j: int) -> bool:
    """Whether the items from j on match from place i on."""
    if j == len(items):
        return True
    item = items[j]
    if item.place == "start":
        return i == 0 and match_here(line, i, items, j + 1)
    if item.place == "end":
        return i == len(line) and match_here(line, i, items, j + 1)
    count = 0
    while i < len(line) and count != item.most and fits(item, line[i]):
        i = i + 1
        count = count + 1
    while count >= item.least:
        if match_here(line, i, items, j + 1):
            return True
        i = i - 1
        count = count - 1
    return False


def fits(item: Item, code: int) -> bool:
    """Whether a character is one the item stands for."""
    for low, high in item.ranges:
        if code >= low:
            if code <= high:
                return not item.negated
    return item.negated
