"""The operators of tracked texts, and all that the kinds' table puts on their classes."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import same
from symcrete.terms.logic import negate
from symcrete.terms.term import FALSE, Term, int_const
from symcrete.terms.texts import BYTES, STR
from symcrete.values.rows.tables import class_name
from symcrete.values.text.content.contents import Content, Fixed, Span, joined
from symcrete.values.text.content.marks import decide_length
from symcrete.values.text.content.positions import item, iterate
from symcrete.values.text.content.strings import (
    ConcolicBytes,
    ConcolicStr,
    as_plain,
    compares_plainly,
    content_of,
    kind_of,
    text,
)
from symcrete.values.text.meaning.comparison import contains_text, equal_texts, less_text
from symcrete.values.text.meaning.formatting import note_orders, percent
from symcrete.values.text.methods.calling import decide_byte
from symcrete.values.text.methods.method_table import OF_BYTES, OF_STR
from symcrete.values.tracking import recording
from symcrete.values.tracking.followed import drops_terms
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    int_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.truth import Truth, truth


def equal(left: Any, right: Any) -> Any:
    """`left == right`, one of them tracked; NotImplemented where the other is no such text."""
    kind = kind_of(right)
    if kind is None or kind is not kind_of(left):
        return NotImplemented
    mine = content_of(left)
    # Most comparisons in programs that read text are of one character with a constant; here they
    # take a third of the time that the general way would (benchmarks/hot_code.py).
    if mine.__class__ is Fixed and type(right) is str:
        elements = mine.elements
        if len(elements) != len(right):
            return False
        if len(elements) == 1:
            code = ord(right)
            return truth(str.__eq__(left, right), same(elements[0], int_const(code)))
    value = untracked(left) == untracked(right)
    return truth(value, equal_texts(mine, content_of(right)))


def equal_condition(left: Any, right: Any) -> Term | None:
    """The condition that two values are equal, one of them a tracked text; None where it is not
    known.
    """
    kind = kind_of(left)
    if kind is not None and kind is kind_of(right):
        return equal_texts(content_of(left), content_of(right))
    other = right if type(left) in _TEXTS else left
    # Other classes may define their own `__eq__`.
    return FALSE if type(other) in _NEVER_EQUAL else None


def _eq(self: Any, other: Any) -> Any:
    found = equal(self, other)
    return _native_equal(self, other, "__eq__") if found is NotImplemented else found


def _ne(self: Any, other: Any) -> Any:
    found = equal(self, other)
    if found is NotImplemented:
        found = _native_equal(self, other, "__ne__")
    if found is NotImplemented:
        return found
    return truth(not int.__bool__(found), negate(found.term)) if type(found) is Truth else not found


def _native_equal(self: Any, other: Any, name: str) -> Any:
    """`==` with a value that is no plain text, for the method of this name: with a text of a
    subclass that compares as texts do as with a plain one; with arrays and texts of another kind
    the plain result, and a loss; else NotImplemented.
    """
    if _is_derived(self, other):
        return equal(self, as_plain(other)) if compares_plainly(other, name) else NotImplemented
    if isinstance(other, str | bytes | bytearray | memoryview):
        recording.active().lose("==")
        return untracked(self) == other
    return NotImplemented


def _is_derived(self: Any, other: Any) -> bool:
    """Whether a value is a text of a subclass of the class that a tracked text stands for."""
    return kind_of(other) is None and isinstance(other, str if kind_of(self) is STR else bytes)


_REFLECTED = {"__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}


def _ordered(name: str, build: Callable[[Content, Content], Term]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _is_derived(self, other):
            if not compares_plainly(other, _REFLECTED[name]):
                return NotImplemented  # Python asks the other one
            other = as_plain(other)
        kind = kind_of(other)
        if kind is None or kind is not kind_of(self):
            if isinstance(other, str | bytes | bytearray):
                recording.active().lose("comparison")
                return getattr(untracked(self), name)(other)
            return NotImplemented
        value = getattr(untracked(self), name)(untracked(other))
        return truth(value, build(content_of(self), content_of(other)))

    return method


_ORDER: dict[str, Callable[[Content, Content], Term]] = {
    "__lt__": less_text,
    "__gt__": lambda a, b: less_text(b, a),
    "__le__": lambda a, b: negate(less_text(b, a)),
    "__ge__": lambda a, b: negate(less_text(a, b)),
}


def _add(self: Any, other: Any) -> Any:
    if kind_of(other) is not kind_of(self):
        return _added_otherwise(self, other, NotImplemented)
    value = untracked(self) + untracked(other)
    return text(value, joined(content_of(self).kind, [content_of(self), content_of(other)]))


def _radd(self: Any, other: Any) -> Any:
    if kind_of(other) is not kind_of(self):
        return NotImplemented
    value = untracked(other) + untracked(self)
    return text(value, joined(content_of(self).kind, [content_of(other), content_of(self)]))


def _added_otherwise(self: Any, other: Any, otherwise: Any) -> Any:
    """`self + other` where `other` is no text of the same kind: for other texts and arrays the
    plain result, and a loss; else `otherwise`.
    """
    if isinstance(other, str | bytes | bytearray | memoryview | array):
        recording.active().lose("+")
        return untracked(self) + other
    if drops_terms(type(other), "__radd__"):
        recording.active().lose(f"+ {class_name(other)}")
    return otherwise


def _mul(self: Any, times: Any) -> Any:
    if int_term(times) is None:
        return NotImplemented
    number = pinned(times)
    value = untracked(self) * int(number)
    content = content_of(self)
    if number == 1:
        return self
    if number <= 0:
        return value
    return text(value, joined(content.kind, [content.closed()] * int(number)))


def _mod(self: Any, values: Any) -> Any:
    return percent(self, values)


def _rmod(self: Any, template: Any) -> Any:
    return percent(template, self) if kind_of(template) is kind_of(self) else NotImplemented


def _length(self: Any) -> int:
    """The plain length, for code that is not rewritten; that it is this one is a branch."""
    content = content_of(self)
    if isinstance(content, Span) and content.start.term.is_const:
        content.stop.fix()
        return content.count
    decide_length(content.length, content.count)
    return content.count


def truth_of_text(self: Any) -> Any:
    """`bool(text)` as a Truth or bool."""
    content = content_of(self)
    return truth(content.count > 0, integers.lt(int_const(0), content.length))


def _bool(self: Any) -> bool:
    return bool(truth_of_text(self))


def inside(container: Any, value: Any) -> Any:
    """`value in container`, where one of them may be tracked."""
    if type(container) not in _TEXTS and not tracked(value):
        return value in container
    kind = kind_of(container)
    number = int_term(value) if kind is BYTES else None
    if number is not None:
        decide_byte(value)
        found = untracked(value) in untracked(container)
        return truth(found, contains_text(content_of(container), Fixed(BYTES, (number,))))
    if _is_derived(container, value):
        value = as_plain(value)
    found = untracked(value) in untracked(container)
    if kind is None or kind_of(value) is not kind:
        if tracked(container) or tracked(value):
            recording.active().lose("in")
        return found
    return truth(found, contains_text(content_of(container), content_of(value)))


def _contains(self: Any, value: Any) -> Any:
    return inside(self, value)


def _repr(self: Any) -> str:
    recording.active().lose("repr()")
    return repr(untracked(self))


def _format(self: Any, spec: str) -> str:
    recording.active().lose("format()")
    return format(untracked(self), spec)


_TEXTS = frozenset({ConcolicStr, ConcolicBytes})
_NEVER_EQUAL = frozenset(
    {
        *(int, float, bool, complex, type(None), tuple, frozenset, str, bytes),
        *(ConcolicInt, ConcolicFloat, Truth, ConcolicStr, ConcolicBytes),
    }
)
OPERATORS_OF_TEXTS: dict[str, Any] = {
    "__eq__": _eq,
    "__ne__": _ne,
    "__add__": _add,
    "__radd__": _radd,
    "__mul__": _mul,
    "__rmul__": _mul,
    "__mod__": _mod,
    "__rmod__": _rmod,
    "__len__": _length,
    "__bool__": _bool,
    "__contains__": _contains,
    "__getitem__": item,
    "__iter__": iterate,
    "__repr__": _repr,
    "__format__": _format,
    **{name: _ordered(name, build) for name, build in _ORDER.items()},
}

STR_METHODS: dict[str, Any] = {**OPERATORS_OF_TEXTS, **OF_STR}
# `str(blob)` does not call `__repr__`, although it shows the same.
BYTES_METHODS: dict[str, Any] = {**OPERATORS_OF_TEXTS, "__str__": _repr, **OF_BYTES}


def percent_of_plain(template: Any, values: Any) -> Any:
    """`template % values` for a plain text; NotImplemented if no value is tracked."""
    if _holds_tracked(values):
        return percent(template, values)
    note_orders(values)
    return NotImplemented


def _holds_tracked(values: Any) -> bool:
    if type(values) is tuple:
        return any(tracked(each) for each in values)
    if type(values) is dict:
        return any(tracked(each) for each in values.values())
    return tracked(values)
