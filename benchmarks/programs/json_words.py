"""A document in the grammar of JSON, of words of a fixed width, and what is done with it.

    value  = object | array | string | number | "true" | "false" | "null"
    object = "{" [ string ":" value { "," string ":" value } ] "}"
    array  = "[" [ value { "," value } ] "]"

A word is one token: codes of characters, padded with 0.
"""

WIDTH = 6

END, STRING, NUMBER, TRUE, FALSE, NULL, ERROR = range(7)
OPEN, CLOSE, BEGIN, STOP, COLON, COMMA = range(7, 13)

KEYWORDS = (("true", TRUE), ("false", FALSE), ("null", NULL))
SYMBOLS = (("{", OPEN), ("}", CLOSE), ("[", BEGIN), ("]", STOP), (":", COLON), (",", COMMA))


class NotADocumentError(ValueError):
    """The text is not in the grammar."""


def describe(text: list[int]) -> str:
    """What the document holds."""
    reader = Reader(text)
    reader.advance()
    reader.value()
    if reader.token != END:
        raise NotADocumentError("something follows the document")
    if reader.objects > 0 and reader.arrays > 0:
        return "an array and an object"
    if reader.objects > 1:
        return "an object in an object"
    if reader.arrays > 1:
        return "an array in an array"
    if reader.names > 0 and reader.numbers > 0:
        return "a number with a name"
    return "a value"


class Reader:
    """Recursive descent with one token of lookahead."""

    def __init__(self, text: list[int]) -> None:
        self.text = text
        self.words = 0
        self.token = ERROR
        self.objects = 0
        self.arrays = 0
        self.names = 0
        self.numbers = 0

    def advance(self) -> None:
        self.token = lex(self.text, self.words)
        self.words = self.words + 1

    def accept(self, token: int) -> bool:
        if self.token != token:
            return False
        self.advance()
        return True

    def expect(self, token: int) -> None:
        if not self.accept(token):
            raise NotADocumentError("another token is expected")

    def value(self) -> None:
        if self.accept(OPEN):
            self.objects = self.objects + 1
            if not self.accept(CLOSE):
                self.member()
                while self.accept(COMMA):
                    self.member()
                self.expect(CLOSE)
        elif self.accept(BEGIN):
            self.arrays = self.arrays + 1
            if not self.accept(STOP):
                self.value()
                while self.accept(COMMA):
                    self.value()
                self.expect(STOP)
        elif self.accept(NUMBER):
            self.numbers = self.numbers + 1
        elif not (self.accept(STRING) or self.accept(TRUE) or self.accept(FALSE)):
            self.expect(NULL)

    def member(self) -> None:
        self.expect(STRING)
        self.names = self.names + 1
        self.expect(COLON)
        self.value()


def lex(text: list[int], word: int) -> int:
    """The kind of token that a word is; beyond the last one the document ends."""
    if (word + 1) * WIDTH > len(text):
        return END
    for keyword, kind in (*KEYWORDS, *SYMBOLS):
        if matches(text, word, keyword):
            return kind
    first = text[word * WIDTH]
    if first == 0:
        return END
    if first == ord('"'):
        return string(text, word)
    return number(text, word)


def matches(text: list[int], word: int, keyword: str) -> bool:
    i = 0
    while i < len(keyword):
        if text[word * WIDTH + i] != ord(keyword[i]):
            return False
        i = i + 1
    return text[word * WIDTH + i] == 0


def string(text: list[int], word: int) -> int:
    i = 1
    while i < WIDTH:
        if text[word * WIDTH + i] == ord('"'):
            return STRING
        if text[word * WIDTH + i] < 32:
            return ERROR
        i = i + 1
    return ERROR


def number(text: list[int], word: int) -> int:
    i = 0
    while i < WIDTH and text[word * WIDTH + i] != 0:
        code = text[word * WIDTH + i]
        if code < ord("0") or code > ord("9"):
            return ERROR
        i = i + 1
    return NUMBER
