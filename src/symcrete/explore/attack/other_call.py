"""One call of the attack: an input in which one argument is of another kind, and its text."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import field
from types import MappingProxyType
from typing import Any

from symcrete.explore.confirm.input_as_call import call_of_texts
from symcrete.explore.loop.parts import Parts
from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.heap import shared_name
from symcrete.inputs.shapes.shape import Written
from symcrete.run.untouched.played import Call
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

MOST_SHOWN = 60  # characters of a value in a note; chosen, not measured


class Number(int):
    """An int of a subclass."""


class Text(str):
    """A str of a subclass."""

    __slots__ = ()


class Row(tuple):  # type: ignore[type-arg]
    """A tuple of a subclass."""

    __slots__ = ()


class Items(list):  # type: ignore[type-arg]
    """A list of a subclass."""


_OURS = (Number, Text, Row, Items)


@dataclass(frozen=True, slots=True)
class OtherCall:
    """An input with one of its arguments replaced."""

    assignment: Assignment = field(repr=False)
    given: dict[str, Any]  # the arguments of the input, by name
    name: str  # of the parameter that gets another value
    value: Any
    same_as: str = ""  # the parameter whose very object the value is, if it is one

    @property
    def values(self) -> dict[str, Any]:
        """The arguments by name."""
        return {**self.given, self.name: self.value}

    def shown(self, parts: Parts) -> str:
        """The call as a note tells it, where long values are cut."""
        told = ", ".join([f"{name}={_cut(value)}" for name, value in self.values.items()])
        return f"{parts.target.scope}({told})"

    def call(self, arguments: Arguments) -> Call:
        """The call as one that can be written down and replayed. Raises NoLiteral."""
        written = arguments.written(self.assignment)
        label = {each.name: each.label for each in arguments.parameters}
        own = label[self.name]
        if not self.same_as:
            written[own] = _text_of(self.value, written[own])
            return call_of_texts(arguments, written)
        other, short = label[self.same_as], shared_name(self.same_as)
        first, second = sorted([own, other], key=list(written).index)
        if any(short in each.text for each in written.values()):
            raise NoLiteral("the object is shared already")
        object_text = written[other]
        written[first] = Written(f"({short} := {object_text.text})", object_text.imports)
        written[second] = Written(short)
        return call_of_texts(arguments, written)


def _text_of(value: Any, replaced: Written) -> Written:
    """The source text of a value that was made of another one; `replaced` is the text of that."""
    kind = type(value)
    if kind in _OURS:
        base = kind.__mro__[1]
        with contextlib.suppress(NoLiteral):  # objects inside of it may have a text nevertheless
            plain = base(value)
            replaced = Written(literal(plain), frozenset(imports_of(plain)))
        made = f'new_class("{kind.__name__}", ({base.__name__},))({replaced.text})'
        return Written(made, replaced.imports | {("types", "new_class")})
    if kind is MappingProxyType:
        shown = f"MappingProxyType({replaced.text})"
        return Written(shown, replaced.imports | {("types", "MappingProxyType")})
    if isinstance(value, Iterator):
        return Written(f"iter({replaced.text})", replaced.imports)
    if kind is list and len(value) == 2 and value[0] is value[1]:
        return Written(f"[{literal(value[0])}] * 2", frozenset(imports_of(value[0])))
    return Written(literal(value), frozenset(imports_of(value)))


def _cut(value: Any) -> str:
    if isinstance(value, Iterator):
        return "iter(...)"
    if type(value).__module__ not in ("builtins", __name__):
        return type(value).__name__
    text = repr(value)
    return text if len(text) < MOST_SHOWN else f"{text[: MOST_SHOWN - len('...')]}..."
