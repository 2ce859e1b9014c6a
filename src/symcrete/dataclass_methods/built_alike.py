"""Methods of dataclasses that are compiled, once for all classes that are built alike."""

from __future__ import annotations

import functools

# Bound here, since the program under test may replace them before a class is first used.
from builtins import (  # noqa: UP029
    dict,
    enumerate,
    exec,
    getattr,
    hasattr,
    hash,
    isinstance,
    len,
    list,
    range,
    tuple,
)
from collections.abc import Callable
from dataclasses import MISSING, Field
from types import CodeType, FunctionType
from typing import Any

from symcrete.dataclass_methods.plain_hashes import PLAIN_HASHES
from symcrete.dataclass_methods.plain_inits import PLAIN_INITS


class _Part:
    """How `__init__` sets a field: one of these texts."""

    GIVEN = "{name}"
    GIVEN_OR_MADE = "{make}() if {name} is _unset else {name}"
    MADE = "{make}()"
    FIXED = "{make}"  # to its default
    LEFT = ""  # for others to set


def plain_init(made: Any, told: dict[str, tuple[Any, Any]]) -> Callable[..., Any] | None:
    """The `__init__` of a frozen class that only takes its fields; None for all others. `told` has
    the annotation of each, and its `Field`, its default, or MISSING.
    """
    make = PLAIN_INITS.get(len(told))
    if make is None or hasattr(made, "__post_init__"):
        return None
    defaults: list[Any] = []
    for _, default in told.values():
        if isinstance(default, Field):
            if not default.init or default.default_factory is not MISSING:
                return None
            default = default.default
        if default is not MISSING:
            defaults.append(default)
        elif defaults:
            return None
    method: FunctionType = make(*[getattr(made, name).__set__ for name in told])
    method.__code__ = _renamed(method.__code__, list(told))
    method.__name__ = "__init__"
    _describe(method, made, tuple(defaults), {name: kind for name, (kind, _) in told.items()})
    return method


def _describe(method: Any, made: Any, defaults: tuple[Any, ...], taken: dict[str, Any]) -> None:
    """What `__init__` says of itself."""
    method.__qualname__ = f"{made.__qualname__}.__init__"
    method.__module__ = made.__module__
    method.__defaults__ = defaults
    method.__annotations__ = {**taken, "return": None}


def compiled(made: Any, name: str, own: list[Field[Any]], *, frozen: bool) -> Callable[..., Any]:
    """The `__init__`, `__eq__` or `__hash__` of a class, for its fields."""
    known: dict[str, Any] = {"_unset": MISSING, "hash": hash}
    if name == "__init__":
        for number, each in enumerate(own):
            known[f"_make_{number}"] = (
                each.default if each.default_factory is MISSING else each.default_factory
            )
            if frozen:
                # The slot's own setter: it does not ask `__setattr__`, which refuses.
                known[f"_set_{number}"] = getattr(made, each.name).__set__
        parts = tuple([_part(each) for each in own])
        code = _code_of_init(parts, frozen, hasattr(made, "__post_init__"))
        names = [each.name for each in own]
    else:
        names = [each.name for each in own if each.compare]
        code = _code_of_eq(len(names)) if name == "__eq__" else _code_of_hash(len(names))
    method = FunctionType(_renamed(code, names), known, name)
    method.__qualname__, method.__module__ = f"{made.__qualname__}.{name}", made.__module__
    if name == "__init__":
        taken = {each.name: each.type for each in own if each.init}
        _describe(method, made, _defaults(own), taken)
    return method


def _part(each: Field[Any]) -> str:
    if each.default_factory is not MISSING:
        return _Part.GIVEN_OR_MADE if each.init else _Part.MADE
    if each.init:
        return _Part.GIVEN
    return _Part.LEFT if each.default is MISSING else _Part.FIXED


def _defaults(own: list[Field[Any]]) -> tuple[Any, ...]:
    """The defaults of the last parameters of `__init__`."""
    found: list[Any] = []
    for each in own:
        if each.init and (each.default is not MISSING or each.default_factory is not MISSING):
            found.append(each.default)  # MISSING where one is made
        elif each.init and found:
            raise TypeError(f"non-default argument {each.name!r} follows default argument")
    return tuple(found)


@functools.cache
def _code_of_init(parts: tuple[str, ...], frozen: bool, more: bool) -> CodeType:
    """`__init__` with the fields as parameters, in their order, named by their numbers."""
    parameters, body = ["self"], []
    for number, part in enumerate(parts):
        name = f"_field_{number}"
        if part in (_Part.GIVEN, _Part.GIVEN_OR_MADE):
            parameters.append(name)
        value = part.format(name=name, make=f"_make_{number}")
        if value:
            stored = f"_set_{number}(self, {value})" if frozen else f"self.{name} = {value}"
            body.append(f"  {stored}")
    if more:
        body.append("  self.__post_init__()")
    return _code("\n".join([f"def made({', '.join(parameters)}):", *body, "  return None\n"]))


@functools.cache
def _code_of_eq(count: int) -> CodeType:
    """`__eq__` of instances of the same class."""
    return _code(
        "def made(self, other):\n"
        "  if other.__class__ is self.__class__:\n"
        f"    return ({_all_of('self', count)}) == ({_all_of('other', count)})\n"
        "  return NotImplemented\n"
    )


@functools.cache
def _code_of_hash(count: int) -> CodeType:
    written = PLAIN_HASHES.get(count)
    return written or _code(f"def made(self):\n  return hash(({_all_of('self', count)}))\n")


def _all_of(owner: str, count: int) -> str:
    return "".join(f"{owner}._field_{number}," for number in range(count))


def _code(text: str) -> CodeType:
    scope: dict[str, Any] = {}
    exec(text, scope)
    code: CodeType = scope["made"].__code__
    return code


def _renamed(code: CodeType, names: list[str]) -> CodeType:
    """The code with the fields' names in place of their numbers."""
    called = {f"_field_{number}": name for number, name in enumerate(names)}
    return code.replace(
        co_varnames=tuple([called.get(each, each) for each in code.co_varnames]),
        co_names=tuple([called.get(each, each) for each in code.co_names]),
    )
