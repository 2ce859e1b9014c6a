"""UUIDs whose 128-bit number carries a term."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import tracked, untracked
from symcrete.values.tracking.operators import OPERATORS
from symcrete.values.tracking.unchanging_values import Unchanging


class ConcolicUUID(Unchanging, UUID):
    """A UUID; its fields are bits of its number."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return UUID

    @property
    def version(self) -> Any:
        if (self.int >> 62) & 3 == 2:  # the variant of RFC 4122
            return (self.int >> 76) & 0xF
        return None

    @property
    def time_low(self) -> Any:
        return self.int >> 96

    @property
    def node(self) -> Any:
        return self.int & 0xFFFF_FFFF_FFFF

    def __int__(self) -> int:
        recording.active().lose("int()")
        found: int = untracked(self.int)
        return found


def concolic_uuid(number: Any) -> Any:
    """The UUID of a 128-bit number; a plain one where the number is plain."""
    if not tracked(number):
        return UUID(int=number)
    made = object.__new__(ConcolicUUID)
    UUID(int=untracked(number))  # raises if there is none
    object.__setattr__(made, "int", number)
    return made


def _compared(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        return OPERATORS[name](self.int, other.int) if isinstance(other, UUID) else NotImplemented

    return method


def _dropping(name: str) -> Any:
    """A property that has what the plain UUID has under this name, and notes the loss."""

    def found(self: Any) -> Any:
        recording.active().lose(f"UUID.{name}")
        return getattr(untracked(self), name)

    return property(found)


def _text(name: str) -> Any:
    """A method that gives the text which the plain UUID gives, and notes the loss."""

    def method(self: Any) -> Any:
        recording.active().lose("text of a UUID")
        return getattr(untracked(self), name)()

    return method


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ConcolicUUID, f"__{_name}__", _compared(_name))
for _name in [
    "bytes",
    "bytes_le",
    "fields",
    "time_mid",
    "time_hi_version",
    "clock_seq_hi_variant",
    "clock_seq_low",
    "time",
    "clock_seq",
    "hex",
    "urn",
    "variant",
    "is_safe",
]:
    setattr(ConcolicUUID, _name, _dropping(_name))
for _name in ("__str__", "__repr__"):
    setattr(ConcolicUUID, _name, _text(_name))
ConcolicUUID.__name__ = ConcolicUUID.__qualname__ = "UUID"


def plain_uuid(value: Any) -> UUID:
    """The plain UUID behind a tracked one."""
    return UUID(int=untracked(value.int))
