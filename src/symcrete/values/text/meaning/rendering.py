"""From numbers to text: `str(n)`, `f"{n:04x}"`, `hex(n)`, and filling up to a width.

A rendered number equals a given text if the number is the one that renders so: `f"{n:04x}" ==
"beef"` is `n == 48879`. Its digits are quotients and remainders once their number is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from symcrete.slotted import dataclass
from symcrete.terms import floats, integers
from symcrete.terms.characters import member
from symcrete.terms.logic import choose
from symcrete.terms.term import FALSE, Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import STR, apply, code_at, length_of, modelled
from symcrete.values.text.content.contents import Computed, Content, Fixed, constant, joined
from symcrete.values.text.content.marks import decide_length
from symcrete.values.tracking import recording

# digits of a written integer that are modelled, in any base: all decimal ones of a 64-bit integer
MOST_WRITTEN_DIGITS = 20
# A text: compiling it takes a hundredth of a small exploration, and few programs need it.
_SPEC = (
    r"(?s)(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)z?(?P<alternate>#?)(?P<zero>0?)"
    r"(?P<width>\d*)(?P<group>[,_]?)(?P<precision>(?:\.\d+)?)(?P<type>[a-zA-Z%]?)"
)
_BASES = {"": 10, "d": 10, "b": 2, "o": 8, "x": 16, "X": 16}
_terms: dict[Any, Any] = memo()
_FORMAT = Operation("format", Sort.OBJECT, format, "format({0}, {1})", opaque=True)
_STR = Operation("str", Sort.OBJECT, str, "str({0})", opaque=True)
_REPR = Operation("repr", Sort.OBJECT, repr, "repr({0})", opaque=True)


@dataclass(frozen=True, slots=True)
class Spec:
    """A format specification."""

    fill: str
    align: str
    sign: str
    alternate: bool
    zero: bool
    width: int
    group: str
    precision: int | None
    kind: str


def parse_spec(text: str) -> Spec | None:
    """The parts of a format specification; None if the text is none of the built-in form."""
    match = re.fullmatch(_SPEC, text)
    if match is None:
        return None
    precision = match["precision"]
    return Spec(
        fill=match["fill"] or "",
        align=match["align"] or "",
        sign=match["sign"],
        alternate=bool(match["alternate"]),
        zero=bool(match["zero"]),
        width=int(match["width"] or 0),
        group=match["group"],
        precision=int(precision[1:]) if precision else None,
        kind=match["type"],
    )


class Rendered(Content):
    """An integer written in some base, perhaps filled up with zeros; different integers give
    different texts.
    """

    longest = MOST_WRITTEN_DIGITS + 4  # characters, with room for a sign and a prefix such as `0x`
    __slots__ = ("_base", "_count", "_prefix", "_spec", "_upper", "_width", "term")

    def __init__(self, term: Term, result: str, spec: Spec, text: str) -> None:
        self.kind = STR
        self.term = term
        self._spec = text
        self._count = len(result)
        self._base = _BASES[spec.kind]
        self._upper = spec.kind == "X"
        self._prefix = f"0{spec.kind}" if spec.alternate and self._base != 10 else ""
        self._width = spec.width
        self._whole = apply(_FORMAT, term, const(text)) if text else apply(_STR, term)

    @property
    def count(self) -> int:
        return self._count

    @property
    def length(self) -> Term:
        key = ("length", self.whole)
        found: Term | None = _terms.get(key)
        if found is None:
            found = _terms[key] = self._length()
        return found

    def _length(self) -> Term:
        size = integers.absolute(self.term)
        total = int_const(1 + len(self._prefix))
        for power in range(1, MOST_WRITTEN_DIGITS):
            longer = integers.le(int_const(self._base**power), size)
            total = integers.add(total, integers.from_truth(longer))
        negative = integers.lt(self.term, int_const(0))
        total = integers.add(total, integers.from_truth(negative))
        if self._width > 1:
            width = int_const(self._width)
            total = choose(integers.le(width, total), total, width)
        agrees = integers.lt(size, int_const(self._base**MOST_WRITTEN_DIGITS))
        return modelled(length_of(self.whole), total, agrees)

    def at(self, index: int) -> Term:
        key = ("at", self.whole, index)
        found: Term | None = _terms.get(key)
        if found is None:
            exact = code_at(STR, self.whole, int_const(index))
            found = self.by_length(lambda count: self.given(count)[index], exact, index + 1)
            _terms[key] = found
        return found

    def given(self, count: int) -> Sequence[Term]:
        key = ("given", self.whole, count)
        found: Sequence[Term] | None = _terms.get(key)
        if found is None:
            found = _terms[key] = self._given(count) if count > 0 else []
        return found

    def _given(self, count: int) -> Sequence[Term]:
        size = integers.absolute(self.term)
        negative = integers.lt(self.term, int_const(0))
        plain = self._digits(size, count)
        signed = [int_const(45), *self._digits(size, count - 1)]
        return [choose(negative, a, b) for a, b in zip(signed, plain, strict=True)]

    def _digits(self, size: Term, count: int) -> list[Term]:
        prefix = [int_const(ord(char)) for char in self._prefix][: max(count, 0)]
        found = list(prefix)
        for place in range(count - len(prefix) - 1, -1, -1):
            high = integers.floordiv(size, int_const(self._base**place))
            digit = integers.mod(high, int_const(self._base))
            code = integers.add(digit, int_const(48))
            if self._base > 10:
                letter = integers.add(digit, int_const(55 if self._upper else 87))
                code = choose(integers.le(digit, int_const(9)), code, letter)
            found.append(code)
        return found

    def equals(self, elements: Sequence[Term]) -> Term:
        if not all(element.is_const for element in elements):
            return super().equals(elements)
        text = "".join([chr(element.value) for element in elements])
        try:
            value = int(text.strip(), self._base)
        except ValueError:
            return FALSE
        same = format(value, self._spec) == text
        return integers.eq(self.term, int_const(value)) if same else FALSE

    def closed(self) -> Fixed:
        decide_length(self.length, self._count)
        return Fixed(self.kind, tuple(self.given(self._count)))


def integer_text(term: Term, value: int, text: str) -> Content:
    """The content of `format(value, text)` for an integer."""
    result = format(value, text)
    spec = parse_spec(text)
    if spec is None or spec.kind not in _BASES or spec.group or spec.sign not in ("", "-"):
        return _computed_number(term, result, text)
    zero_filled = (spec.zero and spec.align in ("", "=")) or (
        spec.align == "=" and spec.fill == "0"
    )
    if spec.precision is not None or (spec.align == "=" and not zero_filled):
        return _computed_number(term, result, text)
    if zero_filled or not spec.width:
        return Rendered(term, result, spec, text)
    fill = spec.fill or ("0" if spec.zero else " ")
    bare = Spec("", "", spec.sign, spec.alternate, False, 0, "", None, spec.kind)
    written = ("#" if spec.alternate else "") + spec.kind
    unpadded = format(value, written)
    inner = Rendered(term, unpadded, bare, written)
    return padded(inner, unpadded, spec.width, fill, spec.align or ">")


def _computed_number(term: Term, result: str, text: str) -> Content:
    """The content of a number written in a way that is not modelled.

    Compared with a certain text, it gives as a hint the condition that the number is the one which
    that text stands for.
    """

    def hint(wanted: str) -> Term | None:
        plain = wanted.strip().replace(",", "").replace("_", "")
        try:
            if plain.endswith("%"):
                number: float = float(plain[:-1]) / 100
            else:
                number = float(plain)
        except ValueError:
            return None
        if term.sort is Sort.FLOAT:
            return floats.eq(term, const(number))
        return integers.eq(term, int_const(int(number))) if number == int(number) else None

    return Computed(STR, apply(_FORMAT, term, const(text)), len(result), _finite_only(hint))


def _finite_only(hint: Any) -> Any:
    """The hint with None in place of errors, which numbers that are too large or infinite raise."""

    def careful(wanted: str) -> Term | None:
        try:
            found: Term | None = hint(wanted)
        except (OverflowError, ValueError):
            return None
        return found

    return careful


def float_text(term: Term, value: float, text: str) -> Content:
    """The content of `format(value, text)` for a float."""
    if text:
        return _computed_number(term, format(value, text), text)

    def hint(wanted: str) -> Term | None:
        number = float(wanted)
        return floats.eq(term, const(number)) if repr(number) == wanted else None

    return Computed(STR, apply(_REPR, term), len(repr(value)), _finite_only(hint))


# -- filling up


def padded(content: Content, plain: Any, width: int, fill: Any, align: str) -> Content:
    """The content filled up to a width. Whether it is long enough already is a branch; only where
    it is not, the number of missing characters is decided.
    """
    enough = integers.le(int_const(width), content.length)
    if recording.active().implicit("width", enough, len(plain) >= width):
        return content
    closed = content.closed()
    missing = width - len(plain)
    left = {"<": 0, ">": missing}.get(align, missing // 2)
    kind = content.kind
    parts = [constant(kind, fill * left), closed, constant(kind, fill * (missing - left))]
    return joined(kind, parts)


def centered(content: Content, plain: Any, width: int, fill: Any) -> Content:
    """The content of `center(width, fill)`.

    Of an odd number of missing characters the extra one goes to the left if the width is odd, else
    to the right; `format` always puts it to the right.
    """
    enough = integers.le(int_const(width), content.length)
    if recording.active().implicit("width", enough, len(plain) >= width):
        return content
    closed = content.closed()
    missing = width - len(plain)
    left = missing // 2 + (missing & width & 1)
    kind = content.kind
    parts = [constant(kind, fill * left), closed, constant(kind, fill * (missing - left))]
    return joined(kind, parts)


def zero_filled(content: Content, plain: Any, width: int) -> Content:
    """The content of `zfill(width)`: filled up with zeros, which come behind a sign."""
    enough = integers.le(int_const(width), content.length)
    if recording.active().implicit("width", enough, len(plain) >= width):
        return content
    closed = content.closed()
    zeros = constant(content.kind, ("0" if content.kind is STR else b"0") * (width - len(plain)))
    if not closed.elements:
        return zeros
    first = closed.elements[0]
    sign = member(first, ((43, 43), (45, 45)))
    has_sign = plain[:1] in ("+", "-", b"+", b"-")
    if not recording.active().implicit("sign", sign, has_sign):
        return joined(content.kind, [zeros, closed])
    head = Fixed(content.kind, closed.elements[:1])
    tail = Fixed(content.kind, closed.elements[1:])
    return joined(content.kind, [head, zeros, tail])
