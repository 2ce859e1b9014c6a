"""What a class or function says of what it takes: names in quotes are those of its module."""

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

_MADE_BY_A_STATEMENT = 1 << 9  # of the flags of a type: Py_TPFLAGS_HEAPTYPE


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


def told_signature(kind: type) -> inspect.Signature | None:
    """What the constructor of a class says that it takes; None if it does not say."""
    with contextlib.suppress(ValueError, TypeError):
        return inspect.signature(kind)
    return None


def guessed_signature(kind: type) -> inspect.Signature | None:
    """What to try with a constructor that says nothing, as many of those written in C do; None for
    a class of the library.

    Exceptions take any arguments: texts and numbers are tried. Other classes are made of nothing.
    """
    if not kind.__flags__ & _MADE_BY_A_STATEMENT:
        return None
    if not issubclass(kind, BaseException):
        return inspect.Signature()
    any_number = inspect.Parameter.VAR_POSITIONAL
    return inspect.Signature([inspect.Parameter("args", any_number, annotation=str | int)])


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
