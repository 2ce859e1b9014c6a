"""Parts of a text by position: indexing, slicing, stepping through it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import conjoin
from symcrete.terms.term import Term, int_const
from symcrete.terms.texts import BYTES, STR, Kind
from symcrete.values.text.content.contents import Content, Fixed, Reversed, Span, picked
from symcrete.values.text.content.marks import At, Mark, shifted
from symcrete.values.text.content.strings import content_of, text
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import ConcolicInt, concolic_int, pinned, untracked
from symcrete.values.tracking.truth import Truth


def remember_find(index: Term, start: Mark, mark: Mark, width: int) -> None:
    """Note that a search gave `index`, so that slicing by it uses `mark`, which was found after
    `start` and has at least `width` characters behind it.
    """
    recording.active().memory[index] = (start, mark, width)


def one(kind: Kind, code: int, term: Term) -> Any:
    """A single character, as iterating or indexing gives it."""
    if kind is BYTES:
        return concolic_int(code, term)
    return text(chr(code), Fixed(STR, (term,)))


def item(value: Any, index: Any) -> Any:
    """`value[index]` of a tracked text."""
    if type(index) is slice:
        return part(value, index)
    content, plain = value.content, untracked(value)
    if type(index) is ConcolicInt or type(index) is Truth:
        return index_of(content, plain, +index)
    if type(index) is not int:
        return plain[index]  # an error, or an object that says which index it is
    if isinstance(content, Fixed):
        found = plain[index]
        code = ord(found) if content.kind is STR else found
        return one(content.kind, code, content.elements[index])
    count = len(plain)
    least = index + 1 if index >= 0 else -index
    inside = integers.le(int_const(least), content.length)
    recording.active().implicit("IndexError", inside, least <= count)
    found = plain[index]
    code = ord(found) if content.kind is STR else found
    return one(content.kind, code, content.at(index) if index >= 0 else content.from_end(-index))


def index_of(content: Content, plain: Any, index: Any) -> Any:
    """The character at a tracked index; that the index is inside is a branch."""
    if not isinstance(content, Span | Fixed):
        content = content.closed()
    count, at = len(plain), untracked(index)
    record, length, term = recording.active(), content.length, index.term
    inside = [integers.le(integers.neg(length), term), integers.lt(term, length)]
    if not record.implicit("IndexError", conjoin(inside), -count <= at < count):
        return plain[at]  # raises
    record.implicit("index", integers.le(int_const(0), term), at >= 0)
    if isinstance(content, Fixed):
        chosen = picked(content, term if at >= 0 else integers.add(term, length))
    else:
        origin = content.start.term if at >= 0 else content.stop.term
        chosen = picked(content.root, integers.add(origin, term))
    code = ord(plain[at]) if content.kind is STR else plain[at]
    return one(content.kind, code, chosen)


# -- slices


def part(value: Any, which: slice) -> Any:
    """`value[i:j:k]` of a tracked text."""
    content, plain = value.content, untracked(value)
    step = pinned(which.step)
    if step is not None and step != 1:
        if step == -1 and which.start is None and which.stop is None:
            return text(plain[::-1], backwards(content))
        bounds = slice(pinned(which.start), pinned(which.stop), step)
        return text(plain[bounds], Fixed(content.kind, content.closed().elements[bounds]))
    start, stop = which.start, which.stop
    if start is None and stop is None:
        return value
    if not isinstance(content, Span):
        bounds = slice(pinned(start), pinned(stop))
        return text(plain[bounds], Fixed(content.kind, content.closed().elements[bounds]))
    bounds = slice(untracked(start), untracked(stop))
    return text(plain[bounds], between(content, start, stop))


def backwards(content: Content) -> Content:
    """The content of `text[::-1]`."""
    if isinstance(content, Fixed):
        return Fixed(content.kind, content.elements[::-1])
    return content.inner if isinstance(content, Reversed) else Reversed(content)


def between(content: Span, start: Any, stop: Any) -> Content:
    """The part of a span from one bound to the other, as a slice with step 1 takes it."""
    last = content.stop if stop is None else _mark(content, stop)
    first = content.start if start is None else _mark(content, start, last)
    in_order = first.value <= last.value
    if start is not None and stop is not None:
        in_order_term = integers.le(first.term, last.term)
        recording.active().implicit("slice", in_order_term, in_order)
    if not in_order:
        return Fixed(content.kind, ())
    if first.term.is_const and last.term.is_const:
        places = range(first.value, last.value)
        return Fixed(content.kind, tuple([content.root.at(place) for place in places]))
    return Span(content.root, first, last)


def _mark(content: Span, bound: Any, limit: Mark | None = None) -> Mark:
    """A bound of a slice as a mark inside the span; that it lies inside is a branch where it may
    not.
    """
    if type(bound) is ConcolicInt:
        found = _found_mark(content, bound)
        if found is not None:
            return found
        bound = pinned(bound)
    elif type(bound) is not int:
        bound = bound.__index__()
    count = content.count
    size = bound if bound >= 0 else -bound
    if limit is not None and bound >= 0 and limit.term.is_const and content.start.term.is_const:
        if content.start.value + bound <= limit.value:
            return At(content.start.value + bound)  # before the other bound, which lies inside
    record = recording.active()
    inside = record.implicit("slice", integers.le(int_const(size), content.length), size <= count)
    if bound >= 0:
        return shifted(content.start, bound) if inside else content.stop
    return shifted(content.stop, bound) if inside else content.start


def _found_mark(content: Span, bound: Any) -> Mark | None:
    """The mark for a bound that is an index given by a search, or that plus a small number; None
    for any other bound.
    """
    by = integers.as_linear(bound.term)[0]
    index = integers.sub(bound.term, int_const(by))
    entry = recording.active().memory.get(index)
    if entry is None:
        return None
    start, mark, width = entry
    if start.term is not content.start.term or not 0 <= by <= width:
        return None
    inside = integers.le(int_const(0), index)
    if not recording.active().implicit("slice", inside, untracked(bound) - by >= 0):
        return None
    return shifted(mark, by)


# -- one after another


def steps(value: Any, site: int) -> Iterator[Any]:
    """The characters; whether there is another one is an outcome of `site`."""
    content, plain = value.content, untracked(value)
    kind = content.kind
    codes = kind.codes(plain)
    if isinstance(content, Span) and not content.stop.term.is_const:
        content.start.fix()
        record = recording.active()
        at, count = content.at, len(codes)
        for index in range(count + 1):
            more = integers.lt(int_const(index), content.length)
            if not record.passed(site, more, index < count):
                return
            yield one(kind, codes[index], at(index))
        return
    for code, term in zip(codes, content.closed().elements, strict=True):
        yield one(kind, code, term)


def iterate(value: Any) -> Iterator[Any]:
    """`iter(value)`: the characters; whether there is another one is a branch."""
    return steps(value, recording.active().dynamic_site("for"))


def counted(value: Any) -> Any:
    """`len(value)`."""
    content = content_of(value)
    return concolic_int(content.count, content.length)
