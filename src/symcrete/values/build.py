"""Build the inputs of a concolic run: the value of a shape with a term for each variable.

One row per shape. Choices a shape leaves open are reported as the first branches of the path, so
that search flips them like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.inputs.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
)
from symcrete.inputs.texts import BytesShape, StrShape
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.texts import BYTES, STR
from symcrete.values import recording
from symcrete.values.numeric import concolic_float, concolic_int
from symcrete.values.text_inputs import tracked_text
from symcrete.values.truth import truth


def tracked_input(shape: Shape, name: str, given: Assignment) -> Any:
    """The value with its terms; a variable not given gets its plainest value, noted there."""
    return BUILDERS[type(shape)](shape, name, given)


def _int(shape: IntShape, name: str, given: Assignment) -> Any:
    return concolic_int(given.setdefault(name, 0), var(name, Sort.INT))


def _float(shape: FloatShape, name: str, given: Assignment) -> Any:
    return concolic_float(given.setdefault(name, 0.0), var(name, Sort.FLOAT))


def _bool(shape: BoolShape, name: str, given: Assignment) -> Any:
    return truth(given.setdefault(name, False), var(name, Sort.BOOL))


def _constant(shape: ConstantShape, name: str, given: Assignment) -> Any:
    return shape.value


def _choice(shape: ChoiceShape, name: str, given: Assignment) -> Any:
    which = given.setdefault(f"{name}?", 0)
    report_choice(f"{name}?", which, len(shape.choices))
    return tracked_input(shape.choices[which], name, given)


def _tuple(shape: TupleShape, name: str, given: Assignment) -> Any:
    return tuple([tracked_input(p, f"{name}[{i}]", given) for i, p in enumerate(shape.parts)])


def _sampled(shape: SampledShape, name: str, given: Assignment) -> Any:
    given.setdefault(name, shape.plainest)
    recording.active().lose_input(name)
    return shape.plain(name, given)


def report_choice(name: str, which: int, count: int) -> None:
    """Which alternative an input takes: a chain of branches `name == 0`, `name == 1`, ..."""
    record = recording.active()
    variable = var(name, Sort.INT)
    record.assume(integers.le(int_const(0), variable))
    record.assume(integers.le(variable, int_const(count - 1)))
    for index in range(count - 1):
        site = record.shape_site(name, index)
        if record.passed(site, integers.eq(variable, int_const(index)), which == index):
            return


def _str(shape: StrShape, name: str, given: Assignment) -> Any:
    return tracked_text(STR, name, given)


def _bytes(shape: BytesShape, name: str, given: Assignment) -> Any:
    return tracked_text(BYTES, name, given)


BUILDERS: dict[type, Callable[[Any, str, Assignment], Any]] = {
    IntShape: _int,
    FloatShape: _float,
    BoolShape: _bool,
    ConstantShape: _constant,
    ChoiceShape: _choice,
    TupleShape: _tuple,
    SampledShape: _sampled,
    StrShape: _str,
    BytesShape: _bytes,
}
