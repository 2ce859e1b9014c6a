"""Comparing whole texts: each comparison is one condition, whatever the lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import member, ranges_of, same
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import FALSE, TRUE, Sort, Term, int_const, memo
from symcrete.terms.texts import WINDOW, contains, equal, less, method, modelled
from symcrete.values.text.content.contents import Content, Fixed, Span
from symcrete.values.text.content.marks import inside

# characters; where the places of marks decide which are compared, each length up to this one is a
# case of the condition, and longer texts are left to evaluation; chosen, not measured
NARROW = 24
# characters; in a text of at most so many, parts of any length are looked for, in longer texts only
# parts of up to two; chosen, not measured
SHORT_HAYSTACK = 12

_terms: dict[Any, Term] = memo()


def _by_index(content: Content) -> bool:
    """Whether the term of a character follows from its index alone, without the place of a mark."""
    return isinstance(content, Fixed) or (isinstance(content, Span) and content.start.term.is_const)


def equal_texts(left: Content, right: Content) -> Term:
    """The condition that two texts are equal."""
    if isinstance(left, Fixed):
        if isinstance(right, Fixed):
            return _equal_elements(left.elements, right.elements)
        left, right = right, left
    key = ("equal", left.key, right.key)
    found = _terms.get(key)
    if found is None:
        exact = equal(left.whole, right.whole)
        if isinstance(right, Fixed):
            found = modelled(exact, left.equals(right.elements))
        else:
            found = modelled(exact, *_both_open(left, right))
        _terms[key] = found
    return found


def _equal_elements(left: Sequence[Term], right: Sequence[Term]) -> Term:
    if len(left) != len(right):
        return FALSE
    return conjoin([same(a, b) for a, b in zip(left, right, strict=True)])


def _both_open(left: Content, right: Content) -> tuple[Term, Term]:
    """The condition that two texts of open length are equal, and the condition under which that
    one is exact.
    """
    length = left.length
    parts = [integers.eq(length, right.length)]
    if _by_index(left) and _by_index(right):
        for index in range(WINDOW):
            absent = integers.le(length, int_const(index))
            parts.append(disjoin([absent, same(left.at(index), right.at(index))]))
        return conjoin(parts), integers.le(length, int_const(WINDOW))
    for count in range(1, NARROW + 1):
        other = negate(integers.eq(length, int_const(count)))
        parts.append(disjoin([other, _equal_elements(left.given(count), right.given(count))]))
    return conjoin(parts), integers.le(length, int_const(NARROW))


def less_text(left: Content, right: Content) -> Term:
    """The condition that the left text comes before the right one."""
    left = left if _by_index(left) else left.closed()
    right = right if _by_index(right) else right.closed()
    key = ("less", left.key, right.key)
    found = _terms.get(key)
    if found is None:
        found = _terms[key] = _less(left, right)
    return found


def _less(left: Content, right: Content) -> Term:
    bounds = [c.length.value for c in (left, right) if c.length.is_const]
    last = min(bounds) if bounds else WINDOW
    rest = integers.lt(int_const(last), right.length)
    rest = conjoin([rest, integers.le(left.length, int_const(last))])
    for index in range(last - 1, -1, -1):
        place = int_const(index)
        a, b = left.at(index), right.at(index)
        there = integers.lt(place, right.length)
        ended = integers.le(left.length, place)
        rest = conjoin([there, disjoin([ended, integers.lt(a, b), conjoin([same(a, b), rest])])])
    agrees = TRUE if bounds else integers.le(left.length, int_const(WINDOW))
    return modelled(less(left.whole, right.whole), rest, agrees)


def starts_with(content: Content, prefix: Fixed) -> Term:
    """The condition that a text begins with the prefix."""
    count = prefix.count
    exact = method("startswith", Sort.BOOL, content.whole, prefix.whole)
    parts = [integers.le(int_const(count), content.length)]
    if parts[0] is not FALSE:
        parts += [same(content.at(i), each) for i, each in enumerate(prefix.elements)]
    return modelled(exact, conjoin(parts))


def ends_with(content: Content, suffix: Fixed) -> Term:
    """The condition that a text ends with the suffix."""
    count = suffix.count
    exact = method("endswith", Sort.BOOL, content.whole, suffix.whole)
    parts = [integers.le(int_const(count), content.length)]
    if parts[0] is not FALSE:
        for index, each in enumerate(suffix.elements):
            parts.append(same(content.from_end(count - index), each))
    return modelled(exact, conjoin(parts))


# -- one text inside another


def contains_text(content: Content, part: Content) -> Term:
    """The condition that the part is somewhere in the content."""
    if isinstance(part, Fixed):
        if not part.elements:
            return TRUE
        if isinstance(content, Fixed) and content.is_const and part.count == 1:
            return _is_one_of(part.elements[0], [each.value for each in content.elements])
    if not isinstance(content, Span | Fixed):
        content = content.closed()
    key = ("contains", content.key, part.key)
    found = _terms.get(key)
    if found is None:
        exact = contains(content.whole, part.whole)
        found = _terms[key] = modelled(exact, *_contained(content, part))
    return found


def _is_one_of(code: Term, codes: list[int]) -> Term:
    if code.op is MODELLED:
        return disjoin([same(code, int_const(each)) for each in sorted(set(codes))])
    return member(code, ranges_of(codes))


def _contained(content: Span | Fixed, part: Content) -> tuple[Term, Term]:
    """The condition that the part is in the content, and the condition under which that one is
    exact.
    """
    if isinstance(part, Fixed):
        return occurs(content, part), agreement(content)
    most = content.count if isinstance(content, Fixed) else WINDOW
    # Of a long text, only parts of up to two characters are told apart.
    longest = most if most <= SHORT_HAYSTACK else 2
    ways = []
    for count in range(longest + 1):
        this = integers.eq(part.length, int_const(count))
        here = Fixed(content.kind, tuple(part.given(count)))
        ways.append(conjoin([this, occurs(content, here) if count else TRUE]))
    if longest == most:
        return disjoin(ways), agreement(content)
    return disjoin(ways), conjoin(
        [agreement(content), integers.le(part.length, int_const(longest))]
    )


def occurs(content: Span | Fixed, part: Fixed) -> Term:
    """The condition that the part is at one of the places that models look at."""
    if isinstance(content, Fixed):
        start, stop, root = int_const(0), content.length, content
    else:
        start, stop, root = content.start.term, content.stop.term, content.root  # type: ignore[assignment]
    test = matches(root, part.elements)
    last = root.window - part.count
    first = start.value if start.is_const else 0
    return disjoin([inside(p, start, stop, part.count, test) for p in range(first, last + 1)])


def agreement(content: Span | Fixed) -> Term:
    """The condition under which models of a content are exact."""
    return TRUE if isinstance(content, Fixed) else content.root.agrees(content.stop.term)


def matches(root: Any, elements: Sequence[Term]) -> Any:
    """The test that tells, as a condition, whether these characters stand at a place of a root."""

    def test(place: int) -> Term:
        return conjoin([same(root.at(place + i), each) for i, each in enumerate(elements)])

    return test
