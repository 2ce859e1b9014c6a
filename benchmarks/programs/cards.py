"""A little assembler that reads cards: five columns of mnemonic and one of operand, as codes.

What lies behind the parser is a check of the whole program, which looks at well-formed ones only.
"""

from __future__ import annotations

WIDTH = 6

LOAD, ADD, STORE, JUMP, HALT, UNKNOWN = range(6)
MNEMONICS = (("load", LOAD), ("add", ADD), ("store", STORE), ("jump", JUMP), ("halt", HALT))


class BadCardError(ValueError):
    """A card that is no instruction."""


def assemble(cards: tuple[int, ...]) -> str:
    """What the program would do: it loads first, may store, and halts at the end."""
    count = len(cards) // WIDTH
    stored = False
    for card in range(count):
        instruction = mnemonic(cards, card)
        if instruction == UNKNOWN:
            raise BadCardError("no such instruction")
        if instruction != HALT and operand(cards, card) < 0:
            raise BadCardError("an operand is a digit")
        if card == 0 and instruction != LOAD:
            raise BadCardError("a program starts with load")
        if instruction == STORE:
            stored = True
        if instruction == HALT and card != count - 1:
            raise BadCardError("halt comes last")
    if instruction != HALT:
        raise BadCardError("a program ends with halt")
    if not stored:
        return "computes for nothing"
    if operand(cards, 0) == operand(cards, 1):
        return "stores"
    return "stores elsewhere"


def mnemonic(cards: tuple[int, ...], card: int) -> int:
    for name, kind in MNEMONICS:
        if punched(cards, card, name):
            return kind
    return UNKNOWN


def punched(cards: tuple[int, ...], card: int, name: str) -> bool:
    """Whether a card has this mnemonic, with blanks behind it."""
    column = 0
    while column < WIDTH - 1:
        expected = ord(name[column]) if column < len(name) else ord(" ")
        if cards[card * WIDTH + column] != expected:
            return False
        column = column + 1
    return True


def operand(cards: tuple[int, ...], card: int) -> int:
    """The digit in the last column, or -1."""
    code = cards[card * WIDTH + WIDTH - 1]
    if code < ord("0"):
        return -1
    if code > ord("9"):
        return -1
    return code - ord("0")
