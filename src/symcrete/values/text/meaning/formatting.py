"""Making text: `str`, `repr`, `format`, f-strings, `%` and `str.format`, with the terms of what
goes in.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
import itertools
import re
import sys
from collections.abc import Sequence
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import member
from symcrete.terms.logic import conjoin
from symcrete.terms.term import Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import BYTES, STR, Kind, apply, function, modelled
from symcrete.values.text.content.contents import Computed, Content, Fixed, Span, constant, joined
from symcrete.values.text.content.positions import part
from symcrete.values.text.content.strings import ConcolicBytes, ConcolicStr, content_of, text
from symcrete.values.text.meaning.case import each
from symcrete.values.text.meaning.comparison import agreement, equal_texts
from symcrete.values.text.meaning.rendering import float_text, integer_text, padded, parse_spec
from symcrete.values.text.meaning.searching import span_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.handlers import may_be_caught
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    note_fits_float,
    number_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.truth import Truth

_ADDRESS = " at 0x"  # as `object.__repr__` begins to tell where an object lies
_MOST_NESTED = 3  # levels of nested containers that are searched for sets; chosen, not measured
_BARE = ((32, 38), (40, 91), (93, 126))  # printable ASCII but for `'` and the backslash
_terms: dict[Any, Term] = memo()
_REPR = Operation("repr", Sort.OBJECT, repr, "repr({0})", opaque=True)


def pinned_text(value: Any) -> Any:
    """The plain text behind a tracked one, with "the input gives just this one" as a branch."""
    if type(value) is not ConcolicStr and type(value) is not ConcolicBytes:
        return value
    content, plain = value.content, untracked(value)
    same = lambda each: equal_texts(content, constant(content.kind, each))
    recording.active().fork("value", content.key, plain, same)
    return plain


def pinned_any(value: Any) -> Any:
    """The plain value of a tracked int or text, which is then fixed on this path."""
    return pinned_text(value) if type(value) in (ConcolicStr, ConcolicBytes) else pinned(value)


def concatenation(kind: Kind, parts: Sequence[Any]) -> Any:
    """The texts, plain or tracked, one after another."""
    plain = kind.empty.join([untracked(each) for each in parts])
    return text(plain, joined(kind, [content_of(each) for each in parts]))


# -- one value

# Letters at the end of a format: those that write an int as a float, and those that write it in a
# base which is a power of two, for which CPython does not limit the number of digits.
_AS_FLOATS = frozenset("eEfFgG%")
_IN_POWERS_OF_TWO = frozenset("bxXo")
_PRESENTATIONS = frozenset("cdn") | _AS_FLOATS | _IN_POWERS_OF_TWO


def as_str(value: Any) -> Any:
    """`str(value)`."""
    kind = type(value)
    if kind is ConcolicStr:
        return value
    if kind is ConcolicInt:
        note_writable(value, "")
        plain = untracked(value)
        return text(str(plain), integer_text(value.term, plain, ""))
    if kind is ConcolicFloat:
        plain = untracked(value)
        return text(str(plain), float_text(value.term, plain, ""))
    if kind is Truth:
        return str(bool(value))
    if kind is ConcolicBytes:
        return as_repr(value)
    return told(value, str(value))


def note_writable(value: Any, presentation: str) -> None:
    """Report as a branch that a tracked int can be written in this presentation, the letter that
    a format ends with; but only where the program may catch the error.

    CPython limits the number of decimal digits; an int written as a float must be within the range
    of doubles, one written as a character within that of code points.
    """
    if type(value) is not ConcolicInt or not may_be_caught():
        return
    term, plain = value.term, untracked(value)
    if presentation in _AS_FLOATS:
        note_fits_float(plain, term)
    elif presentation == "c":
        inside = [integers.le(int_const(0), term), integers.le(term, int_const(sys.maxunicode))]
        fits = 0 <= plain <= sys.maxunicode
        recording.active().implicit("OverflowError", conjoin(inside), fits)
    elif presentation not in _IN_POWERS_OF_TWO and sys.get_int_max_str_digits():
        limit = 10 ** sys.get_int_max_str_digits()
        inside = [integers.lt(int_const(-limit), term), integers.lt(term, int_const(limit))]
        recording.active().implicit("ValueError", conjoin(inside), -limit < plain < limit)


def as_repr(value: Any) -> Any:
    """`repr(value)`."""
    kind = type(value)
    if kind is ConcolicInt or kind is ConcolicFloat or kind is Truth:
        return as_str(value)
    if kind is ConcolicStr or kind is ConcolicBytes:
        return _quoted(value)
    return told(value, repr(value))


def told(value: Any, shown: str) -> str:
    """`shown`, the text of a plain value. If it shows the address of an object or the order of a
    set, a read of the world is recorded, since no input decides these.
    """
    if _ADDRESS in shown:
        recording.active().read_world("the address of an object in its text")
    if "{" in shown:
        note_orders(value)
    return shown


def note_orders(value: Any, depth: int = 0) -> None:
    """Record that a text shows the order of the sets in a value, some levels deep."""
    kind = type(value)
    if kind is set or kind is frozenset:
        recording.read_order(value)
    elif depth < _MOST_NESTED and (kind is list or kind is tuple or kind is dict):
        for inner in value.values() if kind is dict else value:
            note_orders(inner, depth + 1)


def _quoted(value: Any) -> Any:
    """The text between quotes if no character needs an escape, which is a branch; else what
    CPython computes.
    """
    content, plain = value.content, untracked(value)
    span = span_of(content)
    result = repr(plain)
    prefix = "" if content.kind is STR else "b"
    if not recording.active().implicit("text", _bare_text(span), _no_escapes(plain)):
        return text(result, Computed(STR, apply(_REPR, span.whole), len(result)))
    inner: Content = span
    if content.kind is BYTES:
        inner = Fixed(STR, span.closed().elements)
    quotes = constant(STR, "'")
    return text(result, joined(STR, [constant(STR, prefix + "'"), inner, quotes]))


def _no_escapes(value: Any) -> bool:
    shown = value if isinstance(value, str) else value.decode("latin-1")
    return repr(value) == ("'" if isinstance(value, str) else "b'") + shown + "'"


def _bare_text(span: Span) -> Term:
    key = ("bare", span.key)
    found = _terms.get(key)
    if found is None:
        root = span.root
        exact = function(_no_escapes, Sort.BOOL, "no_escapes", span.whole)
        model = each(span, lambda place: member(root.at(place), _BARE))
        known = each(span, lambda place: integers.le(root.at(place), int_const(126)))
        found = _terms[key] = modelled(exact, model, conjoin([agreement(span), known]))
    return found


def formatted(value: Any, conversion: int, spec: Any) -> Any:
    """One field of an f-string: `{value!r:spec}`."""
    if conversion == -1 and type(spec) is str and not tracked(value):
        return told(value, format(value, spec))
    if conversion == 115:
        value = as_str(value)
    elif conversion == 114:
        value = as_repr(value)
    elif conversion == 97:
        value = as_ascii(value)
    kind = type(value)
    spec = pinned_text(spec)
    if kind is ConcolicStr:
        return _formatted_text(value, spec)
    if kind is ConcolicInt:
        note_writable(value, spec[-1:] if spec[-1:] in _PRESENTATIONS else "")
        plain = untracked(value)
        format(plain, spec)  # raises what is wrong with the specification
        return text(format(plain, spec), integer_text(value.term, plain, spec))
    if kind is ConcolicFloat:
        plain = untracked(value)
        return text(format(plain, spec), float_text(value.term, plain, spec))
    if kind is Truth:
        return format(bool(value), spec)
    if kind is ConcolicBytes:
        return format(untracked(value), spec) if spec else as_repr(value)
    return format(value, spec)


def as_ascii(value: Any) -> Any:
    """`ascii(value)`."""
    if type(value) is ConcolicStr:
        plain = untracked(value)
        whole = function(ascii, Sort.OBJECT, "ascii", value.content.whole)
        return text(ascii(plain), Computed(STR, whole, len(ascii(plain))))
    return as_repr(value) if tracked(value) else told(value, ascii(value))


def _formatted_text(value: Any, spec: str) -> Any:
    plain = untracked(value)
    result = format(plain, spec)
    parsed = parse_spec(spec)
    if not spec or parsed is None:
        return value
    if parsed.precision is not None:
        value = part(value, slice(None, parsed.precision))
    if type(value) is not ConcolicStr:
        return result
    if not parsed.width:
        return value
    fill = parsed.fill or ("0" if parsed.zero else " ")
    content = padded(value.content, untracked(value), parsed.width, fill, parsed.align or "<")
    return text(result, content)


def shown(value: Any) -> Any:
    """A field of an f-string without conversion and format: `{value}`."""
    kind = type(value)
    if kind is str:
        return value
    if kind is int:
        return repr(value)
    return formatted(value, -1, "") if tracked(value) else told(value, format(value))


def fstring(*parts: Any) -> Any:
    """The pieces of an f-string put together."""
    return concatenation(STR, parts) if ConcolicStr in map(type, parts) else "".join(parts)


# -- %

# A text: compiling it takes half a hundredth of a small exploration, and few programs need it.
_CONVERSION = (
    r"(?s)%(?:\((?P<key>[^)]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d*)"
    r"(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.)"
)
_INTEGERS = "diuxXo"


def percent(template: Any, values: Any) -> Any:
    """`template % values` where something in it is tracked."""
    pattern = pinned_text(template)
    if isinstance(pattern, bytes):
        return _percent_bytes(pattern, values)
    _note_all_writable(pattern, values)
    plain = pattern % _plain_values(values)  # raises what is wrong
    pieces: list[Any] = []
    rest = list(values) if isinstance(values, tuple) else [values]
    at = 0
    for match in re.finditer(_CONVERSION, pattern):
        pieces.append(pattern[at : match.start()])
        at = match.end()
        if match["type"] == "%":
            pieces.append("%")
            continue
        if match["width"] == "*" or match["precision"] == "*":
            return _whole_percent(pattern, values, plain)
        value = values[match["key"]] if match["key"] is not None else rest.pop(0)
        piece = _converted(match, value)
        if piece is None:
            return _whole_percent(pattern, values, plain)
        pieces.append(piece)
    pieces.append(pattern[at:])
    made = fstring(*pieces)
    assert untracked(made) == plain, (pattern, values, made)
    return made


def _note_all_writable(pattern: str, values: Any) -> None:
    """Report as branches that the ints to be written by `%` can be."""
    rest = iter(values if isinstance(values, tuple) else (values,))
    for match in re.finditer(_CONVERSION, pattern):
        if match["type"] == "%":
            continue
        if match["key"] is not None:
            value = values.get(match["key"]) if isinstance(values, dict) else None
        else:
            stars = (match["width"] == "*") + (match["precision"] == "*")
            value = next(itertools.islice(rest, stars, None), None)
        kind = match["type"]
        note_writable(value, kind if kind in _PRESENTATIONS else "")


def _plain_values(values: Any) -> Any:
    if isinstance(values, tuple):
        return tuple([untracked(value) for value in values])
    if isinstance(values, dict):
        return {name: untracked(value) for name, value in values.items()}
    return untracked(values)


def _converted(match: re.Match[str], value: Any) -> Any:
    """One conversion of `%` applied to its value; None where no model has it."""
    kind, flags = match["type"], match["flags"]
    width, precision = match["width"], match["precision"]
    if not tracked(value):
        return _bare(match) % (value,)
    if kind in "sra":
        made = {"s": as_str, "r": as_repr, "a": as_ascii}[kind](value)
        if precision is not None:
            made = made[: int(precision or 0)]
        return formatted(made, -1, ("<" if "-" in flags else ">") + width if width else "")
    number = type(value) in (ConcolicInt, Truth)
    if kind in _INTEGERS and number and precision is None:
        base = "d" if kind in "diu" else kind
        sign = "+" if "+" in flags else " " if " " in flags else ""
        zero = "0" if "0" in flags and "-" not in flags else ""
        align = "<" if "-" in flags else ""
        alternate = "#" if "#" in flags and base != "d" else ""
        return formatted(+value, -1, align + sign + alternate + zero + width + base)
    if type(value) is ConcolicFloat and kind in "eEfFgG":
        whole = function(_one_percent, Sort.OBJECT, "%", const(_bare(match)), value.term)
        plain = _bare(match) % (untracked(value),)
        return text(plain, Computed(STR, whole, len(plain)))
    return None


def _bare(match: re.Match[str]) -> str:
    """The conversion without its key."""
    key = match["key"]
    return match[0] if key is None else match[0].replace(f"({key})", "", 1)


def _one_percent(template: Any, value: Any) -> Any:
    return template % (value,)


def _many_percent(template: Any, *values: Any) -> Any:
    return template % values


def _whole_percent(template: Any, values: Any, plain: Any) -> Any:
    """The formatted text as an opaque function of its values; a plain text, with a loss, if one
    has no term.
    """
    terms = [const(template)]
    for value in values if isinstance(values, tuple) else (values,):
        term = value_term(value)
        if term is None:
            recording.active().lose("% formatting")
            return plain
        terms.append(term)
    kind = STR if isinstance(plain, str) else BYTES
    whole = function(_many_percent, Sort.OBJECT, "%", *terms)
    return text(plain, Computed(kind, whole, len(plain)))


def value_term(value: Any) -> Term | None:
    """The term of a number or text; None for what has none."""
    if isinstance(value, str | bytes):
        return content_of(value).whole
    return number_term(value)


def _percent_bytes(template: bytes, values: Any) -> Any:
    plain = template % _plain_values(values)
    if isinstance(values, dict):
        recording.active().lose("% formatting")
        return plain
    return _whole_percent(template, values, plain)


# -- str.format


def format_method(template: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`template.format(...)` where something in it is tracked."""
    pattern = pinned_text(template)
    try:
        return fstring(*_fields(pattern, args, kwargs, 2, [0]))
    except _Unsure:
        recording.active().lose("str.format()")
        return pattern.format(*args, **kwargs)


class _Unsure(Exception):
    """Raised where `str.format` itself has to judge: the field is not understood here."""


def _fields(pattern: str, args: Any, kwargs: Any, depth: int, counter: list[int]) -> list[Any]:
    """The pieces of `pattern.format(...)`, literal texts and fields with their values put in.

    `depth` is how deep fields may be nested from here; `counter` holds the number of the next `{}`,
    or -1 once a field has given a number itself.
    """
    if depth < 0:
        raise _Unsure
    pieces: list[Any] = []
    try:
        parsed = list(_string.formatter_parser(pattern))
    except ValueError:
        raise _Unsure from None
    for literal, name, spec, conversion in parsed:
        if literal:
            pieces.append(literal)
        if name is None:
            continue
        value = _field(name, args, kwargs, counter)
        inner = fstring(*_fields(spec, args, kwargs, depth - 1, counter)) if spec else ""
        if conversion not in (None, "s", "r", "a"):
            raise _Unsure
        pieces.append(formatted(value, ord(conversion) if conversion else -1, inner))
    return pieces


def _field(name: str, args: Any, kwargs: Any, counter: list[int]) -> Any:
    """The value that a replacement field names."""
    try:
        first, rest = _string.formatter_field_name_split(name)
        if first == "":
            first = counter[0]
            if first < 0:
                raise _Unsure
            counter[0] += 1
        elif isinstance(first, int):
            if counter[0] > 0:
                raise _Unsure
            counter[0] = -1
        value = args[first] if isinstance(first, int) else kwargs[first]
        for is_attribute, key in rest:
            value = getattr(value, key) if is_attribute else value[key]
    except (LookupError, AttributeError, ValueError, TypeError):
        raise _Unsure from None
    return value
