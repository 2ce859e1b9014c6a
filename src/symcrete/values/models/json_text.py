"""`json.loads` of a tracked text: CPython's decoder, each decision of it a branch.

Whether there is another character is asked as the decoder goes on. Numbers become linear terms over
their digits, strings are made of the very characters, keys are tracked texts. Every decision has a
place of its own, so that search goes for the parts of the grammar that no input has used yet.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from symcrete.inputs.draw.text import note_document
from symcrete.terms import integers
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.term import Term, int_const
from symcrete.terms.texts import STR
from symcrete.values.containers import dicts
from symcrete.values.models.number_functions import float_model
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.text.content.contents import Fixed
from symcrete.values.text.content.strings import ConcolicStr, content_of, text
from symcrete.values.text.meaning.encodings import input_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import concolic_int, untracked

# levels of nesting; a text with more is left to CPython's decoder, with a loss; chosen, not
# measured
DEEPEST_JSON = 60
_BLANKS = " \t\n\r"
_CONSTANTS: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = "0123456789abcdefABCDEF"
# Decisions that look alike in every part of a document; some names go on with a character.
_ANYWHERE = frozenset(
    {"blank", "escape ", "constant ", "number ", "exponent ", "pair ", "hex", "escape"}
)


class _TooDeep(Exception):
    pass


class _Decoder:
    """Reads one text; `at` is the place of the next character."""

    def __init__(self, value: Any) -> None:
        self.plain: str = untracked(value)
        self.content = content_of(value)
        self.at = 0
        self.inside = ""  # the part that is being read, as decisions are named after it
        self.record = recording.active()

    # -- decisions

    def fail(self, message: str, at: int | None = None) -> json.JSONDecodeError:
        """The error with this message about the place `at`, or about where reading has come to."""
        return json.JSONDecodeError(message, self.plain, self.at if at is None else at)

    def _placed(self, what: str) -> str:
        """The name of a decision: with the part it is in for one about structure, alone for one
        that looks alike everywhere.
        """
        return what if what in _ANYWHERE or what[:-1] in _ANYWHERE else self.inside + what

    def more(self, what: str) -> bool:
        """Whether there is another character."""
        length = self.content.length
        return self.record.implicit(
            f"json {self._placed(what)}?",
            integers.lt(int_const(self.at), length),
            self.at < len(self.plain),
        )

    def characters(self, start: int, stop: int) -> tuple[Term, ...]:
        """The terms of characters known to be there."""
        return tuple([self.content.at(place) for place in range(start, stop)])

    def decide(self, what: str, test: Callable[[Term], Term], holds: Callable[[str], bool]) -> bool:
        """Decide, as a branch, something about the next character; there has to be one."""
        found = holds(self.plain[self.at])
        kind = f"json {self._placed(what)}"
        return self.record.implicit(kind, test(self.content.at(self.at)), found)

    def next_is(self, mark: str, where: str = "") -> bool:
        """Whether there is a next character and it is `mark`; both are branches, and nothing is
        read.
        """
        if not self.more(f"{where}{mark}"):
            return False
        return self.decide(
            f"{where}{mark}", lambda term: _equals(term, mark), lambda char: char == mark
        )

    def taken(self, mark: str, where: str = "") -> bool:
        """Whether the next character is this one; then it is read."""
        found = self.next_is(mark, where)
        self.at += found
        return found

    def skip_blanks(self) -> None:
        while self.more("blank") and self.decide("blank", _is_blank, _BLANKS.__contains__):
            self.at += 1

    def is_digit(self) -> bool:
        return self.more("digit") and self.decide(
            "digit", _is_digit, lambda char: "0" <= char <= "9"
        )

    # -- the grammar

    def document(self) -> Any:
        if self.next_is("\ufeff"):
            raise self.fail("Unexpected UTF-8 BOM (decode using utf-8-sig)")
        self.skip_blanks()
        found = self.value(0)
        self.inside = f"after {type(found).__name__} "
        self.skip_blanks()
        if self.more("end"):
            raise self.fail("Extra data")
        return found

    def value(self, depth: int) -> Any:
        if depth > DEEPEST_JSON:
            raise _TooDeep
        if self.taken('"'):
            return self.string()
        if self.taken("{"):
            return self.object(depth)
        if self.taken("["):
            return self.array(depth)
        for word, meaning in _CONSTANTS.items():
            if self.word(word):
                return meaning
        return self.number()

    def word(self, word: str) -> bool:
        """Whether the next characters are this constant, which is then read: its first character
        is a branch, the rest another.
        """
        if not self.next_is(word[0], "constant "):
            return False
        stop = self.at + len(word)
        long_enough = integers.le(int_const(stop), self.content.length)
        if not self.record.implicit(f"json {word}?", long_enough, stop <= len(self.plain)):
            return False
        rest = zip(self.characters(self.at + 1, stop), word[1:], strict=True)
        same = conjoin([_equals(term, char) for term, char in rest])
        if not self.record.implicit(f"json {word}", same, self.plain.startswith(word, self.at)):
            return False
        self.at = stop
        return True

    def object(self, depth: int) -> Any:
        made: dict[Any, Any] = {}
        around, self.inside = self.inside, "object "
        self.skip_blanks()
        if self.taken("}", "empty "):
            self.inside = around
            return made
        while True:
            if not self.taken('"', "key "):
                raise self.fail("Expecting property name enclosed in double quotes")
            self.inside = "key "
            key = self.string()
            self.skip_blanks()
            if not self.taken(":"):
                raise self.fail("Expecting ':' delimiter")
            # An object whose key has characters is another thing to search for than one without.
            kind = "object" if untracked(key) else "unnamed object"
            self.inside = f"{kind} value "
            self.skip_blanks()
            dicts.store(made, key, self.value(depth + 1))
            self.inside = f"{kind} "
            self.skip_blanks()
            if self.taken("}"):
                self.inside = around
                return made
            if not self.taken(",", "object "):
                raise self.fail("Expecting ',' delimiter")
            self.inside = "object "
            self.skip_blanks()

    def array(self, depth: int) -> Any:
        made: list[Any] = []
        around, self.inside = self.inside, "array "
        self.skip_blanks()
        if self.taken("]", "empty "):
            self.inside = around
            return made
        while True:
            self.inside = "array value "
            made.append(self.value(depth + 1))
            self.inside = "array "
            self.skip_blanks()
            if self.taken("]"):
                self.inside = around
                return made
            if not self.taken(",", "array "):
                raise self.fail("Expecting ',' delimiter")
            self.skip_blanks()

    def string(self) -> Any:
        """Read a string whose opening quote is read already, up to its closing quote."""
        characters: list[str] = []
        terms: list[Term] = []
        opening = self.at - 1
        while True:
            if not self.more("closing quote"):
                raise self.fail("Unterminated string starting at", opening)
            if self.taken('"', "closing "):
                return text("".join(characters), Fixed(STR, tuple(terms)))
            if self.decide("plain character", _is_plain, lambda char: char >= " " and char != "\\"):
                characters.append(self.plain[self.at])
                terms.append(self.content.at(self.at))
                self.at += 1
                continue
            if not self.taken("\\"):
                raise self.fail("Invalid control character at")
            meant = self.escaped(opening)
            characters.append(meant)
            terms += [int_const(ord(char)) for char in meant]

    def escaped(self, opening: int) -> str:
        """The character that an escape stands for, in the string with this opening quote."""
        if not self.more("escape"):
            raise self.fail("Unterminated string starting at", opening)
        if self.taken("u", "escape "):
            return self.code_point()
        for mark, meant in _ESCAPES.items():
            if self.taken(mark, "escape "):
                return meant
        raise self.fail("Invalid \\escape")

    def code_point(self) -> str:
        code = self.hex_digits()
        if 0xD800 <= code <= 0xDBFF:
            back = self.at
            if self.taken("\\", "pair ") and self.taken("u", "pair "):
                low = self.hex_digits()
                if 0xDC00 <= low <= 0xDFFF:
                    return chr(0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00)))
            self.at = back
        return chr(code)

    def hex_digits(self) -> int:
        """The number that the next four hexadecimal digits stand for; each digit is fixed to what
        it is.
        """
        for _ in range(4):
            if not self.more("hex"):
                raise self.fail("Invalid \\uXXXX escape")
            term, char = self.content.at(self.at), self.plain[self.at]
            is_hex = disjoin([_equals(term, each) for each in _HEX])
            if not self.record.implicit("json hex", is_hex, char in _HEX):
                raise self.fail("Invalid \\uXXXX escape")
            if not term.is_const:
                self.record.fork("json hex", term, char, _is_char(term))
            self.at += 1
        return int(self.plain[self.at - 4 : self.at], 16)

    def number(self) -> Any:
        start = self.at
        negative = self.taken("-", "number ")
        first = self.at
        if self.taken("0", "number "):
            pass
        elif self.is_digit():
            self.digits()
        else:
            self.at = start
            raise self.fail("Expecting value")
        whole_end = self.at
        is_float = self.fraction()
        is_float = self.exponent() or is_float
        plain = self.plain[start : self.at]
        if is_float:
            return float_model(text(plain, Fixed(STR, self.characters(start, self.at))))
        total = int_const(0)
        for term in self.characters(first, whole_end):
            digit = integers.sub(term, int_const(ord("0")))
            total = integers.add(integers.scale(total, 10), digit)
        return concolic_int(int(plain), integers.neg(total) if negative else total)

    def digits(self) -> bool:
        """Read digits as long as there are any; whether there was at least one."""
        start = self.at
        while self.is_digit():
            self.at += 1
        return self.at > start

    def fraction(self) -> bool:
        """Read a point with digits behind it, if there is one; whether there was."""
        back = self.at
        if self.taken(".", "number ") and self.digits():
            return True
        self.at = back
        return False

    def exponent(self) -> bool:
        """Read an exponent, if there is one; whether there was."""
        back = self.at
        if self.taken("e", "number ") or self.taken("E", "number "):
            if not self.taken("-", "exponent "):
                self.taken("+", "exponent ")
            if self.digits():
                return True
        self.at = back
        return False


def _equals(term: Term, char: str) -> Term:
    return integers.eq(term, int_const(ord(char)))


def _is_char(term: Term) -> Callable[[str], Term]:
    return lambda char: _equals(term, char)


def _is_blank(term: Term) -> Term:
    return disjoin([_equals(term, char) for char in _BLANKS])


def _is_digit(term: Term) -> Term:
    above = integers.le(int_const(ord("0")), term)
    return conjoin([above, integers.le(term, int_const(ord("9")))])


def _is_plain(term: Term) -> Term:
    """The condition that a character, known to be no quote, is neither a control character nor a
    backslash.
    """
    return conjoin([integers.le(int_const(0x20), term), negate(_equals(term, "\\"))])


def loads_model(value: Any, /, **options: Any) -> Any:
    """`json.loads(value)` of a tracked text; where options are given, the terms are lost."""
    _note(value)
    if isinstance(value, bytes) and not options:
        plain = bytes(untracked(value))
        if plain.isascii() and 0 not in plain:  # no encoding but UTF-8 has these bytes
            recording.active().lose("other encodings of json than UTF-8")
            value = value.decode()
    if type(value) is not ConcolicStr or options:
        return foreign(json.loads, value, **options)
    try:
        return _Decoder(value).document()
    except _TooDeep:
        return foreign(json.loads, value)


def _note(value: Any) -> None:
    """Let draws for the input that a text is, or is cut from, be JSON documents."""
    name = input_of(getattr(value, "content", None))
    if name:
        note_document(name)


def load_model(file: Any, /, **options: Any) -> Any:
    """`json.load(file)`: what it reads may have terms."""
    return loads_model(callee(file.read)(), **options)


MODELS: tuple[ModelRow, ...] = (
    Model(json.loads, loads_model),
    Model(json.load, load_model),
)
