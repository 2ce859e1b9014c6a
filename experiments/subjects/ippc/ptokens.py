"""ptokens: cut a text into tokens and name their classes (IPPC paper).

After `print_tokens` of the Software-artifact Infrastructure Repository, written anew. Spaces and
newlines part tokens; ( ) [ ] ' ` , are tokens of their own; a string runs from " to the next " or
the end of the line, a comment from ; to the end of the line; any other token ends before a special
symbol, a space, a newline or a ;. The classes are tried in the order of the constants below.

Texts are lists of character codes, 40 of them in the paper; a code 0 ends a text early. `ptokens`
checks that every code is a 7-bit character first; `tokens` leaves that to the tester. Chosen: an
unfinished string (the line ends before its quote) is an error, as is a token that fits no class.
"""

LENGTH = 40

# Of every element of the list.
DOMAIN = {"text": (0, 127)}

KEYWORD, SPECIAL, IDENTIFIER, NUMBER, STRING, CHARACTER, COMMENT, END, ERROR = range(1, 10)

KEYWORDS = ("and", "or", "if", "xor", "lambda", "=>")


def ptokens(text: list[int]) -> list[int]:
    """The classes of the tokens, the last one END; only ERROR if a code is out of range."""
    for code in text:
        if code < 0 or code > 127:
            return [ERROR]
    return tokens(text)


def tokens(text: list[int]) -> list[int]:
    """The same without the check of the codes."""
    classes: list[int] = []
    position = 0
    while True:
        start = skip_space(text, position)
        if at_end(text, start):
            classes.append(END)
            return classes
        position = token_end(text, start)
        classes.append(classify(text, start, position))


def at_end(text: list[int], i: int) -> bool:
    if i >= len(text):
        return True
    return text[i] == 0


def skip_space(text: list[int], i: int) -> int:
    while not at_end(text, i):
        if text[i] != ord(" ") and text[i] != ord("\n"):
            return i
        i = i + 1
    return i


def token_end(text: list[int], start: int) -> int:
    """The place after the token that starts here."""
    code = text[start]
    if is_special(code):
        return start + 1
    if code == ord('"'):
        return string_end(text, start + 1)
    if code == ord(";"):
        return line_end(text, start + 1)
    i = start + 1
    while not at_end(text, i):
        code = text[i]
        if is_special(code) or code == ord(" ") or code == ord("\n") or code == ord(";"):
            return i
        i = i + 1
    return i


def string_end(text: list[int], i: int) -> int:
    while not at_end(text, i):
        if text[i] == ord('"'):
            return i + 1
        if text[i] == ord("\n"):
            return i
        i = i + 1
    return i


def line_end(text: list[int], i: int) -> int:
    while not at_end(text, i):
        if text[i] == ord("\n"):
            return i
        i = i + 1
    return i


def is_special(code: int) -> bool:
    if code == ord("(") or code == ord(")"):
        return True
    if code == ord("[") or code == ord("]"):
        return True
    return code == ord("'") or code == ord("`") or code == ord(",")


def classify(text: list[int], start: int, end: int) -> int:
    """The class of the token between two places."""
    if is_keyword(text, start, end):
        return KEYWORD
    if is_special(text[start]):
        return SPECIAL
    if is_identifier(text, start, end):
        return IDENTIFIER
    if is_number(text, start, end):
        return NUMBER
    if is_string(text, start, end):
        return STRING
    if is_character(text, start, end):
        return CHARACTER
    if text[start] == ord(";"):
        return COMMENT
    return ERROR


def is_keyword(text: list[int], start: int, end: int) -> bool:
    for word in KEYWORDS:
        if spells(text, start, end, word):
            return True
    return False


def spells(text: list[int], start: int, end: int, word: str) -> bool:
    """Whether a token is a word, compared one character at a time."""
    if end - start != len(word):
        return False
    i = 0
    while i < len(word):
        if text[start + i] != ord(word[i]):
            return False
        i = i + 1
    return True


def is_letter(code: int) -> bool:
    if code < ord("A"):
        return False
    if code <= ord("Z"):
        return True
    if code < ord("a"):
        return False
    return code <= ord("z")


def is_digit(code: int) -> bool:
    if code < ord("0"):
        return False
    return code <= ord("9")


def is_identifier(text: list[int], start: int, end: int) -> bool:
    if not is_letter(text[start]):
        return False
    i = start + 1
    while i < end:
        if not is_letter(text[i]) and not is_digit(text[i]):
            return False
        i = i + 1
    return True


def is_number(text: list[int], start: int, end: int) -> bool:
    i = start
    while i < end:
        if not is_digit(text[i]):
            return False
        i = i + 1
    return True


def is_string(text: list[int], start: int, end: int) -> bool:
    if text[start] != ord('"'):
        return False
    if end - start < 2:
        return False
    return text[end - 1] == ord('"')


def is_character(text: list[int], start: int, end: int) -> bool:
    """A character constant: # and a letter."""
    if text[start] != ord("#"):
        return False
    if end - start != 2:
        return False
    return is_letter(text[start + 1])
