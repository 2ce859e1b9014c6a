"""Classes of the program whose objects have what is read of a value that nobody declares."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from symcrete.inputs.infer.something import BUILT_IN_NAMES
from symcrete.inputs.literal import is_importable

# classes that are tried for one value: each is a branch of every path; chosen, not measured
MOST_FITTING = 2
# attributes needed to find a class by, if built-in types have them all; chosen, not measured
FEWEST_SHARED = 2


def own_classes(names: Mapping[str, Any]) -> Iterator[type]:
    """The classes that a module defines."""
    module = names.get("__name__")
    for value in list(names.values()):
        if isinstance(value, type) and value.__module__ == module:
            yield value


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


def classes_with(attributes: frozenset[str], names: Mapping[str, Any]) -> list[type]:
    """Some classes of the module's package that have all these attributes, those with the fewest
    attributes first.

    Those of the module itself are found by each attribute alone, and are left out here.
    """
    foreign = attributes - BUILT_IN_NAMES
    if len(foreign) == 0 and len(attributes) < FEWEST_SHARED:
        return []
    return list(_fitting(attributes, str(names.get("__name__") or ""), len(sys.modules)))


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
    """What `classes_with` gives; `loaded`, the number of loaded modules, keeps the cache up to
    date.
    """
    fitting = [
        kind
        for kind in _classes_of(module.partition(".")[0], loaded)
        if kind.__module__ != module and attributes <= _attributes(kind)
    ]
    # A subclass of one that fits is tried with it.
    plainest = [kind for kind in fitting if not any(base in fitting for base in kind.__mro__[1:])]
    return tuple(plainest[:MOST_FITTING])


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
            if isinstance(value, type) and value.__module__ == name:
                found[value] = None
    usable = [kind for kind in found if not issubclass(kind, BaseException | type)]
    return tuple(
        sorted(usable, key=lambda kind: (inspect.isabstract(kind), len(_attributes(kind))))
    )
