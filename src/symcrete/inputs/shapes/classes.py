"""Classes as inputs: the types of what their constructor and their methods take."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
import re
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.infer.body import is_only_looked_up, keys_looked_up
from symcrete.inputs.infer.class_source import (
    CALLED_BY_SYNTAX,
    changing_methods,
    free_fields,
    methods_in,
    stored_attributes,
)
from symcrete.inputs.infer.flow import constructor_of
from symcrete.inputs.shapes.containers import DictShape, SequenceShape
from symcrete.inputs.shapes.described_classes import (
    ModelShape,
    filling,
    is_made_of_fields,
    is_model,
    model_parts,
    shape_of_field,
    syntax_node,
    typed_dict,
    with_made_default,
)
from symcrete.inputs.shapes.hints import (
    Meanings,
    as_base,
    derived,
    guessed_signature,
    hints_of,
    name_of,
    names_of,
    put_in,
    told_signature,
)
from symcrete.inputs.shapes.inferred import shape_of_parameter, told_of_each
from symcrete.inputs.shapes.objects import InstanceShape, Method, Part, defaulted
from symcrete.inputs.shapes.shape import (
    ChoiceShape,
    ConstantShape,
    LaterShape,
    Shape,
    TupleShape,
    one_of,
)
from symcrete.inputs.subtypes import is_hashable
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import is_of_program
from symcrete.program.source.special import IN_PLACE
from symcrete.program.state.declared_stores import as_text, misfits

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader

_SMALL = "_symcrete_small"  # the attribute that marks a subclass which is not the program's
# classes tried for one parameter: each is a branch of every path; chosen, not measured
MOST_SUBCLASSES = 8
MOST_KEYWORDS = 6  # names of the `**more` of a constructor that are tried; chosen, not measured


def shape_of_class(kind: type, where: str, reader: Reader) -> Shape | None:
    """The shape of a class of the program; None if its constructor says too little."""
    if kind in reader.inside:
        known = reader.inside
        inside = known[kind]
        return inside if isinstance(inside, LaterShape) else LaterShape(lambda: known[kind])
    if typing.is_typeddict(kind):
        return typed_dict(kind, where, reader)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        if is_made_of_fields(kind) or not _of_program(kind, reader):
            return _named_tuple(kind, where, reader)
    if issubclass(kind, ast.AST) and kind.__module__ == "ast":
        return syntax_node(kind, where, reader)
    if issubclass(kind, type):
        return _classes_made_by(kind, where, reader)
    return _with_subclasses(kind, where, reader) if _of_program(kind, reader) else None


def _classes_made_by(kind: type[type], where: str, reader: Reader) -> Shape | None:
    """The shape of the objects of a metaclass: those of its classes that the module knows."""
    made = [each for each in reader.names.values() if isinstance(each, kind)]
    if made:
        reader.leave_open(f"{where} may be any class that {kind.__name__} makes")
        return one_of([ConstantShape(each) for each in made])
    if _of_program(kind, reader):
        raise UnsupportedInput(f"the module has no class whose metaclass is {kind.__name__}")
    return None


def _of_program(kind: type, reader: Reader) -> bool:
    """Whether a class is the program's, or only holds its fields; a library's class that opens
    something is neither.
    """
    if kind.__module__ == reader.names.get("__name__") or is_model(kind):
        return True
    if dataclasses.is_dataclass(kind) or hasattr(kind, "__attrs_attrs__"):
        return True
    file = names_of(kind, reader.names).get("__file__")
    if kind.__module__ == "builtins" or not file:
        return False
    return is_of_program(str(file), kind.__module__, str(reader.names.get("__name__")))


def _with_subclasses(kind: type, where: str, reader: Reader) -> Shape | None:
    """The shape of an object of a class or of its subclasses; None if none can be built.

    For an abstract class without subclasses a stand-in, whose methods answer as declared, is an
    alternative to a subclass made here, whose methods do nothing.
    """
    concrete = _concrete(kind)
    made = _objects(kind, concrete, where, reader)
    if made is not None and any(_SMALL in vars(each) for each in concrete):
        return one_of([made, reader.something(where, of=kind)])
    return made


def shape_of_receiver(kind: type, method: str, where: str, reader: Reader) -> tuple[Shape, bool]:
    """The shape of an object to call a method of a class on, and whether the object's method is
    that one.

    Where all subclasses override it, it takes an explicit call, `Base.method(object)`.
    """
    own = inspect.getattr_static(kind, mangled(kind.__name__, method), None)
    concrete = _concrete(kind) if _of_program(kind, reader) else []
    stored = mangled(kind.__name__, method)
    same = [each for each in concrete if inspect.getattr_static(each, stored, None) is own]
    if len(same) == len(concrete) or kind in reader.inside:
        return reader.shape(kind, where), True
    made = _objects(kind, same or concrete, where, reader)
    if made is None or (not same and isinstance(own, property)):
        raise UnsupportedInput(f"no object of a class that has this {kind.__name__}.{method}")
    del reader.inside[kind]  # other parameters take objects of all the subclasses
    if _objects(kind, concrete, where, reader) is None:
        reader.inside[kind] = made
    return made, bool(same)


def _concrete(kind: type) -> list[type]:
    """The class and its subclasses, without abstract ones; a small subclass of ours if none is
    left.
    """
    found = [each for each in _family(kind) if not inspect.isabstract(each)]
    if getattr(kind, "_is_protocol", False):
        return [each for each in found if each is not kind]
    return found or [small_class(kind)]


# The kinds of parameters that can be passed by name, so that those before them may be left out.
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
# Built-in classes that programs extend; what their constructors take is not in their signatures.
_EXTENDED = (int, float, complex, str, bytes, dict, set, frozenset, tuple, list)


def _does_nothing(self: Any, *args: Any, **kwargs: Any) -> None:
    """Stands for a method that a subclass has to have."""


@functools.lru_cache(maxsize=64)  # classes; chosen, not measured
def small_class(kind: type) -> type:
    """A subclass of an abstract class that has a method which does nothing for each one that is
    lacking.
    """
    lacking: frozenset[str] = getattr(kind, "__abstractmethods__", frozenset())
    names = {"__module__": kind.__module__, _SMALL: True, **dict.fromkeys(lacking, _does_nothing)}
    try:
        return type(kind)(kind.__name__, (kind,), names)
    except Exception as error:  # a metaclass may refuse
        raise UnsupportedInput(f"{kind.__name__} has no subclass: {error}") from None


def _small_text(kind: type) -> tuple[tuple[str, str] | None, str]:
    """For a class that `small_class` made: the module and name of the class it is made from, and
    the expression that makes it. None and an empty text for others.
    """
    if _SMALL not in vars(kind):
        return None, ""
    (base,) = kind.__bases__
    lacking = ", ".join([f'"{name}"' for name in sorted(base.__abstractmethods__)])  # type: ignore[attr-defined]
    methods = f"dict.fromkeys([{lacking}], lambda *args, **kwargs: None)"
    return (base.__module__, base.__qualname__), (
        f'type("{base.__name__}", ({base.__qualname__},), {methods})'
    )


def _objects(kind: type, concrete: list[type], where: str, reader: Reader) -> Shape | None:
    """The shape of an object of one of these classes, which further mentions of `kind` have too;
    classes that hold none of the others come first, and those that the program asks for by name
    where not all are tried. None if none can be built.
    """
    inside = reader.inside
    later = LaterShape(lambda: inside[kind])
    reader.inside[kind] = later
    # Not those which say that type variables of the declared class mean others than it does here.
    meant = [(each, derived(each, kind, reader.variables)) for each in concrete]
    fitting = [(each, variables) for each, variables in meant if variables is not None]
    fitting.sort(key=lambda each: _mentions(each[0], concrete))
    if len(fitting) > MOST_SUBCLASSES:
        reader.leave_open(f"{where} may be of {len(fitting)} classes, of which some are tried")
        fitting.sort(key=lambda each: not reader.told.asks_by_name(each[0]))
    try:
        shapes = [_instance(*each, where, reader) for each in fitting[:MOST_SUBCLASSES]]
    except UnsupportedInput:
        del reader.inside[kind]
        raise
    known = [shape for shape in shapes if shape is not None]
    if not known:
        del reader.inside[kind]
        return None
    made = one_of(known)
    reader.inside[kind] = made
    return made


def _family(kind: type) -> list[type]:
    """The class and all classes derived from it, but those that `small_class` made."""
    found = [kind]
    each: type
    for each in type.__subclasses__(kind):
        if _SMALL in vars(each):
            continue
        found += [sub for sub in _family(each) if sub not in found]
    return found


def _instance(kind: type, variables: Meanings, where: str, reader: Reader) -> Shape | None:
    """The shape of an object of just this class with these type variables; None if not known."""
    if not is_hashable(kind):
        reader.leave_open(f"{where} may be of {kind.__name__}, whose metaclass takes its hash")
        return None
    with reader.meaning(variables):
        return _instance_of(kind, where, reader)


def _instance_of(kind: type, where: str, reader: Reader) -> Shape | None:
    """The same, where the reader knows what type variables mean."""
    variables = reader.variables

    def later(read: Callable[[type, str, Reader], Any]) -> Any:
        with reader.meaning(variables):
            return read(kind, where, reader)

    if is_model(kind):
        return reader.shared(ModelShape(kind, lambda: later(model_parts)), kind)
    extended = _extended(kind, where, reader)
    if extended is not None:
        return extended
    signature = told_signature(kind)
    if signature is None:
        signature = guessed_signature(kind)
        if signature is None:
            return None
        reader.leave_open(f"{kind.__name__}() does not tell what it takes, for {where}")

    @functools.cache
    def find_parts() -> tuple[Part, ...]:
        with reader.meaning(variables):
            return _constructor(kind, signature, where, reader)

    if not _mentions(kind, [kind]):
        find_parts()  # what cannot be built is said now
    small, text = _small_text(kind)
    if small is not None:
        reader.leave_open(f"{where} is of a subclass that the program does not have")
    named = small or name_of(kind, reader.names)
    made = InstanceShape(kind, find_parts, lambda: later(_methods), named=named, text=text)
    return reader.shared(made, kind)


def _extends(kind: type) -> type | None:
    """The built-in class whose constructor a class keeps; None for others."""
    base = next((each for each in _EXTENDED if issubclass(kind, each)), None)
    if base is None or kind.__new__ is not base.__new__ or _init(kind) is not _init(base):
        return None
    return base


def _extended(kind: type, where: str, reader: Reader) -> Shape | None:
    """The shape of an object of a class that extends a built-in one and keeps its constructor: it
    is made from a value of the built-in class. None for others.
    """
    base = _extends(kind)
    if base is None:
        return None
    part = Part("value", reader.shape(base, f"{where}.{kind.__name__}"), False)
    made = InstanceShape(
        kind,
        lambda: (part,),
        lambda: _methods(kind, where, reader),
        named=name_of(kind, reader.names),
    )
    return reader.shared(made, kind)


def _mentions(kind: type, others: list[type]) -> bool:
    """Whether what a class holds is declared to be of one of these classes."""
    known = {base.__name__ for other in others for base in other.__mro__ if base is not object}
    hints = [str(hint) for each in (_init(kind), kind) for hint in _annotations(each)]
    words = {word for hint in hints for word in re.findall(r"\w+", hint)}
    return not known.isdisjoint(words)


def _annotations(holder: Any) -> list[Any]:
    try:
        return list(holder.__annotations__.values())
    except Exception:  # a class of the program may answer with anything
        return []


def _init(kind: Any) -> Any:
    return kind.__init__


def _constructor(
    kind: type, signature: inspect.Signature, where: str, reader: Reader
) -> tuple[Part, ...]:
    """A part for each argument that the constructor of a class takes."""
    names = names_of(kind, reader.names)
    hints = {**hints_of(kind, names), **hints_of(_init(kind), names)}
    hints = {
        name: _meant({name: hint}, kind, _declaring(kind, name), reader)[name]
        for name, hint in hints.items()
    }
    parameters = [with_made_default(kind, each) for each in signature.parameters.values()]
    where = f"{where}.{kind.__name__}"
    return parts_of(constructor_of(kind), parameters, hints, where, reader)


def _meant(hints: Mapping[str, Any], kind: type, holder: type, reader: Reader) -> dict[str, Any]:
    """What annotations of a class mean in one derived from it, whose variables the reader knows."""
    meanings = as_base(kind, holder, reader.variables)
    return {name: put_in(hint, meanings) for name, hint in hints.items()}


def _declaring(kind: type, name: str) -> type:
    """The class whose annotation says what a constructor takes under a name."""
    made = next((each for each in kind.__mro__ if "__init__" in vars(each)), kind)
    if not dataclasses.is_dataclass(made):
        return made
    fields = [each for each in made.__mro__ if name in vars(each).get("__annotations__", ())]
    return fields[0] if fields else made


def parts_of(
    function: Callable[..., Any] | None,
    parameters: list[inspect.Parameter],
    hints: Mapping[str, Any],
    where: str,
    reader: Reader,
) -> tuple[Part, ...]:
    """A part for each parameter of a call; those with a default may be left out."""
    parts: list[Part] = []
    skipped = False
    for parameter in parameters:
        annotation = hints.get(parameter.name, parameter.annotation)
        place = f"{where}.{parameter.name}"
        names: tuple[str, ...] = ()
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            names = _names_of_more(function, parameter, parameters)
            if annotation is parameter.empty and function is not None:
                annotation = told_of_each(function, parameter, place, reader)
            if annotation is parameter.empty or not names:
                reader.leave_open(f"{place} is always left out: little is known of what it takes")
                continue
        try:
            shape = shape_of_parameter(function, parameter, annotation, place, reader, within=True)
        except UnsupportedInput:
            if parameter.default is not parameter.empty or names:
                reader.leave_open(f"{place} is always left out: no input of its type is known")
                skipped = True
                continue
            shape = reader.something(place, of=annotation)
        if names:
            parts.append(_part_of_more(function, parameter, shape, names, reader))
            continue
        if parameter.default is not parameter.empty and parameter.kind in _BY_NAME:
            shape = defaulted(shape, parameter.default)
        by_keyword = parameter.kind is parameter.KEYWORD_ONLY
        parts.append(Part(parameter.name, shape, by_keyword or skipped))
    return tuple(parts)


def _names_of_more(
    function: Callable[..., Any] | None,
    parameter: inspect.Parameter,
    others: list[inspect.Parameter],
) -> tuple[str, ...]:
    """The keywords to try for `**more`: those that the body looks up, without the names of the
    other parameters. For `*more`, which has none, its own name.
    """
    if parameter.kind is parameter.VAR_POSITIONAL:
        return (parameter.name,)
    if function is None:
        return ()
    looked_up = keys_looked_up(function, parameter.name)
    taken = {each.name for each in others if each.kind in _BY_NAME}
    return tuple([key for key in looked_up if key not in taken][:MOST_KEYWORDS])


def _part_of_more(
    function: Callable[..., Any] | None,
    parameter: inspect.Parameter,
    shape: Shape,
    names: tuple[str, ...],
    reader: Reader,
) -> Part:
    """The part of a call that is unpacked into it; `shape` is that of a single value."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return Part(parameter.name, SequenceShape(shape, tuple), spread="*")
    if (
        function is None
        or len(names) == MOST_KEYWORDS
        or not is_only_looked_up(function, parameter.name)
    ):
        reader.leave_open(f"`**{parameter.name}` may have keywords of any name")
    keys = ChoiceShape(tuple([ConstantShape(name) for name in names]))
    return Part(parameter.name, DictShape(keys, shape), spread="**")


def _named_tuple(kind: Any, where: str, reader: Reader) -> Shape:
    hints = hints_of(kind, names_of(kind, reader.names))
    fields: tuple[str, ...] = kind._fields
    shapes = [shape_of_field(kind, name, hints, where, reader) for name in fields]
    return TupleShape(tuple(shapes), kind, fields, name_of(kind, reader.names))


# -- methods that change an object


def _methods(kind: type, where: str, reader: Reader) -> tuple[Method, ...]:
    """The methods and properties by which a program changes an object; none where the constructor
    can make every state anyway.
    """
    found: list[Method] = []
    changing = changing_methods(kind)
    if changing and _constructor_gives_every_state(kind):
        return ()
    for name in changing:
        if name.startswith("_") and name not in CALLED_BY_SYNTAX and name not in IN_PLACE:
            continue
        function = inspect.getattr_static(kind, name)
        is_setter = isinstance(function, property) and function.fset is not None
        if isinstance(function, property) and not is_setter:
            found.append(Method(name, (), is_read=True))
            continue
        function = function.fset if isinstance(function, property) else function
        if not inspect.isfunction(function):
            continue
        parameters = list(inspect.signature(function).parameters.values())[1:]
        if name == "__setitem__":
            parameters = parameters[:2]  # no assignment gives it more
        holder = next(each for each in kind.__mro__ if name in vars(each))
        hints = _meant(hints_of(function, names_of(kind, reader.names)), kind, holder, reader)
        try:
            where_used = f"{where}.{kind.__name__}.{name}"
            parts = parts_of(function, parameters, hints, where_used, reader)
        except UnsupportedInput:
            continue
        if len(parts) == 1 or not is_setter:
            found.append(Method(name, parts, is_setter))
    with contextlib.suppress(UnsupportedInput):
        fills = filling(kind, where, reader) if _extends(kind) is None else None
        found += [fills] if fills is not None else []
    return tuple(found)


def _constructor_gives_every_state(kind: type) -> bool:
    """Whether whatever methods make of an object is an object that its constructor makes, too: a
    dataclass that takes its fields as they are, whose methods store into them what is declared.
    """
    free = free_fields(kind)
    declared = {
        name: as_text(each)
        for base in reversed(kind.__mro__)
        for name, each in vars(base).get("__annotations__", {}).items()
    }
    if not free or free != declared.keys():
        return False
    family = {each.__qualname__ for each in kind.__mro__[:-1]}
    for base in kind.__mro__[:-1]:
        nodes = methods_in(base)
        stored = [name for node in nodes for name in stored_attributes(node)]
        if not nodes or not free.issuperset(stored):
            return False
        body = ast.Module([ast.ClassDef(base.__qualname__, [], [], list(nodes), [])], [])
        if any(True for _ in misfits(body, family, declared)):
            return False
    return True
