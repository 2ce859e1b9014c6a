"""From a parameter's annotation to the shape of its inputs."""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import dataclasses
import enum
import fractions
import functools
import numbers
import operator
import os
import pathlib
import re
import types
import typing
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import drawn_slice
from symcrete.inputs.draw.text import ByteArrayShape, BytesShape, StrShape
from symcrete.inputs.infer.something import Named, Something
from symcrete.inputs.infer.telling import NOTHING, Telling
from symcrete.inputs.infer.typing_only import typing_only
from symcrete.inputs.library_class import is_library_class
from symcrete.inputs.shapes import classes, containers, library
from symcrete.inputs.shapes.aliasing import SharedShape, is_itself_alone
from symcrete.inputs.shapes.annotated_bounds import bounded
from symcrete.inputs.shapes.callables import AwaitableShape, CallableShape
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape
from symcrete.inputs.shapes.fakes import stand_in
from symcrete.inputs.shapes.hints import Meanings, class_of, type_name
from symcrete.inputs.shapes.inferred import ANYTHING, BARE, FILLED, guessed_choice
from symcrete.inputs.shapes.library import FILES, ContextShape, FileShape
from symcrete.inputs.shapes.objects import PerhapsShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
    one_of,
)
from symcrete.inputs.subtypes import (
    any_classes,
    classes_for,
    collections_for,
    is_hashable,
    may_be_derived_from,
    subtypes_of,
    tells_from_others,
)

MOST_OWN_CLASSES = 3  # of the program, tried where anything may be given; chosen, not measured
MOST_RAISED = 3  # classes of exceptions that a callable is tried with; chosen, not measured

# levels to which a type in quotes that mentions itself is read; each adds branches to every path;
# chosen, not measured
DEEPEST_REFERENCE = 2


# meanings of type variables with which classes are read: `A[T]` that holds an `A[list[T]]` has any
# number; chosen, not measured
MOST_MEANINGS = 24


class TooDeep(UnsupportedInput):
    """A type that mentions itself was read to as many levels as are tried."""


SIMPLE: dict[Any, Shape] = {
    int: IntShape(),
    float: FloatShape(),
    bool: BoolShape(),
    str: StrShape(),
    bytes: BytesShape(),
    bytearray: ByteArrayShape(),
    None: ConstantShape(None),
    type(None): ConstantShape(None),
    **library.SIMPLE,
}
_ABC = collections.abc
_LISTS: set[Any] = {list, _ABC.Sequence, _ABC.MutableSequence, _ABC.Collection, _ABC.Iterable}
_LISTS |= {_ABC.Container, _ABC.Reversible}
_ITERATORS: set[Any] = {_ABC.Iterator, _ABC.Generator}
_SETS: set[Any] = {set, _ABC.Set, _ABC.MutableSet}
_DICTS: set[Any] = {dict, _ABC.Mapping, _ABC.MutableMapping}
_WRAPPERS: set[Any] = {typing.Final, typing.ClassVar, typing.Required, typing.NotRequired}
# Containers that may be declared without the types of what is in them.
_BARE: dict[Any, Any] = {
    **dict.fromkeys(_LISTS, list),
    **dict.fromkeys(_DICTS, dict),
    **dict.fromkeys(_SETS, set),
    **{each: each for each in BARE},
}
# Types to try for an abstract number.
_NUMBERS: dict[Any, tuple[Any, ...]] = {
    numbers.Number: (int, float, complex),
    numbers.Complex: (int, float, complex),
    numbers.Real: (int, float),
    numbers.Rational: (int, fractions.Fraction),
}
# Types to try for a protocol of what can be converted to a number, bytes or an index.
_CONVERTED: dict[Any, tuple[Any, ...]] = {
    typing.SupportsInt: (int, float),
    typing.SupportsFloat: (float, int),
    typing.SupportsComplex: (complex, float),
    typing.SupportsIndex: (int,),
    typing.SupportsBytes: (bytes,),
    typing.SupportsAbs: (int, float),
    typing.SupportsRound: (float, int),
    os.PathLike: (pathlib.Path,),
    typing.Hashable: (int, str, None),
    typing.Sized: (list[int], str, dict[str, int]),
    _ABC.Hashable: (int, str, None),
    _ABC.Sized: (list[int], str, dict[str, int]),
}
_ORIGINS = frozenset([typing.get_origin(each) or each for each in ANYTHING])


def shape_of(annotation: Any, where: str, names: Mapping[str, Any] | None = None) -> Shape:
    """The shape for an annotation; `where` names the parameter in the error."""
    return Reader(names or {}).shape(annotation, where)


class Reader:
    """Reads annotations; it knows what names in quotes mean, and the classes that it has met.

    `told` is what the program can tell apart, `shared` are the keys of the parts that may be one
    object (None: every part that can be). `widely`: whether what a constructor takes is guessed as
    widely as what the target takes.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        told: Telling = NOTHING,
        shared: frozenset[Hashable] | None = frozenset(),
        *,
        widely: bool = False,
    ) -> None:
        self.names = names
        self.told = told
        self.widely = widely
        # reasons why the inputs tried are not all that these types have
        self.open: dict[str, None] = {}
        self._shared = shared
        self._levels: list[str] = []  # types in quotes that are being read
        self.variables: Meanings = {}  # of the class being read: what its type variables mean
        self.inside: dict[type, Shape] = {}  # of the classes met so far where they mean this
        self._insides = [(self.variables, self.inside)]  # the same for every such meaning

    def shape(self, annotation: Any, where: str) -> Shape:
        """The shape for an annotation; raises UnsupportedInput if no inputs of it can be made."""
        if is_hashable(annotation) and annotation in SIMPLE:
            return self._simple(annotation, where)
        if isinstance(annotation, str | typing.ForwardRef):
            return self._referred(annotation, where)
        found = self._special(annotation, where) or self._generic(annotation, where)
        kind, variables = class_of(annotation, self.variables)
        if found is None and isinstance(kind, type) and is_hashable(kind):
            with self.meaning(variables):
                found = self._class(kind, where)
        if found is None:
            raise self.unsupported(annotation, where)
        return found

    def _referred(self, reference: Any, where: str) -> Shape:
        """The shape of a type in quotes; one that mentions itself ends after a few levels."""
        meant = self._meant(reference, where)
        text = str(reference)
        if isinstance(meant, type):
            return self.shape(meant, where)
        if self._levels.count(text) >= DEEPEST_REFERENCE:
            self.leave_open(f"{where} may be nested deeper")
            raise TooDeep(str(self.unsupported(text, where)))
        self._levels.append(text)
        try:
            return self.shape(meant, where)
        finally:
            self._levels.pop()

    @contextlib.contextmanager
    def meaning(self, variables: Meanings) -> Iterator[None]:
        """Read a class whose type variables mean these types; where they mean others, it is another
        class.
        """
        former = self.variables, self.inside
        known = [each for each in self._insides if each[0] == variables]
        if not known and len(self._insides) < MOST_MEANINGS:
            known = [(variables, {})]
            self._insides += known
        if known:
            self.variables, self.inside = known[0]
        else:
            self.leave_open("type variables stand for more types than are tried")
        try:
            yield
        finally:
            self.variables, self.inside = former

    def _is_inside(self, kind: Any) -> bool:
        """Whether a class was met, whatever its type variables stood for."""
        return is_hashable(kind) and any(kind in inside for _, inside in self._insides)

    def _simple(self, kind: Any, where: str) -> Shape:
        shape = SIMPLE[kind]
        if self.told is NOTHING:
            return shape
        if kind in library.AWARE and self.told.zones:
            return one_of([shape, library.AWARE[kind]])
        others = subtypes_of(kind, self.told)
        shape = one_of([shape, *[self.shape(each, where) for each in others]]) if others else shape
        return self.shared(shape, bytearray) if kind is bytearray else shape

    def shared(self, shape: Shape, key: Hashable) -> Shape:
        """The shape, as one that may be the same object as other parts with this key where the
        program could notice.
        """
        wanted = self._shared is None or key in self._shared
        return SharedShape(shape, key) if wanted else shape

    def refers_back(self, kinds: tuple[Any, ...]) -> type | None:
        """The class among these that was met before, to whose objects an optional part may refer
        back; None if there is none, or where the program could not notice.
        """
        meant = [self._meant(k, "") if isinstance(k, str | typing.ForwardRef) else k for k in kinds]
        classes = [typing.get_origin(each) or each for each in meant]
        met = [each for each in classes if self._is_inside(each)]
        told = self.told
        asked = [each for each in met if told.identity or (told.equality and is_itself_alone(each))]
        return asked[0] if asked else None

    def leave_open(self, why: str) -> None:
        """Note a reason why the inputs tried are not all that a type has."""
        self.open[why] = None

    def exactly(self, annotation: Any, where: str) -> Shape:
        """The shape for a key, without values of subtypes: True and 1 would be one key. If the
        program tells them apart, this is left open.
        """
        if isinstance(annotation, str | typing.ForwardRef):
            annotation = self._meant(annotation, where)
        if typing.get_origin(annotation) in (typing.Union, types.UnionType):
            parts = [part for part in typing.get_args(annotation) if _may_be_key(part)]
            annotation = functools.reduce(operator.or_, parts) if parts else annotation
        if bool in subtypes_of(int, self.told) and re.search(r"\bint\b", str(annotation)):
            self.leave_open(f"{where} may hold bools for ints")
        told, self.told = self.told, NOTHING
        try:
            return self.shape(annotation, where)
        finally:
            self.told = told

    def unsupported(self, annotation: Any, where: str) -> UnsupportedInput:
        return UnsupportedInput(
            f"cannot make inputs of type {type_name(annotation)} for {where}; "
            f'give another with --types "{where.split(".")[-1]}: int"'
        )

    def knows(self, reference: Any) -> bool:
        """Whether a type in quotes has a meaning here."""
        try:
            self._meant(reference, "")
        except UnsupportedInput:
            return False
        return True

    def _meant(self, reference: Any, where: str) -> Any:
        text = reference if isinstance(reference, str) else reference.__forward_arg__
        for more in ({}, typing_only(str(self.names.get("__file__")))):
            with contextlib.suppress(Exception):
                return eval(text, {**vars(typing), **more, **self.names})
        raise self.unsupported(text, where)

    def _special(self, annotation: Any, where: str) -> Shape | None:
        """The shape of what `typing` adds to classes; None for anything else."""
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation is Something:
            return self.something(where)
        if isinstance(annotation, Named):
            return ConstantShape(annotation.value, (annotation.module, annotation.name))
        if re.Pattern in (origin, annotation):
            return one_of([*library.patterns(self.names, args), self.something(where, re.Pattern)])
        if annotation is Any or annotation is object:
            self.leave_open(f"{where} may be of any type")
            return self.anything(where)
        if origin is typing.Annotated:
            return bounded(self.shape(args[0], where), args[1:])
        if origin is typing.Union or origin is types.UnionType:
            return self._union(args, where)
        if origin is typing.Literal:
            return ChoiceShape(tuple([ConstantShape(value) for value in args]))
        if is_hashable(origin) and origin in _WRAPPERS:
            return self.shape(args[0], where)
        if isinstance(annotation, typing.NewType):
            return self.shape(annotation.__supertype__, where)
        if isinstance(annotation, dataclasses.InitVar):
            return self.shape(annotation.type, where)
        if isinstance(annotation, typing.TypeVar):
            return self._variable(annotation, where)
        if type(annotation).__name__ == "TypeAliasType":
            return self.shape(annotation.__value__, where)
        if type in (origin, annotation):
            return self._class_itself(args[0] if args else Any, where)
        if origin is _ABC.Callable or annotation is _ABC.Callable:
            answer = args[1] if len(args) == 2 else int
            given = self.shape(int if answer is Any else answer, where)
            return CallableShape(given, self.told.catches[:MOST_RAISED])
        if origin in (_ABC.Awaitable, _ABC.Coroutine):
            return AwaitableShape(self.shape(int if args[-1] is Any else args[-1], where))
        return None

    def _class_itself(self, of: Any, where: str) -> Shape:
        """The shape of `type[of]`: a class, not an object of it."""
        if isinstance(of, str | typing.ForwardRef):
            of = self._meant(of, where)
        if isinstance(of, typing.TypeVar):
            of = self.variables.get(of, of.__bound__ or Any)
        kinds = classes_for(of, self.told) if is_hashable(of) else []
        if any(may_be_derived_from(kind) for kind in kinds):
            self.leave_open(f"{where} may be any class derived from {type_name(of)}")
        if not kinds:
            self.leave_open(f"{where} may be any class")
            kinds = any_classes(self.told)
        return one_of([ConstantShape(kind) for kind in kinds])

    def something(self, where: str, of: Any = None) -> Shape:
        """A stand-in for an object that nobody can build; `of` is its class, as far as known."""
        self.leave_open(f"{where} is a stand-in for an object")
        kind, variables = class_of(of, self.variables)
        with self.meaning(self.variables if kind is of else variables):
            return stand_in(self, kind)

    def anything(self, where: str) -> Shape:
        """A choice of values of many types, with those that the program asks for."""
        asked = [each for each in self.told.kinds if _is_built_in(each) and each not in _ORIGINS]
        own = [each for each in self.told.kinds if not _is_built_in(each)]
        kinds = [*ANYTHING, *asked, *own[:MOST_OWN_CLASSES]]
        shapes: list[Shape] = []
        for kind in kinds:
            with contextlib.suppress(UnsupportedInput):
                shapes.append(self._filled(kind, where))
        return one_of(shapes)

    def _filled(self, kind: Any, where: str) -> Shape:
        """The shape of a class; of a container that says nothing of its elements, with ints."""
        return self.shape(FILLED.get(kind, kind) if is_hashable(kind) else kind, where)

    def choice(self, kinds: tuple[Any, ...], where: str) -> Shape:
        """A choice between these types, with stand-ins for those that cannot be built."""
        found: list[Shape] = []
        for kind in kinds:
            try:
                found.append(self.shape(kind, where))
            except UnsupportedInput as error:
                if kind is kinds[-1] and not found:
                    raise
                # What cannot be built keeps nobody from building the other alternatives.
                found += [] if isinstance(error, TooDeep) else [self.something(where, of=kind)]
        return one_of(found)

    def _union(self, args: tuple[Any, ...], where: str) -> Shape:
        there = [arg for arg in args if arg is not type(None)]
        # Alternatives that hold nothing of the class being read come first: there draws end.
        there.sort(key=self._mentions_inside)
        if Something in there:  # all are guessed: the subclasses of one do not hide the others
            alternatives = [self.choice((each,), where) for each in there]
            inner = guessed_choice(alternatives, self.told)
        else:
            inner = self.choice(tuple(there), where)
        if len(there) == len(args):
            return inner
        if any(self._mentions_inside(arg) for arg in there):
            return PerhapsShape(inner, self.refers_back(tuple(there)))
        # None last: an input that is there says more than one that is not.
        return one_of([inner, ConstantShape(None)])

    def _mentions_inside(self, annotation: Any, above: tuple[str, ...] = ()) -> bool:
        """Whether a type is, or mentions, one of the classes met so far; `above` are the types in
        quotes that it was found in.
        """
        if isinstance(annotation, str | typing.ForwardRef):
            if str(annotation) in above:
                return False
            above = (*above, str(annotation))
            annotation = self._meant(annotation, "")
        parts = [part for part in typing.get_args(annotation) if part is not ...]
        if any(self._mentions_inside(part, above) for part in parts):
            return True
        kind = typing.get_origin(annotation) or annotation
        return isinstance(kind, type) and self._is_inside(kind)

    def _variable(self, variable: Any, where: str) -> Shape:
        if variable in self.variables:
            return self.shape(self.variables[variable], where)
        if variable.__constraints__:
            return self.choice(variable.__constraints__, where)
        if variable.__bound__ is not None:
            return self.shape(variable.__bound__, where)
        self.leave_open(f"{where} may be of any type")
        return self.anything(where) if self.told.asks_kinds else SIMPLE[int]

    def _generic(self, annotation: Any, where: str) -> Shape | None:
        """The shape of a container, with or without the types of its elements; None for anything
        else.
        """
        kind = typing.get_origin(annotation) or annotation
        args = [arg for arg in typing.get_args(annotation) if arg is not Ellipsis]
        if not is_hashable(kind):
            return None
        if kind is tuple and args and typing.get_args(annotation)[-1] is not Ellipsis:
            parts = TupleShape(tuple([self.shape(arg, where) for arg in args]))
            return self.shared(parts, (tuple, str(args))) if self.told.identity else parts
        if not args and kind in _BARE:
            return self._bare(kind, where)
        if kind in _LISTS or kind in _ITERATORS or kind is tuple or kind is collections.deque:
            made = list if kind in _LISTS else iter if kind in _ITERATORS else kind
            listed = SequenceShape(self.shape(args[0] if args else int, where), made)
            tells = made is not iter and (made is not tuple or self.told.identity)
            shape = self.shared(listed, (made, str(args))) if tells else listed
            others = collections_for(kind, tuple(args), self.told)
            return one_of([shape, *[self.shape(each, where) for each in others]])
        if kind in _SETS or kind is frozenset:
            element = self.exactly(args[0] if args else int, where)
            if kind is frozenset:
                return SetShape(element, frozenset)
            shape = self.shared(SetShape(element, set), (set, str(args)))
            others = [SetShape(element, frozenset)] if kind is _ABC.Set else []
            return one_of([shape, *others]) if self._tells_from(set, kind, where) else shape
        if kind is collections.Counter:
            key = self.exactly(args[0] if args else int, where)
            return self.shared(
                DictShape(key, IntShape(0), containers.counter_of), (kind, str(args))
            )
        if kind in _DICTS or kind in (collections.OrderedDict, collections.defaultdict):
            keys, values = args if len(args) == 2 else (int, int)
            shapes = self.exactly(keys, where), self.shape(values, where)
            make = containers.dict_maker(kind, values)
            self._tells_from(make, kind, where)
            return self.shared(
                DictShape(*shapes, make), (dict if make is dict else kind, str(args))
            )
        if kind in _NUMBERS:
            self.leave_open(f"{where} may be a number of any class")
            return self.choice(_NUMBERS[kind], where)
        if kind is numbers.Integral:
            return SIMPLE[int]
        if kind in _CONVERTED:
            self.leave_open(f"{where} may be of any type that can be converted")
            return self.choice(_CONVERTED[kind], where)
        return SampledShape(drawn_slice, slice(None)) if kind is slice else None

    def _tells_from(self, made: Any, declared: Any, where: str) -> bool:
        """Whether the program tells collections of the class that inputs are of from others of the
        declared one; if so, this is left open.
        """
        tells = tells_from_others(made, declared, self.told)
        if tells:
            self.leave_open(f"{where} may be a {declared.__name__} that is no {made.__name__}")
        return tells

    def _bare(self, kind: Any, where: str) -> Shape:
        """The shape of a container whose elements may be anything: all of one kind, or a
        mixture.
        """
        self.leave_open(f"{where} says nothing of its elements")
        return one_of([self.shape(each, where) for each in BARE[_BARE[kind]]])

    def _class(self, kind: type, where: str) -> Shape | None:
        if issubclass(kind, enum.Flag):
            flags = library.FlagShape(kind)
            if flags.unnamed():
                self.leave_open(f"{where} may have bits that no member of {kind.__name__} has")
            return flags
        if issubclass(kind, enum.Enum) and len(kind):
            return ChoiceShape(tuple([ConstantShape(member) for member in kind]))
        if is_library_class(kind, "argparse", "Namespace"):
            return self.something(where, kind)
        if kind in FILES or kind is contextlib.nullcontext:
            self.leave_open(f"{where} may be any file or context")
            return FileShape(FILES[kind]) if kind in FILES else ContextShape()
        known = library.shape_of(kind, where, self.leave_open)
        return known or classes.shape_of_class(kind, where, self)


def _may_be_key(annotation: Any) -> bool:
    """Whether values of a type can be keys, as far as its origin tells."""
    kind = typing.get_origin(annotation) or annotation
    return kind not in _LISTS | _SETS | _DICTS | {bytearray} if is_hashable(kind) else False


def _is_built_in(kind: type) -> bool:
    return kind.__module__ == "builtins"
