"""`dataclass` as the standard library has it, with methods made when they are first called.

Every process of a command makes 80 to 250 such classes while it is imported and uses a quarter of
them. The standard decorator compiles six functions for each frozen one: 0.65 ms a class, a
quarter of the processor time of a small `cover`. Here a class is made with its slots in 0.04 ms;
what describes its fields, and the functions that are called often, come when they are asked for
(`__init__` after a few instances), and the others (showing, refusing to change, copying) are
functions that all classes share.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys

# Bound here, since the program under test may replace them before a class is first used.
from builtins import (  # noqa: UP029
    dict,
    getattr,
    hasattr,
    isinstance,
    len,
    setattr,
    vars,
    zip,
)
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

from symcrete.dataclass_methods.built_alike import compiled, plain_init

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, **more: Any
    ) -> Callable[[type[T]], type[T]]:
        """The decorator. Classes without slots, and all other options, are left to the standard
        library.
        """
        if more or not slots:
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, **more)
        return lambda cls: _made(cls, frozen=frozen, eq=eq)


def _made(cls: type[T], *, frozen: bool, eq: bool) -> type[T]:
    """The class with its fields as slots and its methods, where it has none of its own."""
    space: dict[str, Any] = dict(vars(cls))
    inherited: set[str] = set()
    for base in cls.__mro__[1:-1]:
        slots = vars(base).get("__slots__")
        if slots is None and "__dataclass_fields__" in vars(base):
            return dataclasses.dataclass(frozen=frozen, slots=True, eq=eq)(cls)
        inherited.update([slots] if isinstance(slots, str) else slots or ())
    kinds: dict[str, Any] = space.get("__annotations__", {})
    own = {
        name: space.pop(name, MISSING)
        for name, kind in kinds.items()
        if not str(kind).startswith(_OF_THE_CLASS)
    }
    _check_order(own.items())
    later = _Later({name: (kinds[name], own[name]) for name in own}, frozen=frozen)
    for name in (
        "__init__",
        *(("__eq__",) if eq else ()),
        *(("__hash__",) if eq and frozen else ()),
    ):
        if name not in space:
            space[name] = later.stub(name)
    if eq:
        space.setdefault("__hash__", None)
    if frozen:
        space = {**_OF_FROZEN, **space}
    space.setdefault("__repr__", _shown)
    for name in _DESCRIBING:
        space.setdefault(name, _Described(later, name))
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    space["__slots__"] = tuple([name for name in own if name not in inherited])
    space["__qualname__"] = cls.__qualname__
    kind: Any = type(cls)
    made: type[T] = kind(cls.__name__, cls.__bases__, space)
    later.made = made
    return made


def _check_order(own: Iterable[tuple[str, Any]]) -> None:
    """Raise TypeError for a field without a default behind one that has one, as the standard
    decorator does.
    """
    optional = False
    for name, default in own:
        if isinstance(default, Field):
            if not default.init:
                continue
            given = default.default is not MISSING or default.default_factory is not MISSING
        else:
            given = default is not MISSING
        if optional and not given:
            raise TypeError(f"non-default argument {name!r} follows default argument")
        optional = optional or given


# -- what is made when it is first asked for

# annotations, as text, of what is no field
_OF_THE_CLASS = ("ClassVar", "typing.ClassVar")
# Instances of a class whose fields are set one by one before it gets an `__init__`: many classes of
# an exploration have few (benchmarks/paths.py, triangle: compiling took 7 of 35 ms, then 1). This
# many cost as much more as compiling does; 16 took 0.3 % more instructions.
FEW_INSTANCES = 80
_DESCRIBING = ("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__signature__")


class _Later:
    """What a class is still to get: the description of its fields, and its own methods."""

    __slots__ = ("_fields", "_frozen", "_instances", "_plan", "_stubs", "made", "own")

    def __init__(self, own: dict[str, tuple[Any, Any]], *, frozen: bool) -> None:
        self.own = own  # the annotation and the default of each field, by name
        self._frozen = frozen
        self._fields: list[Field[Any]] = []  # those of its parents too, once they are asked for
        self._stubs: list[str] = []
        self._plan: _Plan | None = None
        self._instances = 0  # made without an `__init__` of their own
        self.made: Any = None  # the class

    def stub(self, name: str) -> Callable[..., Any]:
        """A method that makes itself when it is first called."""
        self._stubs.append(name)

        few = FEW_INSTANCES if name == "__init__" else 0

        def first(*args: Any, **keywords: Any) -> Any:
            if few and not self._instances:
                self._put_plain_init()
            if self._instances < few and name in self._stubs and self._filled(args, keywords):
                return None
            self.make_ready(name)
            return getattr(self.made, name)(*args, **keywords)

        return first

    def _filled(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
        """Set the fields of a new instance as `__init__` does; no field is set, and the result is
        False, if the arguments do not fit: the method itself says best what is wrong with them.
        """
        plan = self._plan = self._plan or _Plan(self.made)
        if not args or len(args) > len(plan.puts) + 1:
            return False
        if plan.takes_all and len(args) == len(plan.puts) + 1 and not keywords:
            self._instances += 1
            for put, value in zip(plan.puts.values(), args[1:], strict=False):
                put(args[0], value)
            return True
        positional = dict(zip(plan.puts, args[1:], strict=False))
        given = plan.defaults | positional | keywords
        fits = len(given) == len(plan.puts) and plan.puts.keys() == given.keys()
        if not fits or not positional.keys().isdisjoint(keywords):
            return False
        self._instances += 1
        plan.fill(args[0], given)
        return True

    def _put_plain_init(self) -> None:
        """Give the class an `__init__` at once if one like it is written out already."""
        if self._frozen and (plain := plain_init(self.made, _told_fields(self.made))) is not None:
            self._put("__init__", plain)

    def compile(self, name: str) -> None:
        """Give the class one of its methods."""
        self._put(name, compiled(self.made, name, self.fields(), frozen=self._frozen))

    def _put(self, name: str, method: Callable[..., Any]) -> None:
        setattr(self.made, name, method)  # first: another thread may call what is in its place
        self._stubs = [each for each in self._stubs if each != name]
        _WITH_METHODS[f"{self.made.__module__}:{self.made.__qualname__}.{name}"] = None

    def make_ready(self, name: str) -> None:
        """Make a method as if it had been called, if it is one of those and not there yet."""
        if name in self._stubs:
            self.compile(name)

    def fields(self) -> list[Field[Any]]:
        """The fields in the order of the parameters, without all that `describe` adds."""
        if not self._fields:
            found: list[Field[Any]] = []
            for name, (kind, told) in _told_fields(self.made).items():
                each = told if isinstance(told, Field) else field(default=told)
                each.name, each.type = name, kind
                found.append(each)
            self._fields = found  # at once, since another thread may ask at the same time
        return self._fields

    def describe(self) -> None:
        """Give the class what `dataclasses` reads, as its decorator makes it of fields alone."""
        made: Any = self.made
        space = {
            "__module__": made.__module__,
            "__doc__": "fields",  # without one the decorator shows its signature there
            "__annotations__": {name: kind for name, (kind, _) in self.own.items()},
            **{name: default for name, (_, default) in self.own.items() if default is not MISSING},
        }
        plain: Any = type(made.__name__, (), space)
        with _standard_in_place():
            plain = dataclasses.dataclass(init=False, repr=False, eq=False)(plain)
        plain.__dataclass_params__.frozen = self._frozen
        found: dict[str, Any] = {}
        for base in reversed(made.__mro__[1:]):
            found |= getattr(base, "__dataclass_fields__", {})
        made.__dataclass_fields__ = found | plain.__dataclass_fields__
        made.__dataclass_params__ = plain.__dataclass_params__


class _Plan:
    """How the fields of an instance are set one by one; it needs no `Field` of each."""

    __slots__ = ("_made", "_more", "_others", "defaults", "puts", "takes_all")

    def __init__(self, made: Any) -> None:
        self.puts: dict[str, Any] = {}  # what sets each field that is a parameter: its slot
        self.defaults: dict[str, Any] = {}  # of those that have one; MISSING where one is made
        self._made: dict[str, Any] = {}  # what makes the defaults of parameters
        self._others: list[tuple[Any, Any, Any]] = []  # the slot, the default, what makes it
        for name, (_, told) in _told_fields(made).items():
            put = getattr(made, name).__set__
            if not isinstance(told, Field):
                self.puts[name] = put
                if told is not MISSING:
                    self.defaults[name] = told
            elif not told.init:
                self._others.append((put, told.default, told.default_factory))
            else:
                self.puts[name] = put
                if told.default_factory is not MISSING:
                    self._made[name] = told.default_factory
                if told.default is not MISSING or name in self._made:
                    self.defaults[name] = told.default
        self._more = hasattr(made, "__post_init__")
        # whether an instance is nothing but the values of its parameters
        self.takes_all = not (self._made or self._others or self._more)

    def fill(self, instance: Any, given: dict[str, Any]) -> None:
        """Set the fields of an instance: the parameters to these values, the others as they say."""
        for name, make in self._made.items():
            if given[name] is MISSING:
                given[name] = make()
        for name, put in self.puts.items():
            put(instance, given[name])
        for put, default, make in self._others:
            if make is not MISSING:
                put(instance, make())
            elif default is not MISSING:
                put(instance, default)  # without one it is left for others to set
        if self._more:
            instance.__post_init__()


def _told_fields(made: Any) -> dict[str, tuple[Any, Any]]:
    """The annotation of each field of a class, and its `Field`, its default, or MISSING."""
    found: dict[str, tuple[Any, Any]] = {}
    for base in reversed(made.__mro__[:-1]):
        described = vars(base).get("__signature__")
        if isinstance(described, _Described):
            found |= described.later.own
        else:
            standard: dict[str, Field[Any]] = vars(base).get("__dataclass_fields__", {})
            found |= {name: (each.type, each) for name, each in standard.items()}
    return found


@contextlib.contextmanager
def _standard_in_place() -> Iterator[None]:
    """A context in which `sys.modules` has the real `dataclasses`: the standard decorator looks
    there for itself, and a program may have put another module in its place.
    """
    name = dataclasses.__name__
    former = sys.modules.get(name)
    sys.modules[name] = dataclasses
    try:
        yield
    finally:
        if former is None:
            del sys.modules[name]
        else:
            sys.modules[name] = former


class _Described:
    """An attribute of a class that is made when it is first read."""

    __slots__ = ("_name", "later")

    def __init__(self, later: _Later, name: str) -> None:
        self.later = later
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        if self._name == "__signature__":
            # `inspect` asks for this first, then takes the signature from `__init__`, which has to
            # be made by then.
            self.later.make_ready("__init__")
            raise AttributeError(self._name)
        if self._name == "__match_args__":
            names = tuple([each.name for each in self.later.fields() if each.init])
            type.__setattr__(self.later.made, self._name, names)
        else:
            self.later.describe()
        return getattr(self.later.made, self._name)


def copied(value: T, **changes: Any) -> T:
    """`dataclasses.replace` for an instance with slots and without `__post_init__`, in a tenth of
    the time: its fields are copied as they are.
    """
    kind: Any = type(value)
    made: T = object.__new__(kind)
    for get, put in _slots_of(kind):
        put(made, get(value))
    for name, new in changes.items():
        getattr(kind, name).__set__(made, new)
    return made


def field_names(kind: type) -> tuple[str, ...]:
    """The names of a class's fields, as `dataclasses.fields` has them; none if it is none."""
    if isinstance(vars(kind).get("__signature__"), _Described):
        return tuple(_told_fields(kind))
    return tuple([each.name for each in fields(kind)]) if dataclasses.is_dataclass(kind) else ()


@functools.cache
def _slots_of(kind: Any) -> list[tuple[Callable[[Any], Any], Callable[[Any, Any], None]]]:
    slots = [getattr(kind, name) for name in field_names(kind)]
    return [(slot.__get__, slot.__set__) for slot in slots]


_WITH_METHODS: dict[str, None] = {}  # methods that were made, in the order they were called


def in_use() -> tuple[str, ...]:
    """The methods that have been called by now, each as "module:class.method"."""
    return tuple(_WITH_METHODS)


def make_ready(name: str) -> None:
    """Make a method, named as `in_use` does it, as if it had been called; nothing happens if its
    class does not exist.
    """
    module, _, path = name.partition(":")
    owner, _, method = path.rpartition(".")
    found: Any = sys.modules.get(module)
    for part in owner.split("."):
        found = getattr(found, part, None)
    described = vars(found).get("__signature__") if isinstance(found, type) else None
    if isinstance(described, _Described):
        described.later.make_ready(method)


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


_OF_FROZEN: dict[str, Any] = {
    "__setattr__": _no_assignment,
    "__delattr__": _no_deletion,
    "__getstate__": _state,
    "__setstate__": _restored,
}
