"""Three-address form: a function as small statements, each computing one thing, and the ways
between them.

Operands are local names, temporaries (`%1`) and constants. Boolean operators, ternaries and chained
comparisons are control flow. What has no form of its own is opaque: known by what it reads and
writes.
"""

from __future__ import annotations

import ast
from dataclasses import field
from typing import Any, Literal, TypeAlias

from symcrete.slotted import dataclass

FLOW_ENTRY, UNCAUGHT = 0, 1  # statements of every flow: where it begins, where exceptions leave it


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """An operand whose value the text tells."""

    value: Any

    def __repr__(self) -> str:
        return repr(self.value)


Operand: TypeAlias = str | Constant
# the ends of a flow and what no way leads to; places of loops and where ways meet; statements
_Ends: TypeAlias = Literal["entry", "raised", "dead"]
_Places: TypeAlias = Literal["join", "loop", "else", "exit"]
_Statements: TypeAlias = Literal["pass", "break", "continue", "return", "try", "match"]
MarkKind: TypeAlias = _Ends | _Places | _Statements


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A statement that computes nothing: the entry, the exceptional end, a place where ways meet or
    a loop begins, a `pass`, a `break`.
    """

    line: int
    kind: MarkKind = "join"


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`target = operation(args)`; the operation is a word, such as `add` or `getattr`."""

    line: int
    target: str
    operation: str
    args: tuple[Operand, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Compute:
    """`target = expression` for expressions without a form of their own, such as comprehensions."""

    line: int
    target: str
    node: ast.expr
    reads: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`target = callee(args)`; `callee` is a name that is not local or a dotted path."""

    line: int
    target: str
    callee: str | None  # "helper", "math.sin"; None where only a run can tell
    args: tuple[Operand, ...]
    keywords: tuple[tuple[str, Operand], ...] = ()
    function: Operand | None = None  # the value called, where `callee` is None
    plain: bool = True  # without * and **
    receiver: Operand | None = None  # of a method call `receiver.method(...)`
    method: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A condition: the truth of the operand decides which side is next."""

    line: int
    operand: Operand
    site: int | None
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """`return operand`."""

    line: int
    operand: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    """`raise error`, or an exception that goes on after a `finally` or `with`."""

    line: int
    error: str | None  # the class as written; None where only a run can tell
    given: int | None = 0  # arguments that the class is called with; None with keywords or stars


@dataclass(frozen=True, slots=True, eq=False)
class Caught:
    """Where an exception is caught, by an `except`, a `finally` or a `with`: binds it to `target`,
    if that is given.
    """

    line: int
    target: str | None
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """`base.attribute = value`, `base[key] = value`, or a `del` of either: changes an object."""

    line: int
    base: Operand
    attribute: str | None  # None for an item
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """Anything else: imports, definitions, patterns, what a `with` or a `for` calls."""

    line: int
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    text: str = ""


Statement: TypeAlias = (
    Mark | Assign | Compute | Call | Branch | Return | Raise | Caught | Store | Opaque
)


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement that can come right after another."""

    source: int
    target: int
    side: bool | None = None  # of a branch
    catches: tuple[str, ...] | None = None  # an exception of one of these classes led here
    passes: tuple[str, ...] = ()  # and of none of these


@dataclass(slots=True, eq=False)
class Loop:
    """A `for` or `while`: its statements are numbered in one run from `first` to `last`."""

    node: ast.For | ast.While
    header: int
    first: int
    last: int

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last


@dataclass(slots=True, eq=False)
class Flow:
    """One function; statements 0 and 1 are the entry and the exceptional end."""

    file: str
    scope: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    parameters: tuple[str, ...]
    defaults: dict[str, Constant | None] = field(default_factory=dict)  # None: only a run can tell
    statements: list[Statement] = field(default_factory=list)
    before: list[list[Edge]] = field(default_factory=list)
    after: list[list[Edge]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    returns: list[int] = field(default_factory=list)
    shared: frozenset[str] = frozenset()  # names that are bound in ways that are not followed
    plain: bool = True  # called and returned from as written: no generator, coroutine, decorator
    risky: frozenset[str] = frozenset()  # locals that may be unbound where they are read
    # locals mentioned where only a run can tell whether they are read: in lambdas, comprehensions
    perhaps_read: frozenset[str] = frozenset()
    gaps: dict[str, None] = field(default_factory=dict)  # ways through it that have no form here

    def add(self, statement: Statement) -> int:
        """Add a statement and return its number."""
        self.statements.append(statement)
        self.before.append([])
        self.after.append([])
        return len(self.statements) - 1

    def connect(self, edge: Edge) -> None:
        """Add an edge, if it is not there yet."""
        if edge not in self.before[edge.target]:
            self.before[edge.target].append(edge)
            self.after[edge.source].append(edge)

    def share(self, names: frozenset[str]) -> None:
        """Let these locals have any value where they are read: when they are bound is not
        followed.
        """
        self.shared |= names

    def may_read(self, names: frozenset[str]) -> None:
        """Note locals of which only a run can tell whether they are read."""
        self.perhaps_read |= names

    def starts(self, line: int) -> list[int]:
        """The statements by which a line begins to run."""
        found = [n for n, each in enumerate(self.statements) if each.line == line and n > UNCAUGHT]
        inside = set(found)
        return [
            n
            for n in found
            if not self.before[n] or any(edge.source not in inside for edge in self.before[n])
        ]
