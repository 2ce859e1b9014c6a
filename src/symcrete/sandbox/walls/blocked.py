"""One side effect that was stopped, in words a user can act on."""

from collections.abc import Iterable
from typing import cast

from symcrete.slotted import dataclass

_LONGEST_ARGUMENT, _SHOWN_START, _SHOWN_END = 80, 20, 57  # characters; of a path the end says more
_ITEMS = 4  # of a list that are shown; a command line says what it is with its first words


@dataclass(frozen=True, slots=True)
class Blocked:
    """What the program tried, where, and what would let it."""

    effect: str  # a name of the table of effects
    call: str  # "os.remove('/x')"
    where: str | None = None  # "shop.py:12"; None when the kernel stopped it, which sees no lines
    by_library: bool = False  # whether an installed package tried it, on behalf of that line

    @property
    def flag(self) -> str:
        return f"--allow {self.effect}"

    def __str__(self) -> str:
        place = f"at {self.where}" if self.where else "by the kernel"
        return f"side effect {self.call} blocked {place}; allow with {self.flag}"


MOST_BITS_TOLD = 256  # of an int: the digits of a huge one take for ever; chosen, not measured


def shown_call(name: str, arguments: Iterable[object]) -> str:
    """The call as text, each argument as `shown` has it."""
    return f"{name}({', '.join(shown(argument) for argument in arguments)})"


def shown(value: object) -> str:
    """The value in at most one short line, without running code of the program under test.

    Its own `__repr__`, and those of subclasses of built-ins, may lie, raise or leave a trace.
    """
    plain = plain_value(value)
    match plain:
        case None | bool() | float():
            return repr(plain)
        case int():
            return "<a huge int>" if plain.bit_length() > MOST_BITS_TOLD else repr(plain)
        case str() | bytes():
            if len(plain) <= _LONGEST_ARGUMENT:
                return repr(plain)
            return (
                f"{repr(plain[:_SHOWN_START])[:-1]}...{repr(plain[-_SHOWN_END:]).lstrip('b')[1:]}"
            )
        case list() | tuple():
            items = [shown(item) for item in plain[:_ITEMS]]
            return f"[{', '.join(items)}{', ...' if len(plain) > _ITEMS else ''}]"
    return f"<{type(value).__name__}>"


def plain_value(value: object) -> object:
    """The value as a plain str, bytes, int, float, list or tuple if its class derives from one of
    them; None and bools as they are; of anything else the type.
    """
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, str):
        return str.__str__(cast(str, value))
    if issubclass(kind, bytes):
        return bytes.__getitem__(cast(bytes, value), slice(None))
    if issubclass(kind, int):
        return int.__index__(cast(int, value))
    if issubclass(kind, float):
        return float.__float__(cast(float, value))
    if issubclass(kind, list):
        return list.__getitem__(cast(list[object], value), slice(None))
    if issubclass(kind, tuple):
        return tuple.__getitem__(cast(tuple[object, ...], value), slice(None))
    return kind
