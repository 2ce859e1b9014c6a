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
from symcrete.solve.walk.terrain.goal import AllOf, AnyOf, Comparison, Goal, Relation, comparisons
from symcrete.solve.walk.terrain.linear_sums import Form, form, literal
from symcrete.solve.walk.terrain.ordinal import INFINITE_ORDINAL, double, ordinal
from symcrete.terms.evaluate import Assignment
from symcrete.terms.operations import FADD, FDIV, FNEG, FSUB, LINEAR, TO_FLOAT
from symcrete.terms.term import CONST, VAR, Sort, Term
from symcrete.terms.visit import fold

z3: Any = import_module("z3")  # it brings no types
LARGEST_FRACTION = Fraction(sys.float_info.max)
HALF_ULP = Fraction(1, 2**53)  # largest relative error of one rounding
TINIEST = Fraction(1, 2**1074)  # the smallest double, and no error of a subnormal is larger
_PLAIN = {Sort.BOOL: bool, Sort.INT: int}
# times that only those values of `near` are given up that are in a core; then all of them are
MOST_NEAR_GIVEN_UP = 6


class Polytope:
    """What linear goals allow; each is given with its condition, `sorts` has those of their
    variables.
    """

    def __init__(self, goals: Sequence[tuple[Goal, Term]], sorts: Mapping[str, Sort]) -> None:
        self._goals = goals
        self._sorts = sorts

    def point(self, near: Assignment, *, seconds: float) -> Assignment | Unsat | None:
        """Values for the variables, as many as possible those of `near`; a proof if there are
        none; None if undecided.
        """
        found = self._check(_Reals(self._sorts), near, seconds)
        if isinstance(found, Unsat) and any(_has_doubles(goal) for goal, _ in self._goals):
            return self._check(_Doubles(self._sorts), {}, seconds)
        return found

    def exact_point(self, *, seconds: float) -> Assignment | Unsat | None:
        """As `point`, but exact for doubles that are only compared, never computed with; None for
        all others.
        """
        if not all(_only_compares(goal) for goal, _ in self._goals):
            return None
        return self._check(_Ordinals(self._sorts), {}, seconds)

    def _check(
        self, reading: _Reals, near: Assignment, seconds: float
    ) -> Assignment | Unsat | None:
        solver = z3.Solver()
        solver.set("timeout", max(1, int(seconds * 1000)))  # milliseconds
        tracked: dict[str, Term] = {}
        for number, (goal, condition) in enumerate(self._goals):
            label = f"goal{number}"
            tracked[label] = condition
            solver.add(z3.Implies(z3.Bool(label), _lower(goal, reading)))
        solver.add(*reading.facts())
        kept = {f"near{i}": equal for i, equal in enumerate(reading.equalities(near))}
        for label, equal in kept.items():
            solver.add(z3.Implies(z3.Bool(label), equal))
        patience = MOST_NEAR_GIVEN_UP
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
    """Variables and comparisons for z3, with doubles as real numbers: good enough to start a
    search from.
    """

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        self.sorts = sorts
        make = {Sort.INT: z3.Int, Sort.BOOL: z3.Bool, Sort.FLOAT: self.number}
        # Numbered, since inputs may have any name and must not collide with the labels of goals.
        self.variables: dict[str, Any] = {
            name: make[sort](f"x{i}") for i, (name, sort) in enumerate(sorts.items())
        }

    def number(self, name: str) -> Any:
        return z3.Real(name)

    def facts(self) -> list[Any]:
        """Conditions that hold beside the goals; asked for after those are lowered."""
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
        """For each variable that has a value, the condition that it keeps it."""
        found = []
        for name, variable in self.variables.items():
            value = near.get(name)
            if type(value) is _PLAIN.get(self.sorts[name]):
                found.append(variable == value)
            elif type(value) is float and abs(value) <= sys.float_info.max:
                found.append(variable == _number(Fraction(value)))
        return found


class _Doubles(_Reals):
    """Variables and comparisons for z3 that allow all that doubles can do, and some more: a
    contradiction is a proof.

    Each result of an operation is a real number of its own, within a rounding of the exact one, or
    an infinity where that is too large, or nan.
    """

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        super().__init__(sorts)
        self._facts: list[Any] = []  # conditions that hold of the results
        # by term: its number, and the condition that it is nan
        self._lowered: dict[Term, tuple[Any, Any]] = {}
        self._nans: dict[str, Any] = {}
        for name, sort in sorts.items():
            if sort is Sort.FLOAT:
                value, self._nans[name] = self._fresh()
                self.variables[name] = value
                size = z3.If(value >= 0, value, -value)
                finite = z3.Or(size == 0, z3.And(size >= _number(TINIEST), size <= _MOST))
                self._facts.append(z3.Or(finite, size == _INF))

    def facts(self) -> list[Any]:
        return self._facts

    def compare(self, comparison: Comparison) -> Any:
        (left, left_nan), (right, right_nan) = (
            fold(side, self._combine, self._lowered) for side in (comparison.left, comparison.right)
        )
        related = _related(left, comparison.relation, right)
        if comparison.nan_satisfies:
            return z3.Or(left_nan, right_nan, related)
        return z3.And(z3.Not(left_nan), z3.Not(right_nan), related)

    def _fresh(self) -> tuple[Any, Any]:
        number = len(self._facts)
        return z3.Real(f"r{number}"), z3.Bool(f"nan{number}")

    def _combine(self, node: Term, parts: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        op, never = node.op, z3.BoolVal(False)
        if op is VAR:
            name = node.args[0]
            return self.variables[name], self._nans.get(name, never)
        if op is CONST:
            return _number(Fraction(node.value)), never
        if op is LINEAR:
            terms = [f * value for f, (value, _) in zip(node.args[2::2], parts, strict=True)]
            return z3.Sum([z3.IntVal(node.args[0]), *terms]), never
        left, left_nan = parts[0]
        if op is FNEG:
            return -left, left_nan
        if op is TO_FLOAT:
            return self._rounded(left, never, [])
        if op is FADD or op is FSUB:
            right, right_nan = parts[1]
            right = right if op is FADD else -right
            opposite = z3.And(z3.Or(left == _INF, left == -_INF), right == -left)
            infinite = [z3.Or(left == sign, right == sign) for sign in (_INF, -_INF)]
            return self._rounded(left + right, z3.Or(left_nan, right_nan, opposite), infinite)
        return self._multiplied(node, parts)

    def _multiplied(self, node: Term, parts: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        first, second = node.args
        value, nan = parts[0] if second.is_const else parts[1]
        factor = Fraction(second.value if second.is_const else first.value)
        if node.op is FDIV:
            factor = 1 / factor
        if factor == 0:
            nan = z3.Or(nan, value == _INF, value == -_INF)
            return self._rounded(_number(factor) * value, nan, [])
        up = _INF if factor > 0 else -_INF
        return self._rounded(_number(factor) * value, nan, [value == up, value == -up])

    def _rounded(self, exact: Any, nan: Any, infinite: list[Any]) -> tuple[Any, Any]:
        """The double that an operation makes of an exact result; `infinite` says when it is inf
        and when it is -inf because an operand was.
        """
        result, result_nan = self._fresh()
        error = _number(HALF_ULP) * z3.If(exact >= 0, exact, -exact) + _number(TINIEST)
        rounded = z3.And(result - exact <= error, exact - result <= error)
        finite = z3.If(
            exact > _MOST,
            z3.Or(result == _MOST, result == _INF),
            z3.If(exact < -_MOST, z3.Or(result == -_MOST, result == -_INF), rounded),
        )
        for condition, end in zip(infinite, (_INF, -_INF), strict=False):
            finite = z3.If(condition, result == end, finite)
        self._facts.append(z3.And(result_nan == nan, z3.Or(nan, finite)))
        return result, result_nan

    def double(self, name: str, value: Any, model: Any) -> float:
        if z3.is_true(model.eval(self._nans[name], model_completion=True)):
            return float("nan")
        return _nearest(value.as_fraction())


class _Ordinals(_Reals):
    """Doubles by their number among all doubles: exact, as long as they are only compared."""

    def number(self, name: str) -> Any:
        return z3.Int(name)

    def facts(self) -> list[Any]:
        floats = [self.variables[n] for n, sort in self.sorts.items() if sort is Sort.FLOAT]
        return [
            z3.And(number >= -INFINITE_ORDINAL, number <= INFINITE_ORDINAL) for number in floats
        ]

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


def _has_doubles(goal: Goal) -> bool:
    return any(Sort.FLOAT in (c.left.sort, c.right.sort) for c in comparisons(goal))


def _only_compares(goal: Goal) -> bool:
    """Whether a goal has no arithmetic on doubles, no integers compared with them, and nothing
    that nan satisfies.
    """
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


_MOST = _number(LARGEST_FRACTION)
_INF = _number(2 * LARGEST_FRACTION)  # stands for infinity; no double lies between


def _nearest(value: Fraction) -> float:
    if abs(value) > LARGEST_FRACTION:
        return float("inf") if value > 0 else float("-inf")
    return float(value)
