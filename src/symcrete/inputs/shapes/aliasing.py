"""Two parts of an input may be the same object.

Where a program changes what it is given, or asks `is`, a part of a mutable type may also be the
very object that an earlier part of the same type is: another parameter, another row, a field.
Whether it is, is a branch; it is offered only where the program could notice.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from random import Random
from typing import Any, ClassVar

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes import heap
from symcrete.inputs.shapes.containers import DictShape, SequenceShape
from symcrete.inputs.shapes.objects import DefaultShape, InstanceShape, PerhapsShape, RecordShape
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    LaterShape,
    Shape,
    TupleShape,
    Written,
    which_of,
    write,
)
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# the share of draws in which a part is an object made before, where it may be; chosen, not measured
SAME_DRAWN = 0.2


@dataclass(frozen=True, slots=True)
class SharedShape:
    """A part that may be the same object as an earlier part with the same key.

    The variable `b is a` says so; the first of them that holds counts.
    """

    own: Shape
    key: Hashable
    decides: ClassVar[bool] = True

    @property
    def which(self) -> str:
        return which_of(self.own)

    def other(self, name: str, given: Assignment, made: heap.Heap) -> str | None:
        """The name of the earlier object that the part is; None if it is an object of its own."""
        for other in made.candidates(self.key):
            if other != name and given.get(heap.same_name(name, other), False):
                return other
        return None

    def plain(self, name: str, given: Assignment) -> Any:
        made = heap.current()
        if made is None:
            return self.own.plain(name, given)
        earlier = made.earlier(self.key)
        if name in earlier:
            return earlier[name]
        other = self.other(name, given, made)
        if other is not None:
            return earlier[other]
        value = self.own.plain(name, given)
        earlier[name] = value
        return value

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        made = heap.current()
        others = [] if made is None else made.candidates(self.key)
        if others and random.random() < SAME_DRAWN:
            given[heap.same_name(name, random.choice(others))] = True
            return
        self.own.sample(name, pool, random, given)
        if made is not None:
            made.earlier(self.key)[name] = None

    def write(self, name: str, given: Assignment) -> Written:
        made = heap.current()
        if made is None:
            return write(self.own, name, given)
        other = self.other(name, given, made)
        if other is not None:
            return Written(heap.shared_name(other))
        text = write(self.own, name, given)
        made.earlier(self.key)[name] = None
        ending = heap.same_name("", name)
        if not any(value and each.endswith(ending) for each, value in given.items()):
            return text
        short = heap.shared_name(name)
        if text.text.startswith(f"({short} := "):
            return text  # it has a name already
        return Written(f"({short} := {text.text})", text.imports)


def is_itself_alone(key: Any) -> bool:
    """Whether a key is a class whose objects are equal to none but themselves."""
    own: Any = key.__eq__
    return isinstance(key, type) and own is object.__eq__


def repeated_keys(shapes: Iterable[Shape]) -> frozenset[Hashable]:
    """The keys of the mutable parts of which an input may have more than one, and the classes."""
    counts: dict[Hashable, int] = {}
    met: dict[int, int] = {}
    for shape in shapes:
        _count(shape, 1, counts, met)
    return frozenset([key for key, count in counts.items() if count > 1])


def _count(shape: Shape, times: int, counts: dict[Hashable, int], met: dict[int, int]) -> None:
    """Add to `counts` how often each shared part may occur; `times` is 2 where there may be many.
    `met`: how often each shape and each class was met. One met twice is not entered again: its
    parts are counted, and classes that hold each other have too many ways through them.
    """
    place = id(shape.kind) if isinstance(shape, InstanceShape) else id(shape)
    if met.get(place, 0) > 1:
        return
    met[place] = met.get(place, 0) + times
    match shape:
        case SharedShape(own=own, key=key):
            if not isinstance(own, InstanceShape):  # whose class is its key
                counts[key] = counts.get(key, 0) + times
            inner: Iterable[Shape] = (own,)
        case SequenceShape(element=one) | DictShape(value=one):
            inner, times = (one,), 2
        case ChoiceShape(choices=several) | TupleShape(parts=several):
            inner = several
        case RecordShape(parts=fields):
            inner = [each for _, each, _ in fields]
        case PerhapsShape(shape=one) | DefaultShape(shape=one):
            inner = (one,)
        case LaterShape():
            inner, times = (shape.shape,), 2
        case InstanceShape():
            counts[shape.kind] = counts.get(shape.kind, 0) + times
            inner = [part.shape for part in shape.parts]
        case _:
            inner = ()
    for each in inner:
        _count(each, times, counts, met)
