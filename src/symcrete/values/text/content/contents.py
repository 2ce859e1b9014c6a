"""What is known of the characters of a tracked text on this path.

A content has a term for its length and terms for its characters. What the program has not asked for
is not decided: an input has no definite length until an operation needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import mapped, same
from symcrete.terms.logic import choose, conjoin, disjoin
from symcrete.terms.term import FALSE, TRUE, Operation, Sort, Term, int_const, memo
from symcrete.terms.texts import (
    WINDOW,
    Kind,
    Source,
    apply,
    backwards,
    characters,
    code_at,
    concatenated,
    equal,
    length_of,
    modelled,
    sliced,
)
from symcrete.values.text.content.marks import At, End, Mark, Root, decide_length

_terms: dict[Any, Term] = memo()


class Content:
    """The characters of one text."""

    __slots__ = ("_whole", "kind")
    kind: Kind
    longest = WINDOW  # models look at texts no longer than this

    @property
    def count(self) -> int:
        """How many characters there are in this run."""
        raise NotImplementedError  # abstract: each subclass has its own

    @property
    def length(self) -> Term:
        """The term of how many characters there are, whatever the input."""
        raise NotImplementedError  # abstract: each subclass has its own

    @property
    def whole(self) -> Term:
        """The term of the text itself, which only evaluation understands."""
        found: Term | None = getattr(self, "_whole", None)
        if found is None:
            found = self._whole = self.make_whole()
        return found

    def make_whole(self) -> Term:
        """The term that `whole` gives and keeps; made when it is first asked for."""
        raise NotImplementedError  # abstract: each subclass has its own

    @property
    def key(self) -> Hashable:
        """What identifies the content in caches of terms; it changes when one of its marks is
        fixed.
        """
        return self.whole

    def at(self, index: int) -> Term:
        """The term of the character with this index; only valid where there is one."""
        raise NotImplementedError  # abstract: each subclass has its own

    def given(self, count: int) -> Sequence[Term]:
        """The terms of the characters; only valid where there are exactly so many."""
        return [self.at(index) for index in range(count)]

    def equals(self, elements: Sequence[Term]) -> Term:
        """The condition that these are the characters."""
        parts = [integers.eq(self.length, int_const(len(elements)))]
        if parts[0].is_const and not parts[0].value:
            return parts[0]
        mine = self.given(len(elements))
        return conjoin(parts + [same(a, b) for a, b in zip(mine, elements, strict=True)])

    def closed(self) -> Fixed:
        """The characters as terms, with their number decided, which is a branch."""
        raise NotImplementedError  # abstract: each subclass has its own

    def by_length(self, pick: Callable[[int], Term], exact: Term, least: int) -> Term:
        """The term of a character whose place depends on the length of the text.

        `pick` gives the character for one length, `least` is the shortest text that has it, and
        `exact` is the term that evaluation uses.
        """
        length = self.length
        if length.is_const:
            return pick(length.value)
        most = max(least, self.longest)
        chosen = pick(most)
        for count in range(most - 1, least - 1, -1):
            chosen = choose(integers.eq(length, int_const(count)), pick(count), chosen)
        return modelled(exact, chosen, integers.le(length, int_const(most)))

    def from_end(self, back: int) -> Term:
        """The term of the character `back` places from the end; only valid where there are so
        many.
        """
        key = ("end", self.key, back)
        found = _terms.get(key)
        if found is None:
            exact = code_at(self.kind, self.whole, int_const(-back))
            found = self.by_length(lambda count: self.given(count)[count - back], exact, back)
            _terms[key] = found
        return found


class Fixed(Content):
    """A text whose length is decided: as many characters as there are in this run, each a term."""

    __slots__ = ("elements",)

    def __init__(self, kind: Kind, elements: tuple[Term, ...]) -> None:
        self.kind = kind
        self.elements = elements

    @property
    def count(self) -> int:
        return len(self.elements)

    window = count

    @property
    def length(self) -> Term:
        return int_const(len(self.elements))

    @property
    def end(self) -> Mark:
        return At(len(self.elements))

    def agrees(self, stop: Term) -> Term:
        return TRUE

    def make_whole(self) -> Term:
        return characters(self.kind, self.elements)

    def at(self, index: int) -> Term:
        return self.elements[index]

    def given(self, count: int) -> Sequence[Term]:
        return self.elements

    def closed(self) -> Fixed:
        return self

    @property
    def is_const(self) -> bool:
        return all(element.is_const for element in self.elements)


def constant(kind: Kind, value: Any) -> Fixed:
    """The content of a text that is the same for every input."""
    return Fixed(kind, tuple([int_const(code) for code in kind.codes(value)]))


class InputRoot:
    """A whole text of the input."""

    __slots__ = ("_source", "at", "end", "kind", "whole")
    window = WINDOW

    def __init__(self, source: Source, count: int) -> None:
        self._source = source
        self.kind = source.kind
        self.whole = source.whole
        self.end: Mark = End(count, source.length)
        self.at = source.at

    @property
    def name(self) -> str:
        """The name of the input."""
        return self._source.name

    def agrees(self, stop: Term) -> Term:
        return integers.le(stop, int_const(WINDOW))


class DerivedRoot:
    """Another root with each character replaced by one that depends on it and its neighbours."""

    __slots__ = ("agrees", "at", "end", "kind", "whole", "window")

    def __init__(self, root: Root, at: Callable[[int], Term], whole: Term) -> None:
        self.kind, self.window, self.end = root.kind, root.window, root.end
        self.agrees = root.agrees
        self.at = at
        # of the whole root: replacing characters outside a span must not shift it
        self.whole = whole


def mapped_root(root: Root, name: str) -> Root:
    """The root with `upper` or its like applied to each character."""
    kind, at = root.kind, root.at
    return DerivedRoot(root, lambda i: mapped(kind, name, at(i)), apply(_MAPPED[name], root.whole))


def _map_text(name: str) -> Callable[[Any], Any]:
    """The function that applies `upper` or its like to each character of a text.

    A character that would become several (`"ß".upper()`) stays as it is: it lies outside of the
    span that is looked at, and must not shift what is in it.
    """

    def apply_to(text: Any) -> Any:
        if isinstance(text, bytes) or text.isascii():
            return getattr(text, name)()
        parts = [getattr(char, name)() for char in text]
        return "".join(
            [new if len(new) == 1 else old for old, new in zip(text, parts, strict=True)]
        )

    return apply_to


_MAPPED = {
    name: Operation(f"str.{name}", Sort.OBJECT, _map_text(name), f"{{0}}.{name}()", opaque=True)
    for name in ("upper", "lower", "casefold", "swapcase")
}


class Span(Content):
    """What lies between two marks of a root."""

    __slots__ = ("root", "start", "stop")

    def __init__(self, root: Root, start: Mark, stop: Mark) -> None:
        self.kind = root.kind
        self.root = root
        self.start = start
        self.stop = stop

    @property
    def count(self) -> int:
        return self.stop.value - self.start.value

    @property
    def length(self) -> Term:
        return integers.sub(self.stop.term, self.start.term)

    @property
    def whole(self) -> Term:
        # Not kept: fixing a mark makes it simpler.
        root, start, stop = self.root, self.start.term, self.stop.term
        if start.is_const and start.value == 0 and stop is root.end.term:
            return root.whole
        return sliced(root.whole, start, stop)

    @property
    def key(self) -> Hashable:
        return self.root.whole, self.start.term, self.stop.term

    def at(self, index: int) -> Term:
        start = self.start.term
        if start.is_const:
            return self.root.at(start.value + index)
        return picked(self.root, integers.add(start, int_const(index)))

    def from_end(self, back: int) -> Term:
        return picked(self.root, integers.sub(self.stop.term, int_const(back)))

    def closed(self) -> Fixed:
        self.start.fix()
        self.stop.fix()
        first, last = self.start.value, self.stop.value
        return Fixed(self.kind, tuple([self.root.at(index) for index in range(first, last)]))


def picked(root: Root, index: Term) -> Term:
    """The term of a root's character at a place that is a term itself."""
    if index.is_const:
        return root.at(index.value)
    key = ("pick", root.whole, index)
    found = _terms.get(key)
    if found is None:
        count = root.window
        chosen = root.at(count - 1)
        for place in range(count - 2, -1, -1):
            chosen = choose(integers.eq(index, int_const(place)), root.at(place), chosen)
        agrees = [integers.le(int_const(0), index), integers.le(index, int_const(count - 1))]
        found = modelled(code_at(root.kind, root.whole, index), chosen, conjoin(agrees))
        _terms[key] = found
    return found


class Reversed(Content):
    """Another content from its end to its start."""

    __slots__ = ("inner",)

    def __init__(self, inner: Content) -> None:
        self.kind = inner.kind
        self.inner = inner

    @property
    def count(self) -> int:
        return self.inner.count

    @property
    def length(self) -> Term:
        return self.inner.length

    @property
    def whole(self) -> Term:
        return backwards(self.inner.whole)

    @property
    def key(self) -> Hashable:
        return "reversed", self.inner.key

    def at(self, index: int) -> Term:
        return self.inner.from_end(index + 1)

    def given(self, count: int) -> Sequence[Term]:
        return list(self.inner.given(count))[::-1]

    def closed(self) -> Fixed:
        return Fixed(self.kind, self.inner.closed().elements[::-1])


class Rope(Content):
    """Contents one after another; at least two, and not two fixed ones in a row."""

    __slots__ = ("parts",)
    # ways to share characters among the parts; with more, `equals` lists no cases; chosen, not
    # measured
    MOST_WAYS = 200

    def __init__(self, kind: Kind, parts: list[Content]) -> None:
        self.kind = kind
        self.parts = parts

    @property
    def count(self) -> int:
        return sum([part.count for part in self.parts])

    @property
    def length(self) -> Term:
        total = int_const(0)
        for part in self.parts:
            total = integers.add(total, part.length)
        return total

    @property
    def whole(self) -> Term:
        return concatenated([part.whole for part in self.parts])

    @property
    def key(self) -> Hashable:
        return tuple([part.key for part in self.parts])

    def at(self, index: int) -> Term:
        passed = 0
        for part in self.parts:
            length = part.length
            if not length.is_const:
                break
            if index < passed + length.value:
                return part.at(index - passed)
            passed += length.value
        return code_at(self.kind, self.whole, int_const(index))

    def given(self, count: int) -> Sequence[Term]:
        open_parts = [part for part in self.parts if not part.length.is_const]
        if len(open_parts) != 1:
            return super().given(count)
        rest = count - sum([part.length.value for part in self.parts if part is not open_parts[0]])
        if rest < 0:
            return super().given(count)
        found: list[Term] = []
        for part in self.parts:
            found += part.given(rest if part is open_parts[0] else part.length.value)
        return found

    def equals(self, elements: Sequence[Term]) -> Term:
        """The condition that these are the characters: a case for every way to share them among
        the parts.
        """
        ways: dict[int, list[Term]] = {0: [TRUE]}
        tried = 0
        for number, part in enumerate(self.parts):
            last = number == len(self.parts) - 1
            after: dict[int, list[Term]] = {}
            for start, conditions in ways.items():
                stops = [len(elements)] if last else range(start, len(elements) + 1)
                for stop in stops:
                    mine = part.equals(elements[start:stop])
                    tried += 1
                    if mine.is_const and not mine.value:
                        continue
                    either = disjoin(conditions)
                    after.setdefault(stop, []).append(conjoin([either, mine]))
            ways = after
            if tried > self.MOST_WAYS:
                return super().equals(elements)
        return disjoin(ways.get(len(elements), []))

    def closed(self) -> Fixed:
        found: list[Term] = []
        for part in self.parts:
            found += part.closed().elements
        return Fixed(self.kind, tuple(found))


class Computed(Content):
    """A text that CPython computes and no model describes; its characters are asked for singly."""

    __slots__ = ("_count", "_hint", "_sized")

    def __init__(
        self,
        kind: Kind,
        whole: Term,
        count: int,
        hint: Callable[[Any], Term | None] | None = None,
        *,
        sized: bool = False,
    ) -> None:
        self.kind = kind
        self._whole = whole
        self._count = count
        self._hint = hint  # gives, for a plain text, a condition that may make this one equal to it
        self._sized = sized  # whether it has the same length for every input

    @property
    def count(self) -> int:
        return self._count

    @property
    def length(self) -> Term:
        return int_const(self._count) if self._sized else length_of(self.whole)

    def at(self, index: int) -> Term:
        return code_at(self.kind, self.whole, int_const(index))

    def equals(self, elements: Sequence[Term]) -> Term:
        exact = characters(self.kind, tuple(elements))
        if self._hint is not None and exact.is_const:
            hint = self._hint(exact.value)
            if hint is not None:
                return modelled(equal(self.whole, exact), hint, FALSE)
        return super().equals(elements)

    def closed(self) -> Fixed:
        decide_length(self.length, self._count)
        return Fixed(self.kind, tuple(self.given(self._count)))


def joined(kind: Kind, parts: Sequence[Content]) -> Content:
    """The content of several one after another: Fixed where all are, else a Rope without needless
    parts.
    """
    found: list[Content] = []
    for part in parts:
        for each in part.parts if isinstance(part, Rope) else (part,):
            if isinstance(each, Fixed):
                if not each.elements:
                    continue
                if found and isinstance(found[-1], Fixed):
                    found[-1] = Fixed(kind, found[-1].elements + each.elements)
                    continue
            found.append(each)
    if not found:
        return Fixed(kind, ())
    return found[0] if len(found) == 1 else Rope(kind, found)
