"""`dataclass` as the standard library has it, made in a third of the time.

Every process of a command makes 80 to 180 such classes while it is imported, and the standard
decorator compiles six functions for each frozen one, one after the other: 0.65 ms a class, a
quarter of the processor time of a small `cover`. Here those that are called often are compiled at
once, and the others (showing, refusing to change, copying) are functions that all classes share.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
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


# -- those that are compiled, all at once


def _compiled(made: Any, *, frozen: bool, eq: bool) -> dict[str, Callable[..., Any]]:
    """The methods of a class that are called often, by name."""
    names: dict[str, Any] = {"_unset": MISSING}
    text = _text_of_init(made, names, frozen=frozen)
    if eq:
        text += _text_of_eq(made, hashed=frozen)
    before = set(names)
    exec(text, names)
    methods = {name: names[name] for name in names.keys() - before if name != "__builtins__"}
    for name, method in methods.items():
        method.__qualname__ = f"{made.__qualname__}.{name}"
        method.__module__ = made.__module__
    taken = {each.name: each.type for each in fields(made) if each.init}
    methods["__init__"].__annotations__ = {**taken, "return": None}
    return methods


def _text_of_init(made: Any, names: dict[str, Any], *, frozen: bool) -> str:
    """`__init__` with the fields as parameters, in their order."""
    parameters, body = ["self"], []
    for each in fields(made):
        name = each.name
        if each.init:
            parameters.append(f"{name}{_default(each, names)}")
        value = _value(each, names)
        if value and frozen:
            # The slot's own setter: it does not ask `__setattr__`, which refuses.
            names[f"_set_{name}"] = getattr(made, name).__set__
            body.append(f"  _set_{name}(self, {value})")
        elif value:
            body.append(f"  self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        body.append("  self.__post_init__()")
    return "\n".join([f"def __init__({', '.join(parameters)}):", *body, "  return None\n"])


def _text_of_eq(made: Any, *, hashed: bool) -> str:
    """`__eq__` of instances of the same class, and the `__hash__` that goes with it."""
    compared = [each.name for each in fields(made) if each.compare]
    mine = "".join(f"self.{name}," for name in compared)
    others = "".join(f"other.{name}," for name in compared)
    text = (
        "def __eq__(self, other):\n"
        "  if other.__class__ is self.__class__:\n"
        f"    return ({mine}) == ({others})\n"
        "  return NotImplemented\n"
    )
    return text + f"def __hash__(self):\n  return hash(({mine}))\n" * hashed


def _default(each: Field[Any], names: dict[str, Any]) -> str:
    """What follows the parameter of a field: nothing, or its default by a name of its own."""
    if each.default is not MISSING:
        names[f"_default_{each.name}"] = each.default
        return f"=_default_{each.name}"
    return "" if each.default_factory is MISSING else "=_unset"


def _value(each: Field[Any], names: dict[str, Any]) -> str:
    """What a field is set to, as an expression; "" where it is left for others to set."""
    name = each.name
    if each.default_factory is not MISSING:
        names[f"_make_{name}"] = each.default_factory
        return f"_make_{name}() if {name} is _unset else {name}" if each.init else f"_make_{name}()"
    if each.init:
        return name
    return "" if each.default is MISSING else _default(each, names)[1:]


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
