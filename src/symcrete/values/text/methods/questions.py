"""The methods of texts that ask something: classes of characters, searches, beginnings and ends.

Each function takes a text, tracked or plain, and the method's arguments, some of which may be
tracked; what it decides is reported before CPython is asked, which may raise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, disjoin
from symcrete.terms.term import Sort, Term, const, int_const
from symcrete.terms.texts import method
from symcrete.values.text.content.contents import Content, Fixed, Span
from symcrete.values.text.content.marks import shifted
from symcrete.values.text.content.positions import remember_find
from symcrete.values.text.content.strings import content_of, text
from symcrete.values.text.meaning.case import (
    EACH,
    EACH_OR_NONE,
    capitalized,
    in_case,
    is_all,
    titled,
)
from symcrete.values.text.meaning.comparison import contains_text, ends_with, starts_with
from symcrete.values.text.meaning.formatting import pinned_any, pinned_text
from symcrete.values.text.meaning.searching import behind_last, count, find, first, simplest
from symcrete.values.text.methods.calling import (
    Method,
    asked,
    kind_of_text,
    needle,
    plain_argument,
    window,
)
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_int, int_term, untracked
from symcrete.values.tracking.truth import truth

# -- case and classes


def _cased(name: str) -> Method:
    def call(self: Any) -> Any:
        plain = untracked(self)
        result = getattr(plain, name)()
        return text(result, in_case(content_of(self), name, plain, result))

    return call


def capitalize(self: Any) -> Any:
    plain = untracked(self)
    return text(plain.capitalize(), capitalized(content_of(self), plain, plain.capitalize()))


def title(self: Any) -> Any:
    plain = untracked(self)
    return text(plain.title(), titled(content_of(self), plain, plain.title()))


def _class_method(name: str) -> Method:
    def call(self: Any) -> Any:
        return truth(getattr(untracked(self), name)(), is_all(content_of(self), name))

    return call


# -- where something is


def _finder(name: str) -> Method:
    last, fails = name.startswith("r"), name.endswith("index")
    finds = name.replace("index", "find")

    def call(self: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
        part = needle(kind_of_text(self), sub)
        if part is None:
            return asked(self, name, sub, start, end)  # raises
        value = asked(self, finds, sub, start, end)
        if not part.count:
            return _looking_for_nothing(self, name, value, part, start, end)
        content, offset, begin = window(self, start, end)
        there = contains_text(content, part) if fails else None
        if there is not None:
            recording.active().implicit("ValueError", there, value >= 0)
            asked(self, name, sub, start, end)  # raises where it is not there
        place = value - begin if value >= 0 else -1
        index = find(content, part, place, last=last)
        _remember(content, part, index, place, last=last)
        if offset.is_const and offset.value == 0:
            return concolic_int(value, index)
        absent = integers.lt(index, int_const(0))
        return concolic_int(value, choose(absent, int_const(-1), integers.add(index, offset)))

    return call


def _remember(content: Content, part: Fixed, index: Term, place: int, *, last: bool) -> None:
    """Note the mark behind the index that a search gave, for slices that use the index."""
    if not isinstance(content, Span) or index.is_const:
        return
    start, stop, width = content.start, content.stop, part.count
    here = start.value + place
    if place < 0:
        remember_find(index, start, start, width)
    elif last:
        behind = behind_last(content.root, part, start, stop, here + width)
        remember_find(index, start, shifted(behind, -width), width)
    else:
        remember_find(index, start, first(content.root, part, start, stop, here), width)


def _looking_for_nothing(
    self: Any, name: str, value: int, part: Fixed, start: Any, end: Any
) -> Any:
    """A search for the empty text, which is found almost everywhere: CPython's own answer as an
    opaque function.
    """
    args = [part.whole]
    for bound in (start, end):
        term = None if bound is None else int_term(bound)
        args.append(const(bound) if term is None else term)
    finds = name.replace("index", "find")
    term = method(finds, Sort.INT, content_of(self).whole, *args)
    if name.endswith("index"):
        recording.active().implicit("ValueError", integers.le(int_const(0), term), value >= 0)
        asked(self, name, part.kind.empty, start, end)  # raises where it is not there
    return concolic_int(value, term)


def count_(self: Any, sub: Any, start: Any = None, end: Any = None, /) -> Any:
    part = needle(kind_of_text(self), sub)
    value = asked(self, "count", sub, start, end)
    if part is None or not part.count:
        return (
            value if part is None else _looking_for_nothing(self, "count", value, part, start, end)
        )
    content, _, _ = window(self, start, end)
    return concolic_int(value, count(content, part))


# -- how it begins and ends


def _edge(name: str, test: Callable[[Content, Fixed], Term]) -> Method:
    def call(self: Any, affix: Any, start: Any = None, end: Any = None, /) -> Any:
        kind = kind_of_text(self)
        affixes = []
        for each in affix if type(affix) is tuple else (affix,):
            part = needle(kind, each) if not int_like(each) else None
            if part is None:
                return asked(self, name, affix, start, end)  # raises
            affixes.append(part)
        value = asked(self, name, affix, start, end)
        if start is None and end is None:
            content = content_of(self)
        elif all(each.count for each in affixes):
            content = window(self, start, end)[0]
        else:
            # The empty text begins everywhere but behind the end.
            args = [
                const(_pinned_texts(affix)),
                *[const(pinned_any(each)) for each in (start, end)],
            ]
            return truth(value, method(name, Sort.BOOL, content_of(self).whole, *args))
        return truth(value, disjoin([test(content, each) for each in affixes]))

    return call


def int_like(value: Any) -> bool:
    return int_term(value) is not None


def _pinned_texts(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([pinned_text(each) for each in value])
    return plain_argument(pinned_text(value))


def removeprefix(self: Any, prefix: Any, /) -> Any:
    part = None if int_like(prefix) else needle(kind_of_text(self), prefix)
    result = asked(self, "removeprefix", prefix)
    if part is None:
        return result
    content = content_of(self)
    has = untracked(self).startswith(untracked(prefix))
    if not recording.active().implicit("text", starts_with(content, part), has):
        return self
    return text(result, _without_ends(content, part.count, 0))


def removesuffix(self: Any, suffix: Any, /) -> Any:
    part = None if int_like(suffix) else needle(kind_of_text(self), suffix)
    result = asked(self, "removesuffix", suffix)
    if part is None:
        return result
    content = content_of(self)
    has = untracked(self).endswith(untracked(suffix))
    if not recording.active().implicit("text", ends_with(content, part), has):
        return self
    return text(result, _without_ends(content, 0, part.count))


def _without_ends(content: Content, off_start: int, off_end: int) -> Content:
    """The content without so many characters at each end; they must be there."""
    if isinstance(content, Span):
        start, stop = shifted(content.start, off_start), shifted(content.stop, -off_end)
        return simplest(Span(content.root, start, stop))
    fixed = content.closed()
    return Fixed(fixed.kind, fixed.elements[off_start : fixed.count - off_end])


_CLASSES = (*EACH, *EACH_OR_NONE, "isupper", "islower", "istitle", "isidentifier")
METHODS: dict[str, Method] = {
    "upper": _cased("upper"),
    "lower": _cased("lower"),
    "swapcase": _cased("swapcase"),
    "capitalize": capitalize,
    "title": title,
    **{name: _class_method(name) for name in _CLASSES if hasattr(bytes, name)},
    "find": _finder("find"),
    "rfind": _finder("rfind"),
    "index": _finder("index"),
    "rindex": _finder("rindex"),
    "count": count_,
    "startswith": _edge("startswith", starts_with),
    "endswith": _edge("endswith", ends_with),
    "removeprefix": removeprefix,
    "removesuffix": removesuffix,
}
STR_ONLY: dict[str, Method] = {
    "casefold": _cased("casefold"),
    **{name: _class_method(name) for name in _CLASSES if not hasattr(bytes, name)},
}
