"""What a class or function says of what it takes: names in quotes are those of its module."""

from __future__ import annotations

import contextlib
import inspect
import sys
import typing
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, TypeAlias

from symcrete.inputs.infer.class_source import defining_names
from symcrete.inputs.infer.typing_only import typing_only

_MADE_BY_A_STATEMENT = 1 << 9  # of the flags of a type: Py_TPFLAGS_HEAPTYPE
Meanings: TypeAlias = dict[Any, Any]  # type variables, each with the type it stands for


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


def type_name(annotation: Any) -> str:
    """A type as it is shown to people."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__qualname__
    return str(annotation).replace("typing.", "")


def class_of(annotation: Any, around: Meanings) -> tuple[Any, Meanings]:
    """The class `Tree` of an annotation `Tree[int]`, and that its type variable stands for int;
    any other annotation unchanged. `around`: what the variables of the class stand for that says
    so.
    """
    origin = typing.get_origin(annotation)
    if not isinstance(origin, type) or not hasattr(origin, "__orig_bases__"):
        return annotation, {}
    variables: tuple[Any, ...] = getattr(origin, "__parameters__", ())
    meant = typing.get_args(_put_in(annotation, around))
    told = dict(zip(variables, meant, strict=False))
    return origin, {one: each for one, each in told.items() if not isinstance(each, typing.TypeVar)}


def _put_in(annotation: Any, around: Meanings) -> Any:
    """The annotation with type variables replaced by what they stand for."""
    inner = getattr(annotation, "__parameters__", ())
    if not inner or not around:
        return annotation
    with contextlib.suppress(TypeError):  # variables that stand for several types
        return annotation[tuple([around.get(each, each) for each in inner])]
    return annotation


def inherited(kind: type, own: Meanings) -> Meanings | None:
    """What type variables stand for in a class and its bases, as in `class Names(List[str])`; None
    if that is another type than in `own`, so that objects of the class are none of those meant.
    """
    found = dict(own)
    for base in getattr(kind, "__orig_bases__", ()):
        origin, told = class_of(base, own)
        if origin is typing.Generic or not isinstance(origin, type):
            continue
        further = inherited(origin, told)
        for variable, meant in (further if further is not None else told).items():
            if found.setdefault(variable, meant) != meant:
                return None
    return found
