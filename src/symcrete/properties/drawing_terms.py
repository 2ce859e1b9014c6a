"""Draws of Hypothesis that carry terms.

Hypothesis makes every value of five kinds of draws. The n-th draw of a test case is an input of the
engine: what the search asks for where it asks for something, and else what Hypothesis would draw.
"""

from __future__ import annotations

import math
import os
import sys
from typing import Any, Literal, TypeAlias

import hypothesis
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, PrimitiveProvider
from hypothesis.internal.floats import SMALLEST_SUBNORMAL

from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.shapes.shape import BoolShape, FloatShape, IntShape, Shape
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin
from symcrete.terms.term import Sort, Term, const, int_const, var
from symcrete.terms.texts import element_names, length_name
from symcrete.values.build.variables import tracked_input
from symcrete.values.tracking import recording

Kind: TypeAlias = Literal["boolean", "integer", "float", "string", "bytes"]

MOST_ALTERNATIVES = 64  # alternatives of a strategy that are told as branches, each one of the path
MOST_INTERVALS = 8  # ranges of an alphabet that a solver is told of: each is part of a disjunction
CHARACTERS = 16  # characters of a text, at least, for which a solver is told the alphabet
_HYPOTHESIS = os.path.dirname(hypothesis.__file__) + "/"
# Strategies whose draws are values of the test; all others draw which way to go.
_OF_VALUES = ("numbers.py", "datetime.py")


class PlainDraws:
    """Values that are given, one after the other; what is missing is drawn as Hypothesis does."""

    def __init__(self, values: list[tuple[Kind, Any]], own: PrimitiveProvider) -> None:
        self._values = values
        self._own = own
        self._next = 0

    def draw(self, kind: Kind, constraints: dict[str, Any]) -> Any:
        """The value of the next draw, without terms."""
        self._next += 1
        if self._next <= len(self._values):
            known, value = self._values[self._next - 1]
            if known == kind and permitted(value, constraints):
                return value
        return drawn(self._own, kind, constraints)


class TrackedDraws:
    """The draws of one test case, each an input whose variables are in an assignment."""

    def __init__(self, given: Assignment, own: PrimitiveProvider) -> None:
        self.given = given
        self.values: list[tuple[Kind, Any]] = []  # in order, without terms
        self._own = own

    def draw(self, kind: Kind, constraints: dict[str, Any]) -> Any:
        """The value of the next draw, with its term where it may have several."""
        name = f"{kind}{len(self.values)}"
        shape = _shape(kind, constraints)
        if shape is None:
            value = drawn(self._own, kind, constraints)
            self.values.append((kind, value))
            return value
        self._settle(name, shape, kind, constraints)
        self.values.append((kind, shape.plain(name, self.given)))
        if kind == "integer" and _chooses(constraints):
            return self._chosen(name, constraints)
        _assume_more(name, kind, constraints, self.given)
        return tracked_input(shape, name, self.given)

    def _settle(self, name: str, shape: Shape, kind: Kind, constraints: dict[str, Any]) -> None:
        """Give the variables of a draw their values: those asked for, if they are permitted."""
        given = self.given
        known = length_name(name) in given if kind in ("string", "bytes") else name in given
        if known and permitted(shape.plain(name, given), constraints):
            return
        value = drawn(self._own, kind, constraints)
        for each in [name, length_name(name)]:
            given.pop(each, None)
        given[name] = value
        if isinstance(value, str | bytes):  # spread over its variables, as all texts are
            tracked_input(shape, name, given)

    def _chosen(self, name: str, constraints: dict[str, Any]) -> int:
        """The number of the alternative that a strategy takes, without a term: the choice is told
        as branches, "is it this one?" for each alternative up to it.
        """
        low, high = constraints["min_value"], constraints["max_value"]
        value, variable, record = self.given[name], var(name, Sort.INT), recording.active()
        record.assume(integers.le(int_const(low), variable))
        record.assume(integers.le(variable, int_const(high)))
        for each in range(low, high):
            site = record.shape_site(name, each)
            if record.passed(site, integers.eq(variable, int_const(each)), value == each):
                break
        return int(value)


def permitted(value: Any, constraints: Any) -> bool:
    """Whether Hypothesis would take this value for a draw with such constraints."""
    return choice_permitted(value, constraints)


def drawn(own: PrimitiveProvider, kind: Kind, constraints: dict[str, Any]) -> Any:
    """What Hypothesis itself would draw."""
    return getattr(own, f"draw_{kind}")(**constraints)


def _shape(kind: Kind, constraints: dict[str, Any]) -> Shape | None:
    """What a draw can be; None if it can be one thing only."""
    if kind == "boolean":
        return BoolShape() if 0 < constraints["p"] < 1 else None
    if kind == "integer":
        low, high = constraints["min_value"], constraints["max_value"]
        return None if low is not None and low == high else IntShape(low, high)
    if kind == "float":
        return _float_shape(constraints)
    least, most = constraints["min_size"], constraints["max_size"]
    limit = None if most >= COLLECTION_DEFAULT_MAX_SIZE else most
    if kind == "bytes":
        return BytesShape(least, limit)
    return StrShape(least, limit) if len(constraints["intervals"]) > 1 else None


def _float_shape(constraints: dict[str, Any]) -> FloatShape | None:
    low, high = constraints["min_value"], constraints["max_value"]
    if low == high:
        return None
    if low == -math.inf and high == math.inf:  # a shape that has bounds leaves out nan
        return FloatShape() if constraints["allow_nan"] else FloatShape(low, high)
    return FloatShape(None if low == -math.inf else low, None if high == math.inf else high)


def _assume_more(name: str, kind: Kind, constraints: dict[str, Any], given: Assignment) -> None:
    """Assume of a draw what its shape cannot say; a value that breaks this is drawn anew."""
    record = recording.active()
    if kind == "float":
        least = constraints["smallest_nonzero_magnitude"]
        if least > SMALLEST_SUBNORMAL:
            term = var(name, Sort.FLOAT)
            small = [floats.le(const(least), term), floats.le(term, const(-least))]
            record.assume(disjoin([floats.eq(term, const(0.0)), *small]))
    elif kind == "string":
        intervals = constraints["intervals"].intervals
        if len(intervals) <= MOST_INTERVALS:
            count = max(CHARACTERS, given.get(length_name(name), 0))
            for each in element_names(name, count):
                record.assume(_within(var(each, Sort.INT), intervals))


def _within(term: Term, intervals: tuple[tuple[int, int], ...]) -> Term:
    """The condition that a character is in one of these ranges."""
    return disjoin(
        [
            conjoin([integers.le(int_const(low), term), integers.le(term, int_const(high))])
            for low, high in intervals
        ]
    )


def _chooses(constraints: dict[str, Any]) -> bool:
    """Whether a number is drawn to choose between few alternatives of a strategy, not as a value
    of the test: code of Hypothesis uses it as an index, which no term survives.
    """
    low, high = constraints["min_value"], constraints["max_value"]
    if low is None or high is None or high - low >= MOST_ALTERNATIVES:
        return False
    frame = sys._getframe(4)  # past this function, `draw` and the provider's own two
    while frame.f_back is not None and frame.f_code.co_filename.endswith("conjecture/data.py"):
        frame = frame.f_back
    file = frame.f_code.co_filename
    return file.startswith(_HYPOTHESIS) and not file.endswith(_OF_VALUES)
