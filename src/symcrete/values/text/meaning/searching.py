"""Looking for a text in another: find, count, strip, split, partition, replace.

What is found is a mark, so that the parts of a split text have no definite length until one is
asked for. How many separators there are is decided first: one flip gives a text with one more of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from symcrete.terms import integers
from symcrete.terms.characters import is_a, member, ranges_of
from symcrete.terms.logic import choose, conjoin, disjoin, negate
from symcrete.terms.term import FALSE, Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import Kind, apply, method, modelled
from symcrete.values.text.content.contents import Content, Fixed, Span
from symcrete.values.text.content.marks import At, First, Last, Mark, Root, inside, shifted
from symcrete.values.text.meaning.comparison import agreement, contains_text, matches
from symcrete.values.tracking import recording

_terms: dict[Any, Term] = memo()
ZERO = int_const(0)
_Mark = TypeVar("_Mark", First, Last)


def span_of(content: Content) -> Span:
    """The content as a span of a root; one that is no span is closed first, which decides its
    length.
    """
    if isinstance(content, Span):
        return content
    fixed = content.closed()
    return Span(fixed, At(0), fixed.end)


# -- places


def _first_place(text: Any, part: Any, start: int, stop: int) -> int:
    return int(text.find(part, start, stop))


def _behind_last(text: Any, part: Any, start: int, stop: int) -> int:
    return int(text.rfind(part, start, stop)) + len(part)


_FIRST = Operation("find", Sort.INT, _first_place, "{0}.find({1}, {2}, {3})", opaque=True)
_BEHIND = Operation("behind", Sort.INT, _behind_last, "", opaque=True)


def first(root: Root, part: Fixed, start: Mark, stop: Mark, value: int) -> First:
    """The mark where the part occurs first; a branch passed before says that it occurs."""
    exact = lambda whole, i, j: apply(_FIRST, whole, part.whole, i, j)
    test = matches(root, part.elements)
    return First(root, test, part.whole, start, stop, value, exact, certain=True, width=part.count)


def behind_last(root: Root, part: Fixed, start: Mark, stop: Mark, value: int) -> Last:
    """The mark behind the last occurrence of the part; a branch passed before says there is one."""
    exact = lambda whole, i, j: apply(_BEHIND, whole, part.whole, i, j)
    test = matches(root, part.elements)
    return Last(root, test, part.whole, start, stop, value, exact, certain=True, width=part.count)


def find(content: Content, part: Fixed, value: int, *, last: bool) -> Term:
    """The term of `find` or `rfind`: an index in the content, or -1."""
    span = span_of(content)
    name = "rfind" if last else "find"
    key = (name, span.key, part.whole)
    found = _terms.get(key)
    if found is None:
        exact = method(name, Sort.INT, span.whole, part.whole)
        found = _terms[key] = modelled(exact, _index(span, part, last=last), agreement(span))
    record = recording.active()
    if not found.is_const:
        record.assume(integers.le(int_const(-1), found))
        record.assume(integers.le(integers.add(found, int_const(part.count)), _reach(span, part)))
    return found


def _reach(span: Span, part: Fixed) -> Term:
    """The most that the index and the part's length can add up to: the length of the text, or what
    -1, the index for no match, gives where that is more.
    """
    least = int_const(part.count - 1)
    return choose(integers.le(least, span.length), span.length, least)


def _index(span: Span, part: Fixed, *, last: bool) -> Term:
    start, stop, root = span.start.term, span.stop.term, span.root
    test, width = matches(root, part.elements), part.count
    lowest = start.value if start.is_const else 0
    places = range(lowest, root.window - width + 1)
    chosen = int_const(-1)
    for place in places if last else reversed(places):
        here = inside(place, start, stop, width, test)
        chosen = choose(here, integers.sub(int_const(place), start), chosen)
    return chosen


# -- counting


def count(content: Content, part: Fixed) -> Term:
    """The term of how often the part occurs without overlaps."""
    span = span_of(content)
    key = ("count", span.key, part.whole)
    found = _terms.get(key)
    if found is None:
        exact = method("count", Sort.INT, span.whole, part.whole)
        test = matches(span.root, part.elements)
        overlaps = not part.is_const or _overlaps(part)
        agrees = FALSE if overlaps else agreement(span)
        found = _terms[key] = modelled(exact, counted(span, test, part.count), agrees)
    if not found.is_const:
        recording.active().assume(integers.le(ZERO, found))
    return found


def _overlaps(part: Fixed) -> bool:
    """Whether two matches of the part may share characters."""
    codes = [element.value for element in part.elements]
    return any(codes[:size] == codes[-size:] for size in range(1, len(codes)))


def counted(span: Span, test: Callable[[int], Term], width: int = 1) -> Term:
    """The term that counts at how many places of the span the test holds."""
    start, stop = span.start.term, span.stop.term
    lowest = start.value if start.is_const else 0
    total = ZERO
    for place in range(lowest, span.root.window - width + 1):
        here = inside(place, start, stop, width, test)
        total = integers.add(total, integers.from_truth(here))
    return total


# -- characters to strip or to split at


class Charset:
    """A set of characters: blanks, or those of a text."""

    def __init__(self, kind: Kind, chars: Any = None) -> None:
        self.kind = kind
        self.chars = chars
        if chars is None:
            self.key: Any = ("blank", kind.name)
            self._ranges = None
        else:
            self.key = (kind.name, chars)
            self._ranges = ranges_of(kind.codes(chars))

    def has(self, code: Term) -> Term:
        """The condition that a character is in the set."""
        if self._ranges is None:
            return is_a(self.kind, "isspace", code)
        return member(code, self._ranges)

    def inside(self, root: Root) -> Callable[[int], Term]:
        """The test whether the root's character at a place is in the set."""
        return lambda place: self.has(root.at(place))

    def outside(self, root: Root) -> Callable[[int], Term]:
        """The test whether the root's character at a place is not in the set."""
        return lambda place: negate(self.has(root.at(place)))


def _after_lead(text: Any, chars: Any, start: int, stop: int) -> int:
    piece = text[start:stop]
    return start + len(piece) - len(piece.lstrip(chars))


def _before_trail(text: Any, chars: Any, start: int, stop: int) -> int:
    return start + len(text[start:stop].rstrip(chars))


def _until(text: Any, chars: Any, start: int, stop: int) -> int:
    """The first place of a character in the set, or the end."""
    for place in range(start, stop):
        if not text[place : place + 1].strip(chars):
            return place
    return stop


_LEAD = Operation("lstripped", Sort.INT, _after_lead, "", opaque=True)
_TRAIL = Operation("rstripped", Sort.INT, _before_trail, "", opaque=True)
_UNTIL = Operation("until", Sort.INT, _until, "", opaque=True)


def after_lead(span: Span, chars: Charset, value: int, *, certain: bool = False) -> First:
    """The mark at the first place whose character is not in the set, or the end; `certain` if a
    branch passed before says that there is such a place.
    """
    found = value < span.stop.value
    return _mark(First, _LEAD, span, chars, value, found=found, certain=certain)


def before_trail(span: Span, chars: Charset, value: int) -> Last:
    """The mark behind the last place whose character is not in the set, or the start."""
    return _mark(Last, _TRAIL, span, chars, value, found=value > span.start.value)


def until(span: Span, chars: Charset, value: int) -> First:
    """The mark at the first place whose character is in the set, or the end."""
    found = value < span.stop.value
    return _mark(First, _UNTIL, span, chars, value, side="inside", found=found)


def _mark(
    kind: type[_Mark],
    operation: Operation,
    span: Span,
    chars: Charset,
    value: int,
    *,
    found: bool,
    side: Literal["inside", "outside"] = "outside",
    certain: bool = False,
) -> _Mark:
    root = span.root
    test = chars.inside(root) if side == "inside" else chars.outside(root)
    exact = lambda whole, i, j: apply(operation, whole, const(chars.chars), i, j)
    key = (side, chars.key)
    return kind(root, test, key, span.start, span.stop, value, exact, found=found, certain=certain)


def stripped(content: Content, plain: Any, chars: Charset, *, left: bool, right: bool) -> Content:
    """The content of `strip`, `lstrip` or `rstrip`."""
    span = span_of(content)
    start, stop = span.start, span.stop
    if left:
        lead = len(plain) - len(plain.lstrip(chars.chars))
        start = settled(after_lead(span, chars, start.value + lead))
    if right:
        kept = Span(span.root, start, stop)
        rest = plain[start.value - span.start.value :]
        stop = settled(before_trail(kept, chars, start.value + len(rest.rstrip(chars.chars))))
    return simplest(Span(span.root, start, stop))


def settled(mark: Mark) -> Mark:
    """The mark; a plain place where its term turned out constant."""
    return At(mark.value) if mark.term.is_const else mark


def simplest(span: Span) -> Content:
    """The span, or the characters themselves if both its marks are fixed."""
    if span.start.term.is_const and span.stop.term.is_const:
        return span.closed()
    return span


# -- splitting


def decide_count(total: Term, matches_taken: int, *, limited: bool) -> None:
    """Report how many matches there are: a branch for each, and unless `limited` one that says
    there are no more.
    """
    record = recording.active()
    for number in range(matches_taken):
        record.implicit("split", integers.lt(int_const(number), total), True)
    if not limited:
        record.implicit("split", integers.lt(int_const(matches_taken), total), False)


def split_at(content: Content, pieces: list[Any], separator: Fixed, most: int) -> list[Content]:
    """The contents of `content.split(separator, most)`, whose values are the pieces."""
    span = span_of(content)
    matches_taken = len(pieces) - 1
    decide_count(count(span, separator), matches_taken, limited=matches_taken == most)
    found: list[Content] = []
    start = span.start
    for piece in pieces[:-1]:
        place = start.value + len(piece)
        mark = settled(first(span.root, separator, start, span.stop, place))
        found.append(simplest(Span(span.root, start, mark)))
        start = shifted(mark, separator.count)
    found.append(simplest(Span(span.root, start, span.stop)))
    return found


def split_at_last(
    content: Content, pieces: list[Any], separator: Fixed, most: int
) -> list[Content]:
    """The contents of `content.rsplit(separator, most)`."""
    span = span_of(content)
    matches_taken = len(pieces) - 1
    decide_count(count(span, separator), matches_taken, limited=matches_taken == most)
    found: list[Content] = []
    stop = span.stop
    for piece in reversed(pieces[1:]):
        place = stop.value - len(piece)
        mark = settled(behind_last(span.root, separator, span.start, stop, place))
        found.append(simplest(Span(span.root, mark, stop)))
        stop = shifted(mark, -separator.count)
    found.append(simplest(Span(span.root, span.start, stop)))
    return found[::-1]


def words(content: Content, plain: Any, pieces: list[Any], most: int) -> list[Content]:
    """The contents of `content.split(None, most)`."""
    span = span_of(content)
    blanks = Charset(span.kind)
    limited = 0 <= most < len(pieces)
    decide_count(_word_count(span, blanks), len(pieces), limited=limited)
    found: list[Content] = []
    rest, at = span, 0
    for number, piece in enumerate(pieces):
        at = plain.index(piece, at) if piece else at
        begin = settled(after_lead(rest, blanks, span.start.value + at, certain=True))
        if limited and number == len(pieces) - 1:
            found.append(simplest(Span(span.root, begin, span.stop)))
            break
        behind = Span(span.root, begin, span.stop)
        end = settled(until(behind, blanks, begin.value + len(piece)))
        found.append(simplest(Span(span.root, begin, end)))
        rest = Span(span.root, end, span.stop)
        at += len(piece)
    return found


def _words(text: Any) -> int:
    return len(text.split())


_WORDS = Operation("words", Sort.INT, _words, "len({0}.split())", opaque=True)


def _word_count(span: Span, blanks: Charset) -> Term:
    key = ("words", span.key)
    found = _terms.get(key)
    if found is None:
        start, root = span.start.term, span.root

        def begins(place: int) -> Term:
            """A word begins where a blank, or the start, comes before a character that is none."""
            here = negate(blanks.has(root.at(place)))
            if place == 0:
                return here
            before = [integers.eq(start, int_const(place)), blanks.has(root.at(place - 1))]
            return conjoin([here, disjoin(before)])

        found = modelled(apply(_WORDS, span.whole), counted(span, begins), agreement(span))
        _terms[key] = found
    if not found.is_const:
        recording.active().assume(integers.le(ZERO, found))
    return found


# -- parting


def parted(
    content: Content, pieces: tuple[Any, Any, Any], separator: Fixed, *, last: bool
) -> tuple[Content, Content, Content] | None:
    """The contents of `partition` or `rpartition`; None where the separator does not occur."""
    span = span_of(content)
    there = contains_text(span, separator)
    if not recording.active().implicit("split", there, bool(pieces[1])):
        return None
    width = separator.count
    if last:
        behind = settled(
            behind_last(
                span.root, separator, span.start, span.stop, span.stop.value - len(pieces[2])
            )
        )
        mark = shifted(behind, -width)
    else:
        place = span.start.value + len(pieces[0])
        mark = settled(first(span.root, separator, span.start, span.stop, place))
        behind = shifted(mark, width)
    return (
        simplest(Span(span.root, span.start, mark)),
        separator,
        simplest(Span(span.root, behind, span.stop)),
    )
