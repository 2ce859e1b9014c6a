"""`Decimal(text)`: how the text is laid out is decided, its digits are one linear number."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import conjoin, disjoin
from symcrete.terms.term import FALSE, Term, int_const
from symcrete.values.numbers.decimals import ConcolicDecimal, concolic_decimal
from symcrete.values.rows.model_rows import Model, ModelRow
from symcrete.values.text.content.strings import ConcolicStr, content_of
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import concolic_int, int_term, tracked, untracked

# A number as people write it. Exponents, blanks around, other digits and infinities are left to
# CPython, and the loss is noted.
_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)\Z")
# Makes every digit 0: what is left of a text is its layout.
_DIGITS = str.maketrans(dict.fromkeys("0123456789", "0"))


def decimal_of(value: Any) -> Any:
    """`Decimal(text)`: the layout of the text is a branch, its digits are one linear term."""
    plain, record = untracked(value), recording.active()
    characters = content_of(value).closed().elements
    if not record.implicit("layout", _plain(characters), _PLAIN.match(plain) is not None):
        record.lose("Decimal()")
        return Decimal(plain)
    layout = plain.translate(_DIGITS)
    record.fork("layout", characters, layout, lambda each: _laid_out(each, characters))
    whole, _, fraction = layout.partition(".")
    number = int(plain.replace(".", ""))
    total = int_const(0)
    for kind, term in zip(layout, characters, strict=True):
        if kind == "0":
            digit = integers.sub(term, int_const(ord("0")))
            total = integers.add(integers.scale(total, 10), digit)
    if whole.startswith("-"):
        # "-0" keeps its sign, which no integer has; with this layout it is one value.
        if record.implicit("minus zero", integers.eq(total, int_const(0)), number == 0):
            return Decimal(plain)
        total = integers.neg(total)
    return concolic_decimal(concolic_int(number, total), len(fraction))


def _plain(characters: tuple[Term, ...]) -> Term:
    """The condition that the characters are a number as people write it: a sign, digits and a
    point.
    """
    if not characters:
        return FALSE
    signed = disjoin([_is(characters[0], "+"), _is(characters[0], "-")])
    return disjoin([_unsigned(characters), conjoin([signed, _unsigned(characters[1:])])])


def _unsigned(characters: tuple[Term, ...]) -> Term:
    """The condition that the characters are digits, at least one, with at most one point among
    them.
    """
    if not characters:
        return FALSE
    points = int_const(0)
    conditions: list[Term] = []
    for each in characters:
        is_point = _is(each, ".")
        conditions.append(disjoin([is_point, _is_digit(each)]))
        points = integers.add(points, integers.from_truth(is_point))
    conditions.append(integers.le(points, int_const(min(1, len(characters) - 1))))
    return conjoin(conditions)


def _is(character: Term, mark: str) -> Term:
    return integers.eq(character, int_const(ord(mark)))


def _is_digit(character: Term) -> Term:
    above = integers.le(int_const(ord("0")), character)
    return conjoin([above, integers.le(character, int_const(ord("9")))])


def _laid_out(layout: str, characters: tuple[Term, ...]) -> Term:
    """The condition that the characters have this layout: a digit where it has 0, elsewhere the
    very sign or point.
    """
    pairs = zip(layout, characters, strict=True)
    return conjoin([_is_digit(term) if kind == "0" else _is(term, kind) for kind, term in pairs])


def decimal_model(*args: Any, **named: Any) -> Any:
    """`Decimal(value)` of a text, an int or a Decimal; other arguments drop their terms."""
    if len(args) == 1 and not named:
        if type(args[0]) is ConcolicStr:
            return decimal_of(args[0])
        if type(args[0]) is ConcolicDecimal:
            return args[0]
        if tracked(args[0]) and int_term(args[0]) is not None:
            return concolic_decimal(args[0], 0)
    return foreign(Decimal, *args, **named)


MODELS: tuple[ModelRow, ...] = (Model(Decimal, decimal_model),)
