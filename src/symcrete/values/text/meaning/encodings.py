"""Between str and bytes: encode and decode, hexadecimal digits.

ASCII stays as it is, with its length undecided; that all of it is ASCII is a branch. Other
characters are taken apart into their bytes once their number is decided.
"""

from __future__ import annotations

import codecs
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import between
from symcrete.terms.logic import choose, conjoin
from symcrete.terms.term import Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import BYTES, STR, Kind, apply, function, method, modelled
from symcrete.values.text.content.contents import (
    Computed,
    Content,
    DerivedRoot,
    Fixed,
    InputRoot,
    Span,
)
from symcrete.values.text.content.marks import Root
from symcrete.values.text.meaning.case import each, is_all
from symcrete.values.text.meaning.comparison import agreement
from symcrete.values.text.meaning.searching import simplest, span_of
from symcrete.values.tracking import recording

_terms: dict[Any, Term] = memo()
_UTF8_SIZES = (0x7F, 0x7FF, 0xFFFF)  # the largest codes that take one, two and three bytes
_LIMITS = {"ascii": 127, "iso8859-1": 255}  # the largest code that an encoding has


def codec_name(encoding: str) -> str | None:
    """Python's own name of an encoding; None for an unknown one."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return None


def _recoded(text: Any) -> Any:
    """The code points of a str as bytes, or bytes as code points.

    A code point that does not fit lies outside of the span that is looked at; it becomes one byte,
    so that nothing in the span is shifted.
    """
    if isinstance(text, str):
        return text.encode("latin-1", "replace")
    return text.decode("latin-1")


_RECODED = Operation("recoded", Sort.OBJECT, _recoded, "", opaque=True)


class _OtherKind(DerivedRoot):
    """A root of str whose code points are read as bytes, or one of bytes read as a str."""

    __slots__ = ("of",)

    def __init__(self, root: Root, kind: Kind) -> None:
        super().__init__(root, root.at, apply(_RECODED, root.whole))
        self.kind = kind
        self.of = root


def input_of(content: Any) -> str:
    """The name of the input that a text is, or is read from as bytes; empty if it is none."""
    root = content.root if isinstance(content, Span) else None
    while isinstance(root, _OtherKind):
        root = root.of
    return root.name if isinstance(root, InputRoot) else ""


def as_other(content: Content, kind: Kind) -> Content:
    """The same code points as bytes, or as a str; they must all fit."""
    if isinstance(content, Fixed):
        return Fixed(kind, content.elements)
    span = span_of(content)
    return simplest(Span(_OtherKind(span.root, kind), span.start, span.stop))


def encoded(content: Content, plain: str, encoding: str, errors: str) -> Content | None:
    """The content of `text.encode(encoding, errors)`; None where it cannot be encoded."""
    name = codec_name(encoding)
    if name not in ("utf-8", "ascii", "iso8859-1"):
        return _computed("encode", content, plain, encoding, errors)
    if errors == "strict" and name in _LIMITS:
        if not _all_below(content, plain, _LIMITS[name]):
            return None
        return as_other(content, BYTES)
    if recording.active().implicit("text", is_all(content, "isascii"), plain.isascii()):
        return as_other(content, BYTES)
    if name != "utf-8" or errors != "strict":
        return _computed("encode", content, plain, encoding, errors)
    return _utf8(content.closed(), plain)


def _computed(
    name: str, content: Content, plain: Any, encoding: str, errors: str
) -> Content | None:
    """The content that CPython's own method computes; None where it fails, which is a branch."""
    args = [const(encoding), const(errors)]
    works = function(_WORKS[name], Sort.BOOL, f"can_{name}", content.whole, *args)
    try:
        result = getattr(plain, name)(encoding, errors)
    except ValueError:
        result = None
    if not recording.active().implicit("ValueError", works, result is not None):
        return None
    kind = BYTES if name == "encode" else STR
    return Computed(kind, method(name, Sort.OBJECT, content.whole, *args), len(result))


def _works(name: str) -> Any:
    def test(text: Any, encoding: str, errors: str) -> bool:
        try:
            getattr(text, name)(encoding, errors)
        except ValueError:
            return False
        return True

    return test


_WORKS = {name: _works(name) for name in ("encode", "decode")}


def _below(text: Any, limit: int) -> bool:
    return all(ord(char) <= limit for char in text)


_ALL_BELOW = Operation("all_below", Sort.BOOL, _below, "", opaque=True)


def _all_below(content: Content, plain: str, limit: int) -> bool:
    """Whether no code is larger than the limit; that is a branch."""
    span = span_of(content)
    key = ("below", span.key, limit)
    term = _terms.get(key)
    if term is None:
        bound, root = int_const(limit), span.root
        model = each(span, lambda place: integers.le(root.at(place), bound))
        exact = apply(_ALL_BELOW, span.whole, bound)
        term = _terms[key] = modelled(exact, model, agreement(span))
    return recording.active().implicit("ValueError", term, _below(plain, limit))


def _utf8(fixed: Fixed, plain: str) -> Content | None:
    """The bytes of a str: how many each character takes is one outcome; None where a surrogate
    cannot be encoded.
    """
    surrogates = [
        conjoin([integers.le(int_const(0xD800), code), integers.le(code, int_const(0xDFFF))])
        for code in fixed.elements
    ]
    record = recording.active()
    for term, char in zip(surrogates, plain, strict=True):
        lone = "\ud800" <= char <= "\udfff"
        if record.implicit("text", term, lone):
            return None
    sizes = tuple([len(char.encode()) for char in plain])
    condition = lambda found: conjoin(
        [_has_size(code, size) for code, size in zip(fixed.elements, found, strict=True)]
    )
    record.fork("text", (fixed.whole, "utf-8"), sizes, condition)
    found: list[Term] = []
    for code, size in zip(fixed.elements, sizes, strict=True):
        found += _bytes_of(code, size)
    return Fixed(BYTES, tuple(found))


def _has_size(code: Term, size: int) -> Term:
    low = 0 if size == 1 else _UTF8_SIZES[size - 2] + 1
    high = 0x10FFFF if size == 4 else _UTF8_SIZES[size - 1]
    return conjoin([integers.le(int_const(low), code), integers.le(code, int_const(high))])


def _bytes_of(code: Term, size: int) -> list[Term]:
    if size == 1:
        return [code]
    lead = {2: 0xC0, 3: 0xE0, 4: 0xF0}[size]
    top = integers.floordiv(code, int_const(64 ** (size - 1)))
    found = [integers.add(top, int_const(lead))]
    for place in range(size - 2, -1, -1):
        digit = integers.mod(integers.floordiv(code, int_const(64**place)), int_const(64))
        found.append(integers.add(digit, int_const(0x80)))
    return found


def decoded(content: Content, plain: bytes, encoding: str, errors: str) -> Content | None:
    """The content of `blob.decode(encoding, errors)`; None where it cannot be decoded."""
    name = codec_name(encoding)
    if name == "iso8859-1":
        return as_other(content, STR)
    if name in ("utf-8", "ascii"):
        ascii_only = is_all(content, "isascii")
        if name == "ascii" and errors == "strict":
            if not recording.active().implicit("ValueError", ascii_only, plain.isascii()):
                return None
            return as_other(content, STR)
        if recording.active().implicit("text", ascii_only, plain.isascii()):
            return as_other(content, STR)
        if name == "utf-8" and errors == "strict":
            return _from_utf8(content.closed(), plain)
    return _computed("decode", content, plain, encoding, errors)


def _can_utf8(text: bytes) -> bool:
    return _WORKS["decode"](text, "utf-8", "strict")  # type: ignore[no-any-return]


def _from_utf8(fixed: Fixed, plain: bytes) -> Content | None:
    """The characters of bytes: whether they are well formed is a condition that CPython decides
    (None if not); then the lead bytes tell where each character begins.
    """
    works = function(_can_utf8, Sort.BOOL, "is_utf8", fixed.whole)
    well = _can_utf8(plain)
    if not recording.active().implicit("ValueError", works, well):
        return None
    sizes = tuple([len(char.encode()) for char in plain.decode()])
    condition = lambda found: conjoin(
        [between(fixed.elements[at], *_LEADS[size]) for at, size in _places(found)]
    )
    recording.active().fork("text", (fixed.whole, "from utf-8"), sizes, condition)
    codes = [_code_of(fixed.elements[at : at + size]) for at, size in _places(sizes)]
    return Fixed(STR, tuple(codes))


# first bytes of a character in UTF-8, from the least to the largest, by its number of bytes
_LEADS = {1: (0, 0x7F), 2: (0xC2, 0xDF), 3: (0xE0, 0xEF), 4: (0xF0, 0xF4)}


def _places(sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    """The place where each character begins, and its size in bytes."""
    return [(sum(sizes[:number]), size) for number, size in enumerate(sizes)]


def _code_of(parts: tuple[Term, ...]) -> Term:
    if len(parts) == 1:
        return parts[0]
    lead = {2: 0xC0, 3: 0xE0, 4: 0xF0}[len(parts)]
    total = integers.sub(parts[0], int_const(lead))
    for part in parts[1:]:
        digit = integers.sub(part, int_const(0x80))
        total = integers.add(integers.scale(total, 64), digit)
    return total


def hex_digits(fixed: Fixed) -> Fixed:
    """The content of `blob.hex()`."""
    found: list[Term] = []
    for code in fixed.elements:
        for digit in (integers.floordiv(code, int_const(16)), integers.mod(code, int_const(16))):
            letter = integers.add(digit, int_const(87))
            number = integers.add(digit, int_const(48))
            found.append(choose(integers.le(digit, int_const(9)), number, letter))
    return Fixed(STR, tuple(found))
