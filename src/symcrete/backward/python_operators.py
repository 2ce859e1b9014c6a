"""What Python itself computes for each operation, and constants folded by it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from symcrete.errors import RunCut, TimeLimit


class Raises(Exception):
    """On these constants the operation raises: the path goes no further."""


_guards: dict[int, tuple[Any, Callable[..., Any]]] = {}


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with ValueError for all it raises: conditions on its result then do not hold."""
    known = _guards.get(id(function))
    if known is not None and known[0] is function:
        return known[1]

    def guard(*args: Any) -> Any:
        try:
            return function(*args)
        except TimeLimit:
            raise
        except (Exception, SystemExit, RunCut) as error:
            raise ValueError(f"{type(error).__name__} in code of the program") from None

    guard.__wrapped__ = function  # type: ignore[attr-defined]
    guard.__qualname__ = getattr(function, "__qualname__", "call")
    _guards[id(function)] = (function, guard)
    return guard


def same(value: Any) -> Any:
    return value


def as_tuple(*parts: Any) -> Any:
    return parts


def _list(*parts: Any) -> Any:
    return list(parts)


def _in(left: Any, right: Any) -> Any:
    return left in right


def _not_in(left: Any, right: Any) -> Any:
    return left not in right


def _unpacked(value: Any, position: int) -> Any:
    return list(value)[position]


# By operation, what Python itself computes.
PYTHON: dict[str, Any] = {
    "copy": same,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "matmul": operator.matmul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "not": operator.not_,
    "is": operator.is_,
    "is_not": operator.is_not,
    "in": _in,
    "not_in": _not_in,
    "getitem": operator.getitem,
    "unpack": _unpacked,
    "getattr": getattr,
    "tuple": as_tuple,
    "list": _list,
    "hint": lambda value, kind: value,
    "index": operator.index,
} | {name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}

IN_PLACE = frozenset(
    {"add", "sub", "mul", "matmul", "floordiv", "mod", "truediv", "pow", "lshift", "rshift"}
    | {"and", "or", "xor"}
)
# Evaluated like the plain operators: evaluation must not change the inputs it is given.
PYTHON |= {f"i{name}": PYTHON[name] for name in IN_PLACE}

_FOLDED = frozenset(PYTHON) - {"copy", "list", "tuple", "hint", "getattr", "unpack"}
_PLAIN = frozenset({int, float, bool, str, bytes, type(None), tuple})
# the greatest operand of a power, shift or repetition of constants that is computed; beyond, the
# result itself is large; chosen, not measured
LARGEST_FOLDED = 10_000


def foldable(operation: str, values: list[Any]) -> bool:
    """Whether an operation on these constants may be computed once and for all."""
    if operation not in _FOLDED or any(type(value) not in _PLAIN for value in values):
        return False
    if operation in ("is", "is_not"):  # equal constants may be two objects: 1000 and int("1000")
        return any(value is None or type(value) is bool for value in values)
    grows = operation.removeprefix("i") in ("pow", "lshift", "mul")
    return not grows or all(type(v) is not int or abs(v) <= LARGEST_FOLDED for v in values[1:])


def folded(operation: str, values: list[Any]) -> Any:
    """What Python computes for the operation on these constants; raises Raises where it raises."""
    try:
        return PYTHON[operation](*values)
    except Exception as error:
        raise Raises(type(error).__name__) from None
