"""The CORAL and FloPSy formulas as terms, read from their text.

The formulas come from Java: a function outside its domain is nan, an overflow or a division by zero
an infinity, and nothing raises. CPython's functions do, so the terms apply functions that do not.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin, negate
from symcrete.terms.operations import AND, opaque
from symcrete.terms.term import Sort, Term, const, intern, var


@dataclass(frozen=True)
class Formula:
    """One benchmark; solving any of its paths solves it."""

    name: str
    paths: tuple[tuple[Term, ...], ...]  # the conditions of each
    start: Assignment  # every variable at zero
    satisfiable: bool


def read_formulas(file: Path, key: str) -> list[Formula]:
    """All formulas of a data file, under `key`."""
    return [_formula(entry) for entry in json.loads(file.read_text())[key]]


def _formula(entry: dict) -> Formula:
    sorts = {v["name"]: Sort.FLOAT if v["type"] == "float" else Sort.INT for v in entry["vars"]}
    texts = entry.get("paths") or [entry["formula"]]
    return Formula(
        entry["id"],
        tuple(conditions(text, sorts) for text in texts),
        {name: 0.0 if sort is Sort.FLOAT else 0 for name, sort in sorts.items()},
        entry["known_sat"],
    )


def conditions(text: str, sorts: dict[str, Sort]) -> tuple[Term, ...]:
    """The conjuncts of a formula over these variables."""
    whole = _Reader(sorts).truth(ast.parse(text.strip(), mode="eval").body)
    return tuple(whole.args) if whole.op is AND else (whole,)


class _Reader:
    """Turns the syntax tree of a formula into terms."""

    def __init__(self, sorts: dict[str, Sort]) -> None:
        self._sorts = sorts

    def truth(self, node: ast.expr) -> Term:
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                return conjoin([self.truth(value) for value in values])
            case ast.BoolOp(op=ast.Or(), values=values):
                return disjoin([self.truth(value) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negate(self.truth(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _compared(self.number(left), op, self.number(right))
        raise ValueError(f"not a condition: {ast.unparse(node)}")

    def number(self, node: ast.expr) -> Term:
        match node:
            case ast.Constant(value=value):
                return const(value)
            case ast.Name(id=name):
                return var(name, self._sorts[name])
            case ast.Attribute(attr=name):
                return const(getattr(math, name))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.number(operand)
                return const(-inner.value) if inner.is_const else floats.neg(inner)
            case ast.BinOp(left=left, op=op, right=right):
                return _computed(self.number(left), op, self.number(right))
            case ast.Call(func=ast.Attribute(attr=name), args=args):
                return _applied(FUNCTIONS[name], [self.number(arg) for arg in args])
        raise ValueError(f"not a number: {ast.unparse(node)}")


def _compared(left: Term, op: ast.cmpop, right: Term) -> Term:
    kind = integers if left.sort is right.sort is Sort.INT else floats
    match op:
        case ast.Lt():
            return kind.lt(left, right)
        case ast.LtE():
            return kind.le(left, right)
        case ast.Gt():
            return kind.lt(right, left)
        case ast.GtE():
            return kind.le(right, left)
        case ast.Eq():
            return kind.eq(left, right)
        case ast.NotEq():
            return negate(kind.eq(left, right))
    raise ValueError(f"not a comparison: {op}")


def _computed(left: Term, op: ast.operator, right: Term) -> Term:
    """Everything is computed in doubles: the formulas' integers are only ever compared."""
    left, right = floats.as_float(left), floats.as_float(right)
    match op:
        case ast.Add():
            return _folded(floats.add, left, right)
        case ast.Sub():
            return _folded(floats.sub, left, right)
        case ast.Mult():
            return _folded(floats.mul, left, right)
        case ast.Div() if right.is_const and right.value != 0:
            return _folded(floats.div, left, right)
        case ast.Div():
            return _applied(divide, [left, right])
    raise ValueError(f"not an operation: {op}")


def _folded(make: Callable[[Term, Term], Term], left: Term, right: Term) -> Term:
    made = make(left, right)
    if left.is_const and right.is_const:
        return const(made.op.function(left.value, right.value))
    return made


def _applied(function: Callable[..., float], args: list[Term]) -> Term:
    numbers = tuple(floats.as_float(arg) for arg in args)
    if all(arg.is_const for arg in numbers):
        return const(function(*(arg.value for arg in numbers)))
    return intern(opaque(function, Sort.FLOAT, function.__name__), numbers)


def divide(dividend: float, divisor: float) -> float:
    if divisor == 0.0:
        if dividend == 0.0 or dividend != dividend:
            return math.nan
        return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)
    return dividend / divisor


def power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:
        if base != 0.0:
            return math.nan
    except OverflowError:
        pass
    odd = exponent % 2.0 == 1.0
    return math.copysign(math.inf, base) if odd else math.inf


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    """The function, nan outside its domain."""

    def quiet(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan

    quiet.__name__ = function.__name__
    return quiet


FUNCTIONS: dict[str, Callable[..., float]] = {
    "pow": power,
    "exp": exp,
    **{
        name: _quiet(getattr(math, name))
        for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2")
    },
}
