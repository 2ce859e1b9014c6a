"""replace: find a pattern in a line and put a substitute in its place (IPPC and CGS papers).

A regular-expression editor in the manner of the Siemens suite's `replace`, which comes with CREST;
the text is our own. Notation: `@` escapes (`@n`, `@t`), `*` repeats what stands before it, `%` is
the line's start, `$` its end, `?` any character, `[...]` a class, `[^...]` its complement, `a-c` a
range inside a class; in the substitute `&` is the text that matched. Texts are lists of character
codes; a code 0 ends a text early, and the lists' lengths are the experiment's parameter (CREST's
copy has 9, 9 and 19 symbolic characters, the paper says 20 in all).

Chosen where the original leaves a choice: ranges are kept as two bounds rather than spelled out,
an illegal pattern gives None instead of ending the process. `replace` checks that every code is a
7-bit character first; `replace_line` leaves that to the tester.
"""

from dataclasses import dataclass, field

LENGTHS = {"pattern": 9, "substitute": 9, "line": 19}

# Of every element of each list.
DOMAIN = {"pattern": (0, 127), "substitute": (0, 127), "line": (0, 127)}

END = 0
TAB = 9
NEWLINE = 10
LINE_END = ord("$")
LINE_START = ord("%")
DITTO = ord("&")
CLOSURE = ord("*")
DASH = ord("-")
ANY = ord("?")
ESCAPE = ord("@")
CLASS = ord("[")
CLASS_END = ord("]")
NEGATE = ord("^")

BUFFER = 100  # pieces in a pattern or a substitute
MATCHED = -1  # in a prepared substitute: the text that matched

CHARACTER, ANYTHING, START, STOP, SET = range(5)


@dataclass(slots=True)
class Piece:
    """One element of a prepared pattern."""

    kind: int
    code: int = 0
    ranges: list[tuple[int, int]] = field(default_factory=list)
    negated: bool = False
    repeated: bool = False


def replace(pattern: list[int], substitute: list[int], line: list[int]) -> list[int] | None:
    """The line with every match replaced; None if a code or the pattern is not legal."""
    for codes in (pattern, substitute, line):
        for code in codes:
            if code < 0 or code > 127:
                return None
    return replace_line(pattern, substitute, line)


def replace_line(pattern: list[int], substitute: list[int], line: list[int]) -> list[int] | None:
    """The same without the check of the codes."""
    pieces = prepare_pattern(pattern)
    if pieces is None:
        return None
    replacement = prepare_substitute(substitute)
    if replacement is None:
        return None
    return change(line, pieces, replacement)


def text_length(codes: list[int]) -> int:
    """Where the text ends: at its first 0, or with the list."""
    i = 0
    while i < len(codes):
        if codes[i] == END:
            return i
        i = i + 1
    return i


def escaped(codes: list[int], i: int, end: int) -> tuple[int, int]:
    """The character that stands at i, and where its last code is."""
    if codes[i] != ESCAPE:
        return codes[i], i
    if i + 1 == end:
        return ESCAPE, i  # a last @ stands for itself
    i = i + 1
    if codes[i] == ord("n"):
        return NEWLINE, i
    if codes[i] == ord("t"):
        return TAB, i
    return codes[i], i


def prepare_pattern(pattern: list[int]) -> list[Piece] | None:
    """The pattern's pieces, or None if it is not legal."""
    pieces: list[Piece] = []
    end = text_length(pattern)
    if end == 0:
        return None
    i = 0
    while i < end:
        code = pattern[i]
        if len(pieces) >= BUFFER:
            return None
        if code == ANY:
            pieces.append(Piece(ANYTHING))
        elif code == LINE_START and i == 0:
            pieces.append(Piece(START))
        elif code == LINE_END and i == end - 1:
            pieces.append(Piece(STOP))
        elif code == CLASS:
            piece = Piece(SET)
            i = prepare_class(pattern, i, end, piece)
            if i == end:
                return None  # the bracket never closes
            pieces.append(piece)
        elif code == CLOSURE and i > 0:
            last = pieces[-1]
            if last.kind == START or last.repeated:
                return None
            last.repeated = True
        else:
            character, i = escaped(pattern, i, end)
            pieces.append(Piece(CHARACTER, character))
        i = i + 1
    return pieces


def prepare_class(pattern: list[int], i: int, end: int, piece: Piece) -> int:
    """Fill a class from the bracket at i on; the place of the closing bracket, or the end."""
    i = i + 1
    if i < end and pattern[i] == NEGATE:
        piece.negated = True
        i = i + 1
    while i < end:
        if pattern[i] == CLASS_END:
            return i
        if pattern[i] == DASH and piece.ranges and i + 1 < end and pattern[i + 1] != CLASS_END:
            i = i + 1
            low = piece.ranges[-1][1]
            high = pattern[i]
            if is_alphanumeric(low) and is_alphanumeric(high) and low <= high:
                piece.ranges.append((low, high))
            else:
                piece.ranges.append((DASH, DASH))
                piece.ranges.append((high, high))
        else:
            character, i = escaped(pattern, i, end)
            piece.ranges.append((character, character))
        i = i + 1
    return end


def is_alphanumeric(code: int) -> bool:
    if code < ord("0"):
        return False
    if code <= ord("9"):
        return True
    if code < ord("A"):
        return False
    if code <= ord("Z"):
        return True
    if code < ord("a"):
        return False
    return code <= ord("z")


def prepare_substitute(substitute: list[int]) -> list[int] | None:
    """The substitute with its escapes resolved, or None if it is too long."""
    replacement: list[int] = []
    end = text_length(substitute)
    i = 0
    while i < end:
        if len(replacement) >= BUFFER:
            return None
        if substitute[i] == DITTO:
            replacement.append(MATCHED)
        else:
            character, i = escaped(substitute, i, end)
            replacement.append(character)
        i = i + 1
    return replacement


def change(line: list[int], pieces: list[Piece], replacement: list[int]) -> list[int]:
    """Replace from the left, the longest match at each place."""
    result: list[int] = []
    end = text_length(line)
    previous = -1
    i = 0
    while i < end:
        after = match_here(line, end, i, pieces, 0)
        if after >= 0 and after != previous:
            substitute_match(line, i, after, replacement, result)
            previous = after
        if after == -1 or after == i:
            result.append(line[i])
            i = i + 1
        else:
            i = after
    return result


def substitute_match(
    line: list[int], start: int, after: int, replacement: list[int], result: list[int]
) -> None:
    for code in replacement:
        if code == MATCHED:
            k = start
            while k < after:
                result.append(line[k])
                k = k + 1
        else:
            result.append(code)


def match_here(line: list[int], end: int, i: int, pieces: list[Piece], j: int) -> int:
    """Where the match that starts at i ends, or -1; pieces from j on are still to be matched."""
    while j < len(pieces):
        piece = pieces[j]
        if piece.repeated:
            k = i
            while k < end and matches_one(piece, line[k]):
                k = k + 1
            while k >= i:
                after = match_here(line, end, k, pieces, j + 1)
                if after >= 0:
                    return after
                k = k - 1
            return -1
        if piece.kind == START:
            if i != 0:
                return -1
        elif piece.kind == STOP:
            if i != end and line[i] != NEWLINE:
                return -1
        else:
            if i == end:
                return -1
            if not matches_one(piece, line[i]):
                return -1
            i = i + 1
        j = j + 1
    return i


def matches_one(piece: Piece, code: int) -> bool:
    """Whether one character fits a piece that stands for a character."""
    if piece.kind == CHARACTER:
        return code == piece.code
    if code == NEWLINE:
        return False
    if piece.kind == ANYTHING:
        return True
    for low, high in piece.ranges:
        if low <= code <= high:
            return not piece.negated
    return piece.negated
