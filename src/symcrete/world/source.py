"""One source of state: how it is read, what values it can have, how a test sets it.

A row of the table (`sources.py`) names what stands in for the functions and objects that read the
source while runs are made. They ask for the value of a root (`inputs/late.py`) in the input under
way; between runs they do what the originals do.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import Shape
from symcrete.slotted import dataclass


class Asking(Protocol):
    """The run under way, for whoever reads the world in it."""

    @property
    def running(self) -> bool:
        """Whether a run is under way; if not, nothing may be asked."""
        ...

    @property
    def by_program(self) -> bool:
        """Whether it is the program itself that reads, and not a library that it called."""
        ...

    def value(self, late: Late) -> Any:
        """What the input of this run has for a root; the same at every read."""
        ...

    def next_value(self, root: str, shape: Shape, source: str) -> Any:
        """The value for this read of a root that is another input at every read: `root`, `root@2`,
        ...
        """
        ...

    def remembered(self, what: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, called at most once in each run."""
        ...

    def afterwards(self, call: Callable[[], object]) -> None:
        """Have something called when the run under way is over."""
        ...

    def is_tracked(self, value: Any) -> bool:
        """Whether a value has a term, that is, depends on the input."""
        ...

    def plain(self, value: Any) -> Any:
        """The value without its term: what is computed from it no longer counts as depending on the
        input.
        """
        ...

    def pinned(self, value: Any) -> Any:
        """A text or path without its term, where "the input gives just this one" is a branch."""
        ...

    def item(self, items: Any, index: Any) -> Any:
        """`items[index]`, with the term of an index that has one."""
        ...

    def callee(self, function: Any) -> Any:
        """What rewritten code would call instead: a model, where there is one."""
        ...

    def mentions(self, word: str) -> bool:
        """Whether the program's text has this name in it."""
        ...

    def reads(self, what: str) -> None:
        """Say that a call gave something that the inputs do not determine: nothing that depends on
        it can be proved.
        """
        ...

    def lose(self, what: str) -> None:
        """Say that what was just read is not an input: nothing that depends on it can be proved."""
        ...


def original(module: str, name: str) -> Any:
    """What a module has under a name: stand-ins leave modules as they are."""
    return getattr(importlib.import_module(module), name)


@dataclass(frozen=True, slots=True)
class Instead:
    """Rewritten code that calls this function of a module calls `by`."""

    module: str
    name: str
    by: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Everywhere:
    """Whoever calls this function of a module while runs are made calls `by`: libraries, too."""

    module: str
    name: str
    by: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class InsteadOfMethod:
    """Rewritten code that calls this method calls `by(object, ...)`.

    For a class method the first argument is the class.
    """

    module: str
    kind: str
    name: str
    by: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class AsA:
    """An object of a module whose class is replaced by this subclass of it while runs are made."""

    module: str
    name: str
    kind: type


@dataclass(frozen=True, slots=True)
class ReadAs:
    """Rewritten code that reads this attribute of a module gets what `by` gives for its value."""

    module: str
    name: str
    by: Callable[[Any], Any]


StandIn: TypeAlias = Instead | Everywhere | InsteadOfMethod | AsA | ReadAs


@dataclass(frozen=True, slots=True)
class Answer:
    """A root that a run asked for, and what it got."""

    root: str
    value: Any
    text: str  # the value as source text


@dataclass(frozen=True, slots=True)
class Setting:
    """How a test sets something that a run asked for."""

    source: str  # os.environ['SHOP']
    value: str  # an expression that evaluates after the imports of `line`
    line: str  # monkeypatch.setenv("SHOP", "1")


Targets: TypeAlias = Callable[[str, str], Sequence[str]]
"""Where the program finds a name of a library module: `("time", "time")` is `time.time`, or
`shop.time` in a program that imports it by name."""


@dataclass(frozen=True, slots=True)
class Source:
    """One row of the table."""

    name: str
    what: str  # for the documentation: what is read
    stand_ins: Callable[[Asking], Iterable[StandIn]]
    shown: Callable[[Sequence[Answer], Targets], Iterable[Setting]]
    # Attributes of modules all of whose reads are inputs, so that proofs may depend on them.
    accounts_for: frozenset[tuple[str, str]] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()  # those that `ReadAs` stands in for
