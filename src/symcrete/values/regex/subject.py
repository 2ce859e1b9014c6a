"""A pattern and the tracked text it is tried on: whether it matches, how often, and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, negate
from symcrete.terms.term import FALSE, Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import Kind, apply, modelled
from symcrete.values.regex.pattern_conditions import (
    CharacterClass,
    TooLarge,
    Unmodelled,
    Unrolled,
    simple_class,
)
from symcrete.values.text.content.marks import First, Mark, shifted
from symcrete.values.text.content.strings import content_of
from symcrete.values.text.meaning.comparison import agreement
from symcrete.values.text.meaning.searching import counted, settled, span_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import pinned, untracked

_terms: dict[Any, Any] = memo()
# by pattern: the number of characters with which its condition was small enough
_rooms: dict[re.Pattern[Any], int] = memo()
# characters; a condition about so few or fewer is not built, as hardly any text is so short;
# chosen, not measured
FEWEST = 4


# -- what Python finds, as functions of the whole text


def _found(pattern: re.Pattern[Any], whole: Any, how: str, number: int, bounds: Any) -> Any:
    """The match of this number among those of `finditer`, else the one match of `how`; None if
    there is none.
    """
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


def _last(pattern: Any, whole: Any, how: str, number: int, bounds: Any) -> int:
    match = _found(pattern, whole, how, number, bounds)
    if match is None:
        raise ValueError("no match")
    return match.lastindex or 0


_LAST = Operation("re.lastindex", Sort.INT, _last, "", opaque=True)
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
        self.simple = simple_class(pattern, self.kind) if not self.bounds else None

    def exists(self, how: str, *, found: bool) -> bool:
        """Report as a branch whether there is a match, and return it."""
        key = ("exists", self.pattern, self.span.key, how, self.bounds)
        term = _terms.get(key)
        if term is None:
            args = (const(self.pattern), self.span.whole, const(how), const(self.bounds))
            term = apply(_EXISTS, *args)
            found_model, room = self._model(lambda unrolled: unrolled.exists(how))
            if found_model is not None:
                term = modelled(term, found_model, self._agreement(room))
            _terms[key] = term
        return recording.active().implicit("text", term, found)

    def count(self) -> Term:
        """The term of how many matches there are, one after another."""
        key = ("count", self.pattern, self.span.key, self.bounds)
        found: Term | None = _terms.get(key)
        if found is None:
            found = _terms[key] = self._count()
        if not found.is_const:
            recording.active().assume(integers.le(int_const(0), found))
        return found

    def _count(self) -> Term:
        args = (const(self.pattern), self.span.whole, const(self.bounds))
        term = apply(_COUNT, *args)
        if self.simple is not None:
            model = counted(self.span, self._begins(*self.simple))
            term = modelled(term, model, agreement(self.span))
        else:
            # A hint for solvers, never taken for exact: one match or none.
            once, _ = self._model(lambda unrolled: integers.from_truth(unrolled.exists("search")))
            term = term if once is None else modelled(term, once, FALSE)
        return term

    def _begins(self, chars: CharacterClass, runs: bool) -> Callable[[int], Term]:
        """The test that a match of a simple class begins at a place: any such character, or the
        first of a run.
        """
        root, first = self.span.root, self.span.start.value

        def test(place: int) -> Term:
            here = chars.test(root.at(place))
            if not runs or place <= first:
                return here
            return conjoin([here, negate(chars.test(root.at(place - 1)))])

        return test

    def simple_marks(self, match: re.Match[Any], number: int, start: Mark) -> tuple[Mark, Mark]:
        """Where a match of a simple class begins and ends, the last one having ended at `start`."""
        assert self.simple is not None
        chars, runs = self.simple
        root, stop, origin = self.span.root, self.span.stop, self.span.start.value

        def inside(place: int) -> Term:
            return chars.test(root.at(place))

        begin, end = match.span()
        sides = [
            integers.add(self.exact_edge("finditer", number, 0, s), int_const(origin))
            for s in (0, 1)
        ]
        first = settled(
            First(
                root,
                inside,
                ("in", chars),
                start,
                stop,
                origin + begin,
                lambda whole, i, j: sides[0],
                certain=True,
            )
        )
        if not runs:
            return first, shifted(first, 1)
        behind = First(
            root,
            lambda place: negate(inside(place)),
            ("not in", chars),
            first,
            stop,
            origin + end,
            lambda whole, i, j: sides[1],
            found=origin + end < stop.value,
        )
        return first, settled(behind)

    def edge(self, how: str, number: int, group: int, side: int) -> Term:
        """The term of where a group begins (side 0) or ends (side 1) in the text."""
        key = ("edge", self.pattern, self.span.key, how, self.bounds, number, group, side)
        found: Term | None = _terms.get(key)
        if found is None:
            exact = self.exact_edge(how, number, group, side)
            first = "search" if how == "finditer" else how
            hint = None if number else self._place(first, group, side)
            found = exact if hint is None else modelled(exact, hint, FALSE)
            _terms[key] = found
        return found

    def exact_edge(self, how: str, number: int, group: int, side: int) -> Term:
        """The same as an opaque term, without a model for solvers."""
        args = (const(self.pattern), self.span.whole, const(how), int_const(number))
        return apply(_EDGE, *args, const(self.bounds), int_const(group), int_const(side))

    def last_index(self, how: str, number: int) -> Term:
        """The number of the group that ended last; 0 where there is none."""
        args = (const(self.pattern), self.span.whole, const(how), int_const(number))
        return apply(_LAST, *args, const(self.bounds))

    def _place(self, how: str, group: int, side: int) -> Term | None:
        if group == 0 and side == 0 and how != "search":
            return int_const(0)
        if group == 0 and side == 1 and how == "fullmatch":
            return self.span.length

        def model(unrolled: Unrolled) -> Term | None:
            where = unrolled.place(how, group, end=side == 1)
            if not where:
                return None
            chosen: Term | None = None if unrolled.takes_part(group) else int_const(-1)
            for place in sorted(where):  # the longest: most repeats are greedy
                here = int_const(place)
                chosen = here if chosen is None else choose(where[place], here, chosen)
            return chosen

        found: Term | None = self._model(model)[0]
        return found

    def _model(self, build: Callable[[Unrolled], Any]) -> tuple[Any, int]:
        """What `build` makes of the pattern unrolled over the text, and how many characters that
        looks at.

        None and 0 where the pattern cannot be unrolled. The more it repeats, the fewer characters
        are looked at.
        """
        if self.bounds:
            return None, 0
        span = self.span
        most = max(0, span.root.window - span.start.value)
        room = min(most, _rooms.get(self.pattern, most))
        while room > FEWEST:
            try:
                return build(Unrolled(self.pattern, self.kind, span.at, span.length, room)), room
            except TooLarge:
                room = _rooms[self.pattern] = room * 2 // 3  # chosen, not measured
            except Unmodelled:
                break
        return None, 0

    def _agreement(self, room: int) -> Term:
        short = integers.le(self.span.length, int_const(room))
        return conjoin([agreement(self.span), short])


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
