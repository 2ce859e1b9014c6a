"""Two parameters may be the same object.

Where a function changes what it is given, or asks `is`, a parameter of a mutable type may also be
the very object that an earlier parameter of the same type is. That is one more choice, and offered
only where it can matter.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape
from symcrete.inputs.shapes.objects import InstanceShape
from symcrete.inputs.shapes.shape import Shape, Written, write
from symcrete.terms.evaluate import Assignment

if TYPE_CHECKING:
    from symcrete.inputs.shapes.arguments import Parameter


@dataclass(frozen=True, slots=True)
class AliasedShape:
    """A value of its own, or the object that an earlier parameter is: `name?` says which."""

    own: Shape
    others: tuple[str, ...]  # the earlier parameters it may be
    decides: ClassVar[bool] = True

    def other(self, name: str, given: Assignment) -> str | None:
        which = given.get(f"{name}?", 0)
        return self.others[which - 1] if which else None

    def plain(self, name: str, given: Assignment) -> Any:
        return self.own.plain(self.other(name, given) or name, given)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        given[f"{name}?"] = random.choice((0, 0, 0, 0, *range(1, len(self.others) + 1)))
        self.own.sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        other = self.other(name, given)
        return Written(shared_name(other)) if other else write(self.own, name, given)


@dataclass(frozen=True, slots=True)
class SharedShape:
    """A parameter that later ones may be: its text gives the object a name when they are."""

    own: Shape
    sharers: tuple[str, ...]
    number: int  # what `name?` of a sharer says when it is this object

    @property
    def decides(self) -> bool:
        return bool(getattr(self.own, "decides", False))

    def plain(self, name: str, given: Assignment) -> Any:
        return self.own.plain(name, given)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        self.own.sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        made = write(self.own, name, given)
        if not any(given.get(f"{each}?", 0) == self.number for each in self.sharers):
            return made
        return Written(f"({shared_name(name)} := {made.text})", made.imports)


def shared_name(name: str) -> str:
    return f"same_{name}"


def with_aliases(
    parameters: list[Parameter], function: Callable[..., Any]
) -> tuple[Parameter, ...]:
    """The parameters, those that may be one object made to say so."""
    groups: dict[Any, list[int]] = {}
    for index, parameter in enumerate(parameters):
        key = _mutable(parameter.shape)
        if key is not None and not parameter.spread:
            groups.setdefault(key, []).append(index)
    shared = [group for group in groups.values() if len(group) > 1]
    if not shared or not _can_tell(function):
        return tuple(parameters)
    for group in shared:
        first, *rest = group
        names = tuple([parameters[index].name for index in rest])
        origin = parameters[first]
        parameters[first] = dataclasses.replace(origin, shape=SharedShape(origin.shape, names, 1))
        for index in rest:
            own = parameters[index]
            parameters[index] = dataclasses.replace(
                own, shape=AliasedShape(own.shape, (origin.name,))
            )
    return tuple(parameters)


def _mutable(shape: Shape) -> Any:
    """What two shapes have in common whose values may be one object; None for values."""
    if isinstance(shape, InstanceShape):
        return shape.kind
    if isinstance(shape, SequenceShape) and shape.kind is not tuple:
        return shape if shape.kind is list else None
    if isinstance(shape, SetShape) and shape.kind is set:
        return shape
    return shape if isinstance(shape, DictShape) else None


def _can_tell(function: Callable[..., Any]) -> bool:
    """Whether the body changes something, asks `is`, or hands something on."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return True
    for node in ast.walk(tree):
        match node:
            case ast.Is() | ast.IsNot():
                return True
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                return True
            case ast.AugAssign():
                return True
            case ast.Call(func=ast.Attribute()):
                return True
            case _:
                pass
    return False
