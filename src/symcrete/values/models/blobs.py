"""Numbers and bytes: `int.from_bytes`, `int.to_bytes`, `bytes.fromhex`."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

from symcrete.terms import integers
from symcrete.terms.logic import choose, conjoin
from symcrete.terms.term import Sort, int_const
from symcrete.terms.texts import BYTES, STR, function
from symcrete.values.rows.model_rows import Method, ModelRow
from symcrete.values.text.content.contents import Computed, Fixed
from symcrete.values.text.content.strings import content_of, kind_of, text
from symcrete.values.text.meaning.formatting import pinned_text
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee, foreign
from symcrete.values.tracking.numeric import ConcolicInt, concolic_int, pinned, tracked, untracked
from symcrete.values.tracking.truth import Truth


def from_bytes(owner: Any, value: Any, byteorder: Any = "big", *, signed: Any = False) -> Any:
    """`int.from_bytes(value, byteorder)`: the length is fixed, the number is a linear term."""
    if owner is int and type(value) in (list, tuple, map, GeneratorType):
        value = callee(bytes)(callee(list)(value))
    if kind_of(value) is not BYTES or not tracked(value) or owner is not int:
        return foreign(owner.from_bytes, value, byteorder, signed=signed)
    order, negative = pinned_text(byteorder), bool(pinned(signed))
    number = int.from_bytes(untracked(value), order, signed=negative)
    elements = content_of(value).closed().elements
    total = int_const(0)
    for code in elements if order == "big" else reversed(elements):
        total = integers.add(integers.scale(total, 256), code)
    if negative and elements:
        size = 256 ** len(elements)
        below = integers.lt(total, int_const(size // 2))
        total = choose(below, total, integers.sub(total, int_const(size)))
    return concolic_int(number, total)


def to_bytes(number: Any, length: Any = 1, byteorder: Any = "big", *, signed: Any = False) -> Any:
    """`number.to_bytes(length, byteorder)`: that the number fits is a branch."""
    if type(number) is not ConcolicInt and type(number) is not Truth:
        return foreign(number.to_bytes, length, byteorder, signed=signed)
    value: Any = +number
    count, order, negative = pinned(length), pinned_text(byteorder), bool(pinned(signed))
    plain, term = untracked(value), value.term
    if count >= 0:
        low, high = (-(256**count) // 2, 256**count // 2 - 1) if negative else (0, 256**count - 1)
        if count == 0:
            low = high = 0
        inside = [integers.le(int_const(low), term), integers.le(term, int_const(high))]
        recording.active().implicit("OverflowError", conjoin(inside), low <= plain <= high)
    result = plain.to_bytes(count, order, signed=negative)
    digits = [
        integers.mod(integers.floordiv(term, int_const(256**place)), int_const(256))
        for place in range(count)
    ]
    elements = digits if order == "little" else digits[::-1]
    return text(result, Fixed(BYTES, tuple(elements)))


def _is_hex(digits: str) -> bool:
    try:
        bytes.fromhex(digits)
    except ValueError:
        return False
    return True


def fromhex(owner: Any, digits: Any, /) -> Any:
    """`bytes.fromhex(digits)` as an opaque function; that the digits are valid is a branch."""
    if kind_of(digits) is not STR or not tracked(digits) or owner is not bytes:
        return foreign(owner.fromhex, digits)
    whole, plain = content_of(digits).whole, untracked(digits)
    works = function(_is_hex, Sort.BOOL, "is_hex", whole)
    recording.active().implicit("ValueError", works, _is_hex(plain))
    result = bytes.fromhex(plain)
    made = function(bytes.fromhex, Sort.OBJECT, "bytes.fromhex", whole)
    return text(result, Computed(BYTES, made, len(result)))


MODELS: tuple[ModelRow, ...] = (
    Method(int, "from_bytes", from_bytes),
    Method(int, "to_bytes", to_bytes),
    Method(bytes, "fromhex", fromhex),
)
