"""Every valid input of the calculator and of the PL/0 parser, made from their grammars.

Lazy search must find exactly these. Nothing here uses the parsers: inputs are derived from the
grammar rules, and given as texts that the subjects read. One text stands for each kind of input:
the sequence of token kinds, and for the calculator also whether a divisor is 0.
"""

from collections.abc import Callable, Iterator
from itertools import product

from experiments.subjects.lazy import calculator, pl0

# A word for each kind of token that is not spelled in one way only.
SAMPLES = {pl0.IDENT: "x", pl0.NUMBER: "7"}
SPELLING = {kind: text for text, kind in (*pl0.KEYWORDS, *pl0.SYMBOLS)} | SAMPLES

RELATIONS = (pl0.EQUAL, pl0.DIFFERENT, pl0.LESS, pl0.AT_MOST, pl0.GREATER, pl0.AT_LEAST)

Tokens = tuple[int, ...]


def cells(words: list[str], width: int, count: int) -> list[int]:
    """Words as a text of so many words, the rest of it empty."""
    text: list[int] = []
    for word in words + [""] * (count - len(words)):
        codes = [ord(character) for character in word]
        text += codes + [0] * (width - len(codes))
    return text


def calculations(operations: int) -> list[list[str]]:
    """The valid inputs of at most so many operations, as words: 4 v + 2 for v with one fewer."""
    found = []
    for count in range(operations + 1):
        for operators in product("+-*/", repeat=count):
            words = ["8"]
            for operator in operators:
                words += [operator, "2"]
            found.append(words)
            if count < operations:
                found.append([*words, "/", "0"])
    return found


def calculator_texts(operations: int) -> list[list[int]]:
    """The same as texts for `calculate`."""
    count = 2 * operations + 1
    return [cells(words, calculator.WIDTH, count) for words in calculations(operations)]


def pl0_programs(words: int) -> list[Tokens]:
    """The programs that a text of so many words can hold, by kinds of tokens."""
    return [
        (*body, pl0.PERIOD) for length in range(words - 1) for body in sorted(statements(length))
    ]


def pl0_text(tokens: Tokens, words: int) -> list[int]:
    """A program as a text for `parse`."""
    return cells([SPELLING[token] for token in tokens], pl0.WIDTH, words)


def statements(length: int) -> Iterator[Tokens]:
    """Every statement of so many tokens."""
    if length == 0:
        yield ()
    for value in expressions(length - 2):
        yield (pl0.IDENT, pl0.BECOMES, *value)
    if length == 2:
        yield (pl0.CALL, pl0.IDENT)
    for body in sequences(length - 2):
        yield (pl0.BEGIN, *body, pl0.END)
    for first in range(length - 1):
        for condition in conditions(first):
            for body in statements(length - 2 - first):
                yield (pl0.IF, *condition, pl0.THEN, *body)
                yield (pl0.WHILE, *condition, pl0.DO, *body)


def sequences(length: int) -> Iterator[Tokens]:
    """One or more statements with semicolons between them."""
    if length < 0:
        return
    yield from statements(length)
    for first in range(length):
        for head in statements(first):
            for tail in sequences(length - first - 1):
                yield (*head, pl0.SEMICOLON, *tail)


def conditions(length: int) -> Iterator[Tokens]:
    for value in expressions(length - 1):
        yield (pl0.ODD, *value)
    yield from joined(length, expressions, RELATIONS, expressions)


def expressions(length: int) -> Iterator[Tokens]:
    yield from sums(length)
    for value in sums(length - 1):
        yield (pl0.PLUS, *value)
        yield (pl0.MINUS, *value)


def sums(length: int) -> Iterator[Tokens]:
    yield from terms(length)
    yield from joined(length, terms, (pl0.PLUS, pl0.MINUS), sums)


def terms(length: int) -> Iterator[Tokens]:
    yield from factors(length)
    yield from joined(length, factors, (pl0.TIMES, pl0.OVER), terms)


def factors(length: int) -> Iterator[Tokens]:
    if length == 1:
        yield (pl0.IDENT,)
        yield (pl0.NUMBER,)
    if length > 2:
        for value in expressions(length - 2):
            yield (pl0.OPEN, *value, pl0.CLOSE)


def joined(
    length: int,
    lefts: Callable[[int], Iterator[Tokens]],
    operators: Tokens,
    rights: Callable[[int], Iterator[Tokens]],
) -> Iterator[Tokens]:
    """A left part, an operator and a right part, of so many tokens in all."""
    for first in range(1, length - 1):
        for left in lefts(first):
            for right in rights(length - 1 - first):
                for operator in operators:
                    yield (*left, operator, *right)
