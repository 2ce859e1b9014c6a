"""Regular expressions on tracked texts.

Whether there is a match is one condition, and a group is a span between two marks, so that neither
the length of the text nor the extent of a group is decided before the program asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose
from symcrete.terms.term import Term, int_const
from symcrete.terms.texts import BYTES, STR
from symcrete.values.regex.subject import Edge, Subject
from symcrete.values.text.content.contents import Content, Fixed, Span, joined
from symcrete.values.text.content.marks import Mark
from symcrete.values.text.content.strings import content_of, kind_of, text
from symcrete.values.text.meaning.formatting import pinned_text
from symcrete.values.text.meaning.searching import decide_count, settled, simplest
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_int, pinned, tracked, untracked


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
    def pos(self) -> Any:
        """Where the search began: at the place given, but not behind the end of the text."""
        if not self._subject.bounds:
            return self._match.pos
        given, length = int_const(max(0, self._subject.bounds[0])), self._subject.span.length
        term = choose(integers.lt(given, length), given, length)
        return concolic_int(self._match.pos, term)

    @property
    def endpos(self) -> Any:
        """Where the search had to end: the end of the text, unless an earlier place was given."""
        length = self._subject.span.length
        if len(self._subject.bounds) > 1:
            given = int_const(max(0, self._subject.bounds[1]))
            length = choose(integers.lt(given, length), given, length)
        return concolic_int(self._match.endpos, length)

    @property
    def regs(self) -> Any:
        return tuple([self.span(group) for group in range(self._match.re.groups + 1)])

    @property
    def lastindex(self) -> Any:
        """The number of the last group that matched, or None; which one is a branch."""
        subject, found = self._subject, self._match.lastindex
        term = subject.last_index(self._how, self._number)
        is_it = lambda index: integers.eq(term, int_const(index))
        recording.active().fork("text", term, found or 0, is_it)
        return found

    @property
    def lastgroup(self) -> Any:
        index = self.lastindex
        names = {number: name for name, number in self._match.re.groupindex.items()}
        return names.get(index)

    def _group_number(self, group: Any) -> int:
        plain = pinned_text(pinned(group))
        self._match.span(plain)  # raises IndexError if the pattern has no such group
        return self._match.re.groupindex[plain] if isinstance(plain, str) else int(plain)

    def set_marks(self, begin: Mark, end: Mark) -> None:
        """Say that the whole match lies between these marks."""
        self._marks = {(0, 0): begin, (0, 1): end}

    def _edge(self, group: int, side: int) -> Term:
        if self._how == "finditer" and (group, side) in self._marks:
            origin = int_const(self._subject.span.start.value)
            return integers.sub(self._marks[(group, side)].term, origin)
        return self._subject.edge(self._how, self._number, group, side)

    def _took_part(self, group: int) -> bool:
        """Whether a group is part of the match; a branch, but for the whole match."""
        there = self._match.start(group) >= 0
        if group == 0:
            return True
        term = integers.le(int_const(0), self._edge(group, 0))
        return recording.active().implicit("text", term, there)

    def part(self, group: int) -> Any:
        """The text of a group; None where it is not part of the match."""
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
    """Whether a value is a tracked text."""
    return tracked(value) and kind_of(value) is not None


def one_match(how: str, pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> Any:
    """`pattern.match(value)`, `fullmatch` or `search` (`how`): a ConcolicMatch or None, which is a
    branch. `bounds` are `pos` and `endpos`, as far as they are given.
    """
    subject = Subject(pattern, value, bounds)
    match = getattr(pattern, how)(subject.plain, *subject.bounds)
    if not subject.exists(how, found=match is not None):
        return None
    return ConcolicMatch(subject, match, how)


def every_match(
    pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...], most: int = 0
) -> tuple[Subject, list[ConcolicMatch]]:
    """The subject and its matches one after another, at most `most` if that is not 0; their number
    is decided first.
    """
    subject = Subject(pattern, value, bounds)
    matches = list(pattern.finditer(subject.plain, *subject.bounds))
    if not subject.exists("search", found=bool(matches)):
        return subject, []
    taken = min(most, len(matches)) if most > 0 else len(matches)
    decide_count(subject.count(), taken, limited=taken == most)
    found: list[ConcolicMatch] = []
    start = subject.span.start
    for number, match in enumerate(matches[:taken]):
        made = ConcolicMatch(subject, match, "finditer", number)
        if subject.simple is not None:
            begin, start = subject.simple_marks(match, number, start)
            made.set_marks(begin, start)
        found.append(made)
    return subject, found


def find_all(pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> list[Any]:
    """`pattern.findall(value)`; how many there are is decided first."""
    found = []
    for match in every_match(pattern, value, bounds)[1]:
        empty = match.string[:0] if pattern.groups else None
        groups = match.groups(empty)
        found.append(match.part(0) if not groups else groups[0] if len(groups) == 1 else groups)
    return found


def find_iter(pattern: re.Pattern[Any], value: Any, bounds: tuple[Any, ...]) -> Iterator[Any]:
    """`pattern.finditer(value)`; how many there are is decided first."""
    return iter(every_match(pattern, value, bounds)[1])


def split(pattern: re.Pattern[Any], value: Any, most: int) -> list[Any]:
    """`pattern.split(value, most)`; how many pieces there are is decided first."""
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
        piece = kind.empty if piece is None else piece
        parts.append(piece if isinstance(piece, Content) else content_of(piece))
        text_of = untracked(piece) if not isinstance(piece, Content) else match._match.expand(new)
        plain += (subject.plain[at:begin], text_of)
        start, at = match._mark(0, 1), end
    parts.append(simplest(Span(root, start, subject.span.stop)))
    plain.append(subject.plain[at:])
    return text(kind.empty.join(plain), joined(kind, parts)), len(matches)


def expanded_template(match: ConcolicMatch, template: Any) -> Content:
    r"""The content of a replacement such as `\\2-\\1` with the groups of a match put in."""
    kind = STR if isinstance(template, str) else BYTES
    parts: list[Content] = []
    for piece in _template_parts(template, match.re):
        if isinstance(piece, int):
            group = match.part(piece)
            parts.append(Fixed(kind, ()) if group is None else content_of(group))
        else:
            parts.append(content_of(piece))
    return joined(kind, parts)


def _template_parts(template: Any, pattern: Any) -> list[Any]:
    """Literal texts and group numbers, as Python's own parser gives them."""
    made = parser.parse_template(template, pattern)
    if isinstance(made, list):  # 3.12 and later: literal, group, literal, ...
        return [piece for piece in made if piece != template[:0]]
    groups, literals = made
    parts = list(literals)
    for index, group in groups:
        parts[index] = group
    return parts
