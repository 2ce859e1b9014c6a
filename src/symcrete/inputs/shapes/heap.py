"""The objects of one input, by what they are: those that another part of the input may also be.

An input is built, drawn or written from its first parameter to its last, and inside each from the
outside in. A part may be an object that is there already (`b is a`), or, where an attribute can be
set afterwards, the object that it is inside of (`head.next is head`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import AbstractContextManager
from typing import Any

from symcrete.errors import AssumptionFailed

# earlier objects that one part may be: each is a branch of every path; chosen, not measured
MOST_SAME = 3
MOST_AROUND = 2  # objects around a part that it may refer back to; chosen, not measured

_MISSING = object()


class Heap:
    """The objects that have been made of one input so far."""

    __slots__ = ("_around", "_late", "_made", "_promised")

    def __init__(self) -> None:
        self._made: dict[Hashable, dict[str, Any]] = {}  # by key, objects by name
        self._around: list[tuple[Hashable, str]] = []  # objects being made, the outermost first
        self._promised: dict[str, str] = {}  # parts, each with the object it refers back to
        self._late: list[tuple[Any, str, str]] = []  # holder, attribute, the object it refers to

    def earlier(self, key: Hashable) -> dict[str, Any]:
        """The objects made so far that a part with this key may be, by name."""
        return self._made.setdefault(key, {})

    def holds(self, value: Any) -> bool:
        """Whether a value is one of the objects that others may be."""
        return any(value is each for made in self._made.values() for each in made.values())

    def candidates(self, key: Hashable) -> list[str]:
        """The names of the first few objects that a part with this key is offered to be."""
        return list(self.earlier(key))[:MOST_SAME]

    def around(self, key: Hashable) -> list[str]:
        """The objects being made that a part of theirs may refer back to, the nearest first."""
        return [name for kind, name in reversed(self._around) if kind == key][:MOST_AROUND]

    def enter(self, key: Hashable, name: str) -> None:
        """Begin with the parts of this object."""
        self._around.append((key, name))

    def leave(self) -> None:
        """End with the parts of the innermost object, made or not."""
        self._around.pop()

    def promise(self, part: str, name: str) -> None:
        """Let a part, for now None, be the object of this name once that is made."""
        self._promised[part] = name

    def refers_back(self, name: str, parts: Iterable[str]) -> bool:
        """Whether an object is part of a circle: it refers back, or is referred to."""
        if not self._promised and not self._late:
            return False
        holds = any(f"{name}.{part}" in self._promised for part in parts)
        return holds or any(late[2] == name for late in self._late)

    def referring(self, holder: Any, name: str, parts: Iterable[str]) -> list[tuple[Any, str]]:
        """Take in that an object of this name with these parts is made; returns the holders and
        attributes to be set to it now.
        """
        if not self._promised and not self._late:
            return []
        for part in parts:
            target = self._promised.pop(f"{name}.{part}", None)
            if target is not None:
                self._late.append((holder, part, target))
        found = [late for late in self._late if late[2] == name]
        self._late = [late for late in self._late if late[2] != name]
        return [(each, attribute) for each, attribute, _ in found]


def set_back(holder: Any, attribute: str, made: Any) -> None:
    """Let an attribute that is None refer to an object made later. Raises AssumptionFailed where
    it cannot.
    """
    if getattr(holder, attribute, _MISSING) is not None:
        raise AssumptionFailed  # the constructor keeps it elsewhere, or not at all
    try:
        setattr(holder, attribute, made)
    except Exception:
        raise AssumptionFailed from None


_current: list[Heap] = []


def current() -> Heap | None:
    """The heap of the input that is being made without terms; None where only a part is made, or
    where no two parts can be one object.
    """
    return _current[-1] if _current else None


class _Fresh:
    """Puts a new heap in place for as long as it is entered; a generator took twice as long."""

    __slots__ = ()

    def __enter__(self) -> Heap:
        _current.append(Heap())
        return _current[-1]

    def __exit__(self, *_: object) -> None:
        _current.pop()


_FRESH = _Fresh()


def fresh() -> AbstractContextManager[Heap]:
    """A context with a new heap, in which one input is made, drawn or written."""
    return _FRESH


def same_name(name: str, other: str) -> str:
    """The variable that says whether a part is an object made earlier: a Python expression."""
    return f"{name} is {other}"


def shared_name(name: str) -> str:
    """The name, in the text of an input, of an object that it mentions more than once."""
    short = "".join([char if char.isalnum() else "_" for char in name]).strip("_")
    while "__" in short:
        short = short.replace("__", "_")
    return f"same_{short}"
