"""Dataclasses as JSON and back: one codec for messages, jobs, and what a journal keeps of them.

A form is read off the declared types of the fields, so a new field needs no code here. Members of a
union of dataclasses are told apart by the name of their class, under the key "is".
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from symcrete.slotted import dataclass

T = TypeVar("T")

_TAG = "is"  # a keyword, so no field can have this name
_AS_THEY_ARE = (str, int, float, bool, types.NoneType)


class Garbled(ValueError):
    """Data that is not of the form it should have."""


@dataclass(frozen=True, slots=True)
class _Form:
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def encoded(value: object) -> dict[str, Any]:
    """A dataclass as data that JSON can carry."""
    kind: Any = type(value)
    written: dict[str, Any] = _form(kind).write(value)
    return written


def decoded(kind: type[T], plain: object) -> T:
    """The dataclass again; `Garbled` if that is not what the data say."""
    form: Any = kind
    try:
        found: T = _form(form).read(plain)
    except Garbled:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise Garbled(f"no {kind.__name__}: {error}") from None
    return found


class Vocabulary(Generic[T]):
    """The messages that one side may send, by the names of their classes."""

    def __init__(self, *kinds: type[T]) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}

    def warm(self) -> None:
        """Work out how each message is written and read, which takes a millisecond or two."""
        form: Any
        for form in self._kinds.values():
            _form(form)

    def heard(self, message: Mapping[str, object]) -> T | None:
        """The message that arrived; None for one that is not of this vocabulary."""
        kind = self._kinds.get(str(message.get("event")))
        if kind is None:
            return None
        try:
            return decoded(kind, {k: v for k, v in message.items() if k != "event"})
        except Garbled:
            return None


def tagged(value: object) -> dict[str, Any]:
    """A dataclass with the name of its class, for a reader that expects one of several."""
    return {_TAG: type(value).__name__, **encoded(value)}


def untagged(kinds: Any, plain: object) -> Any:
    """What `tagged` wrote, as one of a union of dataclasses; None where it is none of them."""
    try:
        return _form(kinds).read(plain)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


# -- forms, one for each declared type


@functools.cache
def _form(kind: Any) -> _Form:
    if kind is Any or kind is object:
        return _Form(_same, _same)
    if kind in _AS_THEY_ARE:
        return _Form(_same, functools.partial(_checked, kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _Form(_same, _members(kind).__getitem__)
    if kind is Path:
        return _Form(str, Path)
    if dataclasses.is_dataclass(kind):
        return _dataclass_form(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return _Form(_same, _same)
    if origin in (types.UnionType, typing.Union):
        return _union_form(arguments)
    if origin is tuple:
        return _tuple_form(arguments)
    if origin is frozenset:
        (inner,) = [_form(each) for each in arguments]
        return _Form(
            lambda value: sorted(inner.write(each) for each in value),
            lambda plain: frozenset([inner.read(each) for each in plain]),
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_form(_form(arguments[1]))
    raise TypeError(f"no form for a field of type {kind}")


def _members(kind: type[enum.Enum]) -> dict[Any, enum.Enum]:
    """The members of an enumeration by their values, which are what JSON writes for them."""
    return {each.value: each for each in kind}


def _same(value: Any) -> Any:
    return value


def _checked(kind: type, plain: Any) -> Any:
    if kind is float and type(plain) is int:
        return plain
    if type(plain) is not kind:
        raise Garbled(f"{type(plain).__name__} where {kind.__name__} was expected")
    return plain


def _dataclass_form(kind: Any) -> _Form:
    hints = typing.get_type_hints(kind)
    fields = [field for field in dataclasses.fields(kind) if field.init]
    forms = {field.name: _form(hints[field.name]) for field in fields}
    # This writes an announcement before every run: a value that stays as it is costs no call.
    rows = [(name, None if form.write is _same else form.write) for name, form in forms.items()]

    def write(value: Any) -> dict[str, Any]:
        return {
            name: getattr(value, name) if form is None else form(getattr(value, name))
            for name, form in rows
        }

    def read(plain: Mapping[str, Any]) -> Any:
        return kind(**{name: forms[name].read(value) for name, value in plain.items()})

    return _Form(write, read)


def _union_form(members: tuple[Any, ...]) -> _Form:
    rest = [each for each in members if each is not types.NoneType]
    classes: dict[str, Any] = {
        kind.__name__: kind for kind in rest if isinstance(kind, type) and _is_data(kind)
    }
    if len(rest) == 1:
        inner = _form(rest[0])
        return _Form(
            lambda value: None if value is None else inner.write(value),
            lambda plain: None if plain is None else inner.read(plain),
        )
    if len(classes) == len(rest):
        return _Form(
            lambda value: None if value is None else tagged(value),
            lambda plain: None if plain is None else _one_of(classes, plain),
        )
    if all(each in _AS_THEY_ARE for each in rest):
        return _Form(_same, _same)
    raise TypeError(f"no form for a union of {rest}")


def _is_data(kind: type) -> bool:
    return dataclasses.is_dataclass(kind)


def _one_of(classes: Mapping[str, type[Any]], plain: Mapping[str, Any]) -> Any:
    kind = classes.get(plain[_TAG])
    if kind is None:
        raise Garbled(f"{plain[_TAG]!r} is none of {', '.join(classes)}")
    return decoded(kind, {name: value for name, value in plain.items() if name != _TAG})


def _tuple_form(arguments: tuple[Any, ...]) -> _Form:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        inner = _form(arguments[0])
        return _Form(
            lambda value: [inner.write(each) for each in value],
            lambda plain: tuple([inner.read(each) for each in plain]),
        )
    parts = [_form(each) for each in arguments]
    return _Form(
        lambda value: [part.write(each) for part, each in zip(parts, value, strict=True)],
        lambda plain: tuple([part.read(each) for part, each in zip(parts, plain, strict=True)]),
    )


def _mapping_form(inner: _Form) -> _Form:
    return _Form(
        lambda value: {key: inner.write(each) for key, each in value.items()},
        lambda plain: {key: inner.read(each) for key, each in plain.items()},
    )
