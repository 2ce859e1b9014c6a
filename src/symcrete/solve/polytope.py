"""The linear conditions of a path: a point that satisfies them, or the proof that there is none.

The dissertation's SOLVELINEAR (Algorithm 5.1, line 4), by z3. Doubles are first read as real
numbers; only where these contradict each other are rounding, overflow and nan let in, and a
contradiction that survives this is a proof.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from symcrete.solve.solver import Unsat
from symcrete.solve.walk_goal import AllOf, AnyOf, Comparison, Goal, Relation, comparisons
from symcrete.solve.walk_linear import Form, form, literal
from symcrete.solve.walk_ordinal import INFINITE, double, ordinal
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term

z3: Any = import_module("z3")  # it brings no types
LARGEST = Fraction(sys.float_info.max)
INFINITY = 2 * LARGEST  # stands for inf; no double lies between
_PLAIN = {Sort.BOOL: bool, Sort.INT: int}
PATIENCE = 6  # how often values of `near` are given up one core at a time, before all of them are


class Polytope:
    """What linear goals allow, each given with its condition; `sorts` of their variables."""

    def __init__(self, goals: Sequence[tuple[Goal, Term]], sorts: Mapping[str, Sort]) -> None:
        self._goals = goals
        self._sorts = sorts

    def point(self, near: Assignment, *, seconds: float) -> Assignment | Unsat | None:
        """Values for the variables, as many as possible those of `near`; None if undecided."""
        found = self._check(_Reals(self._sorts), near, seconds)
        if isinstance(found, Unsat) and Sort.FLOAT in self._sorts.values():
            return self._check(_Doubles(self._sorts), {}, seconds)
        return found

    def exact_point(self, *, seconds: float) -> Assignment | Unsat | None:
        """The last word where doubles are only compared, never computed with; else None."""
        if not all(_only_compares(goal) for goal, _ in self._goals):
            return None
        return self._check(_Ordinals(self._sorts), {}, seconds)

    def _check(
        self, reading: _Reals, near: Assignment, seconds: float
    ) -> Assignment | Unsat | None:
        solver = z3.Solver()
        solver.set("timeout", max(1, int(seconds * 1000)))
        solver.add(*reading.ranges())
        tracked: dict[str, Term] = {}
        for number, (goal, condition) in enumerate(self._goals):
            label = f"goal{number}"
            tracked[label] = condition
            solver.add(z3.Implies(z3.Bool(label), _lower(goal, reading)))
        kept = {f"near{i}": equal for i, equal in enumerate(reading.equalities(near))}
        for label, equal in kept.items():
            solver.add(z3.Implies(z3.Bool(label), equal))
        patience = PATIENCE
        while True:
            outcome = solver.check(*(z3.Bool(label) for label in (*tracked, *kept)))
            if outcome == z3.sat:
                return reading.values(solver.model())
            if outcome == z3.unknown:
                return None
            core = {str(each) for each in solver.unsat_core()}
            if core <= tracked.keys():
                return Unsat(
                    tuple(dict.fromkeys(tracked[label] for label in tracked if label in core))
                )
            patience -= 1
            kept = {k: v for k, v in kept.items() if k not in core} if patience else {}


class _Reals:
    """Variables and comparisons for z3, doubles taken for real numbers: where to start a search."""

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        self.sorts = sorts
        make = {Sort.INT: z3.Int, Sort.BOOL: z3.Bool, Sort.FLOAT: self.number}
        # Numbered: the names of inputs are anybody's, and these must not meet the labels of goals.
        self.variables: dict[str, Any] = {
            name: make[sort](f"x{i}") for i, (name, sort) in enumerate(sorts.items())
        }

    def number(self, name: str) -> Any:
        return z3.Real(name)

    def ranges(self) -> list[Any]:
        return []

    def compare(self, comparison: Comparison) -> Any:
        left, right = _sides(comparison)
        return _related(self.total(left), comparison.relation, self.total(right))

    def total(self, sum_: Form) -> Any:
        terms = [_number(factor) * self.variables[name] for name, factor in sum_.factors.items()]
        return z3.Sum([*terms, _number(sum_.constant)])

    def values(self, model: Any) -> Assignment:
        found = {}
        for name, variable in self.variables.items():
            value = model.eval(variable, model_completion=True)
            match self.sorts[name]:
                case Sort.BOOL:
                    found[name] = z3.is_true(value)
                case Sort.INT:
                    found[name] = value.as_long()
                case _:
                    found[name] = self.double(name, value, model)
        return found

    def double(self, name: str, value: Any, model: Any) -> float:
        return _nearest(value.as_fraction())

    def equalities(self, near: Assignment) -> list[Any]:
        """That a variable keeps its value, for each that has one."""
        found = []
        for name, variable in self.variables.items():
            value = near.get(name)
            if type(value) is _PLAIN.get(self.sorts[name]):
                found.append(variable == value)
            elif type(value) is float and abs(value) <= sys.float_info.max:
                found.append(variable == _number(Fraction(value)))
        return found


class _Doubles(_Reals):
    """Everything doubles could do, and some more: what contradicts here is a proof."""

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        super().__init__(sorts)
        floats = [name for name, sort in sorts.items() if sort is Sort.FLOAT]
        self._nans = {name: z3.Bool(f"nan{i}") for i, name in enumerate(floats)}

    def ranges(self) -> list[Any]:
        low, high, infinity = _number(-LARGEST), _number(LARGEST), _number(INFINITY)
        found = []
        for name in self._nans:
            value = self.variables[name]
            finite = z3.And(value >= low, value <= high)
            found.append(z3.Or(finite, value == infinity, value == -infinity))
        return found

    def compare(self, comparison: Comparison) -> Any:
        left, right = _sides(comparison)
        names = {*left.factors, *right.factors}
        nans = [self._nans[name] for name in names if name in self._nans]
        difference = self.total(left) - self.total(right)
        if left.roundings == right.roundings == 0:
            related = _related(difference, comparison.relation, _number(Fraction(0)))
            if comparison.nan_satisfies:
                return z3.Or(*nans, related)
            return z3.And(*(z3.Not(nan) for nan in nans), related)
        # Computed: nan, overflow or an error that rounding can explain are all possible.
        error = self._error(left) + self._error(right)
        overflow = self._peak(left) + self._peak(right) > _number(LARGEST / 4)
        match comparison.relation:
            case Relation.BELOW | Relation.AT_MOST:
                related = difference <= error
            case Relation.EQUAL:
                related = z3.And(difference <= error, -difference <= error)
            case Relation.UNEQUAL:
                related = z3.BoolVal(True)
        return z3.Or(*nans, overflow, related)

    def _error(self, sum_: Form) -> Any:
        sizes = [_number(size) * self._size(name) for name, size in sum_.sizes.items()]
        return _number(sum_.slack) * z3.Sum(sizes) + _number(sum_.underflow)

    def _peak(self, sum_: Form) -> Any:
        return _number(sum_.peak) * z3.Sum([self._size(name) for name in ("", *sum_.factors)])

    def _size(self, name: str) -> Any:
        if not name:
            return _number(Fraction(1))
        value = self.variables[name]
        return z3.If(value >= 0, value, -value)

    def double(self, name: str, value: Any, model: Any) -> float:
        if z3.is_true(model.eval(self._nans[name], model_completion=True)):
            return float("nan")
        return _nearest(value.as_fraction())


class _Ordinals(_Reals):
    """Doubles by their number among all doubles: exact, as long as they are only compared."""

    def number(self, name: str) -> Any:
        return z3.Int(name)

    def ranges(self) -> list[Any]:
        floats = [self.variables[n] for n, sort in self.sorts.items() if sort is Sort.FLOAT]
        return [z3.And(number >= -INFINITE, number <= INFINITE) for number in floats]

    def compare(self, comparison: Comparison) -> Any:
        if comparison.left.sort is Sort.INT:
            return super().compare(comparison)
        left, right = (self._place(side) for side in _sides(comparison))
        return _related(left, comparison.relation, right)

    def _place(self, side: Form) -> Any:
        for name in side.factors:
            return self.variables[name]
        return z3.IntVal(ordinal(float(side.constant)))

    def double(self, name: str, value: Any, model: Any) -> float:
        return double(value.as_long())


def _only_compares(goal: Goal) -> bool:
    """No arithmetic on doubles, no integers compared with them, nothing that nan satisfies."""
    for each in comparisons(goal):
        sorts = {each.left.sort, each.right.sort}
        if Sort.FLOAT in sorts and (
            len(sorts) > 1 or each.nan_satisfies or not all(side.is_bare for side in _sides(each))
        ):
            return False
    return True


def _lower(goal: Goal, reading: _Reals) -> Any:
    match goal:
        case AllOf(parts):
            return z3.And(*(_lower(part, reading) for part in parts))
        case AnyOf(parts):
            return z3.Or(*(_lower(part, reading) for part in parts))
        case Comparison(left) if left.sort is Sort.BOOL:
            found = literal(left)
            assert found is not None, left
            name, stands = found
            return reading.variables[name] == stands
        case _:
            return reading.compare(goal)


def _sides(comparison: Comparison) -> tuple[Form, Form]:
    left, right = form(comparison.left), form(comparison.right)
    assert left is not None, comparison.left
    assert right is not None, comparison.right
    return left, right


def _related(left: Any, relation: Relation, right: Any) -> Any:
    match relation:
        case Relation.BELOW:
            return left < right
        case Relation.AT_MOST:
            return left <= right
        case Relation.EQUAL:
            return left == right
        case Relation.UNEQUAL:
            return left != right


def _number(value: Fraction) -> Any:
    return z3.IntVal(value.numerator) if value.denominator == 1 else z3.RealVal(value)


def _nearest(value: Fraction) -> float:
    if abs(value) > LARGEST:
        return float("inf") if value > 0 else float("-inf")
    return float(value)
