"""Operations that depend on where certain characters are: lines, tabs, translation tables.

Where none of them occurs, nothing else is decided. Else the characters are taken one by one, and
which of them are special is one outcome.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import Ranges, member, ranges_of, same
from symcrete.terms.logic import choose, conjoin, negate
from symcrete.terms.term import Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import STR, Kind, apply, method, modelled
from symcrete.values.text.content.contents import (
    Computed,
    Content,
    DerivedRoot,
    Fixed,
    Span,
    constant,
    joined,
)
from symcrete.values.text.content.strings import content_of, text
from symcrete.values.text.meaning.case import some
from symcrete.values.text.meaning.comparison import agreement
from symcrete.values.text.meaning.searching import simplest, span_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import tracked, untracked

LARGEST_TRANSLATION = 256  # keys; a larger table of `translate` is a loss; chosen, not measured
# keys of a one-for-one table that becomes a term with a case for each; chosen, not measured
MOST_TRANSLATED = 64
_CR, _LF, _TAB = 13, 10, 9  # codes of characters
_LAST_LINE_END = 0x2029  # the last character that ends a line
_terms: dict[Any, Term] = memo()


@functools.cache
def _line_ends(kind: str) -> Ranges:
    """The characters that `splitlines` ends a line at."""
    if kind == "bytes":
        return ranges_of([_LF, _CR])
    characters = "".join([chr(code) for code in range(_LAST_LINE_END + 2)])
    return ranges_of([ord(line[-1]) for line in characters.splitlines(keepends=True)[:-1]])


def _any_of(text: Any, codes: Any) -> bool:
    have = set(map(ord, text)) if isinstance(text, str) else set(text)
    return any(low <= code <= high for code in have for low, high in codes)


_ANY_OF = Operation("any_of", Sort.BOOL, _any_of, "", opaque=True)


def has_any(content: Content, plain: Any, ranges: Ranges) -> bool:
    """Report as a branch whether one of these characters occurs, and return it."""
    span = span_of(content)
    key = ("any", span.key, ranges)
    term = _terms.get(key)
    if term is None:
        root = span.root
        model = some(span, lambda place: member(root.at(place), ranges))
        exact = apply(_ANY_OF, span.whole, const(ranges))
        term = _terms[key] = modelled(exact, model, agreement(span))
    return recording.active().implicit("text", term, _any_of(plain, ranges))


def laid_out(
    fixed: Fixed,
    plain: Any,
    what: str,
    classes: Callable[[int], Any],
    terms: Callable[[Any, Term], Term],
) -> None:
    """Report, as one fork, which class each character belongs to.

    `what` tells this fork from others of the same text; `classes` gives the class of a code,
    `terms` the condition that a character is of a class.
    """
    layout = tuple([classes(code) for code in fixed.kind.codes(plain)])
    condition = lambda found: conjoin(
        [terms(each, code) for each, code in zip(found, fixed.elements, strict=True)]
    )
    recording.active().fork("text", (fixed.whole, what), layout, condition)


# -- lines


def lines(content: Content, plain: Any, *, keep: bool) -> list[Content]:
    """The contents of `splitlines`."""
    boundaries = _line_ends(content.kind.name)
    if not has_any(content, plain, boundaries):
        there = integers.lt(int_const(0), content.length)
        return [content] if recording.active().implicit("text", there, len(plain) > 0) else []
    fixed = content.closed()

    def which(code: int) -> str:
        if code in (_CR, _LF):
            return "cr" if code == _CR else "lf"
        return "end" if any(low <= code <= high for low, high in boundaries) else ""

    others = _without(boundaries, {_CR, _LF})

    def term(name: str, code: Term) -> Term:
        if name in ("cr", "lf"):
            return integers.eq(code, int_const(_CR if name == "cr" else _LF))
        return member(code, others) if name else negate(member(code, boundaries))

    laid_out(fixed, plain, "lines", which, term)
    found: list[Content] = []
    at = 0
    for piece, whole in zip(plain.splitlines(), plain.splitlines(True), strict=True):
        size = len(whole) if keep else len(piece)
        found.append(Fixed(content.kind, fixed.elements[at : at + size]))
        at += len(whole)
    return found


def _without(ranges: Ranges, codes: set[int]) -> Ranges:
    every = [code for low, high in ranges for code in range(low, high + 1) if code not in codes]
    return ranges_of(every)


# -- tabs


def expanded(content: Content, plain: Any, size: int) -> Content:
    """The content of `expandtabs`."""
    if not has_any(content, plain, ((_TAB, _TAB),)):
        return content
    fixed = content.closed()
    kind = content.kind
    special = ranges_of([_TAB, _LF, _CR])
    names = {_TAB: "tab", _LF: "line", _CR: "line"}

    def term(name: str, code: Term) -> Term:
        if name == "tab":
            return integers.eq(code, int_const(_TAB))
        return member(code, ranges_of([_LF, _CR])) if name else negate(member(code, special))

    laid_out(fixed, plain, "tabs", lambda code: names.get(code, ""), term)
    blank = constant(kind, " " if kind is STR else b" ").elements
    found: list[Term] = []
    column = 0
    for code, element in zip(kind.codes(plain), fixed.elements, strict=True):
        if code == _TAB:
            width = size - column % size if size > 0 else 0
            found += blank * width
            column += width
        else:
            found.append(element)
            column = 0 if code in (_LF, _CR) else column + 1
    return Fixed(kind, tuple(found))


# -- translation


def translated(value: Any, table: Any) -> Any:
    """`text.translate(table)`; terms are kept where the table is a dict of plain values with at
    most LARGEST_TRANSLATION keys, any other table is a loss.
    """
    plain = untracked(value)
    result = plain.translate(table)
    content = content_of(value)
    if type(table) is not dict or len(table) > LARGEST_TRANSLATION or _holds_tracked(table):
        recording.active().lose("str.translate()")
        return result
    keys = {int(key): _image(new) for key, new in table.items() if isinstance(key, int)}
    one_for_one = {key: ord(new) for key, new in keys.items() if len(new) == 1}
    if len(one_for_one) == len(keys) and len(keys) <= MOST_TRANSLATED:
        return text(result, _exchanged(content, one_for_one, method_whole(table)))
    return text(result, _by_table(content, plain, keys))


def _holds_tracked(table: dict[Any, Any]) -> bool:
    return any(tracked(each) for pair in table.items() for each in pair)


def _image(new: Any) -> str:
    if new is None:
        return ""
    return chr(new) if isinstance(new, int) else str(new)


def method_whole(table: dict[Any, Any]) -> Callable[[Term], Term]:
    """The function that gives, for the term of a text, the term of its translation."""
    frozen = tuple(table.items())
    return lambda whole: apply(_TRANSLATED, whole, const(frozen))


def _translate_by(text: Any, items: Any) -> Any:
    return text.translate(dict(items))


_TRANSLATED = Operation("translate", Sort.OBJECT, _translate_by, "", opaque=True)


def _exchanged(content: Content, table: dict[int, int], whole: Callable[[Term], Term]) -> Content:
    """The content with each character exchanged by the table, so that nothing moves."""
    span = span_of(content)
    root = span.root

    def at(place: int) -> Term:
        code = root.at(place)
        result = code
        for old, new in table.items():
            result = choose(same(code, int_const(old)), int_const(new), result)
        return result

    return simplest(Span(DerivedRoot(root, at, whole(root.whole)), span.start, span.stop))


def _by_table(content: Content, plain: Any, keys: dict[int, str]) -> Content:
    """The content where some characters become several or none; which ones do is an outcome."""
    if not has_any(content, plain, ranges_of(keys)):
        return content
    fixed = content.closed()
    ranges = ranges_of(keys)

    def term(key: int | None, code: Term) -> Term:
        if key is None:
            return negate(member(code, ranges))
        return same(code, int_const(key))

    laid_out(fixed, plain, "table", lambda code: code if code in keys else None, term)
    kind: Kind = content.kind
    parts: list[Content] = []
    for code, element in zip(kind.codes(plain), fixed.elements, strict=True):
        if code in keys:
            parts.append(constant(kind, keys[code]))
        else:
            parts.append(Fixed(kind, (element,)))
    return joined(kind, parts)


def escaped(value: Any, special: frozenset[int]) -> Any:
    """The text with a backslash before each special character; which ones are special is an
    outcome.
    """
    plain, content = untracked(value), content_of(value)
    ranges = ranges_of(special)
    if not has_any(content, plain, ranges):
        return value
    fixed = content.closed()

    def term(is_special: bool, code: Term) -> Term:
        found = member(code, ranges)
        return found if is_special else negate(found)

    laid_out(fixed, plain, "escape", special.__contains__, term)
    backslash = int_const(ord("\\"))
    codes: list[int] = []
    elements: list[Term] = []
    for code, element in zip(content.kind.codes(plain), fixed.elements, strict=True):
        if code in special:
            codes.append(ord("\\"))
            elements.append(backslash)
        codes.append(code)
        elements.append(element)
    return text("".join(map(chr, codes)), Fixed(content.kind, tuple(elements)))


def translated_bytes(value: Any, table: Any, delete: Any) -> Any:
    """`blob.translate(table, delete)`."""
    plain = untracked(value)
    table, delete = untracked(table), untracked(delete)
    result = plain.translate(table, delete)
    content = content_of(value)
    changed = {} if table is None else {i: new for i, new in enumerate(table) if i != new}
    if not delete and len(changed) <= MOST_TRANSLATED:
        whole = lambda root: method(
            "translate", Sort.OBJECT, root, const(bytes(table or range(256)))
        )
        return text(result, _exchanged(content, changed, whole))
    args = [const(table if table is None else bytes(table)), const(bytes(delete))]
    whole_term = method("translate", Sort.OBJECT, content.whole, *args)
    return text(result, Computed(content.kind, whole_term, len(result)))
