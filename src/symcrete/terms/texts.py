"""Text terms: an input as a length and code points, and what CPython computes from whole texts.

A text input `s` is the variables `len(s)`, `s[0]`, `s[1]`, ...; the term `s` is the text read off
them. Whatever str or bytes can do is then an application to that term, which evaluation computes
with CPython's own method. A solver is told a model of it over the first `WINDOW` characters, and
for which texts it agrees.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection
from typing import Any

from symcrete.slotted import dataclass
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.operations import MODELLED, opaque
from symcrete.terms.term import (
    TRUE,
    Operation,
    Sort,
    Term,
    const,
    int_const,
    intern,
    intern_as,
    memo,
    var,
)

WINDOW = 40  # characters of an input that models look at; chosen, not measured
# characters; solvers are asked for texts no longer than this, where that will do; chosen, not
# measured
HOPED = 250
LONGEST_BUILT = 100_000  # characters; a longer text is not built; chosen, not measured
# Codes of characters in Unicode.
LAST_CODE = 0x10FFFF
FIRST_SURROGATE, LAST_SURROGATE = 0xD800, 0xDFFF  # halves of a pair, no characters by themselves
LAST_BYTE = 255
CASE_BIT = 0x20  # in which small and capital letters of ASCII differ
PLAIN_CODE = 97  # the code of "a", for a character that nothing has chosen


@dataclass(frozen=True, slots=True)
class Kind:
    """What texts are made of: code points of a str, or bytes."""

    name: str
    empty: Any
    join: Callable[[list[int]], Any]
    codes: Callable[[Any], list[int]]
    highest: int


def _from_codes(codes: list[int]) -> str:
    return "".join(map(chr, codes))


def _codes(text: str) -> list[int]:
    return list(map(ord, text))


STR = Kind("str", "", _from_codes, _codes, LAST_CODE)
BYTES = Kind("bytes", b"", bytes, list, LAST_BYTE)


# -- inputs

_names: dict[str, list[str]] = {}  # names outlive terms: they are the same for every target


def mended(codes: list[Any], kind: Kind) -> list[int]:
    """The codes, with that of "a" in place of those that a text cannot have: an input of another
    type, such as a list of numbers, may have left them under the same names.
    """
    return [
        code if type(code) is int and 0 <= code <= kind.highest else PLAIN_CODE for code in codes
    ]


def text_in(assignment: Assignment, name: str, kind: Kind) -> Any:
    """The text that an assignment gives the input of this name."""
    codes = codes_of(assignment, name)
    try:
        return kind.join(codes)
    except (TypeError, ValueError):
        return kind.join(mended(codes, kind))


def length_name(name: str) -> str:
    return f"len({name})"


def element_names(name: str, count: int) -> list[str]:
    """The names `s[0]`, `s[1]`, ..., at least so many."""
    found = _names.get(name)
    if found is not None and len(found) >= count:
        return found
    found = _names.setdefault(name, [])
    for index in range(len(found), max(count, WINDOW)):
        found.append(f"{name}[{index}]")
    return found


def codes_of(assignment: Assignment, name: str) -> list[int]:
    """The code points an assignment gives a text; one not given is like the one before it. Raises
    ValueError for a text that is too long to be built.
    """
    count = assignment.get(length_name(name), 0)
    if count > LONGEST_BUILT:
        raise ValueError(f"{name} would have {count} characters")
    names = element_names(name, count)[:count]
    try:
        return [assignment[each] for each in names]
    except KeyError:
        codes, last = [], PLAIN_CODE
        for each in names:
            last = assignment.get(each, last)
            codes.append(last)
        return codes


def _read_str(assignment: Assignment, name: str) -> str:
    return "".join(map(chr, codes_of(assignment, name)))


def _read_bytes(assignment: Assignment, name: str) -> bytes:
    return bytes(codes_of(assignment, name))


def _is_str(assignment: Assignment, name: str) -> bool:
    return assignment.get(length_name(name), 0) >= 0 and all(
        0 <= code <= LAST_CODE for code in codes_of(assignment, name)
    )


def _is_bytes(assignment: Assignment, name: str) -> bool:
    return assignment.get(length_name(name), 0) >= 0 and all(
        0 <= code <= LAST_BYTE for code in codes_of(assignment, name)
    )


@functools.lru_cache(maxsize=1000)  # texts; chosen, not measured
def _window_names(name: str) -> frozenset[str]:
    return frozenset([length_name(name), *element_names(name, WINDOW)[:WINDOW]])


_READ = {
    "str": Operation("str", Sort.OBJECT, _read_str, "", reads=_window_names),
    "bytes": Operation("bytes", Sort.OBJECT, _read_bytes, "", reads=_window_names),
}
_SHAPED = {
    "str": Operation("is_str", Sort.BOOL, _is_str, "", reads=_window_names),
    "bytes": Operation("is_bytes", Sort.BOOL, _is_bytes, "", reads=_window_names),
}


class Source:
    """The terms of one text input: its length, its characters, the whole of it."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self.length = var(length_name(name), Sort.INT)
        self.whole = intern(_READ[kind.name], (name,))
        self._elements: list[Term] = []

    def at(self, index: int) -> Term:
        """The term of the character at an index, as a code point."""
        elements = self._elements
        if index >= len(elements):
            names = element_names(self.name, index + 1)
            elements += [var(each, Sort.INT) for each in names[len(elements) : index + 1]]
            _characters.update(dict.fromkeys(names[: index + 1]))
        return elements[index]

    def shape(self) -> Term:
        """The condition that holds for every input: its length is not negative and its characters
        are code points.

        Lone surrogates are asked for only where nothing else will do: a program hardly ever meets
        them.
        """
        parts = [integers.le(int_const(0), self.length)]
        hopes = [integers.le(self.length, int_const(HOPED))]
        for index in range(WINDOW):
            code = self.at(index)
            inside = [
                integers.le(int_const(0), code),
                integers.le(code, int_const(self.kind.highest)),
            ]
            if self.kind is STR:
                surrogate = [
                    integers.le(int_const(FIRST_SURROGATE), code),
                    integers.le(code, int_const(LAST_SURROGATE)),
                ]
                hopes.append(negate(conjoin(surrogate)))
            absent = integers.le(self.length, int_const(index))
            parts.append(disjoin([absent, conjoin(inside)]))
        exact = intern(_SHAPED[self.kind.name], (self.name,))
        return modelled(exact, conjoin(parts), conjoin(hopes))


_characters: dict[str, None] = memo()
_sources: dict[tuple[str, str], Source] = memo()
_shapes: dict[tuple[str, str], Term] = memo()


def source(name: str, kind: Kind) -> Source:
    """The terms of the text input of this name; the same object every time."""
    key = (name, kind.name)
    found = _sources.get(key)
    if found is None:
        found = _sources[key] = Source(name, kind)
    return found


def shape_of(text: Source) -> Term:
    """The condition that holds for every input of this name (`Source.shape`), built once."""
    key = (text.name, text.kind.name)
    found = _shapes.get(key)
    if found is None:
        found = _shapes[key] = text.shape()
    return found


def is_character(name: str) -> bool:
    """Whether a variable is a character of a text."""
    return name in _characters


def texts_in(assignment: Assignment) -> list[str]:
    """The names of the text inputs among the variables."""
    inputs = {name for name, _ in _sources}
    return sorted([name for name in inputs if length_name(name) in assignment])


def texts_assumed(assignment: Assignment, assumptions: Collection[Term]) -> list[str]:
    """The names of the text inputs that a run with these assumptions took as texts: another run may
    have had a list of numbers under the same names.
    """
    taken = {name for (name, _), shape in _shapes.items() if shape in assumptions}
    return [name for name in texts_in(assignment) if name in taken]


# -- exact terms and their models


def modelled(exact: Term, model: Term, agrees: Term = TRUE) -> Term:
    """A term worth what `exact` is, of which solvers see `model`; both agree where `agrees` holds.

    `agrees` may be FALSE: then the model is a hint and nothing more.
    """
    if exact.is_const:
        return exact
    if model.is_const and agrees is TRUE:
        return model
    if exact is model:
        return exact
    return intern_as(model.sort, MODELLED, (exact, model, agrees))


def apply(op: Operation, *args: Term) -> Term:
    """The term of an operation applied to these; a constant where all of them are constants and the
    operation does not raise.
    """
    if all(arg.is_const for arg in args):
        try:
            return const(op.function(*[arg.value for arg in args]))
        except (ArithmeticError, ValueError, TypeError, LookupError):
            pass
    return intern(op, args)


_methods: dict[tuple[str, int, Sort], Operation] = {}


def method(name: str, sort: Sort, whole: Term, *args: Term) -> Term:
    """The term of `whole.name(*args)`."""
    key = (name, len(args), sort)
    op = _methods.get(key)
    if op is None:
        places = ", ".join([f"{{{i + 1}}}" for i in range(len(args))])
        op = Operation(f"str.{name}", sort, _caller(name), f"{{0}}.{name}({places})", opaque=True)
        _methods[key] = op
    return apply(op, whole, *args)


def _caller(name: str) -> Callable[..., Any]:
    def call(text: Any, *args: Any) -> Any:
        return getattr(text, name)(*args)

    return call


def function(call: Callable[..., Any], sort: Sort, label: str, *args: Term) -> Term:
    """The term of `call(*args)`, with one operation for each label."""
    return apply(opaque(call, sort, label), *args)


def _shown(name: str, sort: Sort, call: Callable[..., Any], template: str) -> Operation:
    return Operation(name, sort, call, template, opaque=True)


def _concatenated(*parts: Any) -> Any:
    return parts[0][:0].join(parts)


CHARS = _shown("chars", Sort.OBJECT, lambda *codes: _from_codes(list(codes)), "")
BYTES_OF = _shown("bytes", Sort.OBJECT, lambda *codes: bytes(codes), "")
_SLICE = _shown("slice", Sort.OBJECT, lambda text, i, j: text[i:j], "{0}[{1}:{2}]")
_REVERSED = _shown("reversed", Sort.OBJECT, lambda text: text[::-1], "{0}[::-1]")
CONCAT = _shown("concat", Sort.OBJECT, _concatenated, "")
_LENGTH = _shown("len", Sort.INT, len, "len({0})")
_CODE_AT = _shown("ord", Sort.INT, lambda text, i: ord(text[i]), "ord({0}[{1}])")
_BYTE_AT = _shown("byte", Sort.INT, lambda text, i: text[i], "{0}[{1}]")
_EQUAL = _shown("equal", Sort.BOOL, operator.eq, "({0} == {1})")
_LESS = _shown("less", Sort.BOOL, operator.lt, "({0} < {1})")
_CONTAINS = _shown("contains", Sort.BOOL, operator.contains, "({1} in {0})")


def characters(kind: Kind, elements: tuple[Term, ...]) -> Term:
    """The text made of these code points."""
    if all(each.is_const for each in elements):
        return const(kind.join([each.value for each in elements]))
    return intern(CHARS if kind is STR else BYTES_OF, elements)


def sliced(whole: Term, start: Term, stop: Term) -> Term:
    return apply(_SLICE, whole, start, stop)


def backwards(whole: Term) -> Term:
    return apply(_REVERSED, whole)


def concatenated(parts: list[Term]) -> Term:
    return parts[0] if len(parts) == 1 else apply(CONCAT, *parts)


def length_of(whole: Term) -> Term:
    return apply(_LENGTH, whole)


def code_at(kind: Kind, whole: Term, index: Term) -> Term:
    """The code point of the character at an index, or the byte."""
    return apply(_CODE_AT if kind is STR else _BYTE_AT, whole, index)


def equal(left: Term, right: Term) -> Term:
    if left is right:
        return TRUE
    if left.is_const and not right.is_const:
        left, right = right, left
    return apply(_EQUAL, left, right)


def less(left: Term, right: Term) -> Term:
    return apply(_LESS, left, right)


def contains(whole: Term, part: Term) -> Term:
    return apply(_CONTAINS, whole, part)
