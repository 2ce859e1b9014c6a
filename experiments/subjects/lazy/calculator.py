"""calculator: a lexer and a parser for a pocket calculator (LATEST, Table 2).

The report gives neither text nor grammar. Ours, with at most k operations:

    input    = number { operator number } end
    operator = "+" | "-" | "*" | "/"
    number   = digit { digit }

with blanks before every token, evaluated from left to right; a division by 0 ends the calculation
without a result. One path of the parser for each outcome gives 6 and 26 valid inputs for one and
two operations, as the table has, and 106 and 426 for three and four (the table: 104, at exactly
10,000 iterations, and 3126). The grammar was chosen for the first two numbers; the last one
contradicts it.

The text is cut into words of WIDTH cells, padded with 0, instead of being read from a stream: so a
token is a function of its word alone, and a call of `lex` can be abstracted by its result. Beyond
the last word the input is at its end; k operations need 2 k + 1 words.
"""

WIDTH = 4
BLANK = ord(" ")

END, NUMBER, PLUS, MINUS, TIMES, OVER, ERROR = range(7)


class NotAnExpressionError(ValueError):
    """The input is not one the calculator accepts."""


def calculate(text: list[int], operations: int) -> int | None:
    """The result of at most so many operations; None after a division by 0."""
    if lex(text, 0) != NUMBER:
        raise NotAnExpressionError("a number must come first")
    result = number(text, 0)
    word = 1
    while operations > 0:
        operator = lex(text, word)
        if operator == END:
            return result
        if operator != PLUS and operator != MINUS and operator != TIMES and operator != OVER:
            raise NotAnExpressionError("an operator must follow a number")
        if lex(text, word + 1) != NUMBER:
            raise NotAnExpressionError("a number must follow an operator")
        operand = number(text, word + 1)
        if operator == PLUS:
            result = result + operand
        elif operator == MINUS:
            result = result - operand
        elif operator == TIMES:
            result = result * operand
        else:
            if operand == 0:
                return None
            result = result // operand
        word = word + 2
        operations = operations - 1
    return result


def cell(text: list[int], word: int, i: int) -> int:
    """A cell of a word; 0 past its last one and past the end of the text."""
    if i >= WIDTH or word * WIDTH + i >= len(text):
        return 0
    return text[word * WIDTH + i]


def lex(text: list[int], word: int) -> int:
    """The kind of token that a word is."""
    i = skip_blanks(text, word)
    first = cell(text, word, i)
    if first == 0:
        return END
    if first == ord("+"):
        return alone(text, word, i, PLUS)
    if first == ord("-"):
        return alone(text, word, i, MINUS)
    if first == ord("*"):
        return alone(text, word, i, TIMES)
    if first == ord("/"):
        return alone(text, word, i, OVER)
    while cell(text, word, i) != 0:
        if not is_digit(cell(text, word, i)):
            return ERROR
        i = i + 1
    return NUMBER


def skip_blanks(text: list[int], word: int) -> int:
    """Where the token of a word begins."""
    i = 0
    while cell(text, word, i) == BLANK:
        i = i + 1
    return i


def alone(text: list[int], word: int, i: int, kind: int) -> int:
    """An operator is a token of one character."""
    if cell(text, word, i + 1) != 0:
        return ERROR
    return kind


def is_digit(code: int) -> bool:
    if code < ord("0"):
        return False
    return code <= ord("9")


def number(text: list[int], word: int) -> int:
    """The value of a word of digits."""
    value = 0
    i = skip_blanks(text, word)
    while cell(text, word, i) != 0:
        value = value * 10 + cell(text, word, i) - ord("0")
        i = i + 1
    return value
