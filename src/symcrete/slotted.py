"""`dataclass` as the standard library has it, made in a third of the time.

Every process of a command makes 80 to 180 such classes while it is imported, and the standard
decorator compiles six functions for each frozen one, one after the other: 0.65 ms a class, a
quarter of the processor time of a small `cover`. Here those that are called often are compiled at
once, and the others (showing, refusing to change, copying) are functions that all classes share.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, **more: Any
    ) -> Callable[[type[T]], type[T]]:
        """The decorator; what is asked for seldom is left to the standard library."""
        if more or not slots:
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, **more)
        return lambda cls: _made(cls, frozen=frozen, eq=eq)


def _made(cls: type[T], *, frozen: bool, eq: bool) -> type[T]:
    """The class with its fields as slots and its methods, where it has none of its own."""
    own = set(vars(cls))
    # The standard decorator compares a class with those it inherits from.
    inherits = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
    made: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=True, frozen=frozen and inherits
    )(cls)
    made.__dataclass_params__.frozen = frozen
    methods: dict[str, Any] = {"__repr__": _shown, **_compiled(made, frozen=frozen, eq=eq)}
    if eq and not frozen:
        methods["__hash__"] = None
    if frozen:
        methods |= {"__setattr__": _no_assignment, "__delattr__": _no_deletion}
        methods |= {"__getstate__": _state, "__setstate__": _restored}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]


# -- those that are compiled, once for all classes that are built alike


class _Part(enum.Enum):
    """How `__init__` sets a field."""

    GIVEN = "{name}"
    GIVEN_OR_MADE = "{make}() if {name} is _unset else {name}"
    MADE = "{make}()"
    FIXED = "{make}"  # to its default
    LEFT = ""  # for others to set


def _compiled(made: Any, *, frozen: bool, eq: bool) -> dict[str, Callable[..., Any]]:
    """The methods of a class that are called often, by name."""
    own = fields(made)
    known: dict[str, Any] = {"_unset": MISSING}
    for number, each in enumerate(own):
        known[f"_make_{number}"] = (
            each.default if each.default_factory is MISSING else each.default_factory
        )
        if frozen:
            # The slot's own setter: it does not ask `__setattr__`, which refuses.
            known[f"_set_{number}"] = getattr(made, each.name).__set__
    more = hasattr(made, "__post_init__")
    parts = tuple([_part(each) for each in own])
    codes = {"__init__": (_code_of_init(parts, frozen, more), [each.name for each in own])}
    if eq:
        compared = [each.name for each in own if each.compare]
        codes["__eq__"] = (_code_of_eq(len(compared)), compared)
        if frozen:
            codes["__hash__"] = (_code_of_hash(len(compared)), compared)
    methods: dict[str, Callable[..., Any]] = {}
    for name, (code, names) in codes.items():
        method = FunctionType(_renamed(code, names), known, name)
        method.__qualname__ = f"{made.__qualname__}.{name}"
        method.__module__ = made.__module__
        methods[name] = method
    init: Any = methods["__init__"]
    init.__defaults__ = _defaults(own)
    taken = {each.name: each.type for each in own if each.init}
    init.__annotations__ = {**taken, "return": None}
    return methods


def _part(each: Field[Any]) -> _Part:
    if each.default_factory is not MISSING:
        return _Part.GIVEN_OR_MADE if each.init else _Part.MADE
    if each.init:
        return _Part.GIVEN
    return _Part.LEFT if each.default is MISSING else _Part.FIXED


def _defaults(own: tuple[Field[Any], ...]) -> tuple[Any, ...]:
    """The defaults of the last parameters of `__init__`."""
    found: list[Any] = []
    for each in own:
        if each.init and (each.default is not MISSING or each.default_factory is not MISSING):
            found.append(each.default)  # MISSING where one is made
        elif each.init and found:
            raise TypeError(f"non-default argument {each.name!r} follows default argument")
    return tuple(found)


@functools.cache
def _code_of_init(parts: tuple[_Part, ...], frozen: bool, more: bool) -> CodeType:
    """`__init__` with the fields as parameters, in their order, named by their numbers."""
    parameters, body = ["self"], []
    for number, part in enumerate(parts):
        name = f"_field_{number}"
        if part in (_Part.GIVEN, _Part.GIVEN_OR_MADE):
            parameters.append(name)
        value = part.value.format(name=name, make=f"_make_{number}")
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
    return _code(f"def made(self):\n  return hash(({_all_of('self', count)}))\n")


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


# -- those that all classes share


@recursive_repr()
def _shown(self: Any) -> str:
    told = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{self.__class__.__qualname__}({', '.join(told)})"


def _no_assignment(self: Any, name: str, value: Any) -> None:
    if name in self.__dataclass_fields__ or not hasattr(self, "__dict__"):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)  # of a subclass that has more than fields


def _no_deletion(self: Any, name: str) -> None:
    if name in self.__dataclass_fields__ or not hasattr(self, "__dict__"):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restored(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
