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
# Classes whose objects stand for those of another, though they are not derived from it (PEP 484);
# bool is derived from int.
_TAKEN_FOR: dict[type, tuple[type, ...]] = {float: (int,), complex: (int, float)}
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


def name_of(kind: type, names: Mapping[str, Any]) -> tuple[str, str]:
    """The module and the name that a class can be imported by; for one made at run time, the name
    that the program gives it.
    """
    home = names_of(kind, names)
    first, *rest = kind.__qualname__.split(".")
    held = home.get(first)
    for part in rest:
        held = getattr(held, part, None)
    if held is not kind:
        for name, value in names.items():
            if value is kind and "__name__" in names:
                return names["__name__"], name
    # A test imports all from the module it is about, also where a class says it is of another.
    return names[
        "__name__"
    ] if held is kind and home is names else kind.__module__, kind.__qualname__


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
    meant = typing.get_args(put_in(annotation, around))
    told = dict(zip(variables, meant, strict=False))
    return origin, {one: each for one, each in told.items() if not _variables_of(each)}


def put_in(annotation: Any, around: Meanings) -> Any:
    """The annotation with type variables replaced by what they stand for."""
    if isinstance(annotation, typing.TypeVar):
        return around.get(annotation, annotation)
    inner = _variables_of(annotation)
    if inner and around:
        with contextlib.suppress(TypeError):  # variables that stand for several types
            return annotation[tuple([around.get(each, each) for each in inner])]
    return annotation


def _variables_of(annotation: Any) -> tuple[Any, ...]:
    """The type variables in an annotation; those that a class itself is declared with are not."""
    if isinstance(annotation, typing.TypeVar):
        return (annotation,)
    return () if isinstance(annotation, type) else getattr(annotation, "__parameters__", ())


def as_base(kind: type, base: type, own: Meanings) -> Meanings:
    """What the type variables of a base stand for in a class whose own stand for `own`: a list of
    int for `T` of `Tree`, in a `class Rows(Tree[list[K]])` whose `K` is int.
    """
    if kind is base:
        return own
    for each in vars(kind).get("__orig_bases__", ()):
        origin = typing.get_origin(each)
        if isinstance(origin, type) and issubclass(origin, base):
            variables = getattr(origin, "__parameters__", ())
            meant = typing.get_args(put_in(each, own))
            return as_base(origin, base, dict(zip(variables, meant, strict=False)))
    for each in kind.__bases__:
        if base in each.__mro__ and (found := as_base(each, base, {})):
            return found
    return {}


def derived(kind: type, base: type, own: Meanings) -> Meanings | None:
    """What the type variables of a class stand for where those of its base stand for `own`; None if
    the class says that they are of other classes, so that its objects are none of those meant.
    """
    if kind is base:
        return own
    found: Meanings = {}
    for variable, told in as_base(kind, base, {}).items():
        if variable in own and not _agree(told, own[variable], found):
            return None
    return found


def _agree(told: Any, meant: Any, found: Meanings) -> bool:
    """Whether two types may be one, where variables in the first stand for what is noted in
    `found`. Only two classes of which neither stands for the other cannot.
    """
    if isinstance(told, typing.TypeVar):
        found.setdefault(told, meant)
        return True
    if told is Any or meant is Any:
        return True
    parts, others = typing.get_args(told), typing.get_args(meant)
    if typing.get_origin(told) == typing.get_origin(meant) and len(parts) == len(others) > 0:
        return all(_agree(one, other, found) for one, other in zip(parts, others, strict=True))
    if not isinstance(told, type) or not isinstance(meant, type) or parts or others:
        return True
    try:
        return _stands_for(told, meant) or _stands_for(meant, told)
    except TypeError:  # a protocol
        return True


def _stands_for(kind: type, other: type) -> bool:
    """Whether a class is derived from the other, or is a class of numbers that is taken for it."""
    return issubclass(kind, (other, *_TAKEN_FOR.get(other, ())))
