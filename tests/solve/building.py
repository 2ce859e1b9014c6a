"""Short names to build constraints with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.constraint.path import PathConstraint
from symcrete.terms import floats, integers
from symcrete.terms.logic import negate
from symcrete.terms.operations import opaque
from symcrete.terms.term import Sort, Term, const, intern, var


def ints(names: str) -> list[Term]:
    return [var(name, Sort.INT) for name in names.split()]


def doubles(names: str) -> list[Term]:
    return [var(name, Sort.FLOAT) for name in names.split()]


def truths(names: str) -> list[Term]:
    return [var(name, Sort.BOOL) for name in names.split()]


def term(value: Any) -> Term:
    return value if isinstance(value, Term) else const(value)


def lt(left: Any, right: Any) -> Term:
    return _kind(left, right).lt(term(left), term(right))


def le(left: Any, right: Any) -> Term:
    return _kind(left, right).le(term(left), term(right))


def eq(left: Any, right: Any) -> Term:
    return _kind(left, right).eq(term(left), term(right))


def ne(left: Any, right: Any) -> Term:
    return negate(eq(left, right))


def add(left: Any, right: Any) -> Term:
    return _kind(left, right).add(term(left), term(right))


def sub(left: Any, right: Any) -> Term:
    return _kind(left, right).sub(term(left), term(right))


def mul(left: Any, right: Any) -> Term:
    return _kind(left, right).mul(term(left), term(right))


def call(function: Callable[..., Any], sort: Sort, *args: Any, name: str | None = None) -> Term:
    return intern(opaque(function, sort, name), tuple(term(arg) for arg in args))


def path(*conditions: Term) -> PathConstraint:
    return PathConstraint(conditions[:-1], conditions[-1])


def between(low: Any, value: Term, high: Any) -> tuple[Term, Term]:
    return le(low, value), le(value, high)


def _kind(left: Any, right: Any) -> Any:
    both_whole = term(left).sort is term(right).sort is Sort.INT
    return integers if both_whole else floats
