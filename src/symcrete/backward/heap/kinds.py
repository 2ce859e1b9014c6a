"""The built-in kinds of locals: a list changes only by what is done to it, a text never does.

Inferred over all that is ever assigned to a local, like its sort. A kind is what a display, a
constant or a built-in function makes, or what the annotation of an entry point's parameter says.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.program.lowering.three_address import (
    Assign,
    Call,
    Caught,
    Compute,
    Constant,
    Flow,
    Opaque,
    Operand,
)

UNKNOWN = ""  # none of these, or not known
NUMBER, TEXT, NONE, TUPLE, RANGE = "number", "text", "none", "tuple", "range"
LIST, DICT, SET, ITERATOR = "list", "dict", "set", "iterator"
UNCHANGING = frozenset({NUMBER, TEXT, NONE, TUPLE, RANGE})
CONTAINERS = frozenset({LIST, DICT, SET})

_OF_VALUES: dict[type, str] = {
    int: NUMBER,
    float: NUMBER,
    bool: NUMBER,
    complex: NUMBER,
    str: TEXT,
    bytes: TEXT,
    type(None): NONE,
    tuple: TUPLE,
    frozenset: TUPLE,
    range: RANGE,
}
# The kind of object that built-in functions make.
_OF_CALLS: dict[Any, str] = {
    builtins.list: LIST,
    builtins.sorted: LIST,
    builtins.dict: DICT,
    builtins.set: SET,
    builtins.str: TEXT,
    builtins.repr: TEXT,
    builtins.chr: TEXT,
    builtins.hex: TEXT,
    builtins.tuple: TUPLE,
    builtins.frozenset: TUPLE,
    builtins.range: RANGE,
    builtins.len: NUMBER,
    builtins.int: NUMBER,
    builtins.float: NUMBER,
    builtins.bool: NUMBER,
    builtins.ord: NUMBER,
    builtins.isinstance: NUMBER,
}
_OF_NODES: dict[type[ast.expr], str] = {
    ast.List: LIST,
    ast.ListComp: LIST,
    ast.Dict: DICT,
    ast.DictComp: DICT,
    ast.Set: SET,
    ast.SetComp: SET,
    ast.JoinedStr: TEXT,
}
# A parameter declared `dict` may be a defaultdict, which changes when it is read.
_OF_ANNOTATIONS = {"list": LIST, "set": SET, "str": TEXT, "bytes": TEXT, "tuple": TUPLE}
_OF_ANNOTATIONS |= {"int": NUMBER, "float": NUMBER, "bool": NUMBER, "frozenset": TUPLE}
_TRUTHS = frozenset({"is", "is_not", "not", "in", "not_in"})
# operations that make of two values of one kind another one of it
_KEEP = frozenset({"add", "mul", "iadd", "imul", "sub", "or", "and", "isub", "ior", "iand"})
# rounds of inference; a local whose kind has not settled by then has none; chosen, not measured
KIND_ROUNDS = 6


class Kinds:
    """The kind of each local of a flow; `resolve` tells what a name that is not local means."""

    def __init__(self, resolve: Callable[[Flow, str], tuple[bool, Any]]) -> None:
        self._resolve = resolve
        self._given: dict[Flow, Mapping[str, str]] = {}
        self._known: dict[Flow, dict[str, str]] = {}

    def declare(self, flow: Flow) -> None:
        """Make a flow an entry point, whose arguments are what its annotations say."""
        args = flow.node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        self._given[flow] = {each.arg: _declared(each.annotation) for each in every}

    def of(self, flow: Flow, operand: Operand | None) -> str:
        """The kind that an operand surely has; UNKNOWN for any other."""
        if isinstance(operand, Constant):
            return _OF_VALUES.get(type(operand.value), UNKNOWN)
        if operand is None or operand in flow.shared:
            return UNKNOWN
        if flow not in self._known:
            self._known[flow] = self._infer(flow)
        return self._known[flow].get(operand, UNKNOWN)

    def _infer(self, flow: Flow) -> dict[str, str]:
        found: dict[str, str] = dict.fromkeys(flow.parameters, UNKNOWN)
        if flow in self._given:
            # A call of itself may hand on something else: only the outermost call is declared.
            calls_itself = any(
                isinstance(each, Call) and (each.callee or "").endswith(flow.node.name)
                for each in flow.statements
            )
            found |= {} if calls_itself else self._given[flow]
        for _ in range(KIND_ROUNDS):
            before = dict(found)
            for statement in flow.statements:
                for name, kind in self._learned(flow, statement, found):
                    former = found.get(name)
                    found[name] = kind if former is None or former == kind else UNKNOWN
            if found == before:
                return found
        return {}

    def _learned(
        self, flow: Flow, statement: object, found: dict[str, str]
    ) -> list[tuple[str, str]]:
        match statement:
            case Assign(target=target):
                kind = self._assigned(flow, statement, found)
                return [] if kind is None else [(target, kind)]
            case Compute(target=target, node=node):
                return [(target, _OF_NODES.get(type(node), UNKNOWN))]
            case Call(target=target):
                kind = self._called(flow, statement, found)
                return [] if kind is None else [(target, kind)]
            case Caught(target=str() as target):
                return [(target, UNKNOWN)]
            case Opaque(writes=written):
                return [(name, UNKNOWN) for name in written]
            case _:
                return []

    def _kind(self, flow: Flow, operand: Operand, found: dict[str, str]) -> str | None:
        """The kind of an operand while inference goes on; None while nothing is known of a local
        yet.
        """
        if isinstance(operand, Constant):
            return _OF_VALUES.get(type(operand.value), UNKNOWN)
        return UNKNOWN if operand in flow.shared else found.get(operand)

    def _assigned(self, flow: Flow, statement: Assign, found: dict[str, str]) -> str | None:
        operation = statement.operation
        if operation in ("list", "tuple"):
            return LIST if operation == "list" else TUPLE
        if operation in _TRUTHS:
            return NUMBER
        if operation == "global":
            name = statement.args[0]
            assert isinstance(name, Constant)
            known, value = self._resolve(flow, name.value)
            return _OF_VALUES.get(type(value), UNKNOWN) if known else UNKNOWN
        kinds = [self._kind(flow, arg, found) for arg in statement.args]
        if None in kinds:
            return None
        if operation in ("copy", "hint"):
            return kinds[0]
        if set(kinds) == {NUMBER}:
            return NUMBER
        same = operation in _KEEP and len(set(kinds)) == 1
        if same and kinds[0] in (LIST, TEXT, SET):
            return kinds[0]
        return TEXT if operation == "mod" and kinds[0] == TEXT else UNKNOWN

    def _called(self, flow: Flow, call: Call, found: dict[str, str]) -> str | None:
        if call.callee is None or not call.plain:
            return UNKNOWN
        known, value = self._resolve(flow, call.callee)
        if not known:
            return UNKNOWN
        if value is builtins.iter and len(call.args) == 1:
            kind = self._kind(flow, call.args[0], found)
            if kind is None:
                return None
            return ITERATOR if kind in UNCHANGING | CONTAINERS else UNKNOWN
        try:
            return _OF_CALLS.get(value, UNKNOWN)
        except TypeError:  # no key: a callable that cannot be hashed
            return UNKNOWN


def _declared(annotation: ast.expr | None) -> str:
    match annotation:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return _OF_ANNOTATIONS.get(name, UNKNOWN)
        case ast.Constant(value=None):
            return NONE
        case _:
            return UNKNOWN
