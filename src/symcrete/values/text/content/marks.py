"""Places in a text that an operation found: where a separator is, where the blanks end.

A mark has the place it has in this run and a term for it. As long as the term will do, nothing is
decided: `s.split(",")[1] == "x"` is one condition on a text of any layout. Where an operation needs
the place itself, the mark is fixed: that it is this one becomes a branch, in plain conditions on
the characters passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from symcrete.slotted import dataclass
from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin, negate
from symcrete.terms.term import Term, int_const, memo
from symcrete.terms.texts import Kind, modelled
from symcrete.values.tracking import recording

_terms: dict[Any, Term] = memo()


class Mark(Protocol):
    """A place in a root, before the character with the index `value` in this run; `term` is that
    index for any input.
    """

    @property
    def value(self) -> int: ...

    @property
    def term(self) -> Term: ...

    def fix(self) -> None:
        """Report as a branch that the mark is at this place; its term is constant from here on."""
        ...


class Root(Protocol):
    """A text whose characters have terms by their index; spans lie in it."""

    kind: Kind

    @property
    def window(self) -> int: ...  # so many characters are looked at by models

    @property
    def whole(self) -> Term: ...

    @property
    def end(self) -> Mark: ...

    def at(self, index: int) -> Term: ...

    def agrees(self, stop: Term) -> Term:
        """The condition under which models of what lies before `stop` are exact."""
        ...


class At:
    """A place that is the same for every input on this path."""

    __slots__ = ("term", "value")

    def __init__(self, value: int) -> None:
        self.value = value
        self.term = int_const(value)

    def fix(self) -> None:
        pass


class End:
    """The end of an input."""

    __slots__ = ("term", "value")

    def __init__(self, value: int, term: Term) -> None:
        self.value = value
        self.term = term

    def fix(self) -> None:
        if self.term.is_const:
            return
        decide_length(self.term, self.value)
        self.term = int_const(self.value)


def decide_length(length: Term, count: int) -> None:
    """Report as a branch that a text has this length."""
    if not length.is_const:
        condition = lambda each: integers.eq(length, int_const(each))
        recording.active().fork("length", length, count, condition)


class Shifted:
    """The place a fixed number of characters after another mark."""

    __slots__ = ("_by", "_mark")

    def __init__(self, mark: Mark, by: int) -> None:
        self._mark = mark
        self._by = by

    @property
    def value(self) -> int:
        return self._mark.value + self._by

    @property
    def term(self) -> Term:
        return integers.add(self._mark.term, int_const(self._by))

    def fix(self) -> None:
        self._mark.fix()


def shifted(mark: Mark, by: int) -> Mark:
    """The mark `by` characters after another one."""
    if by == 0:
        return mark
    if mark.term.is_const:
        return At(mark.value + by)
    return Shifted(mark, by)


Test = Callable[[int], Term]  # a condition on the characters from a place on


@dataclass(slots=True, eq=False)
class _Sought:
    """A place that a test picks among those of a span.

    `key` names the test, which looks at `width` characters; `exact` computes the place from the
    root's text, the start and the end. `found` says whether this run has such a place, `certain`
    that a branch passed before tells that there is one.
    """

    root: Root
    test: Test
    key: Hashable
    start: Mark
    stop: Mark
    value: int
    exact: Callable[[Term, Term, Term], Term]
    found: bool = True
    certain: bool = False
    width: int = 1
    _fixed: Term | None = None

    @property
    def term(self) -> Term:
        if self._fixed is not None:
            return self._fixed
        start, stop = self.start.term, self.stop.term
        key = (self.__class__, self.root.whole, self.key, start, stop)
        found = _terms.get(key)
        if found is None:
            found = _terms[key] = modelled(
                self.exact(self.root.whole, start, stop),
                self.model(start, stop),
                self.root.agrees(stop),
            )
        return found

    def fix(self) -> None:
        if self._fixed is None:
            self.fix_around()
            recording.active().fork("text", self.term, self.value, self.is_at)
            self._fixed = int_const(self.value)

    def _places(self, start: Term) -> range:
        lowest = start.value if start.is_const else 0
        return range(lowest, self.root.window - self.width + 1)

    def model(self, start: Term, stop: Term) -> Term:
        """The term of the place for solvers, which looks no further than the root's window."""
        raise NotImplementedError  # abstract: each subclass has its own

    def fix_around(self) -> None:
        """Fix the marks that the place is measured from."""
        raise NotImplementedError  # abstract: each subclass has its own

    def is_at(self, place: int) -> Term:
        """The condition that the mark is at this place, the marks around it being fixed."""
        raise NotImplementedError  # abstract: each subclass has its own


class First(_Sought):
    """The first place in a span where the test holds; the span's end where there is none."""

    __slots__ = ()

    def model(self, start: Term, stop: Term) -> Term:
        chosen = stop
        for place in reversed(self._places(start)):
            here = inside(place, start, stop, self.width, self.test)
            chosen = choose(here, int_const(place), chosen)
        return chosen

    def fix_around(self) -> None:
        self.start.fix()
        if not self.certain:
            exists = integers.lt(self.term, self.stop.term)
            recording.active().implicit("text", exists, self.found)
        if not self.found:
            self.stop.fix()

    def is_at(self, place: int) -> Term:
        parts = [negate(self.test(each)) for each in range(self.start.value, place)]
        if self.found:
            parts.append(integers.le(int_const(place + self.width), self.stop.term))
            parts.append(self.test(place))
        return conjoin(parts)


class Last(_Sought):
    """The place behind the last match of the test in a span; the span's start if there is none."""

    __slots__ = ()

    def model(self, start: Term, stop: Term) -> Term:
        chosen = start
        for place in self._places(start):
            here = inside(place, start, stop, self.width, self.test)
            chosen = choose(here, int_const(place + self.width), chosen)
        return chosen

    def fix_around(self) -> None:
        self.stop.fix()
        if not self.certain:
            exists = integers.lt(self.start.term, self.term)
            recording.active().implicit("text", exists, self.found)
        if not self.found:
            self.start.fix()

    def is_at(self, place: int) -> Term:
        last = self.stop.value - self.width
        if not self.found:
            places = range(self.start.value, last + 1)
            return conjoin([negate(self.test(each)) for each in places])
        here = place - self.width
        parts = [integers.le(self.start.term, int_const(here)), self.test(here)]
        return conjoin(parts + [negate(self.test(each)) for each in range(here + 1, last + 1)])


def inside(place: int, start: Term, stop: Term, width: int, test: Test) -> Term:
    """The condition that the test holds at a place, and that what it looks at lies in the span."""
    at = int_const(place)
    bounds = [integers.le(start, at), integers.le(int_const(place + width), stop)]
    if any(part.is_const and not part.value for part in bounds):
        return bounds[0] if bounds[0].is_const and not bounds[0].value else bounds[1]
    return conjoin([*bounds, test(place)])
