"""Build the inputs of a concolic run: the value of a shape with a term for each variable.

One row per shape, listed by the vocabulary. Choices a shape leaves open are reported as the first
branches of the path, so that search flips them like any other.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from symcrete.errors import NotAnInput
from symcrete.inputs.draw.text import ByteArrayShape, BytesShape, StrShape, TextShape
from symcrete.inputs.shapes.library import PatternShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
)
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term, const, int_const, var
from symcrete.terms.texts import BYTES, STR, Kind, length_name
from symcrete.values.text.content.text_input import tracked_text
from symcrete.values.text.methods.bytearrays import made_array
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import concolic_float, concolic_int, untracked
from symcrete.values.tracking.truth import truth

LARGEST_INT_OF_A_FLOAT = int(sys.float_info.max)  # the largest int that becomes a finite float
# How the value of a shape is built: (shape, name of its variables, what they are) -> value.
Builder: TypeAlias = Callable[[Any, str, Assignment], Any]
_builders: dict[type, Builder] = {}


def tracked_input(shape: Shape, name: str, given: Assignment) -> Any:
    """The value of a shape with a term for each variable; a variable that `given` lacks gets its
    plainest value there.
    """
    return _builders[type(shape)](shape, name, given)


def use_builders(rows: Mapping[type, Builder]) -> None:
    """From now on `tracked_input` builds the shapes of these rows, and no others."""
    _builders.clear()
    _builders.update(rows)


def _int(shape: IntShape, name: str, given: Assignment) -> Any:
    value = given.get(name)
    # Another alternative of the type may have left a value of its own kind in the variable.
    if value is None or value.__class__ is float:
        value = given[name] = shape.plainest if value is None else _whole(value, shape.plainest)
    elif value.__class__ is bool:
        value = given[name] = int(value)
    term = var(name, Sort.INT)
    if shape.low is not None or shape.high is not None or shape.multiple != 1:
        record = recording.active()
        if shape.low is not None:
            record.assume(integers.le(int_const(shape.low), term))
        if shape.high is not None:
            record.assume(integers.le(term, int_const(shape.high)))
        if shape.multiple != 1:
            rest = integers.mod(term, int_const(shape.multiple))
            record.assume(integers.eq(rest, int_const(0)))
        if not shape.allows(value):  # left by another alternative of the type
            value = given[name] = shape.plainest
        require(shape.allows(value))
    return concolic_int(value, term)


def _whole(value: float, plainest: int) -> int:
    """A float without its fraction; `plainest` for infinities and NaN. Alternatives of a type such
    as `int | float` share one variable, so that an int may be given as a float.
    """
    return int(value) if math.isfinite(value) else plainest


def _float(shape: FloatShape, name: str, given: Assignment) -> Any:
    value, term = given.setdefault(name, shape.plainest), var(name, Sort.FLOAT)
    # An int that another alternative of the type left in the variable may be too large.
    if value.__class__ is int and abs(value) > LARGEST_INT_OF_A_FLOAT:
        value = given[name] = shape.plainest
    if shape.bounded:
        for condition in _float_bounds(shape, term):
            recording.active().assume(condition)
        if not shape.allows(value):  # left by another alternative of the type
            value = given[name] = shape.plainest
        require(shape.allows(value))
    return concolic_float(value, term)


def _float_bounds(shape: FloatShape, term: Term) -> Iterator[Term]:
    if shape.low is not None:
        yield (floats.lt if shape.low_open else floats.le)(const(shape.low), term)
    if shape.high is not None:
        yield (floats.lt if shape.high_open else floats.le)(term, const(shape.high))
    if shape.multiple is not None:
        yield floats.eq(floats.mod(term, const(shape.multiple)), const(0.0))


def require(holds: bool) -> None:
    """Raise NotAnInput unless this promise of the type holds."""
    if not holds:
        raise NotAnInput


def _bool(shape: BoolShape, name: str, given: Assignment) -> Any:
    value = given.setdefault(name, False)
    if value.__class__ is not bool:  # a number, left by another alternative of the type
        value = given[name] = bool(value)
    return truth(value, var(name, Sort.BOOL))


def _constant(shape: ConstantShape, name: str, given: Assignment) -> Any:
    return shape.value


def _choice(shape: ChoiceShape, name: str, given: Assignment) -> Any:
    variable = name + shape.which
    which = given.setdefault(variable, 0)
    if not 0 <= which < len(shape.choices):  # a random change may have set it to any number
        which = given[variable] = 0
    report_choice(variable, which, len(shape.choices))
    return tracked_input(shape.choices[which], name, given)


def _tuple(shape: TupleShape, name: str, given: Assignment) -> Any:
    values = [tracked_input(part, where, given) for part, where in shape.parts_of(name)]
    return tuple(values) if shape.kind is None else shape.kind(*values)


def _sampled(shape: SampledShape, name: str, given: Assignment) -> Any:
    given.setdefault(name, shape.plainest)
    recording.active().lose_input(name)
    return shape.plain(name, given)


def counted(variable: str, most: int, given: Assignment) -> Iterator[int]:
    """The indices 0, 1, ... below an int variable, each a branch; inputs with more than `most` are
    not asked for.
    """
    count, term = given.setdefault(variable, 0), var(variable, Sort.INT)
    record = recording.active()
    record.assume(integers.le(int_const(0), term))
    record.bound(integers.le(term, int_const(most)))
    return steps_below(variable, count, term)


def steps_below(variable: str, count: int, term: Term) -> Iterator[int]:
    """The indices 0, 1, ... below `count`, whose term is `term`; whether there is another one is a
    branch.
    """
    record = recording.active()
    site = record.shape_site(variable, 0)
    index = 0
    while record.passed(site, integers.lt(int_const(index), term), index < count):
        yield index
        index += 1


def report_choice(name: str, which: int, count: int) -> None:
    """Report which of `count` alternatives an input takes, as a chain of branches `name == 0`,
    `name == 1`, ...; raises NotAnInput if `which` is none of them.
    """
    record = recording.active()
    variable = var(name, Sort.INT)
    record.assume(integers.le(int_const(0), variable))
    record.assume(integers.le(variable, int_const(count - 1)))
    require(0 <= which < count)
    for index in range(count - 1):
        site = record.shape_site(name, index)
        if record.passed(site, integers.eq(variable, int_const(index)), which == index):
            return


def _bounded_text(kind: Kind, shape: TextShape, name: str, given: Assignment) -> Any:
    if not isinstance(given.get(name), str | bytes | bytearray):
        given.setdefault(length_name(name), shape.least)
    made = tracked_text(kind, name, given)
    record, length = recording.active(), var(length_name(name), Sort.INT)
    if shape.least:
        record.assume(integers.le(int_const(shape.least), length))
    if shape.most is not None:
        record.assume(integers.le(length, int_const(shape.most)))
    count = len(untracked(made))
    require(shape.least <= count and (shape.most is None or count <= shape.most))
    return made


def _str(shape: StrShape, name: str, given: Assignment) -> Any:
    return _bounded_text(STR, shape, name, given)


def _bytes(shape: BytesShape, name: str, given: Assignment) -> Any:
    return _bounded_text(BYTES, shape, name, given)


def _bytearray(shape: ByteArrayShape, name: str, given: Assignment) -> Any:
    blob = _bounded_text(BYTES, shape, name, given)
    return made_array(untracked(blob), blob.content)


BUILDERS: dict[type, Builder] = {
    IntShape: _int,
    FloatShape: _float,
    BoolShape: _bool,
    ConstantShape: _constant,
    PatternShape: _constant,
    ChoiceShape: _choice,
    TupleShape: _tuple,
    SampledShape: _sampled,
    StrShape: _str,
    BytesShape: _bytes,
    ByteArrayShape: _bytearray,
}
