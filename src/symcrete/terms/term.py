"""The nodes of constraints: interned, typed, immutable.

Two terms built alike are the same object, so that equality is identity, caches can hang on the node
and a program that computes the same expression in a thousand runs builds it once.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any


class Sort(enum.Enum):
    """What kind of value a term stands for."""

    # Enum's own hash is Python code, and sorts are hashed in every look-up.
    __hash__ = object.__hash__

    BOOL = "bool"
    INT = "int"  # unbounded
    FLOAT = "float"  # IEEE double
    OBJECT = "object"  # any other Python value; only opaque applications take and give it

    def __repr__(self) -> str:
        return self.value


class Operation:
    """One row of the table of operations: its name, the sort of its result, and how it is
    computed.
    """

    __slots__ = ("computed", "function", "name", "opaque", "reads", "sort", "template")

    def __init__(
        self,
        name: str,
        sort: Sort,
        function: Callable[..., Any],
        template: str,
        *,
        opaque: bool = False,
        reads: Callable[[str], frozenset[str]] | None = None,
        computed: int | None = None,
    ) -> None:
        self.name = name
        self.sort = sort
        self.function = function
        self.template = template  # a Python expression over {0}, {1}, ...
        self.opaque = opaque  # no solver knows it; only evaluation does
        # Set for terms that are read off the assignment, as a text is from its length and code
        # points: gives the variables behind a name. The function of such an operation is given the
        # assignment and the term's only argument, that name.
        self.reads = reads
        self.computed = computed  # how many of its arguments evaluation needs; None: all

    def __repr__(self) -> str:
        return self.name


class Term:
    """A node. Build it with the functions of `integers`, `floats` and `logic`, never directly."""

    __slots__ = (
        "args",
        "depth",
        "evaluator",
        "index",
        "names",
        "negation",
        "notes",
        "op",
        "size",
        "sort",
    )

    size: int
    depth: int

    def __init__(
        self,
        op: Operation,
        args: tuple[Any, ...],
        sort: Sort,
        index: int,
        computed: tuple[Any, ...] | None = None,  # the arguments that evaluation needs; None: all
    ) -> None:
        self.op = op
        self.args = args
        self.sort = sort
        self.index = index  # order of creation: the same in every run with the same seed
        size, depth = 1, 0
        for arg in args if computed is None else computed:
            if arg.__class__ is Term:
                size += arg.size
                if arg.depth > depth:
                    depth = arg.depth
        self.size = size if size < SIZE_CAP else SIZE_CAP  # as a tree; sharing not counted
        self.depth = depth + 1
        self.names: frozenset[str] | None = None  # free variables, once asked for
        self.evaluator: Callable[[dict[str, Any]], Any] | None = None  # once it was evaluated
        self.negation: Term | None = None  # of a condition, once asked for
        # What others found out about it, each under a key of its own: a backend keeps its form of
        # it here. None as long as nobody did, which most look at before they call `begin_notes`.
        self.notes: dict[Any, Any] | None = None

    def __repr__(self) -> str:
        from symcrete.terms.show import show  # only for people: the nodes do not need it

        return show(self)

    def begin_notes(self) -> dict[Any, Any]:
        """The notes on the term; empty ones from now on, if it had none."""
        notes = self.notes
        if notes is None:
            notes = self.notes = {}
        return notes

    def oppose(self, denial: Term) -> Term:
        """Know that the two deny one another; gives the other one."""
        self.negation, denial.negation = denial, self
        return denial

    def compute_by(self, evaluator: Callable[[dict[str, Any]], Any]) -> None:
        """Be computed by this function from now on."""
        self.evaluator = evaluator

    def find_names(self) -> frozenset[str]:
        """The free variables, found from those of the arguments, which must be known, and kept."""
        found = _NO_NAMES
        if self.op is VAR:
            found = frozenset(self.args)
        elif self.op.reads is not None:
            found = self.op.reads(self.args[0])
        elif self.op is not CONST:
            for arg in self.args:
                if arg.__class__ is Term:
                    below: frozenset[str] = arg.names or _NO_NAMES
                    if not below <= found:
                        found = found | below if found else below
        self.names = found
        return found

    @property
    def is_const(self) -> bool:
        return self.op is CONST

    @property
    def value(self) -> Any:
        """The value of a constant."""
        return self.args[0]


_NO_NAMES: frozenset[str] = frozenset()
SIZE_CAP = 1 << 40  # nodes: sizes of shared terms double per level and would become huge numbers


def _no_value(*_: Any) -> Any:
    raise AssertionError("constants and variables are not computed")


CONST = Operation("const", Sort.OBJECT, _no_value, "{0}")
VAR = Operation("var", Sort.OBJECT, _no_value, "{0}")

# A thread whose solver was given up may make terms too: `setdefault`, so that both have the same.
_table: dict[Any, Term] = {}
INTS: dict[int, Term] = {}  # the constants so far; filled by `int_const`
_memos: list[dict[Any, Any]] = [INTS]


def intern(op: Operation, args: tuple[Any, ...]) -> Term:
    """The one term with this operation and these arguments."""
    key = (op, args)
    found = _table.get(key)
    if found is None:
        found = _table.setdefault(key, Term(op, args, op.sort, len(_table)))
    return found


def intern_as(sort: Sort, op: Operation, args: tuple[Any, ...]) -> Term:
    """Like `intern`, for the operations whose sort depends on their arguments."""
    key = (op, args, sort)
    found = _table.get(key)
    if found is None:
        found = _table.setdefault(key, Term(op, args, sort, len(_table), args[: op.computed]))
    return found


def var(name: str, sort: Sort) -> Term:
    """The term of an input variable."""
    return intern_as(sort, VAR, (name,))


def const(value: Any) -> Term:
    """The constant; its sort follows the value's type."""
    kind = type(value)
    if kind is int:
        return int_const(value)
    if kind is bool:
        return TRUE if value else FALSE
    if kind is float:
        # 0.0 == -0.0 and nan != nan; their texts are right: two zeros, one nan
        return _constant((CONST, value.hex(), Sort.FLOAT), value, Sort.FLOAT)
    try:
        return _constant((CONST, kind, value), value, Sort.OBJECT)
    except TypeError:  # unhashable: one node per object
        return _constant((CONST, id(value), Sort.OBJECT), value, Sort.OBJECT)


def int_const(value: int) -> Term:
    """The term of an integer constant."""
    found = INTS.get(value)
    if found is None:
        found = INTS[value] = _constant((CONST, value, Sort.INT), value, Sort.INT)
    return found


def _constant(key: Any, value: Any, sort: Sort) -> Term:
    found = _table.get(key)
    if found is None:
        found = _table.setdefault(key, Term(CONST, (value,), sort, len(_table)))
    return found


def memo() -> dict[Any, Any]:
    """A new dictionary for terms, which `forget` will empty."""
    made: dict[Any, Any] = {}
    _memos.append(made)
    return made


def forget() -> None:
    """Drop every term, between two targets; terms kept elsewhere stay valid but are not found
    again.
    """
    _table.clear()
    for each in _memos:
        each.clear()
    for constant in (TRUE, FALSE):
        _table[(CONST, constant.value, Sort.BOOL)] = constant


TRUE = _constant((CONST, True, Sort.BOOL), True, Sort.BOOL)
FALSE = _constant((CONST, False, Sort.BOOL), False, Sort.BOOL)
TRUE.negation, FALSE.negation = FALSE, TRUE
