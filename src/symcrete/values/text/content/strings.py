"""Texts that carry a content: a str or bytes whose characters have terms.

They subclass what they stand for, so that C code and `isinstance` see the concrete value. Their
operators and methods are put on them by the kinds' table; here is what makes them behave as plain
texts everywhere else.
"""

from __future__ import annotations

from typing import Any

from symcrete.terms.texts import BYTES, STR, Kind
from symcrete.values.rows.tables import TEXT_KINDS, TEXTS
from symcrete.values.text.content.contents import Content, Fixed, constant
from symcrete.values.tracking import recording

_new_str = str.__new__
_new_bytes = bytes.__new__


class ConcolicStr(str):
    """A str and what is known of its characters."""

    __slots__ = ("content",)
    content: Content

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return str

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return str.__hash__(self)

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return str, (str.__str__(self),)

    def __copy__(self) -> ConcolicStr:
        return self

    def __deepcopy__(self, memo: Any) -> ConcolicStr:
        return self

    def __str__(self) -> str:
        return self


class ConcolicBytes(bytes):
    """Bytes and what is known of them."""

    content: Content

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bytes

    def __hash__(self) -> int:
        recording.active().lose("hash()")
        return bytes.__hash__(self)

    def __reduce__(self) -> Any:
        recording.active().lose("pickling")
        return bytes, (plain_bytes(self),)

    def __copy__(self) -> ConcolicBytes:
        return self

    def __deepcopy__(self, memo: Any) -> ConcolicBytes:
        return self

    def __bytes__(self) -> bytes:
        return self


def plain_bytes(value: bytes) -> bytes:
    """The bytes without what is known of them."""
    return bytes.__getitem__(value, slice(None))


def as_plain(value: Any) -> Any:
    """A text of a subclass as a plain one."""
    return (str if isinstance(value, str) else bytes).__getitem__(value, slice(None))


def compares_plainly(value: Any, name: str) -> bool:
    """Whether the class of a text, a subclass perhaps, keeps the comparison of this name."""
    plain = str if isinstance(value, str) else bytes
    return getattr(type(value), name) is getattr(plain, name)


def text(value: Any, content: Content) -> Any:
    """The text with its content; a plain one where every character is constant."""
    if content.__class__ is Fixed and content.is_const:
        return value
    if content.kind is STR:
        made = _new_str(ConcolicStr, value)
        made.content = content
        return made
    blob = _new_bytes(ConcolicBytes, value)
    blob.content = content
    return blob


def is_tracked_text(value: Any) -> bool:
    kind = type(value)
    return kind is ConcolicStr or kind is ConcolicBytes


def kind_of(value: Any) -> Kind | None:
    """STR or BYTES for a text that behaves as a plain one."""
    return TEXT_KINDS.get(type(value))


def content_of(value: Any) -> Content:
    """The content of a tracked text, or of a plain one."""
    if type(value) in TEXTS:
        return value.content  # type: ignore[no-any-return]
    return constant(STR if isinstance(value, str) else BYTES, value)
