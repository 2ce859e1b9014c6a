"""Tracked values that functions of the program make of drawn ones, for a test under `@given`.

The functions run rewritten. What they decide comes first in the path; a condition that fails says
that the strategy does not give such a value.
"""

from __future__ import annotations

from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.strategies.composed import (
    ComposedShape,
    Drawing,
    FilteredShape,
    MappedShape,
)
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.variables import Builder, tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import tracked, untracked
from symcrete.values.tracking.operators import truth_of
from symcrete.values.tracking.truth import truth_term


def _mapped(shape: MappedShape, name: str, given: Assignment) -> Any:
    return callee(shape.function)(tracked_input(shape.shape, name, given))


def _filtered(shape: FilteredShape, name: str, given: Assignment) -> Any:
    value = tracked_input(shape.shape, name, given)
    holds = truth_of(callee(shape.condition)(value))
    term, record = truth_term(holds), recording.active()
    there = bool(untracked(holds))
    if term is not None:
        record.passed(record.shape_site(f"{name}.filter", _depth(shape)), term, there)
    if not there:
        raise AssumptionFailed
    return value


def _depth(shape: FilteredShape) -> int:
    """How many filters are inside this one."""
    return 1 + _depth(shape.shape) if isinstance(shape.shape, FilteredShape) else 0


def _composed(shape: ComposedShape, name: str, given: Assignment) -> Any:
    def draw(strategy: Any, where: str) -> Any:
        return tracked_input(shape.read_as(strategy, _seen), where, given)

    return shape.made(callee, Drawing(name, draw))


def _seen(value: Any) -> Any:
    """An argument of a strategy without its terms: how they bound what is drawn is not followed."""
    if not tracked(value):
        return value
    recording.active().lose("a strategy that depends on what was drawn before")
    return untracked(value)


BUILDERS: dict[type, Builder] = {
    MappedShape: _mapped,
    FilteredShape: _filtered,
    ComposedShape: _composed,
}
