"""The arguments of one call: a shape per parameter, in the order of the signature."""

from __future__ import annotations

import contextlib
import functools
import inspect
import typing
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from random import Random
from types import FunctionType
from typing import Any, Literal, TypeAlias

from symcrete.errors import AssumptionFailed, UnsupportedInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.infer.body import is_only_looked_up, keys_looked_up
from symcrete.inputs.infer.flow import constructor_of
from symcrete.inputs.infer.telling import Telling, together, told_by
from symcrete.inputs.shapes import heap
from symcrete.inputs.shapes.aliasing import SharedShape, is_itself_alone, repeated_keys
from symcrete.inputs.shapes.annotations import Reader
from symcrete.inputs.shapes.classes import shape_of_receiver
from symcrete.inputs.shapes.containers import DictShape, SequenceShape
from symcrete.inputs.shapes.fakes import without_constructor
from symcrete.inputs.shapes.hints import hints_of, name_of, names_of
from symcrete.inputs.shapes.inferred import shape_of_parameter
from symcrete.inputs.shapes.objects import BareShape, InstanceShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    Written,
    in_a_call,
    one_of,
    write,
)
from symcrete.inputs.subtypes import is_hashable
from symcrete.slotted import copied, dataclass
from symcrete.terms.evaluate import Assignment

BLANK = "made without its constructor"
Blank: TypeAlias = Literal["", "only", "also"]  # whether `self` is made so
# Gives the shape of a parameter that is known otherwise than by annotation, for its name, its path
# and the reader of annotations; None where nothing is known.
Known: TypeAlias = Callable[[str, str, Reader], Shape | None]
LEVELS_COUNTED = 3  # objects in objects whose alternatives are counted; chosen, not measured
MOST_KEYWORD_NAMES = 6  # names of `**kwargs` that are looked up and tried; chosen, not measured
MOST_OTHER_KEYWORDS = 3  # further names of `**kwargs` that are tried; chosen, not measured
OTHER_KEYWORDS = tuple("abcdefghijklmnopqrstuvwxyz")  # the first that no parameter has are tried
_NUMBERS = (IntShape, FloatShape, BoolShape)  # which have no parts
# in place of a heap, for inputs of which no two parts can be one object
NO_HEAP = contextlib.nullcontext()


@dataclass(frozen=True, slots=True)
class Guesses:
    """What is given where the program does not tell what it takes, or takes nothing that it tells.

    `blank`: whether the object of a method is made without its constructor: not at all, "only" so
    or "also" so; if only so, other objects may be stand-ins. `widely`: whether constructors are
    given as many types as the target itself. `bools`: whether ints may be bools where the program
    makes texts of values. `learned`: further types of parameters without annotation, by name.
    """

    blank: Blank = ""
    widely: bool = False
    bools: bool = False
    learned: Mapping[str, Sequence[Any]] = field(default_factory=dict)


USUAL = Guesses()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a call."""

    name: str
    shape: Shape
    by_keyword: bool
    spread: str = ""  # "*" or "**": the values are passed one by one

    @property
    def label(self) -> str:
        """The name as a call writes it, with its stars."""
        return self.spread + self.name


@dataclass(frozen=True, slots=True)
class Arguments:
    """How a target is called."""

    parameters: tuple[Parameter, ...]
    has_receiver: bool = False  # whether the first one is the object whose method is called
    # Reasons why the inputs tried are not all: types that are guessed or say too little. The parts
    # of classes are looked at when they are first needed, and may add to it.
    open: Mapping[str, None] = field(default_factory=dict)
    objects: bool = False  # whether parts may be one object, or refer to each other
    guesses: Guesses = USUAL

    def plain(self, given: Assignment) -> dict[str, Any]:
        """Each argument without terms, by the name of its parameter."""
        if self.objects:
            with heap.fresh():
                return {p.name: p.shape.plain(p.name, given) for p in self.parameters}
        return {p.name: p.shape.plain(p.name, given) for p in self.parameters}

    def written(self, given: Assignment) -> dict[str, Written]:
        """Each argument as source text, by its label. Raises NoLiteral where one has none."""
        with heap.fresh() if self.objects else NO_HEAP:
            return {p.spread + p.name: write(p.shape, p.name, given) for p in self.parameters}

    def sample(self, pool: Pool, random: Random) -> Assignment:
        """An input drawn at random."""
        given: Assignment = {}
        with heap.fresh() if self.objects else NO_HEAP:
            for parameter in self.parameters:
                with contextlib.suppress(AssumptionFailed):  # what is missing will be plain
                    parameter.shape.sample(parameter.name, pool, random, given)
        return given

    def split(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Values by name as the positional and keyword arguments of a call."""
        for each in self.parameters:
            if each.spread or each.by_keyword:
                return in_a_call([(each, values[each.name]) for each in self.parameters])
        return [values[each.name] for each in self.parameters], {}

    @property
    def alternatives(self) -> int:
        """The number of alternatives of each parameter, and of what constructors take, added up."""
        return sum([_alternatives(each.shape, LEVELS_COUNTED) for each in self.parameters])

    @property
    def keywords(self) -> list[str]:
        """The labels of the parameters that are passed by keyword."""
        return [p.spread + p.name for p in self.parameters if p.by_keyword]


def arguments_of(
    function: Callable[..., Any],
    types: Mapping[str, str],
    where: str,
    *,
    skip: int = 0,
    owner: type | None = None,
    guesses: Guesses = USUAL,
    beside: Sequence[Callable[..., Any]] = (),
    known: Known | None = None,
) -> Arguments:
    """The shapes of a function's parameters; `types` overrides annotations by name.

    `beside`: functions that will be given the same arguments, and may tell more about them.
    `known`: what is known about some parameters otherwise, as `@given` tells.

    The first parameter of a method is an object of its `owner`; that of a class method is bound
    already. Parameters without an annotation follow their default's type and what the body does
    with them; those with a default whose type has no inputs are left out.
    """
    told = together([told_by(_written(each)) for each in (function, *beside)])
    if guesses.bools and told.texts:
        told = copied(told, truths=True)
    shared: frozenset[Hashable] | None = None if told.identity or told.changes else frozenset()
    made = _read(function, types, where, skip, owner, told, shared, guesses, known)
    if shared is None:
        repeated = repeated_keys([parameter.shape for parameter in made.parameters])
        made = _read(function, types, where, skip, owner, told, repeated, guesses, known)
    elif told.equality:
        repeated = repeated_keys([parameter.shape for parameter in made.parameters])
        told_apart = frozenset(filter(is_itself_alone, repeated))
        if told_apart:
            made = _read(function, types, where, skip, owner, told, told_apart, guesses, known)
    _look_at_methods(made)
    return made


def _look_at_methods(arguments: Arguments) -> None:
    """Find out what the methods of given objects take. The first run would need it, too; but that
    has a time limit, and a class of a large package takes long to look at.
    """
    for parameter in arguments.parameters:
        shape = parameter.shape
        for each in shape.choices if isinstance(shape, ChoiceShape) else (shape,):
            if isinstance(each, InstanceShape):
                _ = each.methods


def _read(
    function: Callable[..., Any],
    types: Mapping[str, str],
    where: str,
    skip: int,
    owner: type | None,
    told: Telling,
    shared: frozenset[Hashable] | None,
    guesses: Guesses,
    known: Known | None,
) -> Arguments:
    written = _written(function)
    names: Mapping[str, Any] = getattr(written, "__globals__", {})
    annotations = hints_of(written, names)
    if isinstance(function, type):
        names = names_of(function, names)
        annotations = {**hints_of(function, names), **hints_of(written, names)}
    reader = Reader(names, told, shared, widely=guesses.widely)
    made: list[Parameter] = []
    left_out = False
    by_object = owner is not None
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except ValueError:
        raise UnsupportedInput(f"{where} does not tell what it takes") from None
    for index, parameter in enumerate(parameters):
        name = parameter.name
        found = None if known is None else known(name, f"{where}.{name}", reader)
        if found is not None:
            made.append(_parameter(parameter, found, left_out=left_out))
            continue
        annotation = annotations.get(name, inspect.Parameter.empty)
        if name in types:
            annotation = _given_type(types[name], written, name)
        try:
            if index == 0 and owner is not None and name not in types and guesses.blank == "only":
                shape = _blank(owner, names, reader, f"{where}.{name}")
            elif index == 0 and owner is not None and name not in types:
                shape, by_object = _receiver(owner, written, reader, where)
                if guesses.blank == "also":
                    with contextlib.suppress(UnsupportedInput):
                        others = _blank(owner, names, reader, f"{where}.{name}")
                        shape = one_of([shape, others])
            else:
                shape = shape_of_parameter(
                    written,
                    parameter,
                    annotation,
                    f"{where}.{name}",
                    reader,
                    learned=guesses.learned.get(name, ()),
                )
                if guesses.blank == "only" and holds_objects(shape):
                    others = reader.something(f"{where}.{name}", of=annotation)
                    shape = one_of([others, shape])
        except UnsupportedInput:
            optional = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            if parameter.default is inspect.Parameter.empty and not optional:
                if (index == 0 and owner is not None) or name in types:
                    raise
                shape = reader.something(f"{where}.{name}", of=annotation)
                made.append(_parameter(parameter, shape, left_out=left_out))
                continue
            left_out = True
            reader.leave_open(f"{where}.{name} is always left out: no input of its type is known")
            continue
        keys: list[str] = []
        if parameter.kind is parameter.VAR_KEYWORD:
            keys = _keyword_names(written, name, parameters, reader)
        made.append(_parameter(parameter, shape, left_out=left_out, keys=keys))
    numbers = all(type(each.shape) in _NUMBERS for each in made)
    objects = (told.identity or told.changes or bool(shared)) and not numbers
    return Arguments(tuple(made), by_object, reader.open, objects, guesses)


def _alternatives(shape: Shape, levels: int) -> int:
    """The number of alternatives of a shape, with those of parts of objects some levels down."""
    choices = shape.choices if isinstance(shape, ChoiceShape) else (shape,)
    own = [each.own if isinstance(each, SharedShape) else each for each in choices]
    objects = [each for each in own if isinstance(each, InstanceShape)] if levels else []
    parts = [part.shape for each in objects for part in each.parts]
    return len(choices) + sum([_alternatives(each, levels - 1) for each in parts])


def holds_objects(shape: Shape) -> bool:
    """Whether a value may be an object that a constructor has to make."""
    choices = shape.choices if isinstance(shape, ChoiceShape) else (shape,)
    own = [each.own if isinstance(each, SharedShape) else each for each in choices]
    return any(isinstance(each, InstanceShape) for each in own)


def _written(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function whose body is read: of a partial the one inside it, of a class its
    `__post_init__` or else its constructor.
    """
    if isinstance(function, functools.partial):
        return function.func
    if isinstance(function, type):
        ready = getattr(function, "__post_init__", None)
        found = ready if isinstance(ready, FunctionType) else constructor_of(function)
        return found or function
    return function


def _parameter(
    parameter: inspect.Parameter, shape: Shape, *, left_out: bool, keys: Sequence[str] = ()
) -> Parameter:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return Parameter(parameter.name, SequenceShape(shape, tuple), False, "*")
    if parameter.kind is parameter.VAR_KEYWORD:
        names = ChoiceShape(tuple([ConstantShape(key) for key in keys]))
        return Parameter(parameter.name, DictShape(names, shape), False, "**")
    by_keyword = parameter.kind is parameter.KEYWORD_ONLY
    could = parameter.kind is not parameter.POSITIONAL_ONLY
    return Parameter(parameter.name, shape, by_keyword or (left_out and could))


def _keyword_names(
    function: Callable[..., Any], name: str, others: Sequence[inspect.Parameter], reader: Reader
) -> list[str]:
    """The names tried for `**kwargs`: those that the body looks up, and some more where it does
    more than that; then it is left open what further names would do.
    """
    taken = [
        each.name for each in others if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    looked_up = [key for key in keys_looked_up(function, name) if key not in taken]
    whole = is_only_looked_up(function, name) and len(looked_up) <= MOST_KEYWORD_NAMES
    if whole and looked_up:
        return looked_up
    if not whole:
        reader.leave_open(f"`**{name}` may have keywords of any name")
    more = [each for each in OTHER_KEYWORDS if each not in (*taken, *looked_up)]
    return looked_up[:MOST_KEYWORD_NAMES] + more[:MOST_OTHER_KEYWORDS]


def _receiver(
    owner: type, function: Callable[..., Any], reader: Reader, where: str
) -> tuple[Shape, bool]:
    """The shape of the `self` of a method, and whether the method that such an object has is this
    one, and no other that overrides it.
    """
    if function.__name__ == "__init__":
        return BareShape(owner), True
    if not is_hashable(owner):
        raise UnsupportedInput(f"the metaclass of {owner.__name__} takes the hash from its classes")
    return shape_of_receiver(owner, function.__name__, f"{where}.self", reader)


def _blank(owner: type, names: Mapping[str, Any], reader: Reader, where: str) -> Shape:
    """The `self` of a method as an object that no constructor has made."""
    made = without_constructor(owner, name_of(owner, names), reader)
    reader.leave_open(f"{where} is {BLANK}")
    return made


def _given_type(text: str, function: Callable[..., Any], name: str) -> Any:
    namespace = {**vars(typing), **getattr(function, "__globals__", {})}
    try:
        return eval(text, namespace)
    except Exception as error:
        raise UnsupportedInput(f"--types {name}: {text!r} is not a type: {error}") from None
