"""What a proof of `cover` stands on besides the declared types, told with the proof.

A name of a module that is bound once and that no text of the program changes is taken for a
constant: whoever rebinds it from outside, as a test can, has another program. So is what the body
of a class sets and nothing in the program changes. And an object of a declared class is taken for
one whose methods are those of that class, and whose attributes have the values that these give
them. Derived classes, keys beyond a TypedDict's and functions with a memory are not tried either.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import Progress
from symcrete.explore.proof.changing import attributes_of_system
from symcrete.explore.proof.closures import imports_assumed
from symcrete.explore.proof.fixed_attributes import class_texts
from symcrete.explore.proof.mentioned import (
    EQUALITY,
    SHOWN,
    is_special,
    mentions,
    own_scopes,
    reached,
)
from symcrete.explore.proof.object_state import (
    attribute_reads,
    attributes_of_classes,
    given_kinds,
    shapes_given,
)
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.own_subtypes import class_called_on
from symcrete.explore.proof.set_by_callers import set_by_callers
from symcrete.inputs.infer.class_source import free_fields, has_written_constructor
from symcrete.inputs.shapes.callables import CallableShape
from symcrete.inputs.shapes.library import FieldsShape
from symcrete.inputs.shapes.objects import RecordShape
from symcrete.inputs.shapes.shape import ChoiceShape, FloatShape, IntShape
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import Site, functions
from symcrete.program.state.by_name import ANY_ATTRIBUTE
from symcrete.program.state.facts import StateRead
from symcrete.run.untouched.replayer import shows_address

LONGEST_TOLD_CONSTANT = 40  # characters of a constant that are told
_READERS = frozenset({"getattr", "hasattr", "vars", "__dict__", "dir"})  # of any attribute
# What tells an object of a derived class from one of the declared class.
_ASKERS = frozenset({"isinstance", "issubclass", "type", "__class__", "callable"})
_ASKERS |= _READERS | {SHOWN}
_CLOCKS = frozenset({"time", "time_ns", "now", "today", "utcnow"})  # that somebody can set
# Special methods that decide no branch once an object is made; the others are called by operators.
_NOT_DECIDING = frozenset(
    ["__class_getitem__", "__del__", "__init__", "__init_subclass__", "__new__", "__post_init__"]
)
_TEXT_OF_OBJECTS = frozenset({"__str__", "__repr__", "__format__"})
# Values that are not told as constants: nobody expects them to change.
_CODE = (FunctionType, BuiltinFunctionType, type, ModuleType)

Concerns = Callable[[Obstacle, Site], bool]


class Assumed:
    """The assumptions of one exhausted tree."""

    def __init__(self, parts: Parts, progress: Progress, concerns: Concerns) -> None:
        self._parts, self._concerns = parts, concerns
        self._mentions = mentions({file: parsed(file) for file in parts.imported.rewritten.files})
        self._reached = reached(own_scopes(parts), self._mentions)
        self._of_classes = list(self._class_constants())
        self._constants = [
            *self._read_constants(progress),
            *self._named_constants(),
            *self._of_classes,
        ]
        # what is taken for granted about the arguments, for every branch
        self.about_arguments = tuple(
            dict.fromkeys(
                [
                    *self._overridable(),
                    *self._left_alone(),
                    *self._as_declared(),
                    *imports_assumed(parts),
                    *progress.granted,
                ]
            )
        )

    def of(self, site: Site) -> tuple[str, ...]:
        """What is taken for granted about every way to a branch."""
        told = [each.why for each in self._constants if self._concerns(each, site)]
        return tuple(dict.fromkeys([*told, *self.about_arguments]))

    @property
    def about_all_branches(self) -> tuple[str, ...]:
        """What is taken for granted about the arguments and about classes of the program."""
        told = [each.why for each in self._of_classes]
        return tuple(dict.fromkeys([*told, *self.about_arguments]))

    def _class_constants(self) -> Iterator[Obstacle]:
        """Where the target or what it calls reads an attribute that the body of a class sets, of a
        class that objects are given of or that is named there.
        """
        known: dict[str, list[str]] = {}  # by attribute: what is told of it
        for (owner, name), value in self._set_by_bodies.items():
            why = f"{owner.__qualname__}.{name} is {_short(value)}, as its class sets it"
            known.setdefault(name, []).append(why)
        for file in self._parts.imported.rewritten.files if known else ():
            for scope, node in functions(parsed(file)):
                if (file, scope) in self._reached:
                    for each, name in attribute_reads(node):
                        for why in known.get(name, ()):
                            yield Obstacle(why, file, each.lineno, scope)

    @cached_property
    def _set_by_bodies(self) -> dict[tuple[type, str], Any]:
        """The values that bodies of classes give the attributes that may be read, each with the
        class whose body it is.
        """
        made = class_called_on(self._parts)
        kinds = [*given_kinds(self._parts), *([made] if made is not None else [])]
        kinds += self._named_classes()
        found: dict[tuple[type, str], Any] = {}
        for kind, known in attributes_of_classes(self._parts, kinds).items():
            for name in self._used() - known.given - _fields(kind):
                base = next((each for each in kind.__mro__[:-1] if name in vars(each)), None)
                if base is None or f"{base.__name__}.{name}" in self._taken:
                    continue
                if _is_plain(vars(base)[name], name):
                    found[base, name] = vars(base)[name]
        return dict(sorted(found.items(), key=lambda each: (each[0][0].__qualname__, each[0][1])))

    @cached_property
    def _taken(self) -> frozenset[str]:
        """The attributes, as `Config.token`, that bodies of classes took from the system."""
        return frozenset().union(*attributes_of_system(self._parts.imported).values())

    def _named_classes(self) -> Iterator[type]:
        """The classes of the program that the target or what it calls names."""
        used = self._used()
        for module in self._parts.imported.modules():
            file = str(module.__file__)
            if file in self._parts.imported.rewritten.files:
                for name, _ in class_texts("", parsed(file)):
                    path = name.split(".")[1:]
                    kind = _at(module, path) if path[-1] in used else None
                    if isinstance(kind, type):
                        yield kind

    def _named_constants(self) -> Iterator[Obstacle]:
        """Names bound once to a literal, wherever the target or what it calls mentions them."""
        rewritten = self._parts.imported.rewritten
        for file in rewritten.files:  # a module that no run entered has no part in a proof
            for read in rewritten.facts_of(file).constants:
                if (read.file, read.scope) in self._reached:
                    yield from self._told(read)

    def _read_constants(self, progress: Progress) -> Iterator[Obstacle]:
        """Globals that runs read; if something changed one of them, there would be no proof."""
        for read in progress.reads:
            if isinstance(read, int):
                place = self._parts.imported.rewritten.reads[read]
                if place.kind in ("name", "imported"):
                    yield from self._told(place)

    def _told(self, read: StateRead) -> Iterator[Obstacle]:
        module = next(
            (each for each in self._parts.imported.modules() if each.__file__ == read.file), None
        )
        name, *rest = read.shown.split(".")
        if module is None or name not in vars(module):
            return  # a local name: what is imported inside a function
        value = vars(module)[name]
        for each in rest:
            value = getattr(value, each, None)
        if not isinstance(value, _CODE):
            why = f"{read.shown} is {_short(value)}, as its module sets it"
            yield Obstacle(why, read.file, read.line, read.scope)

    def _overridable(self) -> Iterator[str]:
        """For each method or attribute of the class of given objects, or of the class that a
        constructor or a class method is called on, that may be called or read: that no other class
        overrides it.
        """
        used = self._used()
        target = self._parts.coverage.scope.rpartition(".")[2]
        others: dict[tuple[type, str], list[str]] = {}
        for kind in given_kinds(self._parts):
            if getattr(kind, "__final__", False):
                continue
            for name, top in {**_methods(kind), **self._tops(kind)}.items():
                if name != target and (name in used or _is_deciding(name, used)):
                    known = others.setdefault((top, name), [])
                    known += [kind.__qualname__] if kind is not top and name in vars(kind) else []
        made = class_called_on(self._parts)
        if made is not None and not getattr(made, "__final__", False):
            asked = {**_methods(made), **self._tops(made)}
            called = {name: top for name, top in asked.items() if name in used - {target}}
            others = {(top, name): [] for name, top in called.items()} | others
        for (top, name), known in others.items():
            who = f"no class but {', '.join(sorted(known))}" if known else "no subclass"
            yield f"{who} overrides {top.__qualname__}.{name}"

    def _tops(self, kind: type) -> dict[str, type]:
        """The attributes that the bodies of a class and its bases set and that may be read, each
        with the class farthest up the MRO that sets it.
        """
        return {
            name: [each for each in kind.__mro__ if name in vars(each)][-1]
            for base, name in self._set_by_bodies
            if base in kind.__mro__
        }

    def _left_alone(self) -> Iterator[str]:
        """For each class of given objects whose attributes are read and can be assigned: that only
        the class itself does so; and that who sets attributes without naming them sets no method.
        """
        used = self._used()
        of_bodies = self._set_by_bodies
        every = self._parts.imported.rewritten.facts.values()
        unnamed = [each.stored_outside.get(ANY_ATTRIBUTE) for each in every]
        outside = next((each.scope or "vars" for each in unnamed if each is not None), "")
        of_any = [each.stored_on_any.get(ANY_ATTRIBUTE) for each in every]
        setter = next((each.scope or "vars" for each in of_any if each is not None), "")
        given = given_kinds(self._parts)
        for kind in self._named_classes() if setter else ():
            if kind not in given and used & _methods(kind).keys():
                yield f"`{setter}` sets no method of {kind.__qualname__}"
        for kind, known in attributes_of_classes(self._parts, given).items():
            bodies = {name for base, name in of_bodies if base in kind.__mro__}
            own = known.all - free_fields(kind) | bodies if not _is_frozen(kind) else set()
            if used & (own | _READERS):
                yield f"only {kind.__qualname__} itself sets attributes of its objects"
            setter = known.by_name or outside
            if setter and used & _methods(kind).keys():
                yield f"`{setter}` sets no method of {kind.__qualname__}"

    def _as_declared(self) -> Iterator[str]:
        """What the proof takes for granted about arguments because their declared types leave it
        open and no input varies it.
        """
        if (self._used() & _ASKERS or self._compares()) and self._parts.arguments.parameters:
            yield "no argument is of a class derived from its declared one, known subtypes aside"
        if self._used() & _CLOCKS:
            yield "the clock is past 1970 and does not go back"
        yield from set_by_callers(self._parts, self._used())
        yield from self._floats()
        for name, shape in shapes_given(self._parts):
            if isinstance(shape, RecordShape):
                yield f"{name} has no keys but those that its type declares"
            elif isinstance(shape, CallableShape):
                yield f"{name} gives equal results for equal arguments"
                if self._parts.target.subjects:
                    yield f"{name} raises nothing"

    def _compares(self) -> bool:
        """Whether something is compared, and an object is given whose `==` was made by `dataclass`:
        that one is true only between objects of the same class.
        """
        made = [getattr(kind, "__dataclass_params__", None) for kind in given_kinds(self._parts)]
        return EQUALITY in self._used() and any(each is not None and each.eq for each in made)

    def _floats(self) -> Iterator[str]:
        """The parameters that are floats or hold some, where no int is tried in their place."""
        given = list(shapes_given(self._parts))
        tried = {name for name, shape in given if _is_float_or_int(shape)}
        plain = {each.name for each in self._parts.arguments.parameters if _is_float(each.shape)}
        for name, shape in given:
            if _is_float(shape) and name not in tried:
                what = "is a float" if name in plain else "holds floats"
                yield f"{name} {what}, not an int given for one"
            elif isinstance(shape, FieldsShape) and shape.kind is complex:
                yield f"{name} is complex, not a float or an int given for one"

    def _used(self) -> set[str]:
        """The names and attributes that stand in the target and in what it calls."""
        return {name for each in self._reached for name in self._mentions.get(each, ())}


def _methods(kind: type) -> dict[str, type]:
    """The methods of a class that somebody wrote in Python, each with the class farthest up the
    MRO that defines it.
    """
    found: dict[str, type] = {}
    for each in kind.__mro__:
        for name, method in vars(each).items():
            is_method = isinstance(method, FunctionType | property | classmethod | staticmethod)
            code = getattr(method, "__code__", None)
            is_written = code is None or not code.co_filename.startswith("<")
            if is_method and is_written:
                found[name] = each
    return found


def _at(module: ModuleType, path: Sequence[str]) -> Any:
    """What has this name in a module; None if it is inside a function, or gone."""
    found: Any = module
    for each in path:
        found = vars(found).get(each) if isinstance(found, ModuleType | type) else None
    return found


def _is_plain(value: Any, name: str) -> bool:
    """Whether an attribute of a class is a value that its objects have too, and that somebody can
    set: no method, no property, no slot and no member of an enumeration.
    """
    is_own = name.startswith("__") and name.endswith("__")
    is_code = isinstance(value, _CODE) or hasattr(type(value), "__get__")
    return not is_own and not is_code and not isinstance(value, Enum)


def _fields(kind: type) -> set[str]:
    """The fields that the constructor of a dataclass stores in every object."""
    if not dataclasses.is_dataclass(kind) or not has_written_constructor(kind):
        return set()
    return {each.name for each in dataclasses.fields(kind)}


def _is_deciding(name: str, used: set[str]) -> bool:
    """Whether operators and statements may call a method that no name in the text calls."""
    if name in _TEXT_OF_OBJECTS:
        return SHOWN in used
    return is_special(("", name)) and name not in _NOT_DECIDING


def _is_float(shape: Any) -> bool:
    return isinstance(shape, FloatShape)


def _is_float_or_int(shape: Any) -> bool:
    """Whether a shape gives ints where floats are declared."""
    choices = shape.choices if isinstance(shape, ChoiceShape) else ()
    return any(map(_is_float, choices)) and any(isinstance(each, IntShape) for each in choices)


def _is_frozen(kind: type) -> bool:
    """Whether objects of a class refuse assignments."""
    made = getattr(kind, "__dataclass_params__", None)
    return issubclass(kind, tuple | Enum) or bool(made and made.frozen)


def _short(value: Any) -> str:
    """The value, or its class where it is long or tells where it lies in this process."""
    try:
        text = repr(value)
    except Exception:  # of the program, which may raise anything
        text = ""
    if shows_address(text):
        return f"a {type(value).__name__}"
    return text if 0 < len(text) <= LONGEST_TOLD_CONSTANT else f"the {type(value).__name__}"
