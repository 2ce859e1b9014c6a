"""The inputs of an entry point as terms: one variant for each way to resolve the choices of their
types."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from typing import TypeAlias

from symcrete.backward.transfer import Value
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.slotted import dataclass
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term, const, int_const, var

Aside: TypeAlias = Callable[[], AbstractContextManager[None]]  # see `Runner.aside`
# combinations of kinds of arguments, each of which is solved by itself; chosen, not measured
MOST_VARIANTS = 12
_SCALARS: dict[type, Sort] = {IntShape: Sort.INT, FloatShape: Sort.FLOAT, BoolShape: Sort.BOOL}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to resolve the choices: the value of each parameter, the variables that choose it,
    plain values.
    """

    values: dict[str, Value]
    chosen: Assignment
    near: Assignment  # a first value for each variable
    objects: dict[str, Shape]  # inputs without terms, which can only be drawn
    facts: tuple[Term, ...] = ()  # bounds that a type declares


@dataclass(slots=True)
class _Part:
    value: Value
    chosen: Assignment = field(default_factory=dict)
    near: Assignment = field(default_factory=dict)
    objects: dict[str, Shape] = field(default_factory=dict)
    facts: tuple[Term, ...] = ()


def variants(arguments: Arguments, aside: Aside = nullcontext) -> list[Variant]:
    """The variants of an entry point's inputs, at most MOST_VARIANTS; beyond, some choices are
    left without terms.

    Building the plainest objects may call code of the program, which is done within `aside`.
    """
    names = [parameter.name for parameter in arguments.parameters]
    ways = [list(_parts(p.shape, p.name, aside)) for p in arguments.parameters]
    count = 1
    for place, parts in enumerate(ways):
        if count * len(parts) > MOST_VARIANTS:
            shape = arguments.parameters[place].shape
            ways[place] = [_object(shape, names[place], aside)]
        count *= len(ways[place])
    found = []
    for picked in itertools.product(*ways):
        parts = list(picked)
        chosen = {name: value for part in parts for name, value in part.chosen.items()}
        near = {name: value for part in parts for name, value in part.near.items()}
        values = {name: part.value for name, part in zip(names, parts, strict=True)}
        objects = {name: shape for part in parts for name, shape in part.objects.items()}
        facts = tuple([fact for part in parts for fact in part.facts])
        found.append(Variant(values, chosen, near, objects, facts))
    return found


def sort_of(shape: Shape) -> Sort:
    """The sort that a parameter of this shape surely has; OBJECT for any but numbers."""
    return _SCALARS.get(type(shape), Sort.OBJECT)


def _parts(shape: Shape, name: str, aside: Aside) -> Iterator[_Part]:
    sort = _SCALARS.get(type(shape))
    if sort is not None:
        variable = var(name, sort)
        yield _Part(variable, near={name: shape.plain(name, {})}, facts=_facts(shape, variable))
    elif isinstance(shape, ConstantShape):
        yield _Part(const(shape.value))
    elif isinstance(shape, ChoiceShape):
        for which, choice in enumerate(shape.choices):
            for part in _parts(choice, name, aside):
                part.chosen[name + shape.which] = which
                yield part
    elif isinstance(shape, TupleShape):
        ways = [list(_parts(part, f"{name}[{i}]", aside)) for i, part in enumerate(shape.parts)]
        if math.prod(len(each) for each in ways) > MOST_VARIANTS:
            yield _object(shape, name, aside)
            return
        for parts in itertools.product(*ways):
            yield _Part(
                tuple([part.value for part in parts]),
                {key: value for part in parts for key, value in part.chosen.items()},
                {key: value for part in parts for key, value in part.near.items()},
                {key: shape for part in parts for key, shape in part.objects.items()},
                tuple([fact for part in parts for fact in part.facts]),
            )
    else:
        yield _object(shape, name, aside)


def _facts(shape: Shape, variable: Term) -> tuple[Term, ...]:
    found: list[Term] = []
    if isinstance(shape, IntShape):
        if shape.low is not None:
            found.append(integers.le(int_const(shape.low), variable))
        if shape.high is not None:
            found.append(integers.le(variable, int_const(shape.high)))
        if shape.multiple != 1:
            rest = integers.mod(variable, int_const(shape.multiple))
            found.append(integers.eq(rest, int_const(0)))
    return tuple(found)


def _object(shape: Shape, name: str, aside: Aside) -> _Part:
    try:
        with aside():
            plainest = shape.plain(name, {})
    except Exception:  # a constructor that refuses its plainest arguments: only draws can tell
        plainest = None
    return _Part(var(name, Sort.OBJECT), near={name: plainest}, objects={name: shape})
