"""Objects: what their constructor takes, and a few calls of methods that change their state.

A branch may ask for a state that no constructor call gives; then the state has to be reached
through the public methods (the object-creation problem). How many calls, which methods and with
which arguments are variables like any other, decided before the program starts.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import StrShape, spread
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes import heap
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape, length_name
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    Written,
    around,
    decides,
    depth_of,
    import_of,
    in_a_call,
    joined,
    one_of,
    which_of,
    write,
)
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# methods called on an object after its constructor: each is a branch of every path; chosen, not
# measured
MOST_METHOD_CALLS = 4
# objects inside objects that a draw makes where None will do; chosen, not measured
DEEPEST_OBJECTS = 4
# the share of parts drawn as None that refer back to an object around them instead, where they may;
# chosen, not measured
BACK_DRAWN = 0.3
ONE_METHOD_DRAWN = 0.4  # share of draws whose calls are all of one method; chosen, not measured
# the share of draws that leave out an argument with a default: what a class is usually made with;
# chosen, not measured
DEFAULT_DRAWN = 0.7
CALLS_DRAWN = (0, 0, 0, 1, 2, 3, MOST_METHOD_CALLS)  # calls after the constructor; chosen
OBJECT_DRAWN = 0.45  # share of draws that are an object where None will do; chosen, not measured
OPTIONAL_KEY_DRAWN = 0.6  # share of draws that have a key which may be missing; chosen


@dataclass(frozen=True, slots=True)
class Part:
    """One argument of a call, or one field."""

    name: str
    shape: Shape
    by_keyword: bool = False
    spread: str = ""  # "*" or "**": the value is unpacked into the call


class DefaultShape:
    """An argument that may be left out: variables that an assignment does not give have the values
    that mean its default.
    """

    def __init__(self, shape: Shape, default: Any) -> None:
        """Raises NoLiteral where no variables of the shape mean the default."""
        self.shape = shape
        self._default = default
        self._known: dict[str, Assignment] = {"": meaning(shape, default, "")}

    @property
    def decides(self) -> bool:
        return decides(self.shape)

    @property
    def which(self) -> str:
        return which_of(self.shape)

    def default(self, name: str) -> Assignment:
        """The variables that mean the default, for an argument at this path."""
        if name not in self._known:
            self._known[name] = meaning(self.shape, self._default, name)
        return self._known[name]

    def is_left_out(self, name: str, given: Assignment) -> bool:
        """Whether the value is the default, so that a call need not mention it."""
        meant = self.default(name)
        return all(repr(given.get(each, value)) == repr(value) for each, value in meant.items())

    def plain(self, name: str, given: Assignment) -> Any:
        return self.shape.plain(name, {**self.default(name), **given})

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if random.random() < DEFAULT_DRAWN:
            given.update(self.default(name))
        else:
            self.shape.sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        return write(self.shape, name, {**self.default(name), **given})


def meaning(shape: Shape, value: Any, name: str) -> Assignment:
    """The assignment for which an input of this shape, at the path `name`, is the value. Raises
    NoLiteral where none is known.
    """
    given: Assignment = {}
    match shape:
        case ChoiceShape(choices=choices):
            for number, each in enumerate(choices):
                with contextlib.suppress(NoLiteral):
                    return {name + shape.which: number, **meaning(each, value, name)}
        case PerhapsShape(back=None) if value is None:  # else a variable of others may refer back
            return {name + shape.which: 0}
        case ConstantShape(value=same) if type(value) is type(same) and value == same:
            return given
        case IntShape() if type(value) is int and shape.allows(value):
            return {name: value}
        case BoolShape() if type(value) is bool:
            return {name: value}
        case FloatShape() if type(value) in (int, float) and shape.allows(float(value)):
            return {name: float(value)}
        case StrShape() if type(value) is str:
            spread(name, [ord(char) for char in value], given)
            return given
        case SequenceShape(kind=kind) | SetShape(kind=kind) | DictShape(kind=kind):
            if type(value) is kind and not value and shape.least == 0:
                return {length_name(name): 0}
        case _:
            pass
    raise NoLiteral(f"{value!r} is not described by a {type(shape).__name__}")


def defaulted(shape: Shape, default: Any) -> Shape:
    """The shape of an argument with a default; just `shape` if no assignment means the default."""
    # A declared sequence is made as a list, so that the default `()` is an alternative of its own.
    empty = type(default) is tuple and not default
    tried = [shape, one_of([shape, ConstantShape(default)])] if empty else [shape]
    for each in tried:
        with contextlib.suppress(NoLiteral):
            return DefaultShape(each, default)
    return shape


@dataclass(frozen=True, slots=True)
class Method:
    """A public method that changes the object, or a property that does so when it is read or
    set.
    """

    name: str
    parts: tuple[Part, ...]
    is_setter: bool = False
    is_read: bool = False

    def apply(self, made: Any, values: list[tuple[Part, Any]]) -> None:
        """Call the method of an object with these arguments, or set or read the property."""
        if self.is_read:
            getattr(made, self.name)
        elif self.is_setter:
            setattr(made, self.name, values[0][1])
        else:
            called(getattr(made, self.name), values)

    def written(self, short: str, where: str, given: Assignment) -> Written:
        """The expression that does so; `short` is the object, `where` the path of the arguments."""
        if self.is_read:
            return Written(f"{short}.{self.name}")
        if self.is_setter:
            value = write(self.parts[0].shape, f"{where}.{self.parts[0].name}", given)
            return Written(f'setattr({short}, "{self.name}", {value.text})', value.imports)
        return written_call(f"{short}.{self.name}", self.parts, where, given)


def calls_name(name: str) -> str:
    """The variable that says how many methods are called on an object after its constructor; one
    call of them, `[0]`, is named like an element of it. No argument or field can have this name.
    """
    return f"{name}.calls()"


class InstanceShape:
    """An object of a class, built by its constructor and changed by some of its methods.

    The parts are found out when first needed: a class may mention itself.
    """

    decides: ClassVar[bool] = True

    def __init__(
        self,
        kind: type,
        find_parts: Callable[[], tuple[Part, ...]],
        find_methods: Callable[[], tuple[Method, ...]] = tuple,
        *,
        named: tuple[str, str] | None = None,
        text: str = "",
    ) -> None:
        """`named`: the module and the name to import the class by, if not its own; `text`: the
        expression for a class without a name, which mentions the one that `named` imports.
        """
        self.kind = kind
        self._text = text
        self.module, self.called = named or (kind.__module__, kind.__qualname__)
        self._find_parts = find_parts
        self._find_methods = find_methods

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        return self._find_parts()

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        return self._find_methods()

    @cached_property
    def part_names(self) -> tuple[str, ...]:
        return tuple([part.name for part in self.parts])

    def calls(self, name: str, given: Assignment) -> list[tuple[Method, str]]:
        """The methods called after the constructor, each with the path of its arguments."""
        # Where a class without such methods is chosen, the calls of another class may be left.
        count = given.get(calls_name(name), 0) if self.methods else 0
        return [self.call(name, index, given) for index in range(count)]

    def call(self, name: str, index: int, given: Assignment) -> tuple[Method, str]:
        """The method of one of these calls, and the path of its arguments."""
        where = f"{calls_name(name)}[{index}]"
        return self.methods[given.get(f"{where}?", 0)], where

    def plain(self, name: str, given: Assignment) -> Any:
        others = heap.current()
        if others is None:
            made = called(self.kind, plain_parts(self.parts, name, given))
        else:
            made = self._among(others, name, given)
        for method, where in self.calls(name, given):
            method.apply(made, plain_parts(method.parts, where, given))
        return made

    def _among(self, others: heap.Heap, name: str, given: Assignment) -> Any:
        """The constructed object, with references between it and others of the same input set."""
        others.enter(self.kind, name)
        try:
            parts = plain_parts(self.parts, name, given)
        finally:
            others.leave()
        made = called(self.kind, parts)
        for holder, attribute in others.referring(made, name, self.part_names):
            heap.set_back(holder, attribute, made)
        return made

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        others = heap.current()
        if others is not None:
            others.enter(self.kind, name)
        for part in self.parts:
            part.shape.sample(f"{name}.{part.name}", pool, random, given)
        if others is not None:
            others.leave()
        if not self.methods:
            return
        count = given[calls_name(name)] = random.choice(CALLS_DRAWN)
        # Containers are filled by one method called again and again.
        only = random.randrange(len(self.methods)) if random.random() < ONE_METHOD_DRAWN else None
        for index in range(count):
            where = f"{calls_name(name)}[{index}]"
            drawn = random.randrange(len(self.methods)) if only is None else only
            which = given[f"{where}?"] = drawn
            for part in self.methods[which].parts:
                part.shape.sample(f"{where}.{part.name}", pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        if "<" in self.called:
            raise NoLiteral(f"{self.called} has no name that a test could import")
        others = heap.current() or heap.Heap()
        others.enter(self.kind, name)
        try:
            made = written_call(self._text or self.called, self.parts, name, given)
        finally:
            others.leave()
        imported = (self.module, self.called.split(".")[0])
        parts = [Written(made.text, made.imports | {imported})]
        calls = self.calls(name, given)
        refers_back = others.refers_back(name, self.part_names)
        # One expression that makes the object, changes it and is the object.
        short = heap.shared_name(name) if refers_back else _short(name)
        for holder, attribute in others.referring(short, name, self.part_names):
            parts.append(Written(f'setattr({holder}, "{attribute}", {short})'))
        for method, where in calls:
            parts.append(method.written(short, where, given))
        if len(parts) == 1:
            return (
                Written(f"({short} := {made.text})", parts[0].imports) if refers_back else parts[0]
            )
        rest = ", ".join([part.text for part in parts[1:]])
        return joined(parts, f"({short} := {parts[0].text}, {rest})[0]")


def _short(name: str) -> str:
    return "".join(char if char.isalnum() else "_" for char in name).strip("_")


def called(function: Callable[..., Any], values: list[tuple[Part, Any]]) -> Any:
    """Call a function with the values of parts as its arguments."""
    positional, keywords = in_a_call(values)
    return function(*positional, **keywords)


def plain_parts(parts: tuple[Part, ...], name: str, given: Assignment) -> list[tuple[Part, Any]]:
    """Each part of the object `name` with its plain value."""
    return [(part, part.shape.plain(f"{name}.{part.name}", given)) for part in parts]


def written_call(function: str, parts: tuple[Part, ...], name: str, given: Assignment) -> Written:
    """The text of a call with the parts as its arguments."""
    texts: list[str] = []
    written: list[Written] = []
    left_out = False
    # Whatever stands before `*more` is passed by its place, so that none of it can be left out.
    by_place = any(
        part.spread == "*" and part.shape.plain(f"{name}.{part.name}", given) for part in parts
    )
    for part in parts:
        where, shape = f"{name}.{part.name}", part.shape
        is_default = isinstance(shape, DefaultShape) and shape.is_left_out(where, given)
        if is_default and (part.by_keyword or not by_place):
            left_out = True
            continue
        made = write(shape, where, given)
        if part.spread and made.text in ("()", "{}"):
            continue
        written.append(made)
        by_keyword = part.by_keyword or (left_out and not part.spread)
        texts.append(f"{part.name}={made.text}" if by_keyword else _unpacked(part, made.text))
    return joined(written, f"{function}({', '.join(texts)})")


def _unpacked(part: Part, text: str) -> str:
    """An argument given by its place: the values of `*more` one by one, where they are written."""
    if part.spread == "*" and isinstance(ast.parse(text, mode="eval").body, ast.Tuple):
        return text[1:-1].rstrip(",")
    return f"{part.spread}{text}"


@dataclass(frozen=True, slots=True)
class BareShape:
    """An object before its constructor has run: the `self` of `__init__`."""

    kind: type

    def plain(self, name: str, given: Assignment) -> Any:
        kind: Any = self.kind
        return kind.__new__(kind)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        pass

    def write(self, name: str, given: Assignment) -> Written:
        kind = self.kind.__qualname__
        return Written(f"{kind}.__new__({kind})", frozenset({import_of(self.kind)}))


@dataclass(frozen=True, slots=True)
class PerhapsShape:
    """An optional value where the type mentions itself: None is the plain case, and draws end
    there.

    `back` is the class of the objects around it that it may refer back to, as the last node of a
    linked list refers to its first.
    """

    shape: Shape
    back: type | None = None
    decides: ClassVar[bool] = True

    @property
    def which(self) -> str:
        return around((self.shape,))

    def there(self, name: str, given: Assignment) -> bool:
        """Whether the value is an object, not None."""
        return bool(given.get(name + self.which, 0))

    def refers_to(self, name: str, given: Assignment, made: heap.Heap) -> str | None:
        """The name of the object around it that it refers back to; None if it does not."""
        for other in made.around(self.back) if self.back is not None else ():
            if given.get(heap.same_name(name, other), False):
                return other
        return None

    def plain(self, name: str, given: Assignment) -> Any:
        if self.there(name, given):
            return self.shape.plain(name, given)
        self._promise(name, given)
        return None

    def _promise(self, name: str, given: Assignment) -> None:
        """Tell the heap which object a part that is None for now refers back to, if any."""
        made = heap.current() if self.back is not None else None
        other = self.refers_to(name, given, made) if made is not None else None
        if made is not None and other is not None:
            made.promise(name, other)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        there = depth_of(name) < DEEPEST_OBJECTS and random.random() < OBJECT_DRAWN
        given[name + self.which] = int(there)
        if there:
            self.shape.sample(name, pool, random, given)
        elif self.back is not None and random.random() < BACK_DRAWN:
            made = heap.current()
            for other in made.around(self.back)[-1:] if made is not None else ():
                given[heap.same_name(name, other)] = True

    def write(self, name: str, given: Assignment) -> Written:
        if self.there(name, given):
            return write(self.shape, name, given)
        self._promise(name, given)
        return Written("None")


@dataclass(frozen=True, slots=True)
class RecordShape:
    """A TypedDict: a dict with these keys; those not required may be missing."""

    parts: tuple[tuple[str, Shape, bool], ...]  # key, value, required
    decides: ClassVar[bool] = True

    def has_name(self, name: str, key: str) -> str:
        return f"{key!r} in {name}"

    def has(self, name: str, key: str, given: Assignment) -> bool:
        """Whether the dict has a key that is not required."""
        return bool(given.get(self.has_name(name, key), False))

    def present(self, name: str, given: Assignment) -> list[tuple[str, Shape, str]]:
        """The keys that the dict has, each with the shape and the path of its value."""
        return [
            (key, shape, f"{name}[{key!r}]")
            for key, shape, required in self.parts
            if required or self.has(name, key, given)
        ]

    def plain(self, name: str, given: Assignment) -> Any:
        return {key: shape.plain(where, given) for key, shape, where in self.present(name, given)}

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for key, shape, required in self.parts:
            if not required:
                given[self.has_name(name, key)] = random.random() < OPTIONAL_KEY_DRAWN
            shape.sample(f"{name}[{key!r}]", pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts = [
            (key, write(shape, where, given)) for key, shape, where in self.present(name, given)
        ]
        text = ", ".join([f'"{key}": {part.text}' for key, part in parts])
        return joined([part for _, part in parts], "{" + text + "}")
