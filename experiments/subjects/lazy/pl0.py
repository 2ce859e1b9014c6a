"""pl0: a lexer and a recursive-descent parser for the statements of PL/0 (LATEST, Table 3).

The report gives neither text nor grammar. Ours is Wirth's without the declarations:

    program    = statement "."
    statement  = [ ident ":=" expression | "call" ident
                 | "begin" statement { ";" statement } "end"
                 | "if" condition "then" statement | "while" condition "do" statement ]
    condition  = "odd" expression | expression ("=" | "#" | "<" | "<=" | ">" | ">=") expression
    expression = [ "+" | "-" ] term { ("+" | "-") term }
    term       = factor { ("*" | "/") factor }
    factor     = ident | number | "(" expression ")"

As usual the parser reads a token ahead, also after the final period: a text of n words holds a
program of at most n - 1 tokens. Counted by kinds of tokens that makes 99 programs for 7 words and
399 for 8, the report's numbers of valid inputs. The agreement is by selection: of 57,344 variants
of the grammar (with and without declarations, input and output, empty statements, ...) whose
programs were counted, exactly and up to a length, this is the one in which both numbers occur. It
is no evidence that the report's parser was like this: PL/0 has declarations, and the report says
that no program has fewer than 7 tokens, where this grammar has one of a single token.

The text is cut into words of WIDTH cells, padded with 0, instead of being read from a stream: so a
token is a function of its word alone, and a call of `lex` can be abstracted by its result.
"""

WIDTH = 5

IDENT, NUMBER = 1, 2
BEGIN, CALL, DO, END, IF, ODD, THEN, WHILE = range(3, 11)
PLUS, MINUS, TIMES, OVER, OPEN, CLOSE, EQUAL, DIFFERENT = range(11, 19)
LESS, AT_MOST, GREATER, AT_LEAST, BECOMES, SEMICOLON, PERIOD = range(19, 26)
ERROR = 26

KEYWORDS = (
    ("begin", BEGIN),
    ("call", CALL),
    ("do", DO),
    ("end", END),
    ("if", IF),
    ("odd", ODD),
    ("then", THEN),
    ("while", WHILE),
)

SYMBOLS = (
    ("+", PLUS),
    ("-", MINUS),
    ("*", TIMES),
    ("/", OVER),
    ("(", OPEN),
    (")", CLOSE),
    ("=", EQUAL),
    ("#", DIFFERENT),
    ("<", LESS),
    ("<=", AT_MOST),
    (">", GREATER),
    (">=", AT_LEAST),
    (":=", BECOMES),
    (";", SEMICOLON),
    (".", PERIOD),
)


class NotAProgramError(ValueError):
    """The input is not a program, or longer than the text."""


def parse(text: list[int]) -> int:
    """The number of tokens of the program; raises if there is none."""
    parser = Parser(text)
    parser.advance()
    parser.statement()
    parser.expect(PERIOD)
    return parser.words - 1


class Parser:
    """Recursive descent with one token of lookahead."""

    def __init__(self, text: list[int]) -> None:
        self.text = text
        self.words = 0  # read so far
        self.symbol = ERROR

    def advance(self) -> None:
        if (self.words + 1) * WIDTH > len(self.text):
            raise NotAProgramError("the text ends before the program")
        self.symbol = lex(self.text, self.words)
        self.words = self.words + 1

    def accept(self, symbol: int) -> bool:
        if self.symbol != symbol:
            return False
        self.advance()
        return True

    def expect(self, symbol: int) -> None:
        if not self.accept(symbol):
            raise NotAProgramError("another token is expected")

    def statement(self) -> None:
        if self.accept(IDENT):
            self.expect(BECOMES)
            self.expression()
        elif self.accept(CALL):
            self.expect(IDENT)
        elif self.accept(BEGIN):
            self.statement()
            while self.accept(SEMICOLON):
                self.statement()
            self.expect(END)
        elif self.accept(IF):
            self.condition()
            self.expect(THEN)
            self.statement()
        elif self.accept(WHILE):
            self.condition()
            self.expect(DO)
            self.statement()

    def condition(self) -> None:
        if self.accept(ODD):
            self.expression()
        else:
            self.expression()
            self.relation()
            self.expression()

    def relation(self) -> None:
        if self.accept(EQUAL) or self.accept(DIFFERENT):
            return
        if self.accept(LESS) or self.accept(AT_MOST):
            return
        if self.accept(GREATER) or self.accept(AT_LEAST):
            return
        raise NotAProgramError("a relation is expected")

    def expression(self) -> None:
        if not self.accept(PLUS):
            self.accept(MINUS)
        self.term()
        while self.accept(PLUS) or self.accept(MINUS):
            self.term()

    def term(self) -> None:
        self.factor()
        while self.accept(TIMES) or self.accept(OVER):
            self.factor()

    def factor(self) -> None:
        if self.accept(IDENT) or self.accept(NUMBER):
            return
        self.expect(OPEN)
        self.expression()
        self.expect(CLOSE)


def lex(text: list[int], word: int) -> int:
    """The kind of token that a word is."""
    for keyword, kind in KEYWORDS:
        if strcmp(text, word, keyword) == 0:
            return kind
    for symbol, kind in SYMBOLS:
        if strcmp(text, word, symbol) == 0:
            return kind
    first = cell(text, word, 0)
    if is_letter(first):
        return name(text, word)
    if is_digit(first):
        return numeral(text, word)
    return ERROR


def cell(text: list[int], word: int, i: int) -> int:
    """A cell of a word; 0 past its last one."""
    if i >= WIDTH:
        return 0
    return text[word * WIDTH + i]


def strcmp(text: list[int], word: int, constant: str) -> int:
    """0 for equal strings, otherwise the difference of the first cells that differ."""
    i = 0
    while i < len(constant):
        difference = cell(text, word, i) - ord(constant[i])
        if difference != 0:
            return difference
        i = i + 1
    return cell(text, word, i)


def name(text: list[int], word: int) -> int:
    i = 1
    while cell(text, word, i) != 0:
        if not is_letter(cell(text, word, i)) and not is_digit(cell(text, word, i)):
            return ERROR
        i = i + 1
    return IDENT


def numeral(text: list[int], word: int) -> int:
    i = 1
    while cell(text, word, i) != 0:
        if not is_digit(cell(text, word, i)):
            return ERROR
        i = i + 1
    return NUMBER


def is_letter(code: int) -> bool:
    if code < ord("a"):
        return False
    return code <= ord("z")


def is_digit(code: int) -> bool:
    if code < ord("0"):
        return False
    return code <= ord("9")
