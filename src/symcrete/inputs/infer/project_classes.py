"""Classes of the program whose objects have what is read of a value that nobody declares."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from symcrete.inputs.infer.something import BUILT_IN_NAMES

# classes that are tried for one value: each is a branch of every path; chosen, not measured
MOST_FITTING = 2
# attributes that built-in types have, too, of which so many speak for a class; chosen, not measured
FEWEST_SHARED = 2


def own_classes(names: Mapping[str, Any]) -> Iterator[type]:
    """The classes that a module defines."""
    module = names.get("__name__")
    for value in list(names.values()):
        if isinstance(value, type) and value.__module__ == module:
            yield value


def has_attribute(kind: type, attribute: str) -> bool:
    """Whether objects of a class have an attribute: of the class, declared, or set by its
    constructor.
    """
    if inspect.getattr_static(kind, attribute, None) is not None:
        return True
    for base in kind.__mro__:
        declared = vars(base).get("__annotations__")
        if isinstance(declared, dict) and attribute in declared:
            return True
        made = vars(base).get("__init__")
        code = made.__code__ if isinstance(made, FunctionType) else None
        if code is not None and attribute in code.co_names:
            return True
    return False


def classes_with(attributes: frozenset[str], names: Mapping[str, Any]) -> list[type]:
    """The classes of the module's package that have all these attributes, those with few names
    first.

    Those of the module itself are found by each attribute alone, and are left out here.
    """
    foreign = attributes - BUILT_IN_NAMES
    if len(foreign) == 0 and len(attributes) < FEWEST_SHARED:
        return []
    module = str(names.get("__name__") or "")
    package = module.partition(".")[0]
    fitting = [
        kind
        for kind in _classes_of(package, len(sys.modules))
        if kind.__module__ != module and all(has_attribute(kind, each) for each in attributes)
    ]
    # A subclass of one that fits is tried with it.
    plainest = [kind for kind in fitting if not any(base in fitting for base in kind.__mro__[1:])]
    return plainest[:MOST_FITTING]


@functools.lru_cache(maxsize=4)
def _classes_of(package: str, _loaded: int) -> tuple[type, ...]:
    """The classes that the loaded modules of a package define, those of few names first."""
    found: dict[type, None] = {}
    for name, module in list(sys.modules.items()):
        if name != package and not name.startswith(f"{package}."):
            continue
        for value in list(getattr(module, "__dict__", {}).values()):
            if isinstance(value, type) and value.__module__ == name:
                found[value] = None
    usable = [kind for kind in found if not issubclass(kind, BaseException | type)]
    return tuple(sorted(usable, key=lambda kind: (inspect.isabstract(kind), len(dir(kind)))))
