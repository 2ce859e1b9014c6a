"""The unknown result of an abstracted call, and what ties it to a result that was computed.

A result of a shape with terms (numbers, truth values, texts, tuples, NamedTuples, dataclasses and
lists of such, None or such) can be unknown. Tying it down gives one condition per variable,
`lex#1 == ...`, as LATEST's copy_ret does.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.text import BytesShape, StrShape, spread
from symcrete.inputs.shapes.annotations import shape_of
from symcrete.inputs.shapes.containers import SequenceShape, length_name
from symcrete.inputs.shapes.objects import DefaultShape, InstanceShape, PerhapsShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
    one_of,
)
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import conjoin, disjoin, same_truth
from symcrete.terms.term import Sort, Term, int_const, var
from symcrete.terms.texts import BYTES, STR, source
from symcrete.values.containers.lists import ConcolicList
from symcrete.values.text.content.contents import InputRoot, Span
from symcrete.values.text.content.marks import At
from symcrete.values.text.content.strings import content_of, kind_of
from symcrete.values.text.meaning.comparison import equal_texts
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, term_of, untracked
from symcrete.values.tracking.truth import Truth, truth_term

UNSEEN = "was not seen to return"


class DoesNotFit(Exception):
    """A result that is not of the shape assumed."""


def shape_of_result(annotation: Any, observed: list[Any]) -> tuple[Shape | None, str]:
    """The shape that stands for every result, or why there is none."""
    if annotation is not inspect.Parameter.empty:
        try:
            shape = _as_result(shape_of(annotation, "the result"))
        except UnsupportedInput:
            return None, "returns a type whose values have no terms"
        return (
            (shape, "")
            if _has_terms(shape)
            else (None, "returns a type whose values have no terms")
        )
    if not observed:
        return None, f"has no return annotation and {UNSEEN}"
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


def _as_result(shape: Shape) -> Shape:
    """The shape with the objects of plain dataclasses in it given by their fields alone: no method
    is called on an unknown result.
    """
    match shape:
        case TupleShape(parts=parts):
            return dataclasses.replace(shape, parts=tuple(map(_as_result, parts)))
        case ChoiceShape(choices=choices):
            return dataclasses.replace(shape, choices=tuple(map(_as_result, choices)))
        case SequenceShape(element=element):
            return dataclasses.replace(shape, element=_as_result(element))
        case DefaultShape(shape=other):
            return _as_result(other)
        case PerhapsShape(shape=other, back=None):
            return one_of([ConstantShape(None), _as_result(other)])
        case InstanceShape() if _is_plain_dataclass(shape):
            parts_of = tuple(
                [dataclasses.replace(part, shape=_as_result(part.shape)) for part in shape.parts]
            )
            return InstanceShape(shape.kind, lambda: parts_of)
    return shape


def _is_plain_dataclass(shape: InstanceShape) -> bool:
    """Whether objects of the class are what their constructor is given, and nothing more."""
    kind = shape.kind
    if not dataclasses.is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return False
    fields = dataclasses.fields(kind)
    made = getattr(kind.__init__, "__qualname__", "") == f"{kind.__qualname__}.__init__"
    plain = kind.__new__ is object.__new__ and all(each.init for each in fields)
    # An __init__ that somebody wrote is in the module's file, a generated one in none.
    generated = kind.__init__.__code__.co_filename == "<string>" if made else False
    return plain and generated and shape.part_names == tuple([each.name for each in fields])


def holds_objects(shape: Shape) -> bool:
    """Whether a result of the shape has an identity: the real one may be known elsewhere too."""
    match shape:
        case TupleShape(parts=parts) | ChoiceShape(choices=parts):
            return any(map(holds_objects, parts))
    return isinstance(shape, InstanceShape | SequenceShape)


def _has_terms(shape: Shape) -> bool:
    if isinstance(shape, TupleShape):
        return all(map(_has_terms, shape.parts))
    if isinstance(shape, InstanceShape):
        plain = _is_plain_dataclass(shape) and not shape.methods
        return plain and all(_has_terms(part.shape) for part in shape.parts)
    if isinstance(shape, SequenceShape):
        return shape.kind is list and _has_terms(shape.element)
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
        given[name + shape.which] = which
        given.update(values)
        found.append(integers.eq(var(name + shape.which, Sort.INT), int_const(which)))
        found += parts
        return
    raise DoesNotFit


def _tie_tuple(
    shape: TupleShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if type(value) is not (shape.kind or tuple) or len(value) != len(shape.parts):
        raise DoesNotFit
    for (part, where), each in zip(shape.parts_of(name), value, strict=True):
        TIES[type(part)](part, where, each, given, found)


def _tie_instance(
    shape: InstanceShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if type(value) is not shape.kind:
        raise DoesNotFit
    for part in shape.parts:
        held = object.__getattribute__(value, part.name)
        TIES[type(part.shape)](part.shape, f"{name}.{part.name}", held, given, found)


def _tie_list(
    shape: SequenceShape, name: str, value: Any, given: Assignment, found: list[Term]
) -> None:
    if type(value) is ConcolicList and value.length is None:
        value = list(list.__iter__(value))
    if type(value) is not list:
        raise DoesNotFit  # also a list whose length is a term: the tie would fix one length
    variable = length_name(name)
    given[variable] = len(value)
    found.append(integers.eq(var(variable, Sort.INT), int_const(len(value))))
    for i, each in enumerate(value):
        TIES[type(shape.element)](shape.element, f"{name}[{i}]", each, given, found)


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
    InstanceShape: _tie_instance,
    SequenceShape: _tie_list,
    StrShape: _tie_text,
    BytesShape: _tie_text,
}
