"""Classes of characters over a whole text, and case.

Whether all characters are digits is one condition. Case mapping goes character by character as long
as each gives one character; that all do is a branch, whose other side (`"ß".upper() == "SS"`) is
computed, not modelled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import is_a, mapped, special
from symcrete.terms.logic import choose, conjoin, disjoin, negate
from symcrete.terms.term import FALSE, Operation, Sort, Term, int_const, memo
from symcrete.terms.texts import STR, apply, method, modelled
from symcrete.values.text.content.contents import (
    Computed,
    Content,
    DerivedRoot,
    Fixed,
    Span,
    mapped_root,
)
from symcrete.values.text.content.marks import Root
from symcrete.values.text.meaning.comparison import agreement
from symcrete.values.text.meaning.searching import simplest, span_of
from symcrete.values.tracking import recording

_terms: dict[Any, Term] = memo()

# true of a text if each character is and there is at least one
EACH = ["isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "isspace"]
EACH_OR_NONE = ["isascii", "isprintable"]  # true of the empty text, too
_SHARP_S, _DOTTED_I = 0xDF, 0x130  # codes of ß and İ, which change their number of characters


def is_all(content: Content, name: str) -> Term:
    """The condition of `content.isdigit()` and its like."""
    span = span_of(content)
    key = (name, span.key)
    found = _terms.get(key)
    if found is None:
        exact = method(name, Sort.BOOL, span.whole)
        found = _terms[key] = modelled(exact, _models[name](span, name), agreement(span))
    return found


def each(span: Span, test: Callable[[int], Term]) -> Term:
    """The condition that the test holds at every place of the span."""
    start, stop = span.start.term, span.stop.term
    lowest = start.value if start.is_const else 0
    parts = []
    for place in range(lowest, span.root.window):
        at = int_const(place)
        outside = [integers.lt(at, start), integers.le(stop, at)]
        parts.append(disjoin([*outside, test(place)]))
    return conjoin(parts)


def some(span: Span, test: Callable[[int], Term]) -> Term:
    """The condition that the test holds at some place of the span."""
    return negate(each(span, lambda place: negate(test(place))))


def _class_test(root: Root, name: str) -> Callable[[int], Term]:
    return lambda place: is_a(root.kind, name, root.at(place))


def _each_of_class(span: Span, name: str) -> Term:
    return each(span, _class_test(span.root, name))


def _some_and_each(span: Span, name: str) -> Term:
    there = integers.lt(int_const(0), span.length)
    return conjoin([there, _each_of_class(span, name)])


def _one_case(span: Span, name: str) -> Term:
    """The condition of `isupper` or `islower`: a letter of that case, and none of another."""
    other = "cased_not_upper" if name == "isupper" else "cased_not_lower"
    wrong = _class_test(span.root, other)
    there = some(span, _class_test(span.root, name))
    return conjoin([there, each(span, lambda place: negate(wrong(place)))])


def _identifier(span: Span, name: str) -> Term:
    root, start = span.root, span.start.term

    def fits(place: int) -> Term:
        code = root.at(place)
        begins = is_a(STR, "isidentifier", code)
        if start.is_const:
            return begins if place == start.value else is_a(STR, "continues_identifier", code)
        first = integers.eq(start, int_const(place))
        return choose(first, begins, is_a(STR, "continues_identifier", code))

    return conjoin([integers.lt(int_const(0), span.length), each(span, fits)])


def _titled(span: Span, name: str) -> Term:
    """The condition of `span.istitle()`: a letter is upper case if the character before it has no
    case, lower case if it has; and there is at least one letter.
    """
    root, start, kind = span.root, span.start.term, span.kind

    def fits(place: int) -> Term:
        code = root.at(place)
        follows = [integers.lt(start, int_const(place))]
        follows.append(is_a(kind, "iscased", root.at(place - 1)) if place else FALSE)
        after = conjoin(follows)
        wrong_after = is_a(kind, "cased_not_lower", code)
        return choose(after, negate(wrong_after), negate(is_a(kind, "islower", code)))

    return conjoin([some(span, _class_test(root, "iscased")), each(span, fits)])


_models: dict[str, Callable[[Span, str], Term]] = {
    **dict.fromkeys(EACH, _some_and_each),
    **dict.fromkeys(EACH_OR_NONE, _each_of_class),
    "isupper": _one_case,
    "islower": _one_case,
    "isidentifier": _identifier,
    "istitle": _titled,
}


# -- case mapping


def _ordinary_op(name: str) -> Operation:
    def ordinary(text: Any) -> bool:
        return (
            isinstance(text, bytes)
            or text.isascii()
            or not special(name).intersection(map(ord, text))
        )

    return Operation(f"one_for_one_{name}", Sort.BOOL, ordinary, "", opaque=True)


_ORDINARY = {
    name: _ordinary_op(name) for name in ["upper", "lower", "casefold", "swapcase", "title"]
}


def ordinary(span: Span, name: str, plain: Any) -> bool:
    """Whether the method turns each character of the text into one character, which `"ß".upper()`
    does not; that is a branch.
    """
    if span.kind is not STR:
        return True
    key = ("ordinary", name, span.key)
    term = _terms.get(key)
    if term is None:
        # Solvers are told of one character that is not ordinary.
        witness = int_const(_DOTTED_I if name == "lower" else _SHARP_S)
        root = span.root
        known = each(span, lambda place: _ascii_or(root.at(place), witness))
        model = negate(some(span, lambda place: integers.eq(root.at(place), witness)))
        exact = apply(_ORDINARY[name], span.whole)
        term = _terms[key] = modelled(exact, model, conjoin([agreement(span), known]))
    holds = _ORDINARY[name].function(plain)
    return recording.active().implicit("text", term, bool(holds))


def _ascii_or(code: Term, witness: Term) -> Term:
    return disjoin([is_a(STR, "isascii", code), integers.eq(code, witness)])


def in_case(content: Content, name: str, plain: Any, result: Any) -> Content:
    """The content of `upper`, `lower`, `casefold` or `swapcase`."""
    span = span_of(content)
    if not ordinary(span, name, plain):
        return Computed(span.kind, method(name, Sort.OBJECT, span.whole), len(result))
    if isinstance(span.root, Fixed) and span.start.term.is_const and span.stop.term.is_const:
        elements = span.closed().elements
        return Fixed(span.kind, tuple([mapped(span.kind, name, code) for code in elements]))
    return Span(mapped_root(span.root, name), span.start, span.stop)


def capitalized(content: Content, plain: Any, result: Any) -> Content:
    """The content of `capitalize`."""

    def at(root: Root, start: int, place: int) -> Term:
        name = "title" if place == start else "lower"
        return mapped(root.kind, name, root.at(place))

    return _from_start(content, "capitalize", plain, result, at)


def titled(content: Content, plain: Any, result: Any) -> Content:
    """The content of `title`: a letter is in title case unless the character before it has case."""

    def at(root: Root, start: int, place: int) -> Term:
        code = root.at(place)
        upper = mapped(root.kind, "title", code)
        if place <= start:
            return upper
        follows = is_a(root.kind, "iscased", root.at(place - 1))
        return choose(follows, mapped(root.kind, "lower", code), upper)

    return _from_start(content, "title", plain, result, at)


def _from_start(
    content: Content, name: str, plain: Any, result: Any, at: Callable[[Root, int, int], Term]
) -> Content:
    """The content of `title` or `capitalize`, where `at` gives the character of one place: what it
    becomes depends on the character before it, so the place where the text begins is decided.
    """
    span = span_of(content)
    if not (ordinary(span, "title", plain) and ordinary(span, "lower", plain)):
        return Computed(span.kind, method(name, Sort.OBJECT, span.whole), len(result))
    span.start.fix()
    root, start = span.root, span.start.value
    whole = apply(_TAIL_OPS[name], root.whole, int_const(start))
    derived = DerivedRoot(root, lambda place: at(root, start, place), whole)
    return simplest(Span(derived, span.start, span.stop))


def _tail_op(name: str) -> Operation:
    def apply_to(text: Any, start: int) -> Any:
        changed = getattr(text[start:], name)()
        # Characters behind the span may become several, which nobody looks at; before it nothing
        # moves.
        return text[:start] + changed

    return Operation(f"{name}_from", Sort.OBJECT, apply_to, "", opaque=True)


_TAIL_OPS = {name: _tail_op(name) for name in ("capitalize", "title")}
