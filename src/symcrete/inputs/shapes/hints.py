"""What the annotations of a class or function mean: names in quotes are those of its module."""

from __future__ import annotations

import contextlib
import inspect
import sys
import typing
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from symcrete.inputs.infer.class_source import defining_names
from symcrete.inputs.infer.typing_only import typing_only


def hints_of(holder: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations of a class or function by name, with what names in quotes mean as far as
    that is known.
    """
    for known in (dict(names), {**typing_only(str(names.get("__file__"))), **names}):
        with contextlib.suppress(Exception):
            return typing.get_type_hints(holder, known, include_extras=True)
    found = dict(getattr(holder, "__annotations__", {}))
    return {name: _meant(hint, known) for name, hint in found.items() if name != "return"}


def _meant(hint: Any, known: dict[str, Any]) -> Any:
    """What one annotation means, where another one of its function means nothing that is known;
    the annotation itself if nobody knows.
    """
    holder = SimpleNamespace(__annotations__={"it": hint})
    with contextlib.suppress(Exception):
        return typing.get_type_hints(holder, known, include_extras=True)["it"]
    return hint


def names_of(kind: type, otherwise: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names of the module that a class was defined in, not of one imported again; `otherwise`
    if it is not found.
    """
    for member in vars(kind).values():
        function = inspect.unwrap(member) if callable(member) else getattr(member, "fget", None)
        names = getattr(function, "__globals__", None)
        if isinstance(names, dict) and names.get("__name__") == kind.__module__:
            return names
    if otherwise.get("__name__") == kind.__module__:
        return otherwise
    moved = defining_names(kind)
    if moved:
        return moved
    module = sys.modules.get(kind.__module__)
    return vars(module) if module is not None else otherwise
