"""Classes that describe what they hold themselves: pydantic models (pydantic need not be
installed), TypedDict, named tuples, nodes of syntax trees, and classes derived from containers.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import dataclasses
import inspect
import re
import typing
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.infer.attributes import kinds_of_attribute
from symcrete.inputs.infer.class_source import CONTAINERS
from symcrete.inputs.infer.something import Something
from symcrete.inputs.shapes.annotated_bounds import bounded
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.hints import hints_of, names_of
from symcrete.inputs.shapes.objects import (
    InstanceShape,
    Method,
    Part,
    PerhapsShape,
    RecordShape,
    defaulted,
)
from symcrete.inputs.shapes.shape import LaterShape, Shape, depth_of, one_of
from symcrete.program.source.module import parsed
from symcrete.terms.evaluate import Assignment

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader

FIELD_DEFAULTS = (bool, int, float, str, bytes)  # types of a default that a field is tried with

# By the built-in class, the method that fills a container and the names of what it takes.
_FILLED_BY: dict[type, tuple[str, tuple[str, ...]]] = {
    list: ("append", ("element",)),
    collections.deque: ("append", ("element",)),
    set: ("add", ("element",)),
    dict: ("__setitem__", ("key", "value")),
}
_HASHED = str | int  # what the keys of a dict and the elements of a set are, if nothing is declared


def is_model(kind: type) -> bool:
    """Whether a class is a pydantic model (version 2)."""
    named = any(b.__module__ == "pydantic.main" and b.__name__ == "BaseModel" for b in kind.__mro__)
    return named and isinstance(getattr(kind, "model_fields", None), dict)


def filling(kind: type, where: str, reader: Reader) -> Method | None:
    """The inherited method that fills an object of a class derived from a built-in container, with
    what the class is declared to hold, as in `class Lines(list[Line])`; None for other classes,
    and where the class has a method of that name itself.
    """
    base = next((each for each in CONTAINERS if issubclass(kind, each)), None)
    if base is None:
        return None
    method, names = _FILLED_BY[base]
    if inspect.getattr_static(kind, method) is not vars(base)[method]:
        return None
    declared = [
        typing.get_args(each)
        for above in kind.__mro__
        for each in vars(above).get("__orig_bases__", ())
        if typing.get_origin(each) is base and len(typing.get_args(each)) == len(names)
    ]
    hints = declared[0] if declared else (_HASHED, Any) if base is dict else (Any,)
    parts: list[Part] = []
    for name, hint in zip(names, hints, strict=True):
        place = f"{where}.{kind.__name__}.{method}.{name}"
        is_key = base is set or name == "key"
        read = reader.exactly if is_key else reader.shape
        parts.append(Part(name, read(_HASHED if is_key and hint is Any else hint, place), False))
    return Method(method, tuple(parts))


def typed_dict(kind: Any, where: str, reader: Reader) -> Shape:
    """The shape of a TypedDict: a key that is not required may be missing."""
    hints = hints_of(kind, names_of(kind, reader.names))
    required = kind.__required_keys__
    reader.inside[kind] = LaterShape(lambda: made)
    parts: list[tuple[str, Shape, bool]] = []
    for key, hint in hints.items():
        needed = _is_required(hint, key in required)
        try:
            parts.append((key, reader.shape(hint, f"{where}.{key}"), needed))
        except UnsupportedInput:
            if needed:
                parts.append((key, reader.something(f"{where}.{key}", of=hint), needed))
            else:
                reader.leave_open(f"{where} never has {key!r}: no input of its type is known")
    made = reader.shared(RecordShape(tuple(parts)), kind)
    del reader.inside[kind]
    return made


def _is_required(hint: Any, otherwise: bool) -> bool:
    """Whether a TypedDict must have a key, as its annotation says, which Python itself overlooks
    where annotations are kept as text.
    """
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return _is_required(typing.get_args(hint)[0], otherwise)
    return origin is typing.Required or (otherwise and origin is not typing.NotRequired)


class ModelShape(InstanceShape):
    """A pydantic model, made from what its fields take; pydantic checks and copies them as plain
    values.
    """

    @property
    def has_validators(self) -> bool:
        """Whether validators of the program decide what is valid."""
        own = getattr(self.kind, "__pydantic_decorators__", None)
        names = ("validators", "field_validators", "root_validators", "model_validators")
        return any(getattr(own, name, None) for name in names)

    def field_of(self, part: Part) -> str:
        """The attribute that a part is stored in; an alias is only for the constructor."""
        fields: dict[str, Any] = self.kind.model_fields  # type: ignore[attr-defined]
        return next(name for name, field in fields.items() if (field.alias or name) == part.name)


def model_parts(kind: Any, where: str, reader: Reader) -> tuple[Part, ...]:
    """A part for each field of a model; optional ones of unsupported types are left out."""
    parts: list[Part] = []
    for name, field in kind.model_fields.items():
        try:
            shape = bounded(
                reader.shape(field.annotation, f"{where}.{name}"), tuple(field.metadata)
            )
        except UnsupportedInput:
            if field.is_required():
                raise
            continue
        parts.append(Part(field.alias or name, shape, by_keyword=True))
    return tuple(parts)


# -- named tuples


def is_made_of_fields(kind: type) -> bool:
    """Whether a named tuple is made from its fields and nothing else: its class has no constructor
    of its own, which may take something else and give some of them itself.
    """
    own: Any = kind
    names = getattr(own.__new__, "__globals__", {})
    return names.get("_tuple_new") is tuple.__new__ and own.__init__ is object.__init__


def with_made_default(kind: type, parameter: inspect.Parameter) -> inspect.Parameter:
    """The parameter with the empty container that `default_factory` of its field makes."""
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    for each in fields:
        if each.name == parameter.name and each.default_factory in (list, dict, set):
            return parameter.replace(default=each.default_factory())
    return parameter


def shape_of_field(
    kind: Any, field: str, hints: Mapping[str, Any], where: str, reader: Reader
) -> Shape:
    """The shape of a field of a named tuple: of the type in `hints`, where it declares one."""
    path = f"{where}.{field}"
    if field in hints:
        return reader.shape(hints[field], path)
    reader.leave_open(f"{path} has no declared type")
    shapes: list[Shape] = []
    for each in _kinds_of_field(kind, field, reader.names):
        with contextlib.suppress(UnsupportedInput):
            shapes.append(reader.shape(each, path))
    return one_of(shapes)


def _kinds_of_field(kind: Any, field: str, names: Mapping[str, Any]) -> list[Any]:
    """The types to try for a field that declares none, the most likely first: that of its default,
    and what the program does with attributes of that name.
    """
    found: list[Any] = []
    if field in kind._field_defaults:
        default = kind._field_defaults[field]
        found += [type(default)] if type(default) in FIELD_DEFAULTS else []
        found += [None] if default is None else []
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        used = kinds_of_attribute(field, parsed(str(names.get("__file__"))), names)
        found += [each for each in used if each not in (*found, Something)]
    return found if [each for each in found if each is not None] else [int, *found]


# -- nodes of syntax trees

# Classes that are tried where any of many may be given, besides those that the program asks for:
# the first holds no others. Chosen, not measured.
_USUAL: dict[type, tuple[type, ...]] = {
    ast.AST: (ast.Name, ast.Constant, ast.Pass, ast.Module),
    ast.expr: (ast.Name, ast.Constant),
    ast.stmt: (ast.Pass, ast.Expr),
}
DEEPEST_NODE = 2  # levels of a tree whose fields are drawn; chosen, not measured
MOST_USUAL = 3  # classes tried of those that _USUAL lacks, such as operators; chosen, not measured
# The types of fields that are no nodes, by their names in the grammar.
_LEAVES: dict[str, Any] = {
    "identifier": str,
    "int": int,
    "string": str,
    "constant": int | str | float | bool | None,
}
# `expr* targets`, `identifier? name`: a field as the docstring of its class shows it.
_FIELD = re.compile(r"(\w+)([*?]?) (\w+)")


class NodeShape(InstanceShape):
    """A node of a syntax tree, with the fields that the grammar gives its class.

    Draws stay small: what lies deeper has its plainest value.
    """

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if depth_of(name) <= DEEPEST_NODE:
            super().sample(name, pool, random, given)


def syntax_node(kind: type[ast.AST], where: str, reader: Reader) -> Shape:
    """The shape of a node of this class; of a class without fields, such as `ast.expr`, a choice
    between derived ones: a few usual ones, and those that the program asks for.
    """
    reader.leave_open(f"{where} may be any {kind.__name__} of a syntax tree")
    inside = reader.inside
    inside[kind] = LaterShape(lambda: inside[kind])
    usual = _USUAL.get(kind) or tuple(kind.__subclasses__()[:MOST_USUAL])
    asked = [each for each in reader.told.kinds if isinstance(each, type)]
    wanted = [each for each in (*usual, *asked) if issubclass(each, kind) and each is not kind]
    if kind._fields or not wanted:
        made: Shape = _node(kind, where, reader)
    else:
        made = one_of([reader.shape(each, where) for each in dict.fromkeys(wanted)])
    inside[kind] = made
    return made


def _node(kind: type[ast.AST], where: str, reader: Reader) -> Shape:
    return NodeShape(kind, lambda: _fields(kind, where, reader))


def _fields(kind: type[ast.AST], where: str, reader: Reader) -> tuple[Part, ...]:
    """A part for each field that the docstring of a class of nodes shows."""
    found: list[Part] = []
    for named, many, field in _FIELD.findall((kind.__doc__ or "").partition("(")[2]):
        meant = _LEAVES.get(named) or getattr(ast, named)
        shape = reader.shape(meant, f"{where}.{field}")
        if many == "*":
            shape = SequenceShape(shape, list)
        elif many == "?":
            shape = defaulted(PerhapsShape(shape, None), None)
        found.append(Part(field, shape, by_keyword=True))
    return tuple(found)
