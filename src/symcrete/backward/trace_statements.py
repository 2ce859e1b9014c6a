"""The trace that the backward search leaves behind: assignments, writes, `fit` and `change`.

Every symbol is assigned at most once. The search prepends, so a trace is a linked list whose head
is the earliest entry; two paths that part share their common end.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from symcrete.program.lowering.three_address import Operand
from symcrete.slotted import dataclass
from symcrete.terms.term import Sort


class Sees(enum.Enum):
    """What the result of an operation depends on besides its operands."""

    NOTHING = "nothing"  # nothing: equal operands give equal results
    # objects: equal operands give equal results as long as nothing was written between the two
    HEAP = "heap"
    ITSELF = "itself"  # it writes, or makes something new: no two results are the same


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`symbol = operation(args)`."""

    symbol: str
    operation: str
    args: tuple[Operand, ...]
    line: int
    sees: Sees = Sees.HEAP
    makes: bool = False  # a new list, dict or set


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """`symbol = function(args)` with a function that has no symbolic form: the real code runs."""

    symbol: str
    function: Callable[..., Any]
    name: str
    args: tuple[Operand, ...]
    line: int
    sort: Sort | None = None  # what the result is hoped to be
    sees: Sees = Sees.HEAP
    makes: bool = False  # a new list, dict or set


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """`symbol` is a parameter of the entry point."""

    symbol: str
    parameter: str


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """A value that only a run can tell: state of the module, the next item of an iterator."""

    symbol: str
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A branch that the path takes: the truth of `operand` is `side`."""

    operand: Operand
    side: bool
    line: int
    text: str
    sees: Sees = Sees.HEAP


@dataclass(frozen=True, slots=True, eq=False)
class Wrote:
    """Here the path may have changed a container, or anything if `container` is None."""

    container: Operand | None
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A constraint was too hard for the solver: the inputs behind it may be changed."""

    fit: Fit


Entry: TypeAlias = Let | Apply | Input | Hidden | Fit | Wrote | Change
Trace: TypeAlias = tuple[Entry, Any] | None  # (entry, the rest)


def entries(trace: Trace) -> Iterator[Entry]:
    """The entries of a trace, the earliest first."""
    while trace is not None:
        entry, trace = trace
        yield entry
