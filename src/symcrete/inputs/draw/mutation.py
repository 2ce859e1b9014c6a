"""An input that was worth keeping, changed a little: what it reached is a place to go on from."""

from __future__ import annotations

from random import Random

from symcrete.inputs.draw.sampling import PLAIN_FLOATS, Pool
from symcrete.inputs.draw.text import DIGITS, LETTERS, MARKS, drawn_document, spread
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import codes_of, element_names, length_name, texts_in

LONGEST_MUTATED = 200  # characters of a text that is changed; chosen, not measured
# times that a piece of a text is put in: mostly once; chosen, not measured
REPEATED = (1, 1, 1, 2, 3, 7)
CHANGES_AT_ONCE = (1, 1, 2, 3)  # changes of one input: mostly one; chosen, not measured
TEXT_CHANGED = 0.7  # share of changes that are of a text, if there are numbers too; chosen
CHARACTERS_AT_ONCE = (1, 1, 2, 4)  # of a text that one change concerns; chosen, not measured
WAYS_TO_CHANGE = 6  # the cases of `_change_text`, all alike often
WHOLE_PIECE = 8  # characters: a longer text of the program is cut before it is put in; chosen
CUT_DRAWN = 0.2  # share of the others that are cut too; chosen, not measured
PIECE_LENGTHS = (1, 2, 4, 8)  # characters that are left of what is cut; chosen, not measured
MARK_DRAWN = 0.6  # share of single characters that are digits or marks, not letters; chosen
STEPS_OF_A_NUMBER = (1, -1, 2, 10, -10)  # what is added to a whole number; chosen, not measured


def mutated(given: Assignment, pool: Pool, random: Random) -> Assignment:
    """The input with one to three changes, each of a text or of a number."""
    changed = dict(given)
    texts = [
        name for name in texts_in(changed) if 0 <= changed[length_name(name)] <= LONGEST_MUTATED
    ]
    for _ in range(random.choice(CHANGES_AT_ONCE)):
        numbers = _numbers(changed)
        if texts and (not numbers or random.random() < TEXT_CHANGED):
            _change_text(random.choice(texts), changed, pool, random)
        elif numbers:
            name = random.choice(numbers)
            # The length of a container changes only by one, since each element costs a run.
            if name.startswith(length_name("")[:-1]):
                changed[name] = max(0, changed[name] + random.choice((1, -1)))
            else:
                changed[name] = _number(changed[name], pool, random)
    return changed


def _numbers(given: Assignment) -> list[str]:
    """The names of the numbers that are no part of a text, be it too long to be changed."""
    texts = texts_in(given)
    parts = {length_name(name) for name in texts}
    for name in texts:
        parts.update(element_names(name, given[length_name(name)]))
    return [
        name
        for name, value in given.items()
        if name not in parts and type(value) in (int, float, bool)
    ]


def _change_text(name: str, given: Assignment, pool: Pool, random: Random) -> None:
    document = drawn_document(name, pool, random) if random.random() < 0.5 else ""
    if document:
        spread(name, [ord(char) for char in document], given)
        return
    codes = codes_of(given, name)
    at = random.randint(0, len(codes))
    until = min(len(codes), at + random.choice(CHARACTERS_AT_ONCE))
    match random.randrange(WAYS_TO_CHANGE):
        case 0:
            codes[at:at] = _piece(pool, random)
        case 1:
            codes[at:until] = _piece(pool, random)
        case 2:
            del codes[at:until]
        case 3:  # a piece, repeated where it stands
            codes[at:at] = codes[at:until] * random.choice(REPEATED)
        case 4:  # a piece, moved to another place
            other = random.randint(0, len(codes))
            codes[at:until], codes[other:other] = [], codes[at:until]
        case _:
            codes[at:until] = [ord(random.choice(LETTERS + DIGITS + MARKS))]
    spread(name, codes, given)


def _piece(pool: Pool, random: Random) -> list[int]:
    """The codes of an ASCII text that the program mentions, of a part of one, or of a character."""
    if pool.texts and random.random() < 0.5:
        piece = [ord(char) for char in random.choice(pool.texts)]
        if len(piece) > WHOLE_PIECE or random.random() < CUT_DRAWN:
            first = random.randrange(len(piece) or 1)
            piece = piece[first : first + random.choice(PIECE_LENGTHS)]
        if all(code < 128 for code in piece):  # ASCII
            return piece
    return [ord(random.choice(DIGITS + MARKS if random.random() < MARK_DRAWN else LETTERS))]


def _number(value: float, pool: Pool, random: Random) -> float:
    if type(value) is bool:
        return not value
    if type(value) is float:
        return random.choice((value + 1.0, value - 1.0, -value, value * 2, *PLAIN_FLOATS))
    if random.random() < 0.5:
        return value + random.choice(STEPS_OF_A_NUMBER)
    return pool.integer(random)
