"""What the methods of texts share: CPython's own answer first, and arguments as contents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import conjoin
from symcrete.terms.term import Term, int_const
from symcrete.terms.texts import BYTES, STR, Kind
from symcrete.values.text.content.contents import Content, Fixed, Span, constant
from symcrete.values.text.content.positions import between
from symcrete.values.text.content.strings import content_of, kind_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import int_term, pinned, tracked, untracked

Method = Callable[..., Any]


def kind_of_text(value: Any) -> Kind:
    return STR if isinstance(value, str) else BYTES


def asked(value: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """What CPython's own method gives for the plain values."""
    plain = [plain_argument(arg) for arg in args]
    named = {key: plain_argument(arg) for key, arg in kwargs.items()}
    return getattr(untracked(value), name)(*plain, **named)


def plain_argument(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([untracked(each) for each in value])
    return untracked(value)


def needle(kind: Kind, value: Any) -> Fixed | None:
    """The characters that are looked for, their number decided; None for an argument that CPython
    should judge.

    A byte may be given by its number.
    """
    if kind_of(value) is kind:
        return content_of(value).closed()
    if kind is STR:
        return constant(STR, str.__str__(value)) if isinstance(value, str) else None
    if isinstance(value, bytes | bytearray | memoryview):
        return constant(BYTES, bytes(value))
    term = int_term(value)
    if term is None:
        return None
    decide_byte(value)
    return Fixed(BYTES, (term,))


def decide_byte(value: Any) -> None:
    """Record, as a branch, whether a number is within a byte; where it is not, CPython raises
    ValueError.
    """
    if tracked(value):
        number = +value
        plain = untracked(number)
        inside = [integers.le(int_const(0), number.term), integers.le(number.term, int_const(255))]
        recording.active().implicit("ValueError", conjoin(inside), 0 <= plain <= 255)


def window(value: Any, start: Any, end: Any) -> tuple[Content, Term, int]:
    """The part of a text that a search is confined to, and where it begins, as a term and in this
    run.
    """
    content = content_of(value)
    if start is None and end is None:
        return content, int_const(0), 0
    if not isinstance(content, Span):
        fixed = content.closed()
        first, last, _ = slice(pinned(start), pinned(end)).indices(fixed.count)
        return Fixed(content.kind, fixed.elements[first:last]), int_const(first), first
    origin = content.start
    found = between(content, start, end)
    here = slice(untracked(start), untracked(end)).indices(content.count)[0]
    if isinstance(found, Span):
        return found, integers.sub(found.start.term, origin.term), found.start.value - origin.value
    return found, int_const(here), here
