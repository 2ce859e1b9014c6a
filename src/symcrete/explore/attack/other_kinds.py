"""Calls with values that the declared types allow and the shapes may have left out."""

from __future__ import annotations

import collections
import contextlib
import datetime
import inspect
import itertools
import types
from collections.abc import Iterator
from random import Random
from typing import Any

from symcrete.explore.attack.other_call import Items, Number, OtherCall, Row, Text
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import Progress
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, FloatShape, IntShape, Shape
from symcrete.program.source.target import INNER_TEST
from symcrete.terms.evaluate import Assignment

_MUTABLE = (list, dict, set, bytearray)
_WITHOUT_INDEX = ("Iterable", "Collection", "Container")  # in annotations: a set is one of them
_ABSTRACT = (*_WITHOUT_INDEX, "Sequence", "Reversible")  # a tuple is one of them
_ABSTRACT_SETS = ("abc.Set", "AbstractSet")  # in annotations: a frozenset is one of them
# calls with values of subtypes and with one object for two parameters: those of a dozen inputs of
# two parameters; chosen, not measured
MOST_CALLS = 120
DRAWN = 4  # inputs, where none was kept; chosen, not measured
MOST_CONSTANTS_TRIED = 4  # of the source, for each argument of each input; chosen, not measured
LARGEST_AS_WHOLE = 1e15  # floats below it are tried as ints too; chosen, not measured
NO_DOUBLE = 2**53 + 1  # the least int that is no double
BEYOND_DOUBLES = 10**400  # an int that is larger than every double


def variants(parts: Parts, progress: Progress, most: int = MOST_CALLS) -> Iterator[OtherCall]:
    """Calls made from the inputs that were kept, each with one argument changed; at most so
    many.
    """
    return itertools.islice(_every(parts, progress), most)


def _every(parts: Parts, progress: Progress) -> Iterator[OtherCall]:
    if parts.target.called.endswith(INNER_TEST):
        return  # strategies say exactly which values there are
    for assignment in _assignments(parts, progress):
        for number in itertools.count():
            # A call may change its arguments, so each has its own.
            try:
                values = parts.arguments.plain(assignment)
            except Exception:  # a constructor of the program's own
                break
            found = next(itertools.islice(_of(parts, assignment, values), number, None), None)
            if found is None:
                break
            yield found


def _of(parts: Parts, assignment: Assignment, values: dict[str, Any]) -> Iterator[OtherCall]:
    """The calls that are made from one input."""
    shapes = {each.name: each.shape for each in parts.arguments.parameters}
    for name, value in values.items():
        annotation = _annotation(parts, name)
        for other in (*_of_subtypes(value, parts.pool), *_collections(value, annotation)):
            if _within_bounds(shapes.get(name), other):
                yield OtherCall(assignment, values, name, other)
        if type(value) is list and "Iterable" in annotation:
            yield OtherCall(assignment, values, name, iter(value))
    for one, two in itertools.permutations(values, 2):
        same = type(values[one]) is type(values[two])
        if same and (isinstance(values[one], _MUTABLE) or _is_object(values[one])):
            yield OtherCall(assignment, values, one, values[two], same_as=two)


def _assignments(parts: Parts, progress: Progress) -> list[Assignment]:
    """The inputs that were kept; a few drawn ones where none was, as before a backward proof."""
    kept = [each.trace.assignment for each in progress.kept]
    random = Random(0)
    # The first is plain: all that are drawn may happen to be bools for an int.
    return kept or [{}, *[parts.runner.sample(parts.pool, random) for _ in range(DRAWN)]]


def _annotation(parts: Parts, name: str) -> str:
    found = inspect.signature(parts.runner.function).parameters.get(name)
    return "" if found is None else str(found.annotation)


def _of_subtypes(value: Any, pool: Pool) -> Iterator[Any]:
    """Values that a declared type allows in place of this one: of a subclass, with constants of the
    source too, or of a type it accepts.
    """
    kind = type(value)
    if kind is int:
        yield from (True, False, Number(value))
        for each in pool.integers[:MOST_CONSTANTS_TRIED]:
            yield from (Number(each), Number(each - 1), Number(each + 1))
    elif kind is float:
        yield int(value) if value == value and abs(value) < LARGEST_AS_WHOLE else 0
        yield from (NO_DOUBLE, BEYOND_DOUBLES)
    elif kind is complex:
        yield from (value.real, int(value.real) if abs(value.real) < LARGEST_AS_WHOLE else 0)
    elif kind is str:
        yield Text(value)
    elif kind is bytes:
        yield bytearray(value)
    elif kind is tuple:
        yield Row(value)
    elif kind is list:
        yield Items(value)
        if value:
            yield [value[0]] * 2
    elif kind is dict:
        yield from (collections.defaultdict(int, value), collections.OrderedDict(value))
    elif kind is datetime.date:
        yield datetime.datetime.combine(value, datetime.time(5))  # some hour
    elif kind is datetime.datetime or kind is datetime.time:
        yield value.replace(tzinfo=datetime.UTC)


def _collections(value: Any, annotation: str) -> Iterator[Any]:
    """Collections that an abstract type allows in place of a list, dict or set."""
    if type(value) is dict and "Mapping" in annotation.replace("MutableMapping", ""):
        yield types.MappingProxyType(value)
    if type(value) is set and any(each in annotation for each in _ABSTRACT_SETS):
        yield frozenset(value)
    if type(value) is not list:
        return
    if any(each in annotation for each in _ABSTRACT):
        yield tuple(value)
        yield collections.deque(value)
        if "[int]" in annotation and all(type(each) is int for each in value):
            yield range(len(value))
        if "[str]" in annotation and all(type(each) is str for each in value):
            yield "".join(value)  # a text is a sequence of texts
    if any(each in annotation for each in _WITHOUT_INDEX):
        with contextlib.suppress(TypeError):  # elements that cannot be in a set
            yield set(value)


def _within_bounds(shape: Shape | None, value: Any) -> bool:
    """Whether a value heeds the bounds that an annotation adds to its type."""
    match shape:
        case ChoiceShape():
            return any(_within_bounds(each, value) for each in shape.choices)
        case SharedShape():
            return _within_bounds(shape.own, value)
        case ConstantShape():
            return type(shape.value) is type(value) and bool(shape.value == value)
        case IntShape() | FloatShape() if isinstance(value, int | float):
            return shape.allows(value)  # type: ignore[arg-type]
        case SequenceShape() if isinstance(value, list):
            return shape.least <= len(value) and (shape.most is None or len(value) <= shape.most)
    # What other shapes allow is not known here: all is tried but numbers made of constants of the
    # source.
    return type(value) is not Number


def _is_object(value: Any) -> bool:
    return type(value).__module__ != "builtins" and hasattr(value, "__dict__")
