"""The rows of the kinds' table: one class of values, and what is special about its objects.

A field that is None, or False, says that there is nothing special in that respect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from symcrete.slotted import dataclass
from symcrete.terms.term import Term
from symcrete.terms.texts import Kind as TextKind


@dataclass(frozen=True, slots=True)
class Kind:
    """One class, tracked or plain, and what values do with its objects."""

    kind: type
    # The class that the program takes it for: what `type(x)` gives.
    stands_for: type | None = None
    # The plain value behind a tracked one. Whatever has this is tracked.
    plain: Callable[[Any], Any] | None = None
    # Whether it is asked before a plain left operand: `2.5 * x` would ask `float` first.
    operand: bool = False
    # How a tracked number becomes one of this kind for an operator (its method is given) whose
    # other operand is a plain value of the class that this one stands for; None if it cannot.
    lift: Callable[[Any, str], Any] | None = None
    # `bool(x)` as a Truth or a bool.
    truth: Callable[[Any], Any] | None = None
    # The condition that two values are equal, one of them of this kind; None if it is not known.
    equals: Callable[[Any, Any], Term | None] | None = None
    # `value in x`, given x first; NotImplemented if nothing about it is tracked.
    contains: Callable[[Any, Any], Any] | None = None
    # `x % values` for a plain text; NotImplemented if no value is tracked.
    formats: Callable[[Any, Any], Any] | None = None
    # `x[index]`, `x[index] = value` and `del x[index]`.
    get_item: Callable[[Any, Any], Any] | None = None
    set_item: Callable[[Any, Any, Any], None] | None = None
    del_item: Callable[[Any, Any], None] | None = None
    # `len(x)` with its term.
    length: Callable[[Any], Any] | None = None
    # For containers whose length is an input: how many elements one has in this run.
    count: Callable[[Any], int] | None = None
    # `int(x, ...)` and `float(x)` with their terms.
    to_int: Callable[..., Any] | None = None
    to_float: Callable[[Any], Any] | None = None
    # Of what characters it is, if it is a text; a tracked one has them in `content`.
    text: TextKind | None = None
    # The built-in container that it behaves as, where its methods do not show that.
    family: str | None = None
    # The elements for a `for`, given its site: whether there is another one is a branch.
    steps: Callable[[Any, int], Iterator[Any]] | None = None
    # Operators and methods that are put on the class, which is defined before they can be.
    methods: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """What containers that behave as one built-in container share."""

    name: str
    # The elements in this run, without a word to the recording.
    elements: Callable[[Any], Iterator[Any]]
    # Whether two are equal, as a Truth or bool; None where their own `__eq__` has to tell.
    equal: Callable[[Any, Any], Any] | None = None
    contains: Callable[[Any, Any], Any] | None = None
    get_item: Callable[[Any, Any], Any] | None = None
    set_item: Callable[[Any, Any, Any], None] | None = None
    del_item: Callable[[Any, Any], None] | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a container of one family and one of another meet in these operators.

    The functions give NotImplemented if nothing is tracked in the two.
    """

    left: str
    right: str
    operators: Mapping[str, Callable[[Any, Any], Any]]
