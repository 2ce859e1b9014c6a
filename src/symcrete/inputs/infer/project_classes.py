"""Classes of the program whose objects have what is read of a value that nobody declares."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any, TypeAlias

from symcrete.inputs.infer.flow import is_called
from symcrete.inputs.infer.something import BUILT_IN_NAMES
from symcrete.inputs.literal import is_importable
from symcrete.program.source.module import walked

# classes that are tried for one value: each is a branch of every path; chosen, not measured
MOST_FITTING = 2
# classes that are tried for the constants that one value is asked for; chosen, not measured
MOST_TAGGED = 3
# Attributes with the constants that they are compared with; no attribute is the value itself.
Asked: TypeAlias = frozenset[tuple[str, str | int]]
# attributes needed to find a class by, if built-in types have them all; chosen, not measured
FEWEST_SHARED = 2


def own_classes(names: Mapping[str, Any]) -> Iterator[type]:
    """The classes that a module defines; no table can have those whose metaclass takes the hash."""
    module = names.get("__name__")
    for value in list(names.values()):
        if isinstance(value, type) and value.__module__ == module and is_hashable_class(value):
            yield value


def is_hashable_class(kind: type) -> bool:
    """Whether a table can have a class as a key: its metaclass may take the hash."""
    return type(kind).__hash__ is not None


def has_attribute(kind: type, attribute: str) -> bool:
    """Whether objects of a class have an attribute: one of the class, a declared one, or any name
    that a constructor mentions, since it may set it.
    """
    return attribute in _attributes(kind)


@functools.lru_cache(maxsize=4096)  # classes; chosen, not measured
def _attributes(kind: type) -> frozenset[str]:
    """The names that objects of a class may have as attributes."""
    found: set[str] = set()
    for base in kind.__mro__:
        found |= vars(base).keys()
        declared = vars(base).get("__annotations__")
        found |= declared.keys() if isinstance(declared, dict) else set()
        made = vars(base).get("__init__")
        found |= set(made.__code__.co_names) if isinstance(made, FunctionType) else set()
    return frozenset(found)


def classes_with(
    attributes: frozenset[str], names: Mapping[str, Any], asked: Asked = frozenset()
) -> list[type]:
    """Some classes of the module's package that have all these attributes, those with the fewest
    attributes first.

    Before them come classes with a constant that is `asked` for, as `type = "ident"` is by
    `token.type == "ident"`: each of them has what is read below its own question, not what is read
    below others. The same goes for a class that decides what it is equal to, where the value itself
    is compared with a constant. A class with another constant is left out where there are others.
    Other classes of the module itself are left out, too: each attribute alone finds them.
    """
    foreign = attributes - BUILT_IN_NAMES
    if len(foreign) == 0 and len(attributes) < FEWEST_SHARED:
        return []
    module, loaded = str(names.get("__name__") or ""), len(sys.modules)
    package = _classes_of(module.partition(".")[0], loaded)
    if not package:
        return []
    told = {attribute for attribute, _ in asked}
    some = [kind for kind in package if attributes & _attributes(kind)] if asked else []
    some.sort(key=lambda kind: len(attributes - _attributes(kind)))
    tagged = [kind for kind in some if not asked.isdisjoint(_constants(kind))]
    equal = [kind for kind in some if "" in told and _decides_equality(kind)]
    fitting = list(_fitting(attributes, module, loaded))
    others = [kind for kind in fitting if told.isdisjoint(dict(_constants(kind)))]
    others = others or ([] if tagged or equal else fitting)
    found = [*tagged[:MOST_TAGGED], *equal[:1], *others[:MOST_FITTING]]
    return list(dict.fromkeys(found))


def values_asked(tree: ast.AST, name: str) -> Asked:
    """The constants that a text compares attributes of a variable with, also through a local
    variable that holds one, and those that it compares the variable itself with.
    """
    held: dict[str, str] = {}

    def asked_of(node: ast.expr) -> str | None:
        """The attribute that an expression is, if any; the empty text for the variable itself."""
        match node:
            case ast.Attribute(value=value, attr=attribute) if is_called(value, name):
                return attribute
            case ast.Name(id=known) if held.get(known):
                return held[known]
            case _:
                return "" if is_called(node, name) else None

    found: set[tuple[str, str | int]] = set()
    for node in walked(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Attribute() as value):
                held[target] = asked_of(value) or ""
            case ast.Compare(left=left, comparators=[right]):
                for mine, other in ((left, right), (right, left)):
                    found |= _pairs(asked_of(mine), [other])
            case ast.Match(subject=subject, cases=cases):
                below = [each for case in cases for each in walked(case.pattern)]
                values = [each for each in below if isinstance(each, ast.expr)]
                found |= _pairs(asked_of(subject), values)
            case _:
                pass
    return frozenset(found)


def _pairs(attribute: str | None, values: list[ast.expr]) -> Asked:
    """An attribute with each constant among these; nothing without an attribute."""
    if attribute is None:
        return frozenset()
    return frozenset([(attribute, each) for value in values for each in _written_out(value)])


def _written_out(node: ast.expr) -> list[str | int]:
    """The texts and numbers that an expression is, or that are in the container that it is."""
    match node:
        case ast.Constant(value=str() | int() as value):
            return [value]
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [value for part in parts for value in _written_out(part)]
        case _:
            return []


@functools.lru_cache(maxsize=4096)  # classes; chosen, not measured
def _constants(kind: type) -> frozenset[tuple[str, str | int]]:
    """The texts and numbers that are attributes of a class, for all its objects."""
    found: dict[str, str | int] = {}
    for base in reversed(kind.__mro__):
        for attribute, value in vars(base).items():
            if isinstance(value, str | int) and not attribute.startswith("__"):
                found[attribute] = value
    return frozenset(found.items())


def _decides_equality(kind: type) -> bool:
    """Whether a class has an `__eq__` that is written in its text: one that a dataclass is given
    takes no constant.
    """
    found = getattr(kind, "__eq__", None)
    return isinstance(found, FunctionType) and not found.__code__.co_filename.startswith("<")


def bases_first(kinds: list[Any], asked: Mapping[Any, None]) -> list[Any]:
    """The classes without those derived from one before them, which are tried with that one; all
    that the program asks for by name stay.
    """
    return [
        kind
        for place, kind in enumerate(kinds)
        if kind in asked or not any(base in kinds[:place] for base in kind.__mro__[1:])
    ]


def class_named(word: str, names: Mapping[str, Any]) -> list[type]:
    """The class of the module, or else of its package, that has this name but for upper and lower
    case, as a list of one; empty if there is none.
    """
    package = str(names.get("__name__") or "").partition(".")[0]
    for classes in (own_classes(names), _classes_of(package, len(sys.modules))):
        found = [kind for kind in classes if kind.__name__.lower() == word.lower()]
        if found:
            return found[:1]
    return []


def dataclasses_of(names: Mapping[str, Any]) -> list[type]:
    """Some dataclasses of the module, or else of its package, or else of the standard library."""
    package = str(names.get("__name__") or "").partition(".")[0]
    for classes in (own_classes(names), _classes_of(package, len(sys.modules))):
        found = [kind for kind in classes if dataclasses.is_dataclass(kind)]
        usable = [kind for kind in found if dataclasses.fields(kind) and is_importable(kind)]
        if usable:
            return usable[:MOST_FITTING]
    import pstats  # few programs ask for dataclasses

    return [pstats.FunctionProfile, pstats.StatsProfile]


@functools.lru_cache(maxsize=1024)  # sets of attributes; chosen, not measured
def _fitting(attributes: frozenset[str], module: str, loaded: int) -> tuple[type, ...]:
    """The classes of other modules of the package that have all these attributes, without those
    derived from another one, which are tried with it; `loaded`, the number of loaded modules, keeps
    the cache up to date.
    """
    fitting = [
        kind
        for kind in _classes_of(module.partition(".")[0], loaded)
        if kind.__module__ != module and attributes <= _attributes(kind)
    ]
    return tuple(
        [kind for kind in fitting if not any(base in fitting for base in kind.__mro__[1:])]
    )


@functools.lru_cache(maxsize=4)  # packages; chosen, not measured
def _classes_of(package: str, _loaded: int) -> tuple[type, ...]:
    """The classes that the loaded modules of a package define, those with few attributes first;
    abstract ones come last. `_loaded`, the number of loaded modules, keeps the cache up to date.
    """
    found: dict[type, None] = {}
    for name, module in list(sys.modules.items()):
        if name != package and not name.startswith(f"{package}."):
            continue
        for value in list(getattr(module, "__dict__", {}).values()):
            if isinstance(value, type) and value.__module__ == name and is_hashable_class(value):
                found[value] = None
    usable = [kind for kind in found if not issubclass(kind, BaseException | type)]
    return tuple(
        sorted(usable, key=lambda kind: (inspect.isabstract(kind), len(_attributes(kind))))
    )
