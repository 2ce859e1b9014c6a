"""The operators of rewritten code, where Python would ask the wrong operand.

`2.5 * x` asks `float` first, which takes our integer for a plain one and drops its term; `x in (1,
2)` and `x is True` never ask at all. Rewritten code calls these instead; on untracked operands they
are the operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.terms import floats, integers
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.term import Sort, Term, const, int_const
from symcrete.values import recording
from symcrete.values.numeric import (
    ConcolicFloat,
    ConcolicInt,
    int_term,
    number_term,
    tracked,
    untracked,
)
from symcrete.values.truth import Truth, truth

_TRACKED = frozenset({ConcolicInt, ConcolicFloat, Truth})
_ZERO, _FLOAT_ZERO = int_const(0), const(0.0)
_TESTED_ONE_BY_ONE = 64  # members of a container compared in one condition

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

# The operator itself, as Python compiles it, runs three times faster than one from `operator`
# called through a closure (benchmarks/loops.py).
_TEMPLATE = """
def {name}(left, right):
    if type(right) in tracked and type(left) not in tracked:
        result = reflect(left, right, {method!r})
        if result is not NotImplemented:
            return result
    return left {sign} right

def i{bare}(left, right):
    if type(right) in tracked and type(left) not in tracked:
        result = reflect(left, right, {method!r})
        if result is not NotImplemented:
            return result
    left {sign}= right
    return left
"""
_COMPARE_TEMPLATE = """
def {name}(left, right):
    if type(right) in tracked and type(left) not in tracked:
        result = reflect(left, right, {method!r})
        if result is not NotImplemented:
            return result
    return left {sign} right
"""


def _reflect(left: Any, right: Any, method: str) -> Any:
    """Ask the tracked right operand first, where the left is a number or a format."""
    if isinstance(left, str | bytes) and method == "__rmod__":
        recording.active().lose("% formatting")
        return NotImplemented
    if not isinstance(left, int | float):
        return NotImplemented
    found = getattr(type(right), method, None)
    return NotImplemented if found is None else found(right, left)


def _make() -> dict[str, Callable[[Any, Any], Any]]:
    namespace: dict[str, Any] = {"tracked": _TRACKED, "reflect": _reflect}
    made = []
    for name, sign in _BINARY.items():
        bare = name.rstrip("_")
        made.append(_TEMPLATE.format(name=name, bare=bare, method=f"__r{bare}__", sign=sign))
    for name, sign in _COMPARE.items():
        method = f"__{_MIRRORED[name]}__"
        made.append(_COMPARE_TEMPLATE.format(name=name, method=method, sign=sign))
    # Under our own file name: an outcome inside an operator belongs to the program's line.
    exec(compile("".join(made), __file__, "exec"), namespace)
    return {name: made for name, made in namespace.items() if callable(made)}


def not_(value: Any) -> Any:
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
    found = TRUTHS.get(kind)
    return _truth_by_methods(value, kind) if found is None else found(value)


# Filled by the kinds of tracked values that are no numbers: their truth, and when two are equal.
TRUTHS: dict[type, Callable[[Any], Any]] = {}
EQUALS: dict[type, Callable[[Any, Any], Term | None]] = {}


def _truth_by_methods(value: Any, kind: type) -> Any:
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
    return truth_of(length) if type(length) is ConcolicInt and length >= 0 else bool(value)


def is_(left: Any, right: Any) -> Any:
    if type(left) is Truth or type(right) is Truth:
        both = type(left) in _BOOLS and type(right) in _BOOLS
        return OPERATORS["eq"](left, right) if both else False
    return left is right


def is_not(left: Any, right: Any) -> Any:
    return not_(is_(left, right))


_BOOLS = frozenset({Truth, bool})


def in_(left: Any, right: Any) -> Any:
    kind = type(right)
    if kind in _CONTAINERS:
        if tracked(left) or (kind in _ORDERED and _holds_tracked(right)):
            condition = _member(left, right)
            if condition is not None:
                return condition
        return left in right
    found = CONTAINS.get(kind)
    return found(right, left) if found is not None else left in right


def not_in(left: Any, right: Any) -> Any:
    return not_(in_(left, right))


_ORDERED = frozenset({list, tuple})
_CONTAINERS = frozenset({list, tuple, set, frozenset, dict, range})
CONTAINS: dict[type, Callable[[Any, Any], Any]] = {}  # filled by the kinds of tracked containers


def _holds_tracked(items: Any) -> bool:
    return len(items) <= _TESTED_ONE_BY_ONE and any(tracked(item) for item in items)


def _member(value: Any, container: Any) -> Any:
    """Equal to one of few numbers: one condition instead of a branch for each."""
    if type(container) is range:
        return _in_range(value, container)
    if len(container) > _TESTED_ONE_BY_ONE:
        return None
    conditions: list[Term] = []
    found = False
    for item in container:
        condition = equal_term(value, item)
        if condition is None:
            return None
        conditions.append(condition)
        found = found or bool(_plain_equal(value, item))
    return truth(found, disjoin(conditions))


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
    """Numbers, plain texts and None are equal to their like only; of other kinds nothing is known."""
    if type(left) in _PLAIN_KINDS and type(right) in _PLAIN_KINDS:
        return const(bool(untracked(left) == untracked(right)))
    return None


_PLAIN_KINDS = frozenset({str, bytes, type(None), int, float, bool}) | _TRACKED


def _plain_equal(left: Any, right: Any) -> bool:
    return bool(untracked(left) == untracked(right))


def _in_range(value: Any, container: range) -> Any:
    term = int_term(value)
    if term is None:
        return None
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


OPERATORS: dict[str, Callable[..., Any]] = _make()
OPERATORS |= {"not_": not_, "is_": is_, "is_not": is_not, "in_": in_, "not_in": not_in}
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: OPERATORS[name] for name in (*_COMPARE, "is_", "is_not", "in_", "not_in")
}
