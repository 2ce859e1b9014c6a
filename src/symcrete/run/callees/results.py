"""The unknown result of an abstracted call, and what ties it to a result that was computed.

A result of a shape with terms (numbers, truth values, texts, tuples of such, None or such) can be
unknown. Tying it down gives one condition per variable, `lex#1 == ...`, as LATEST's copy_ret does.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.text import BytesShape, StrShape, spread
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin, same_truth
from symcrete.terms.term import Sort, Term, int_const, var
from symcrete.terms.texts import BYTES, STR, source
from symcrete.values.text.content.contents import InputRoot, Span
from symcrete.values.text.content.marks import At
from symcrete.values.text.content.strings import content_of, kind_of
from symcrete.values.text.meaning.comparison import equal_texts
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, term_of, untracked
from symcrete.values.tracking.truth import Truth, truth_term


class DoesNotFit(Exception):
    """A result that is not of the shape assumed."""


def shape_of_result(annotation: Any, observed: list[Any]) -> tuple[Shape | None, str]:
    """The shape that stands for every result, or why there is none."""
    if annotation is not inspect.Parameter.empty:
        try:
            shape = shape_of(annotation, "the result")
        except UnsupportedInput:
            return None, "returns a type whose values have no terms"
        return (
            (shape, "")
            if _has_terms(shape)
            else (None, "returns a type whose values have no terms")
        )
    if not observed:
        return None, "has no return annotation and was not seen to return"
    kinds = {_kind(value) for value in observed}
    if kinds <= set(_OBSERVED) | {"None"}:
        parts = [_OBSERVED[kind] for kind in sorted(kinds - {"None"})]
        parts += [ConstantShape(None)] * ("None" in kinds)
        return (parts[0] if len(parts) == 1 else ChoiceShape(tuple(parts))), ""
    tuples = [value for value in observed if type(value) is tuple]
    if len(tuples) == len(observed) and len({len(value) for value in tuples}) == 1:
        columns = [
            shape_of_result(inspect.Parameter.empty, list(column))
            for column in zip(*tuples, strict=True)
        ]
        shapes = [shape for shape, _ in columns if shape is not None]
        if len(shapes) == len(columns):
            return TupleShape(tuple(shapes)), ""
    return None, "returns values that have no terms"


_OBSERVED: dict[str, Shape] = {
    "bool": BoolShape(),
    "int": IntShape(),
    "float": FloatShape(),
    "str": StrShape(),
    "bytes": BytesShape(),
}


def _kind(value: Any) -> str:
    kind = type(value)
    if value is None:
        return "None"
    if kind is Truth or kind is bool:
        return "bool"
    if kind is ConcolicInt or kind is int:
        return "int"
    if kind_of(value) is not None:
        return "str" if kind_of(value) is STR else "bytes"
    return "float" if kind in (float, ConcolicFloat) else "other"


def _has_terms(shape: Shape) -> bool:
    if isinstance(shape, TupleShape):
        return all(map(_has_terms, shape.parts))
    if isinstance(shape, ChoiceShape):
        return all(map(_has_terms, shape.choices))
    return type(shape) in TIES


def tie(shape: Shape, name: str, value: Any, given: Assignment) -> list[Term]:
    """Conditions that make the unknown result equal to this one; `given` gets its plain values.

    Raises `DoesNotFit` for a value of another shape.
    """
    found: list[Term] = []
    TIES[type(shape)](shape, name, value, given, found)
    return [term for term in found if not (term.is_const and term.value)]


def _tie_int(shape: IntShape, name: str, value: Any, given: Assignment, found: list[Term]) -> None:
    if type(value) is not int and type(value) is not ConcolicInt:
        raise DoesNotFit  # nor a bool where an int is promised: it prints differently
    given[name] = untracked(value)
    found.append(integers.eq(var(name, Sort.INT), term_of(value)))


def _tie_float(
    shape: FloatShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if type(value) not in (float, ConcolicFloat):
        raise DoesNotFit  # an int where a float is promised computes differently
    given[name] = plain = float(untracked(value))
    mine, other = var(name, Sort.FLOAT), term_of(value)
    same = floats.eq(mine, other)
    if math.isnan(plain) or not other.is_const:
        same = disjoin([same, conjoin([floats.is_nan(mine), floats.is_nan(other)])])
    found.append(same)


def _tie_bool(
    shape: BoolShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    term = truth_term(value)
    if term is None:
        raise DoesNotFit
    given[name] = bool(untracked(value))
    found.append(same_truth(var(name, Sort.BOOL), term))


def _tie_constant(
    shape: ConstantShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if value is shape.value:
        return
    if type(value) is not type(shape.value) or value != shape.value:
        raise DoesNotFit


def _tie_choice(
    shape: ChoiceShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    for which, part in enumerate(shape.choices):
        parts: list[Term] = []
        values: Assignment = {}
        try:
            TIES[type(part)](part, name, value, values, parts)
        except DoesNotFit:
            continue
        given[f"{name}?"] = which
        given.update(values)
        found.append(integers.eq(var(f"{name}?", Sort.INT), int_const(which)))
        found += parts
        return
    raise DoesNotFit


def _tie_tuple(
    shape: TupleShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if type(value) is not tuple or len(value) != len(shape.parts):
        raise DoesNotFit
    for i, (part, each) in enumerate(zip(shape.parts, value, strict=True)):
        TIES[type(part)](part, f"{name}[{i}]", each, given, found)


def _tie_text(
    shape: StrShape | BytesShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    kind = STR if type(shape) is StrShape else BYTES
    if kind_of(value) is not kind:
        raise DoesNotFit
    codes = list(kind.codes(untracked(value)))
    spread(name, codes, given)
    root = InputRoot(source(name, kind), len(codes))
    found.append(equal_texts(Span(root, At(0), root.end), content_of(value)))


# One row per shape that an unknown result can have.
TIES: dict[type, Callable[[Any, str, Any, Assignment, list[Term]], None]] = {
    IntShape: _tie_int,
    FloatShape: _tie_float,
    BoolShape: _tie_bool,
    ConstantShape: _tie_constant,
    ChoiceShape: _tie_choice,
    TupleShape: _tie_tuple,
    StrShape: _tie_text,
    BytesShape: _tie_text,
}
