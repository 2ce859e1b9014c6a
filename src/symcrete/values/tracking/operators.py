"""The operators of rewritten code, where Python would ask the wrong operand.

`2.5 * x` asks `float` first, which takes our integer for a plain one and drops its term; `x in (1,
2)` and `x is True` never ask at all; `[x] == [2]` asks, but one element after the other. Rewritten
code calls these instead; on untracked operands they are the operator.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from symcrete.errors import EitherWay
from symcrete.inputs.shapes.heap import Heap
from symcrete.terms import floats, integers
from symcrete.terms.logic import conjoin, negate
from symcrete.terms.term import Sort, Term, const, int_const
from symcrete.values.rows.tables import (
    CONTAINS,
    EQUALS,
    FAMILY_CONTAINS,
    FORMATS,
    LIFT,
    MEETS,
    OPEN,
    OPERANDS,
    SPECIAL,
    STANDS_FOR,
    TEXTS,
    TRUTHS,
    class_name,
    family_of,
)
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.followed import drops_terms
from symcrete.values.tracking.numeric import (
    ConcolicFloat,
    ConcolicInt,
    int_term,
    number_term,
    pinned,
    tracked,
    untracked,
)
from symcrete.values.tracking.recording import holders
from symcrete.values.tracking.truth import Truth, truth

_ZERO, _FLOAT_ZERO = int_const(0), const(0.0)

_BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "matmul": "@",
}
_COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}

# The operator itself, as Python compiles it, takes two thirds of the time of one from `operator`
# called through a closure (benchmarks/hot_code.py).
_MEETING = """
    {first}
    kind = type(right)
    if special[kind]:
        result = (
            meet(left, right, {meeting!r}) if kind not in tracked
            else reflect(left, right, {method!r}) if type(left) not in tracked
            else NotImplemented
        )
        if result is not NotImplemented:
            return result
"""
_TEMPLATE = f"def {{name}}(left, right):{_MEETING}    return left {{sign}} right\n"
_IN_PLACE = f"def i{{bare}}(left, right):{_MEETING}    left {{sign}}= right\n    return left\n"

# `%` on a plain text: its own `__mod__` would take what it shows for plain values.
_FORMATTING = """if type(left) in formats:
        result = formats[type(left)](left, right)
        if result is not NotImplemented:
            return result"""


def _meet(left: Any, right: Any, name: str) -> Any:
    """The result of an operator whose right operand is a container, a tracked text, or a plain
    value that a tracked number on the left can be lifted to; NotImplemented where Python's own
    operator will do.
    """
    if type(right) in LIFT and type(left) in OPERANDS:
        return _lifted_left(left, right, name)
    if type(right) in TEXTS:
        return _text_with_stranger(left, right, name)
    row = MEETS.get((family_of(type(left)), family_of(type(right)), name))
    return NotImplemented if row is None else row(left, right)


def _reflect(left: Any, right: Any, method: str) -> Any:
    """The result of an operator that the tracked right operand is asked for first.

    For a plain Decimal, Fraction or complex on the left, the right operand is made one of that kind
    before. NotImplemented where Python's own operator will do, or a loss was noted.
    """
    if isinstance(left, str | bytes) and method == "__rmod__":
        recording.active().lose("% formatting")
        return NotImplemented
    if not isinstance(left, int | float):
        lift = LIFT.get(type(left))
        if lift is None:
            return _with_stranger(left, right, method)
        right = lift(right, method)
        if right is None:
            recording.active().lose(f"{class_name(left)} and a number")
            return NotImplemented
    found = getattr(type(right), method, None)
    return NotImplemented if found is None else found(right, left)


def _with_stranger(left: Any, right: Any, method: str) -> Any:
    """An operator whose left operand is of a class that takes a tracked number for a plain one:
    ask ours instead, or note the loss.

    Comparisons need neither, since Python asks our methods in the end.
    """
    comparing = method.strip("_") in _COMPARE
    if comparing or not drops_terms(type(left), f"__{method[3:]}"):
        return NotImplemented
    told = getattr(type(right), method, None) if type(right) in _NUMBERS else None
    if told is None:
        recording.active().lose(f"{class_name(left)} and a tracked value")
        return NotImplemented
    return told(right, left)


def _text_with_stranger(left: Any, right: Any, name: str) -> Any:
    """Note the loss where a left operand that is no text takes a tracked text for a plain one;
    comparisons ask ours in the end, but for those of arrays and of texts of a subclass, where ours
    is asked at once.
    """
    if name in _COMPARE:
        return NotImplemented if type(left) in _ASKING else _asked_at_once(left, right, name)
    if drops_terms(type(left), f"__{name}__", f"__{name[1:]}__"):
        recording.active().lose(f"{class_name(left)} and a tracked text")
    return NotImplemented


# Texts whose comparisons ask the tracked text on the right: its class is a subclass of theirs.
_ASKING = frozenset({str, bytes})


def _asked_at_once(left: Any, right: Any, name: str) -> Any:
    """The comparison that a tracked text is asked for, if that of the left operand is a built-in
    one, which takes it for a plain text.
    """
    method = f"__{name}__"
    for base in (str, bytes, bytearray, memoryview):
        if isinstance(left, base) and getattr(type(left), method) is getattr(base, method):
            return getattr(type(right), f"__{_MIRRORED[name]}__")(right, left)
    return NotImplemented


_NUMBERS = frozenset({ConcolicInt, ConcolicFloat, Truth})


def _lifted_left(left: Any, right: Any, name: str) -> Any:
    """An operator between a tracked number and a plain Decimal, Fraction or complex: the number is
    made one of that kind, since the plain one would take it for plain.
    """
    method = f"__{name}__" if name in _COMPARE else f"__{name.removeprefix('i')}__"
    lifted = LIFT[type(right)](left, method)
    if lifted is None:
        recording.active().lose(f"a number and {class_name(right)}")
        return NotImplemented
    return getattr(type(lifted), method)(lifted, right)


def _make() -> dict[str, Callable[[Any, Any], Any]]:
    """The binary operators, comparisons and in-place operators as functions, by name."""
    namespace: dict[str, Any] = {
        "tracked": OPERANDS,
        "special": SPECIAL,
        "formats": FORMATS,
        "meet": _meet,
        "reflect": _reflect,
    }
    rows: dict[str, Callable[[Any, Any], Any]] = {}
    for name, sign in (_BINARY | _COMPARE).items():
        bare = name.rstrip("_")
        method = f"__{_MIRRORED[name]}__" if name in _COMPARE else f"__r{bare}__"
        first = _FORMATTING if name == "mod" else ""
        words = {"name": name, "bare": bare, "method": method, "sign": sign, "first": first}
        # Compiled as code of this file, so that what happens inside is reported at the program's
        # line.
        exec(compile(_TEMPLATE.format(meeting=bare, **words), __file__, "exec"), namespace)
        rows[name] = namespace[name]
        if name in _BINARY:
            text = _IN_PLACE.format(meeting=f"i{bare}", **words)
            exec(compile(text, __file__, "exec"), namespace)
            rows[f"i{bare}"] = namespace[f"i{bare}"]
    return rows


def not_(value: Any) -> Any:
    """`not value` as a Truth or bool."""
    if value is True:
        return False
    if value is False:
        return True
    tested = truth_of(value)
    if type(tested) is Truth:
        return truth(not int.__bool__(tested), negate(tested.term))
    return not tested


def truth_of(value: Any) -> Any:
    """`bool(value)` that keeps the condition: a Truth or a plain bool."""
    kind = type(value)
    if kind is Truth or kind is bool:
        return value
    if kind is ConcolicInt:
        return truth(int.__bool__(value), negate(integers.eq(value.term, _ZERO)))
    if kind is ConcolicFloat:
        return truth(float.__bool__(value), negate(floats.eq(value.term, _FLOAT_ZERO)))
    if kind in OPEN:
        return lengths.nonempty(value)
    found = TRUTHS.get(kind)
    return _truth_by_methods(value, kind) if found is None else found(value)


def _truth_by_methods(value: Any, kind: type) -> Any:
    """`bool(value)` by the `__bool__` or `__len__` of its class: a Truth where the program's own
    `__len__` gives a tracked number, else a bool.
    """
    for base in kind.__mro__:
        if "__bool__" in base.__dict__:
            return bool(value)  # its result is made plain where it is returned
        if "__len__" in base.__dict__:
            break
    else:
        return bool(value)
    if base.__module__ == "builtins":
        return bool(value)
    length = kind.__len__(value)  # type: ignore[attr-defined]
    fits = type(length) is ConcolicInt and 0 <= length <= sys.maxsize
    return truth_of(length) if fits else bool(_OfLength(length))


class _OfLength:
    """Has the length that a `__len__` gave, or raises what Python raises for it: the method of the
    program is called once, since it may do more than count.
    """

    def __init__(self, length: Any) -> None:
        self._length = length

    def __len__(self) -> Any:
        return self._length


def is_(left: Any, right: Any) -> Any:
    """`left is right` as a Truth or bool."""
    if left is right:
        return True
    kind, other = type(left), type(right)
    if kind is Truth or other is Truth:
        both = kind in _BOOLS and other in _BOOLS
        return OPERATORS["eq"](left, right) if both else False
    if kind is ConcolicInt or other is ConcolicInt:
        return _same_int(left, right)
    if STANDS_FOR.get(kind, kind) is STANDS_FOR.get(other, other):
        if tracked(left) or tracked(right) or (kind is tuple and _are_inputs(left, right)):
            _kept_once(left, right)
    return False


def _are_inputs(*values: Any) -> bool:
    """Whether all these values are objects that the input of this run was made of."""
    made: Heap | None = recording.active().memory.get(Heap)
    return made is not None and all(made.holds(value) for value in values)


def _same_int(left: Any, right: Any) -> Any:
    """`is` between ints as a Truth or bool: equal, and small enough that CPython has a single
    object of each.
    """
    if type(left) not in _INTS or type(right) not in _INTS:
        return False
    first, second = int_term(left), int_term(right)
    assert first is not None and second is not None
    value = untracked(left)
    small = SMALLEST_SHARED_INT <= value <= LARGEST_SHARED_INT
    if small:
        recording.active().lose("`is` between ints, of which CPython keeps only small ones once")
    else:
        _kept_once(left, right)
    bounds = (
        integers.le(int_const(SMALLEST_SHARED_INT), first),
        integers.le(first, int_const(LARGEST_SHARED_INT)),
    )
    same = small and value == untracked(right)
    return truth(same, conjoin([integers.eq(first, second), *bounds]))


def _kept_once(left: Any, right: Any) -> None:
    """Raise EitherWay, which ends the run, where two values that `is` compares are equal: whether
    they are one object is for the caller to choose, so only the path up to here is evidence. Where
    they differ, only a loss is noted.
    """
    recording.active().lose(EitherWay.WHY)
    if recording.silently(_equal, left, right):
        raise EitherWay


def _equal(left: Any, right: Any) -> bool:
    return bool(untracked(left) == untracked(right))


def is_not(left: Any, right: Any) -> Any:
    return not_(is_(left, right))


_BOOLS = frozenset({Truth, bool})
_INTS = frozenset({ConcolicInt, int})
SMALLEST_SHARED_INT, LARGEST_SHARED_INT = -5, 256  # ints of which CPython has one object each


_HASHED = frozenset({dict, set, frozenset})
PLAIN = frozenset({int, str, float, bool, bytes, type(None)})  # keys and elements without terms


def in_(left: Any, right: Any) -> Any:
    """`left in right` as a Truth or bool."""
    kind = type(right)
    if kind in _HASHED and type(left) in PLAIN and id(right) not in holders:
        return left in right
    found = CONTAINS.get(kind)
    if found is None:
        family = family_of(kind)
        found = FAMILY_CONTAINS.get(family) if family is not None else None
        if found is None:
            return _in_stranger(left, right, kind)
    result = found(right, left)
    return left in right if result is NotImplemented else result


def _in_stranger(left: Any, right: Any, kind: type) -> Any:
    """`left in right` for a container that no row of the tables describes: the left side is
    pinned, or its term lost, where code that is not followed looks at it.
    """
    if tracked(left) and drops_terms(kind, "__contains__", "__iter__", "__getitem__"):
        if type(left) is not ConcolicInt and type(left) is not Truth:
            recording.active().lose(f"in {kind.__name__}")
            return untracked(left) in right
        return pinned(left) in right
    return left in right


def not_in(left: Any, right: Any) -> Any:
    return not_(in_(left, right))


def equal_term(left: Any, right: Any) -> Term | None:
    """The condition that two values are equal; None where nothing is known of it."""
    known = EQUALS.get(type(left)) or EQUALS.get(type(right))
    if known is not None:
        return known(left, right)
    a, b = number_term(left), number_term(right)
    if a is None or b is None:
        return _of_other_kinds(left, right)
    if a.sort is Sort.FLOAT or b.sort is Sort.FLOAT:
        return floats.eq(a, b)
    return integers.eq(a, b)


def _of_other_kinds(left: Any, right: Any) -> Term | None:
    """The condition of equality where one of two is no number: known of numbers, plain texts and
    None only.
    """
    if type(left) in _PLAIN_KINDS and type(right) in _PLAIN_KINDS:
        return const(bool(untracked(left) == untracked(right)))
    return None


_PLAIN_KINDS = frozenset(
    {str, bytes, type(None), int, float, bool, ConcolicInt, ConcolicFloat, Truth}
)


def plain_equal(left: Any, right: Any) -> bool:
    return bool(untracked(left) == untracked(right))


def in_range(container: range, value: Any) -> Any:
    """`value in container` for a plain range; NotImplemented for an untracked value."""
    term = int_term(value) if tracked(value) else None
    if term is None:
        return NotImplemented
    start, step = container.start, container.step
    if not len(container):
        return False
    low, high = (start, container[-1]) if step > 0 else (container[-1], start)
    offset = integers.sub(term, int_const(start))
    on_grid = integers.eq(integers.mod(offset, int_const(abs(step))), int_const(0))
    inside = [integers.le(int_const(low), term), integers.le(term, int_const(high))]
    if abs(step) != 1:
        inside.append(on_grid)
    return truth(untracked(value) in container, conjoin(inside))


OPERATORS: dict[str, Callable[..., Any]] = {
    **_make(),
    "not_": not_,
    "is_": is_,
    "is_not": is_not,
    "in_": in_,
    "not_in": not_in,
}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: OPERATORS[name] for name in (*_COMPARE, "is_", "is_not", "in_", "not_in")
}
