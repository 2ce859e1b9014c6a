"""What a driver asks of a zygote, and what the zygote answers."""

from __future__ import annotations

from typing import TypeAlias

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Fork:
    """Fork a worker; the descriptors that come with this say what it is to do."""


@dataclass(frozen=True, slots=True)
class Sprout:
    """Fork another zygote, which imports this module and answers on the socket that comes along."""

    module: str


@dataclass(frozen=True, slots=True)
class Learn:
    """Import these modules of ours and make these methods ready, as forks had to so far."""

    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reap:
    """Wait for a fork to end, and tell its code."""

    pid: int


ToZygote: TypeAlias = Fork | Sprout | Learn | Reap


@dataclass(frozen=True, slots=True)
class Forked:
    """There is a fork of this process number; the answer to `Fork` and `Sprout`."""

    pid: int


@dataclass(frozen=True, slots=True)
class Taught:
    """The modules are imported, as far as they exist; the answer to `Learn`."""


@dataclass(frozen=True, slots=True)
class Reaped:
    """The fork has ended with this code, negative for a signal; None if it is none of ours."""

    code: int | None
