"""Text inputs: a length and code points, drawn from what the program mentions and from plain
alphabets.
"""

from __future__ import annotations

from random import Random
from typing import Any

from symcrete.inputs.draw.documents import Form
from symcrete.inputs.draw.sampling import Pool
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.texts import (
    BYTES,
    PLAIN_CODE,
    STR,
    element_names,
    length_name,
    source,
    text_in,
)

# Alphabets that texts are drawn from: few of each kind, so that two draws have some in common.
LETTERS = "abcxyzABCXYZ"
DIGITS = "0123456789"
MARKS = " .,:;-_/\\'\"()[]{}<>=+*!?@#$%&|~^`\t\n"
# Letters beyond ASCII, among them some that become two when their case changes, a sign outside the
# first 65,536 characters, spaces beyond ASCII, and control characters.
ODD = "äßÉçİıΣσ中🙂\u00a0\u2028\x00\x7f"

# share of draws that are documents, for a text that the program reads as such; chosen, not measured
DOCUMENTS_DRAWN = 0.7

# One random number between 0 and 1 says of which kind a text is drawn: of the first kind whose
# limit is above it, else of the last kind. Chosen, not measured.
TEXT_OF_THE_PROGRAM_BELOW = 0.35  # a text that the program mentions, as it is
CHANGED_TEXT_BELOW = 0.55  # one of them, changed a little; else characters of an alphabet
BLOB_OF_THE_PROGRAM_BELOW = 0.4  # bytes that the program mentions, with a few more
ENCODED_TEXT_BELOW = 0.6  # a text as UTF-8; else any bytes

# How long things are drawn, each length as often as it stands here; chosen, not measured.
TEXT_LENGTHS = (0, 1, 1, 2, 3, 4, 5, 8, 12)  # characters of an alphabet
BLOB_LENGTHS = (0, 1, 2, 4, 8)  # bytes
BYTES_ADDED = (0, 0, 1, 4)  # bytes after those that the program mentions

MOST_MINED_LETTERS = 200  # characters of the program's texts that are drawn from; chosen
WAYS_TO_CHANGE_A_TEXT = 5  # the cases of `_changed`, all alike often
BYTE_VALUES = 256  # how many values a byte has


@dataclass(frozen=True, slots=True)
class StrShape:
    """Any str without lone surrogates."""

    least: int = 0
    most: int | None = None
    odd: bool = True  # whether draws have characters beyond ASCII, and carriage returns

    def plain(self, name: str, given: Assignment) -> Any:
        if isinstance(given.get(name), str):
            return given[name]
        return text_in(_with_length(self, name, given), name, STR)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        source(name, STR)  # known as a text from now on
        text = drawn_document(name, pool, random) or drawn(pool, random)
        codes = [ord(char) for char in text if self.odd or is_usual(char)]
        spread(name, _fitted(self, codes), given)


@dataclass(frozen=True, slots=True)
class BytesShape:
    """Any bytes."""

    least: int = 0
    most: int | None = None

    def plain(self, name: str, given: Assignment) -> Any:
        if isinstance(given.get(name), bytes):
            return given[name]
        return text_in(_with_length(self, name, given), name, BYTES)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        source(name, BYTES)
        document = drawn_document(name, pool, random).encode()
        spread(name, _fitted(self, list(document or drawn_bytes(pool, random))), given)


@dataclass(frozen=True, slots=True)
class ByteArrayShape:
    """Any bytearray."""

    least: int = 0
    most: int | None = None

    def plain(self, name: str, given: Assignment) -> Any:
        if isinstance(given.get(name), bytearray):
            return bytearray(given[name])
        return bytearray(text_in(_with_length(self, name, given), name, BYTES))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        source(name, BYTES)
        spread(name, _fitted(self, list(drawn_bytes(pool, random))), given)


# By the name of a text input, as what it is read: the form of a document, or the name of a function
# of the library that reads it.
_read_as_documents: dict[str, dict[Form | str, None]] = {}


def note_document(name: str, form: Form | str = "json") -> None:
    """Remember that a program reads a text input as JSON, in another form, or by a function of the
    library: then draws for it are such documents.
    """
    _read_as_documents.setdefault(name, {})[form] = None
    _lately[name, form] = None


_lately: dict[tuple[str, Form | str], None] = {}  # noted since `documents_among` was asked


def any_documents() -> bool:
    """Whether a program has read some text as a document since `documents_among` was asked."""
    return bool(_lately)


def documents_among(given: Assignment) -> list[tuple[str, Form | str]]:
    """The text inputs of an assignment that a program has read as documents since this was last
    asked, with the form of each: an assignment also has texts that only earlier runs read.
    """
    found = [(name, form) for name, form in _lately if length_name(name) in given]
    _lately.clear()
    return sorted(found)


def drawn_document(name: str, pool: Pool, random: Random) -> str:
    """A random document, for an input that is read as one; now and then, and for other inputs
    always, the empty text.
    """
    forms = _read_as_documents.get(name, ())
    made = [each for form in forms for each in pool.read_as(form)]
    if not made or random.random() > DOCUMENTS_DRAWN:
        return ""
    return random.choice(made)


def is_usual(char: str) -> bool:
    """Whether a file of plain text has such a character: ASCII, and no carriage return."""
    return char.isascii() and char != "\r"


TextShape = StrShape | BytesShape | ByteArrayShape


def _with_length(shape: TextShape, name: str, given: Assignment) -> Assignment:
    return given if length_name(name) in given else {**given, length_name(name): shape.least}


def _fitted(shape: TextShape, codes: list[int]) -> list[int]:
    """The codes made as long as the type asks, or as short as it allows."""
    codes = codes + [codes[-1] if codes else PLAIN_CODE] * (shape.least - len(codes))
    return codes if shape.most is None else codes[: shape.most]


def spread(name: str, codes: list[int], given: Assignment) -> None:
    """Write a text into an assignment as its variables: the length and the codes."""
    given[length_name(name)] = len(codes)
    for each, code in zip(element_names(name, len(codes)), codes, strict=False):
        given[each] = code


def drawn(pool: Pool, random: Random) -> str:
    """A random text: one of the program's, perhaps changed a little, or characters of an
    alphabet.
    """
    chance = random.random()
    if pool.texts and chance < TEXT_OF_THE_PROGRAM_BELOW:
        return random.choice(pool.texts)
    if pool.texts and chance < CHANGED_TEXT_BELOW:
        return _changed(random.choice(pool.texts), pool, random)
    length = random.choice(TEXT_LENGTHS)
    alphabet = _alphabet(pool, random)
    return "".join([random.choice(alphabet) for _ in range(length)])


def _alphabet(pool: Pool, random: Random) -> str:
    mined = "".join(pool.texts)[:MOST_MINED_LETTERS]
    choices = [LETTERS, DIGITS, DIGITS + MARKS, LETTERS + DIGITS + MARKS, LETTERS + ODD]
    if mined:
        choices += [mined, mined + DIGITS, mined + LETTERS]
    return random.choice(choices)


def _changed(text: str, pool: Pool, random: Random) -> str:
    """The text joined with another, cut, doubled, with one character exchanged, in another case, or
    with blanks around it.
    """
    how = random.randrange(WAYS_TO_CHANGE_A_TEXT)
    if how == 0:
        more: str = random.choice((*pool.texts, *" ,;:-=."))
        return text + more
    if how == 1:
        return text[random.randrange(len(text) + 1) :]
    if how == 2:
        return (text + random.choice((" ", ",", "", "x"))) * 2
    if how == 3 and text:  # one character is exchanged
        at = random.randrange(len(text))
        return text[:at] + random.choice(LETTERS + DIGITS + MARKS) + text[at + 1 :]
    return random.choice((text.upper(), text.lower(), f" {text} ", text + text[:1]))


def drawn_bytes(pool: Pool, random: Random) -> bytes:
    """Random bytes: some of the program's with a few more, an encoded text, or any."""
    chance = random.random()
    if pool.blobs and chance < BLOB_OF_THE_PROGRAM_BELOW:
        blob = random.choice(pool.blobs)
        extra = bytes([random.randrange(BYTE_VALUES) for _ in range(random.choice(BYTES_ADDED))])
        return blob + extra
    if chance < ENCODED_TEXT_BELOW:
        return drawn(pool, random).encode("utf-8", "replace")
    return bytes([random.randrange(BYTE_VALUES) for _ in range(random.choice(BLOB_LENGTHS))])
