"""The shape of a parameter, of a function or a constructor: by its annotation, or by evidence."""

from __future__ import annotations

import collections.abc
import contextlib
import enum
import inspect
import sys
import types
import typing
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.infer.attributes import kinds_where_kept
from symcrete.inputs.infer.body import asked_types, inferred_types, is_sure
from symcrete.inputs.infer.callers import is_vague
from symcrete.inputs.infer.records import is_built_in
from symcrete.inputs.infer.something import Named, Something
from symcrete.inputs.infer.telling import NOTHING, Telling
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.fakes import FakeShape, tree_of
from symcrete.inputs.shapes.objects import InstanceShape
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    ConstantShape,
    LaterShape,
    Shape,
    known,
    one_of,
)
from symcrete.inputs.subtypes import is_hashable

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader

_SCALARS = (bool, int, float, str, bytes)
_COLLECTIONS = (list, dict, set, collections.abc.Iterator)


def _of_each(kind: type, elements: tuple[Any, ...]) -> tuple[Any, ...]:
    """The types of such containers, one for each of these types of what is in them."""
    return tuple([types.GenericAlias(kind, each) for each in elements])


# Types to try for an argument that can be anything, the most telling first.
ANYTHING: tuple[Any, ...] = (int, str, float, bool, None, list[int], dict[str, int])
# One type to try for a container that says nothing of its elements.
FILLED: dict[Any, Any] = {
    list: list[int],
    dict: dict[str, int],
    set: set[int],
    frozenset: frozenset[int],
    tuple: tuple[int, ...],
}
_MAPPINGS: dict[Any, Any] = dict.fromkeys(
    (collections.abc.Mapping, collections.abc.MutableMapping), dict
)
# Containers of one type of elements, of which a list of such elements is one, or can be made one.
_ITERABLE = (
    list,
    collections.deque,
    collections.abc.Iterable,
    collections.abc.Iterator,
    collections.abc.Generator,
    collections.abc.Sequence,
    collections.abc.Collection,
)
_LISTED = (list, collections.abc.Iterator)  # what is inferred for what is gone through
_MIXED = int | str | float | bool | list[int] | dict[str, int] | None
_KEYS = int | str | None
_OF_KEYS: tuple[Any, ...] = ((str, int), (int, int), (str, _MIXED))
# Types to try for a container that says nothing of its elements: all of one kind, or a mixture.
BARE: dict[Any, tuple[Any, ...]] = {
    list: (list[int], list[str], list[_MIXED]),
    collections.deque: _of_each(collections.deque, (int, str, _MIXED)),
    collections.abc.Iterator: _of_each(collections.abc.Iterator, (int, str, _MIXED)),
    collections.abc.Generator: _of_each(collections.abc.Generator, (int, str, _MIXED)),
    dict: _of_each(dict, _OF_KEYS),
    collections.OrderedDict: _of_each(collections.OrderedDict, _OF_KEYS),
    collections.defaultdict: _of_each(collections.defaultdict, _OF_KEYS),
    collections.Counter: _of_each(collections.Counter, (int, str, _KEYS)),
    set: (set[int], set[str], set[_KEYS]),
    frozenset: (frozenset[int], frozenset[str]),
    tuple: (tuple[int, ...], tuple[str, ...], tuple[_MIXED, ...]),
}
# Several parameters whose types are guessed seldom fit together unless most have their most likely
# type: of five with seven types each, all have it in one draw of 17,000 if types are drawn alike,
# and in one of five with this preference.
LIKELY = 0.7  # share of draws in which a parameter has its most likely type
FEW_KINDS = 3  # up to so many types are drawn alike; chosen, not measured
# alternatives beside a stand-in, with the subclasses of what was guessed; chosen, not measured
MOST_GUESSED = 8
_UNKNOWN = inspect.Parameter.empty
# Clocks: what they give cannot be set where a program has kept one as a default, so that a function
# is the input in place of it.
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time")  # of the module `time`


def shape_of_parameter(
    function: Callable[..., Any] | None,
    parameter: inspect.Parameter,
    annotation: Any,
    where: str,
    reader: Reader,
    *,
    within: bool = False,
    learned: Sequence[Any] = (),
) -> Shape:
    """The shape of a parameter; `function` is the one whose body uses it, None if none is known.

    `within`: the parameter is that of a constructor or a method of an input. `learned`: types that
    errors of earlier runs speak for; they come last, so that the inputs of those runs stay valid.
    """
    if isinstance(annotation, str | typing.ForwardRef) and not reader.knows(annotation):
        annotation = _UNKNOWN  # a name that nobody can import says nothing
    leaving = _leaving(function, parameter.name)
    if leaving is not None and (annotation is _UNKNOWN or annotation is Any):
        reader.leave_open(f"{where} may be any exception")
        return leaving
    if annotation is not _UNKNOWN and annotation is not Any:
        declared = _declared(function, parameter, annotation, where, reader)
        return _with_default(declared, parameter, annotation, function)
    if annotation is _UNKNOWN:
        reader.leave_open(f"{where} has no declared type")
    else:
        reader.leave_open(f"{where} may be of any type")
    default = parameter.default
    known = default is not _UNKNOWN and default is not None
    kinds: list[Any] = [_kind_of(default)] if known else []
    itself = _itself(default, function) if known else []
    if within and itself:
        return itself[0]  # other values are seldom what an object is about
    inferred = inferred_types(function, parameter.name) if function is not None else []
    inferred = _each(inferred, parameter)
    # Within an object, classes count only if the body asks for them: further objects that nothing
    # asks for would only hide the rest.
    asked = asked_types(function, parameter.name) if within and function is not None else []
    plain = [
        kind for kind in inferred if not isinstance(kind, type) or is_plain(kind) or kind in asked
    ]
    plain += [kind for kind in (Something, contextlib.nullcontext) if kind in inferred]
    kinds += [kind for kind in (plain if within else inferred) if kind not in kinds]
    if within and function is not None and not [kind for kind in kinds if kind is not None]:
        kept = kinds_where_kept(function, parameter.name, tree_of(reader.names), reader.names)
        around = [kind for kind in kept if is_hashable(kind) and kind in reader.inside]
        kinds = [kind for kind in kept if kind not in around]
        # An object that holds one of its own class has to end somewhere.
        kinds += [int, *around] if any(not is_built_in(kind) for kind in kept) else []
    if default is None and None not in kinds:
        kinds.append(None)
    guessed = (not within or reader.widely) and not _is_spread(parameter)
    doubtful = guessed and not known and function is not None
    doubtful = doubtful and not is_sure(function, parameter.name)  # type: ignore[arg-type]
    told = [*itself, *_shapes_of(kinds, where, reader)]
    shapes = _first_of_each(told, reader.told)
    further = len(shapes) - len(told)  # of the same types: subclasses, a bool for an int
    if annotation is Any or (doubtful and kinds):
        # Little speaks for a type: the others come after it.
        others = [kind for kind in ANYTHING if kind not in kinds]
        shapes += _shapes_of(others, where, reader)
    nothing = not [shape for shape in shapes if shape != ConstantShape(None)]
    if nothing and not (within and shapes):
        # Nothing speaks for any type: each of a few is an alternative.
        guesses = ANYTHING if guessed else (int,)
        shapes = [*[reader.shape(kind, where) for kind in guesses if kind is not None], *shapes]
    elif within and {type(kind) for kind in kinds if kind is not None} == {Named}:
        # One object that the body asks for, such as `MISSING`, says nothing of the others.
        shapes = [reader.shape(int, where), *shapes]
    shapes += _shapes_of(learned, where, reader)
    return one_of(shapes, likely=LIKELY if len(shapes) - further > FEW_KINDS else 0.0)


def _shapes_of(kinds: Sequence[Any], where: str, reader: Reader) -> list[Shape]:
    """The shape of each type that inputs are known of."""
    shapes: list[Shape] = []
    for kind in kinds:
        with contextlib.suppress(UnsupportedInput):
            shapes.append(reader.shape(kind, where))
    return shapes


def guessed_choice(shapes: Sequence[Shape], told: Telling = NOTHING) -> Shape:
    """A choice between shapes of which one is a stand-in, in the order of `_first_of_each`."""
    if any(isinstance(each, LaterShape) for each in shapes):
        return LaterShape(lambda: guessed_choice([known(each) for each in shapes], told))
    return one_of(_first_of_each(shapes, told))


def _first_of_each(shapes: Sequence[Shape], told: Telling) -> list[Shape]:
    """The first alternative of each shape, then the others, of which there are few if one is a
    stand-in: the many subclasses of one class do not keep others, or None, from being tried.
    Objects of one class are one alternative; classes that the program asks for by name come first
    among the others, where not all are tried.
    """
    every = [each.choices if isinstance(each, ChoiceShape) else (each,) for each in shapes]
    ordered = [*[each[0] for each in every], *[more for each in every for more in each[1:]]]
    found: dict[int, Shape] = {}
    for each in ordered:
        kind = _class_made(each)
        found.setdefault(id(each if kind is None else kind), each)
    guessed = any(isinstance(each, FakeShape) for each in shapes)
    most = max(len(shapes), MOST_GUESSED)
    if not guessed or len(found) <= most:
        return list(found.values())
    firsts, others = list(found.values())[: len(shapes)], list(found.values())[len(shapes) :]
    others.sort(key=lambda each: not told.asks_by_name(_class_made(each)))
    return [*firsts, *others][:most]


def _class_made(shape: Shape) -> type | None:
    """The class of the program whose objects a shape makes; None if there is no such class."""
    own = shape.own if isinstance(shape, SharedShape) else shape
    return own.kind if isinstance(own, InstanceShape) else None


def _leaving(function: Callable[..., Any] | None, name: str) -> Shape | None:
    """The shape of a parameter of `__exit__`: the class of an exception or None, or only None for
    the exception itself, which few ask for; None for other functions.
    """
    if function is None or function.__name__ not in ("__exit__", "__aexit__"):
        return None
    code = getattr(function, "__code__", None)
    parameters = code.co_varnames[1 : code.co_argcount] if code is not None else ()
    if parameters[:1] == (name,):
        error = ConstantShape(ValueError, ("builtins", "ValueError"))
        return one_of([ConstantShape(None), error])
    return ConstantShape(None) if name in parameters else None


def _declared(
    function: Callable[..., Any] | None,
    parameter: inspect.Parameter,
    annotation: Any,
    where: str,
    reader: Reader,
) -> Shape:
    """The shape of an annotation; where it is a container that says nothing of its elements, what
    the body does with them comes first.
    """
    shape = reader.shape(annotation, where)
    if function is None or not is_vague(annotation):
        return shape
    inferred = [_filled_in(annotation, kind) for kind in inferred_types(function, parameter.name)]
    kinds = list(dict.fromkeys([kind for kind in inferred if kind is not None]))
    return one_of([*[reader.shape(kind, where) for kind in kinds], shape])


def _filled_in(annotation: Any, kind: Any) -> Any:
    """The declared container type with the elements of the inferred one in place of those it leaves
    open, such as records in place of the dicts of `Iterable[dict[str, Any]]`; None if the two do
    not agree.
    """
    origin, args = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
    made, parts = _MAPPINGS.get(origin, origin), typing.get_args(kind)
    says_nothing = not args or args[-1] is Any
    if made in _ITERABLE and typing.get_origin(kind) in _LISTED and parts:
        element = parts[0] if says_nothing else _filled_in(args[0], parts[0])
        return None if element is None else types.GenericAlias(origin, element)
    if made in BARE and says_nothing:
        return kind if _origin(kind) is made and _agrees(kind, args) else None
    return None


def _agrees(kind: Any, args: tuple[Any, ...]) -> bool:
    """Whether the keys of an inferred type are those of a declared one, which has these
    arguments.
    """
    if len(args) < 2 or args[0] is Any:
        return True
    return args[0] is (str if typing.is_typeddict(kind) else typing.get_args(kind)[0])


def _origin(kind: Any) -> Any:
    """The container class of a type; dict for a record."""
    return dict if typing.is_typeddict(kind) else typing.get_origin(kind)


def _with_default(
    shape: Shape,
    parameter: inspect.Parameter,
    annotation: Any,
    function: Callable[..., Any] | None,
) -> Shape:
    """The shape with the default added as an alternative where its annotation does not allow it."""
    default = parameter.default
    if default is _UNKNOWN or _allows(annotation, default):
        return shape
    if default is None or type(default) in _SCALARS:
        return one_of([shape, ConstantShape(default)])
    return one_of([shape, *_itself(default, function)])


def _allows(annotation: Any, value: Any) -> bool:
    """Whether a value is of the declared type; True also where that is hard to tell."""
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return value in typing.get_args(annotation)
    if origin is typing.Annotated:
        return _allows(typing.get_args(annotation)[0], value)
    if origin is typing.Union or origin is types.UnionType:
        return any(_allows(each, value) for each in typing.get_args(annotation))
    if annotation is None:
        return value is None
    kind = origin if origin is not None else annotation
    if not isinstance(kind, type) or typing.is_typeddict(kind):
        return value is not None or not _is_class_like(kind)
    if kind in (float, complex) and isinstance(value, int | float):
        return True
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol
        return value is not None


def _is_class_like(kind: Any) -> bool:
    """Whether None is surely no value of a type that is no class."""
    return isinstance(kind, typing.NewType) or typing.is_typeddict(kind)


def _is_spread(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


def _kind_of(default: Any) -> Any:
    """The type of a value, with that of the elements of a list or a tuple."""
    if _is_clock(default):
        return Callable[[], float]
    kind = type(default)
    if kind in (list, tuple) and default and type(default[0]) in _SCALARS:
        element = type(default[0])
        return list[element] if kind is list else tuple[element, ...]  # type: ignore[valid-type]
    return kind


def _itself(default: Any, function: Callable[..., Any] | None) -> list[Shape]:
    """The default as a shape, in a list, where other values of its type say little; else empty.

    That is so for a tuple that the program spells out, for an object that its module has a name
    for, and for a class, a function or a method that can be imported.
    """
    if type(default) is tuple and default and all(type(each) in _SCALARS for each in default):
        return [ConstantShape(default)]
    names = getattr(function, "__globals__", {})
    if is_plain(type(default)) and not callable(default) and type(default) is not object:
        return []
    if _is_clock(default):
        return []
    if isinstance(default, enum.Enum):
        return []
    found = [(names["__name__"], name) for name, value in names.items() if value is default]
    named = found[0] if found else _imported_as(default)
    return [ConstantShape(default, named)] if named is not None else []


def _is_clock(value: Any) -> bool:
    return getattr(value, "__module__", "") == "time" and value.__name__ in _CLOCKS


def _imported_as(value: Any) -> tuple[str, str] | None:
    """The module and the name, perhaps with dots, by which a function, a method or a class is
    imported: `time.monotonic`; None if it is not found there.
    """
    owner = getattr(value, "__objclass__", value)
    module, name = getattr(owner, "__module__", None), getattr(value, "__qualname__", None)
    if not callable(value) or not isinstance(module, str) or not isinstance(name, str):
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return (module, name) if found is value else None


def _each(kinds: list[Any], parameter: inspect.Parameter) -> list[Any]:
    """The types of a single value of `*args` or `**kwargs`, from those of all of them; for other
    parameters as they are.
    """
    if not _is_spread(parameter):
        return kinds
    inside = [typing.get_args(kind) for kind in kinds if typing.get_origin(kind) in _COLLECTIONS]
    return list(dict.fromkeys([args[-1] for args in inside if args and args[-1] is not ...]))


def told_of_each(
    function: Callable[..., Any], parameter: inspect.Parameter, where: str, reader: Reader
) -> Any:
    """The type of a single value of `*more`, which declares none, as far as the program tells it: a
    class, or another type than int, which is what nothing speaks against. `empty` if it does not.
    """
    if parameter.kind is not parameter.VAR_POSITIONAL:
        return _UNKNOWN
    kinds = _each(inferred_types(function, parameter.name), parameter)
    each = [part for kind in kinds for part in _alternatives(kind) if part is not Something]
    classes = [kind for kind in each if isinstance(kind, type) and not is_plain(kind)]
    told = classes or [kind for kind in kinds[:1] if kind not in (int, None)]
    if not told:
        return _UNKNOWN
    reader.leave_open(f"{where} has no declared type")
    return told[0]


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """The types that a union is made of; any other type alone."""
    return typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)


def is_plain(kind: type) -> bool:
    """Whether a class is a built-in one."""
    return kind.__module__ == "builtins"
