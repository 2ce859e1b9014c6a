"""Regular expressions on tracked texts.

Whether there is a match is one condition, and a group is a span between two marks, so that neither the
length of the text nor the extent of a group is decided before the program asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose
from symcrete.terms.term import FALSE, Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import BYTES, STR, Kind, apply, modelled
from symcrete.values import recording
from symcrete.values.numeric import concolic_int, pinned, tracked, untracked
from symcrete.values.regex_models import Unmodelled, Unrolled
from symcrete.values.strings import content_of, kind_of, text
from symcrete.values.text_compare import agreement
from symcrete.values.text_contents import Content, Fixed, Span, joined
from symcrete.values.text_format import pinned_text
from symcrete.values.text_marks import Mark
from symcrete.values.text_search import decide_count, settled, simplest, span_of

_terms: dict[Any, Any] = memo()


# -- what Python finds, as functions of the whole text


def _found(pattern: re.Pattern[Any], whole: Any, how: str, number: int, bounds: Any) -> Any:
    """The match of this number among those that `finditer` gives, or the one and only."""
    if how != "finditer":
        return getattr(pattern, how)(whole, *bounds)
    for index, match in enumerate(pattern.finditer(whole, *bounds)):
        if index == number:
            return match
    return None


def _exists(pattern: Any, whole: Any, how: str, bounds: Any) -> bool:
    return _found(pattern, whole, how, 0, bounds) is not None


def _count(pattern: Any, whole: Any, bounds: Any) -> int:
    return sum(1 for _ in pattern.finditer(whole, *bounds))


def _edge(
    pattern: Any, whole: Any, how: str, number: int, bounds: Any, group: int, side: int
) -> int:
    match = _found(pattern, whole, how, number, bounds)
    if match is None:
        raise ValueError("no match")
    return int(match.span(group)[side])


_EXISTS = Operation("re.exists", Sort.BOOL, _exists, "", opaque=True)
_COUNT = Operation("re.count", Sort.INT, _count, "", opaque=True)
_EDGE = Operation("re.span", Sort.INT, _edge, "", opaque=True)


class Subject:
    """A pattern and the tracked text it is tried on."""

    def __init__(self, pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> None:
        self.pattern = pattern
        self.value = value
        self.plain = untracked(value)
        self.bounds = tuple([pinned(each) for each in bounds])
        span = span_of(content_of(value))
        span.start.fix()
        self.span = span
        self.kind: Kind = span.kind

    def exists(self, how: str, *, found: bool) -> bool:
        """Whether there is a match; a branch."""
        key = ("exists", self.pattern, self.span.key, how, self.bounds)
        term = _terms.get(key)
        if term is None:
            args = (const(self.pattern), self.span.whole, const(how), const(self.bounds))
            exact = apply(_EXISTS, *args)
            model = self._model(lambda unrolled: unrolled.exists(how))
            term = exact if model is None else modelled(exact, model, agreement(self.span))
            _terms[key] = term
        return recording.active().implicit("text", term, found)

    def count(self) -> Term:
        """How many matches there are, one after another."""
        args = (const(self.pattern), self.span.whole, const(self.bounds))
        term = apply(_COUNT, *args)
        if not term.is_const:
            recording.active().assume(integers.le(int_const(0), term))
        return term

    def edge(self, how: str, number: int, group: int, side: int) -> Term:
        """The term of where a group begins (side 0) or ends (side 1) in the text."""
        key = ("edge", self.pattern, self.span.key, how, self.bounds, number, group, side)
        found: Term | None = _terms.get(key)
        if found is None:
            args = (const(self.pattern), self.span.whole, const(how), int_const(number))
            exact = apply(_EDGE, *args, const(self.bounds), int_const(group), int_const(side))
            hint = None if how == "finditer" else self._place(how, group, side)
            found = exact if hint is None else modelled(exact, hint, FALSE)
            _terms[key] = found
        return found

    def _place(self, how: str, group: int, side: int) -> Term | None:
        if group == 0 and side == 0 and how != "search":
            return int_const(0)
        if group == 0 and side == 1 and how == "fullmatch":
            return self.span.length

        def model(unrolled: Unrolled) -> Term | None:
            where = unrolled.place(how, group, end=side == 1)
            if not where:
                return None
            chosen: Term | None = None
            for place in sorted(where):  # the longest: most repeats are greedy
                here = int_const(place)
                chosen = here if chosen is None else choose(where[place], here, chosen)
            return chosen

        found: Term | None = self._model(model)
        return found

    def _model(self, build: Callable[[Unrolled], Any]) -> Any:
        """What the pattern unrolled over the text gives; None where it cannot be."""
        if self.bounds:
            return None
        span = self.span
        room = max(0, span.root.window - span.start.value)
        try:
            return build(Unrolled(self.pattern, self.kind, span.at, span.length, room))
        except Unmodelled:
            return None


class Edge:
    """The mark where a group begins or ends."""

    __slots__ = ("_origin", "_term", "value")

    def __init__(self, term: Term, value: int, origin: int) -> None:
        self._term = term
        self._origin = origin
        self.value = value

    @property
    def term(self) -> Term:
        return integers.add(self._term, int_const(self._origin))

    def fix(self) -> None:
        term, origin = self._term, self._origin
        if not term.is_const:
            is_at = lambda place: integers.eq(term, int_const(place - origin))
            recording.active().fork("text", term, self.value, is_at)
            self._term = int_const(self.value - origin)


class ConcolicMatch:
    """Stands for a `re.Match`, which cannot be subclassed."""

    def __init__(self, subject: Subject, match: re.Match[Any], how: str, number: int = 0) -> None:
        self._subject = subject
        self._match = match
        self._how = how
        self._number = number
        self._marks: dict[tuple[int, int], Mark] = {}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return re.Match

    @property
    def string(self) -> Any:
        return self._subject.value

    @property
    def re(self) -> Any:
        return self._match.re

    @property
    def pos(self) -> int:
        return self._match.pos

    @property
    def endpos(self) -> Any:
        return self._match.endpos

    @property
    def regs(self) -> Any:
        return tuple([self.span(group) for group in range(self._match.re.groups + 1)])

    @property
    def lastindex(self) -> Any:
        recording.active().lose("re.Match.lastindex")
        return self._match.lastindex

    @property
    def lastgroup(self) -> Any:
        recording.active().lose("re.Match.lastgroup")
        return self._match.lastgroup

    def _group_number(self, group: Any) -> int:
        plain = pinned_text(pinned(group))
        self._match.span(plain)  # raises IndexError for a group that is none
        return self._match.re.groupindex[plain] if isinstance(plain, str) else int(plain)

    def _edge(self, group: int, side: int) -> Term:
        return self._subject.edge(self._how, self._number, group, side)

    def _took_part(self, group: int) -> bool:
        """Whether a group is part of the match; a branch."""
        there = self._match.start(group) >= 0
        if group == 0:
            return True
        term = integers.le(int_const(0), self._edge(group, 0))
        return recording.active().implicit("text", term, there)

    def part(self, group: int) -> Any:
        """The text of a group; None where it took no part."""
        if not self._took_part(group):
            return None
        start, stop = self._mark(group, 0), self._mark(group, 1)
        content = simplest(Span(self._subject.span.root, start, stop))
        return text(self._match.group(group), content)

    def _mark(self, group: int, side: int) -> Mark:
        key = (group, side)
        if key not in self._marks:
            origin = self._subject.span.start.value
            value = origin + self._match.span(group)[side]
            self._marks[key] = settled(Edge(self._edge(group, side), value, origin))
        return self._marks[key]

    def group(self, *groups: Any) -> Any:
        numbers = [self._group_number(group) for group in groups or (0,)]
        parts = tuple([self.part(number) for number in numbers])
        return parts[0] if len(parts) == 1 else parts

    def __getitem__(self, group: Any) -> Any:
        return self.part(self._group_number(group))

    def groups(self, default: Any = None) -> Any:
        parts = [self.part(number) for number in range(1, self._match.re.groups + 1)]
        return tuple([default if part is None else part for part in parts])

    def groupdict(self, default: Any = None) -> Any:
        found = {}
        for name, number in self._match.re.groupindex.items():
            part = self.part(number)
            found[name] = default if part is None else part
        return found

    def start(self, group: Any = 0) -> Any:
        number = self._group_number(group)
        return concolic_int(self._match.start(number), self._edge(number, 0))

    def end(self, group: Any = 0) -> Any:
        number = self._group_number(group)
        return concolic_int(self._match.end(number), self._edge(number, 1))

    def span(self, group: Any = 0) -> Any:
        return self.start(group), self.end(group)

    def expand(self, template: Any) -> Any:
        return text(self._match.expand(template), expanded_template(self, template))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        recording.active().lose("repr()")
        return repr(self._match)

    def __copy__(self) -> ConcolicMatch:
        return self

    def __deepcopy__(self, memo: Any) -> ConcolicMatch:
        return self


# -- the functions


def concerns(value: Any) -> bool:
    return tracked(value) and kind_of(value) is not None


def one_match(how: str, pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> Any:
    """`pattern.match(value)`, `fullmatch` or `search`."""
    subject = Subject(pattern, value, bounds)
    match = getattr(pattern, how)(subject.plain, *subject.bounds)
    if not subject.exists(how, found=match is not None):
        return None
    return ConcolicMatch(subject, match, how)


def every_match(
    pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...], most: int = 0
) -> tuple[Subject, list[ConcolicMatch]]:
    """The matches one after another; how many there are is decided first."""
    subject = Subject(pattern, value, bounds)
    matches = list(pattern.finditer(subject.plain, *subject.bounds))
    if not subject.exists("search", found=bool(matches)):
        return subject, []
    taken = min(most, len(matches)) if most > 0 else len(matches)
    decide_count(subject.count(), taken, limited=taken == most)
    return subject, [
        ConcolicMatch(subject, match, "finditer", index)
        for index, match in enumerate(matches[:taken])
    ]


def find_all(pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> list[Any]:
    found = []
    for match in every_match(pattern, value, bounds)[1]:
        empty = match.string[:0] if pattern.groups else None
        groups = match.groups(empty)
        found.append(match.part(0) if not groups else groups[0] if len(groups) == 1 else groups)
    return found


def find_iter(pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> Iterator[Any]:
    return iter(every_match(pattern, value, bounds)[1])


def split(pattern: re.Pattern[Any], value: Any, most: int) -> list[Any]:
    subject, matches = every_match(pattern, value, (), most)
    pieces = pattern.split(subject.plain, most)
    root, start = subject.span.root, subject.span.start
    contents: list[Any] = []
    for match in matches:
        contents.append(simplest(Span(root, start, match._mark(0, 0))))
        contents += [match.part(group) for group in range(1, pattern.groups + 1)]
        start = match._mark(0, 1)
    contents.append(simplest(Span(root, start, subject.span.stop)))
    return [
        text(piece, content) if isinstance(content, Content) else content
        for piece, content in zip(pieces, contents, strict=True)
    ]


def substitute(pattern: re.Pattern[Any], new: Any, value: Any, most: int) -> tuple[Any, int]:
    """The text with matches replaced, and how many were."""
    subject, matches = every_match(pattern, value, (), most)
    if not matches:
        return value, 0
    kind, root = subject.kind, subject.span.root
    start = subject.span.start
    parts: list[Content] = []
    plain: list[Any] = []
    at = 0
    for match in matches:
        begin, end = match._match.span(0)
        parts.append(simplest(Span(root, start, match._mark(0, 0))))
        piece = new(match) if callable(new) else expanded_template(match, new)
        parts.append(piece if isinstance(piece, Content) else content_of(piece))
        text_of = untracked(piece) if not isinstance(piece, Content) else match._match.expand(new)
        plain += (subject.plain[at:begin], text_of)
        start, at = match._mark(0, 1), end
    parts.append(simplest(Span(root, start, subject.span.stop)))
    plain.append(subject.plain[at:])
    return text(kind.empty.join(plain), joined(kind, parts)), len(matches)


def expanded_template(match: ConcolicMatch, template: Any) -> Content:
    """What a replacement such as `\\\\2-\\\\1` stands for."""
    from re import _parser as parser  # type: ignore[attr-defined]

    kind = STR if isinstance(template, str) else BYTES
    parts: list[Content] = []
    for piece in _template_parts(parser, template, match.re):
        if isinstance(piece, int):
            group = match.part(piece)
            parts.append(Fixed(kind, ()) if group is None else content_of(group))
        else:
            parts.append(content_of(piece))
    return joined(kind, parts)


def _template_parts(parser: Any, template: Any, pattern: Any) -> list[Any]:
    """Literal texts and group numbers, as Python's own parser gives them."""
    made = parser.parse_template(template, pattern)
    if isinstance(made, list):  # 3.12 and later: literal, group, literal, ...
        return [piece for piece in made if piece != template[:0]]
    groups, literals = made
    parts = list(literals)
    for index, group in groups:
        parts[index] = group
    return parts
