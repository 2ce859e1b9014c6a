"""Which comparisons are linear, and the sums they compare."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from symcrete.slotted import dataclass
from symcrete.solve.walk.terrain.goal import Comparison, Goal, comparisons
from symcrete.terms.operations import FADD, FDIV, FMUL, FNEG, FSUB, LINEAR, NOT, TO_FLOAT
from symcrete.terms.term import CONST, VAR, Sort, Term, memo
from symcrete.terms.visit import fold

_OPERATIONS = frozenset({VAR, CONST, LINEAR, FADD, FSUB, FMUL, FDIV, FNEG, TO_FLOAT})


@dataclass(frozen=True, slots=True)
class Form:
    """A linear form: constant + the sum of factor * variable, over the real numbers."""

    constant: Fraction
    factors: dict[str, Fraction]
    is_rounded: bool = False  # whether some step of it is computed in doubles

    @property
    def is_bare(self) -> bool:
        """Whether it is a variable or a constant as it stands, with nothing computed."""
        if self.is_rounded:
            return False
        return not self.factors or (not self.constant and [*self.factors.values()] == [1])


class _NotLinear:
    pass


_NOT_LINEAR = _NotLinear()
_forms: dict[Term, Form | _NotLinear] = memo()


def form(term: Term) -> Form | None:
    """The linear form of a number; None if it has none."""
    found = fold(term, _combine, _forms)
    return found if isinstance(found, Form) else None


def is_linear(goal: Goal) -> bool:
    """Whether a solver for linear arithmetic can decide the goal."""
    return all(_is_linear_comparison(each) for each in comparisons(goal))


def _is_linear_comparison(comparison: Comparison) -> bool:
    if comparison.left.sort is Sort.BOOL:
        return literal(comparison.left) is not None
    return form(comparison.left) is not None and form(comparison.right) is not None


def literal(term: Term) -> tuple[str, bool] | None:
    """The truth variable that a term is, or negates, and whether it is not negated; None if it is
    neither.
    """
    inner = term.args[0] if term.op is NOT else term
    return (inner.args[0], term.op is not NOT) if inner.op is VAR else None


def _combine(node: Term, parts: list[Form | _NotLinear]) -> Form | _NotLinear:
    op = node.op
    if op is VAR:
        is_number = node.sort is Sort.INT or node.sort is Sort.FLOAT
        return Form(Fraction(0), {node.args[0]: Fraction(1)}) if is_number else _NOT_LINEAR
    if op is CONST:
        return _constant(node.value)
    forms = [part for part in parts if isinstance(part, Form)]
    if op not in _OPERATIONS or len(forms) < len(parts):
        return _NOT_LINEAR
    if op is LINEAR:
        total = Form(Fraction(node.args[0]), {})
        for part, factor in zip(forms, node.args[2::2], strict=True):
            total = _sum(total, part, Fraction(factor))
        return total
    if op is FNEG:
        return _sum(_NOTHING, forms[0], Fraction(-1))
    if op is TO_FLOAT:
        return replace(forms[0], is_rounded=True)
    left, right = forms
    if op is FADD or op is FSUB:
        total = _sum(left, right, Fraction(1 if op is FADD else -1))
        return replace(total, is_rounded=True)
    if op is FMUL and node.args[0].is_const:
        left, right = right, left
    elif not node.args[1].is_const or (op is FDIV and not right.constant):
        return _NOT_LINEAR
    factor = right.constant if op is FMUL else 1 / right.constant
    return replace(_sum(_NOTHING, left, factor), is_rounded=True)


_NOTHING = Form(Fraction(0), {})


def _constant(value: object) -> Form | _NotLinear:
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return Form(Fraction(value), {})
    return _NOT_LINEAR


def _sum(left: Form, right: Form, factor: Fraction) -> Form:
    """The form of left + factor * right."""
    factors = dict(left.factors)
    for name, each in right.factors.items():
        factors[name] = factors.get(name, Fraction(0)) + factor * each
    constant = left.constant + factor * right.constant
    return Form(constant, factors, left.is_rounded or right.is_rounded)
