"""What one statement may write besides the local it assigns.

Three answers: nothing, one built-in container, or anything at all. Unknown code writes anything;
an operator runs such code only where a class of the program defines it.
"""

from __future__ import annotations

import ast
import math
from types import FunctionType
from typing import Any, TypeAlias

from symcrete.backward.heap.kinds import (
    CONTAINERS,
    DICT,
    ITERATOR,
    LIST,
    NONE,
    NUMBER,
    RANGE,
    SET,
    TEXT,
    TUPLE,
    UNCHANGING,
    UNKNOWN,
    Kinds,
)
from symcrete.backward.python_operators import IN_PLACE
from symcrete.backward.sorts import Sorts, bound_arguments
from symcrete.backward.trace_statements import Sees
from symcrete.backward.view.program_view import Program
from symcrete.program.lowering.expression_values import operands_of
from symcrete.program.lowering.three_address import (
    Assign,
    Branch,
    Call,
    Compute,
    Constant,
    Flow,
    Mark,
    Opaque,
    Operand,
    Raise,
    Return,
    Statement,
    Store,
)
from symcrete.slotted import dataclass
from symcrete.terms.term import Sort


@dataclass(frozen=True, slots=True)
class Nothing:
    """No object is changed."""


@dataclass(frozen=True, slots=True)
class Container:
    """Only the list, dict or set that the operand holds is changed."""

    operand: Operand


@dataclass(frozen=True, slots=True)
class Anything:
    """Any object may be changed."""


Effect: TypeAlias = Nothing | Container | Anything
NOTHING, ANYTHING = Nothing(), Anything()

# values of these kinds never change, whatever is written
_STEADY = frozenset({NUMBER, TEXT, NONE, RANGE})
_COMPARED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
# operations that write nothing, whatever they are given
_SILENT = frozenset({"copy", "tuple", "list", "hint", "is", "is_not", "global"})
# operations that go through an operand, or ask it for an item
_ITERATES = frozenset({"in", "not_in", "unpack", "getitem"})
# operations that look for the items of one set in another
_OF_SETS = frozenset({"sub", "or", "and", "xor"})
# Special methods by which an item is looked for in a container, and by which it becomes text.
_LOOKED_FOR = ("__eq__", "__hash__")
_AS_TEXT = ("__str__", "__repr__", "__format__")
# Special methods of what a container holds that some built-in function or method calls.
_OF_ITEMS = (
    *(_LOOKED_FOR + _AS_TEXT),
    *("__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__len__", "__iter__"),
    *("__next__", "__getitem__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__"),
    *("__rmul__", "__float__", "__index__", "__int__", "__complex__", "__bytes__"),
)
# syntax that runs no code of the program where all values in it are of known kinds
_QUIET_NODES = (
    ast.Dict | ast.Set | ast.List | ast.Tuple | ast.Subscript | ast.Slice | ast.Name | ast.Constant
) | (ast.expr_context | ast.JoinedStr | ast.FormattedValue)
# Built-in functions that look at their arguments and change nothing but iterators.
_LOOKING = frozenset(
    {abs, bool, bytes, callable, chr, divmod, float, hash, hex, id, int, isinstance, issubclass}
    | {len, max, min, oct, ord, pow, repr, round, str, type, bin, ascii, complex, hasattr}
)
# Likewise those that go through what their arguments hold, or make an object of it.
_MAKING = frozenset({list, dict, set, tuple, frozenset, sorted, sum, range, enumerate, zip, iter})
_MAKING |= {reversed, any, all, bytearray}
# Those that hand on what a container holds, or count it, and call no method of it.
_HANDING_ON = frozenset({len, bool, list, tuple, enumerate, zip, iter, reversed, range})
# Those whose results depend on which objects are given, not on what these hold.
_KIND_FREE = frozenset({isinstance, callable, id, type, issubclass})
_MATH = frozenset(value for value in vars(math).values() if callable(value))
# By built-in function, the special methods of its argument that it calls.
_METHODS_ASKED: dict[Any, tuple[str, ...]] = {
    len: ("__len__",),
    bool: ("__bool__", "__len__"),
    str: ("__str__", "__repr__"),
    repr: ("__repr__",),
    abs: ("__abs__",),
    hash: ("__hash__",),
    hasattr: ("__getattr__", "__getattribute__", "__get__"),
}
# Methods of built-in containers that change nothing.
_READING = {
    LIST: frozenset({"index", "count", "copy"}),
    DICT: frozenset({"get", "keys", "values", "items", "copy"}),
    SET: frozenset(
        {"issubset", "issuperset", "isdisjoint", "union", "intersection", "difference", "copy"}
    ),
    TUPLE: frozenset({"index", "count"}),
    RANGE: frozenset({"index", "count"}),
}
# Methods of built-in containers that call no method of what these hold.
_KEEPING = frozenset({"copy", "keys", "values", "items", "append", "insert", "extend"})
_KEEPING |= {"clear", "reverse"}


class Effects:
    """Tells what the statements of a program may write and see."""

    def __init__(self, program: Program, sorts: Sorts) -> None:
        self._program = program
        self._sorts = sorts
        self.kinds = Kinds(program.resolve)
        self._known: dict[Statement, Effect] = {}
        self._of_flows: dict[Flow, bool] = {}

    def of(self, flow: Flow, statement: Statement) -> Effect:
        """What the statement may write, whether it completes or fails."""
        found = self._known.get(statement)
        if found is None:
            found = self._known[statement] = self._find(flow, statement)
            if self._program.text.unforeseen and self._drops(flow, statement):
                found = self._known[statement] = ANYTHING
        return found

    def _drops(self, flow: Flow, statement: Statement) -> bool:
        """Whether other code may run at a statement, because it gives up the last reference to an
        object, or takes long enough for another thread.
        """
        match statement:
            case Mark() | Branch() | Return() | Raise():
                return False
            case Assign(target=target):
                return self._sorts.of(flow, target) is Sort.OBJECT
            case _:
                return True

    def seen_by(self, flow: Flow, statement: Assign | Compute | Call | Branch) -> Sees:
        """What the result of a statement depends on besides its operands."""
        if self.of(flow, statement) != NOTHING:
            return Sees.ITSELF
        operands = operands_of(statement)
        if isinstance(statement, Assign) and statement.operation in (
            "is",
            "is_not",
            "copy",
            "hint",
        ):
            return Sees.NOTHING
        if isinstance(statement, Call) and _among(self._function(flow, statement), _KIND_FREE):
            return Sees.HEAP if self._program.text.adopts else Sees.NOTHING
        if not isinstance(statement, Branch) and self.makes_new(flow, statement):
            return Sees.ITSELF
        if isinstance(statement, Call) and statement.receiver is not None:
            operands = (*operands_of(statement)[:-1], *_names(statement.receiver))
        steady = all(self._kind(flow, name) in _STEADY for name in operands)
        return Sees.NOTHING if steady else Sees.HEAP

    def makes_container(self, flow: Flow, statement: Assign | Compute | Call) -> bool:
        """Whether the result of a statement is a new list, dict or set that nothing else holds."""
        if self.kinds.of(flow, statement.target) not in CONTAINERS:
            return False
        if isinstance(statement, Assign) and is_in_place(statement.operation):
            return False  # `xs += ys` is still the list that others hold
        return self.makes_new(flow, statement) and self.seen_by(flow, statement) is Sees.ITSELF

    def makes_new(self, flow: Flow, statement: Assign | Compute | Call) -> bool:
        """Whether the result may be an object that did not exist before and can be changed."""
        match statement:
            case Assign(operation=operation):
                if operation in ("copy", "hint", "global", "getitem", "getattr", "unpack"):
                    return False
                if operation in _COMPARED | {"is", "is_not", "in", "not_in", "not", "tuple"}:
                    return False
            case Call():
                function = self._function(flow, statement)
                if _among(function, _LOOKING | _MATH):
                    return False
                if statement.method in ("get", "index", "count"):
                    return False
                if statement.receiver is not None and self._kind(flow, statement.receiver) == TEXT:
                    return False
            case _:
                pass
        return self.kinds.of(flow, statement.target) not in UNCHANGING

    def _find(self, flow: Flow, statement: Statement) -> Effect:
        match statement:
            case Assign():
                return self._of_operation(flow, statement)
            case Call():
                return self._of_call(flow, statement)
            case Branch(operand=operand):
                return self._asked(flow, (operand,), "__bool__", "__len__")
            case Store(base=base, attribute=attribute):
                # A store tells nothing of its key, which may be any object.
                asked = {LIST: ("__index__",), DICT: _LOOKED_FOR}.get(self._kind(flow, base))
                known = attribute is None and asked is not None
                quiet = known and not self._program.text.runs_code(*asked or ())
                return Container(base) if quiet else ANYTHING
            case Compute(node=node, reads=reads):
                return self._of_expression(flow, node, reads)
            case Opaque(reads=reads, text="next"):
                looped = [self.kinds.of(flow, name) for name in reads]
                return NOTHING if looped == [ITERATOR] else ANYTHING
            case Opaque():
                return ANYTHING
            case Raise(error=error):
                return NOTHING if self._is_built_in_error(flow, error) else ANYTHING
            case _:
                return NOTHING

    def _kind(self, flow: Flow, operand: Operand) -> str:
        if isinstance(operand, str) and self._sorts.of(flow, operand) is not Sort.OBJECT:
            return NUMBER
        return self.kinds.of(flow, operand)

    def _asked(self, flow: Flow, operands: tuple[Operand, ...], *methods: str) -> Effect:
        """The effect of an operator that special methods of unknown objects may implement."""
        if all(self._kind(flow, each) != UNKNOWN for each in operands):
            return NOTHING
        return ANYTHING if self._program.text.runs_code(*methods) else NOTHING

    def _of_items(self, flow: Flow, operands: tuple[Operand, ...], *methods: str) -> Effect:
        """The effect of an operation that calls methods of its operands or of what they hold."""
        if all(self._kind(flow, each) in _STEADY for each in operands):
            return NOTHING
        return ANYTHING if self._program.text.runs_code(*methods) else NOTHING

    def _at_key(self, flow: Flow, base: Operand, key: Operand) -> Effect:
        """The effect of looking for a key in a dict, or for an index in another container."""
        if self._kind(flow, base) != DICT:
            return self._of_items(flow, (key,), "__index__")
        # Keys of the dict that have the same hash are compared with the key.
        return self._of_items(flow, (base, key), *_LOOKED_FOR)

    def _of_operation(self, flow: Flow, statement: Assign) -> Effect:
        operation, args = statement.operation, statement.args
        if operation in _SILENT:
            return NOTHING
        if operation == "getattr":
            name = args[1].value if isinstance(args[1], Constant) else ""
            known = self._kind(flow, args[0]) != UNKNOWN
            return NOTHING if known or self._program.text.is_plain(name) else ANYTHING
        kinds = [self._kind(flow, arg) for arg in args]
        if operation in _ITERATES:
            over = kinds[1] if operation in ("in", "not_in") else kinds[0]
            if over not in UNCHANGING | CONTAINERS:
                return ANYTHING
            if operation == "getitem":
                return self._at_key(flow, args[0], args[1])
            return NOTHING if operation == "unpack" else self._of_items(flow, args, *_LOOKED_FOR)
        if operation in ("not", "index"):
            return self._asked(flow, args, "__bool__", "__len__", "__index__")
        if is_in_place(operation):
            if kinds[0] in CONTAINERS:
                known = kinds[1] != UNKNOWN and self._by_operator(flow, args, operation) == NOTHING
                return Container(args[0]) if known else ANYTHING
            if kinds[0] in UNCHANGING:
                return self._by_operator(flow, args, operation)
            return ANYTHING
        return self._by_operator(flow, args, operation)

    def _by_operator(self, flow: Flow, args: tuple[Operand, ...], operation: str) -> Effect:
        plain = operation[1:] if is_in_place(operation) else operation
        names = [f"__{plain}__", f"__r{plain}__", f"__i{plain}__"]
        if operation in _COMPARED:
            return self._of_items(flow, args, *[f"__{each}__" for each in _COMPARED], "__hash__")
        if plain == "mod":
            return self._of_items(flow, args, *names, *_AS_TEXT)
        if plain in _OF_SETS:
            return self._of_items(flow, args, *names, *_LOOKED_FOR)
        return self._asked(flow, args, *names)

    def _of_expression(self, flow: Flow, node: ast.expr, reads: tuple[str, ...]) -> Effect:
        """The effect of an expression: displays, slices and f-strings of plain parts write
        nothing, any other may write anything.
        """
        if isinstance(node, ast.Lambda):
            return NOTHING
        if not all(isinstance(each, _QUIET_NODES) for each in ast.walk(node)):
            return ANYTHING
        if all(self._kind(flow, name) != UNKNOWN for name in reads):
            return self._of_items(flow, reads, *_called_in(node))
        held = isinstance(node, ast.List | ast.Tuple) or (
            isinstance(node, ast.Dict) and all(isinstance(k, ast.Constant) for k in node.keys)
        )
        return NOTHING if held else ANYTHING

    # -- calls

    def _function(self, flow: Flow, call: Call) -> Any:
        """The function that a call surely calls; None where that is not known."""
        if call.callee is None or not call.plain:
            return None
        known, value = self._program.resolve(flow, call.callee)
        return value if known else None

    def _of_call(self, flow: Flow, call: Call) -> Effect:
        inner = self._followed(flow, call)
        if inner is not None:
            return ANYTHING if self._writes(inner) else NOTHING
        if call.receiver is not None:
            return self._of_method(flow, call)
        function = self._function(flow, call)
        operands = (*call.args, *[operand for _, operand in call.keywords])
        kinds = [self._kind(flow, each) for each in operands]
        if _among(function, _KIND_FREE):
            return self._of_items(flow, operands, "__instancecheck__", "__subclasscheck__")
        if function is hasattr and not self._is_plain_name(call.args[1:]):
            return ANYTHING
        if any(name in ("key", "default") for name, _ in call.keywords):
            return ANYTHING
        if _among(function, _LOOKING | _MAKING | _MATH) and ITERATOR not in kinds:
            if all(kind != UNKNOWN for kind in kinds):
                quiet = _among(function, _HANDING_ON)
                return NOTHING if quiet else self._of_items(flow, operands, *_OF_ITEMS)
            if _among(function, frozenset(_METHODS_ASKED)):
                return self._asked(flow, operands, *_METHODS_ASKED[function])
        return ANYTHING

    def _is_plain_name(self, operands: tuple[Operand, ...]) -> bool:
        """Whether asking for the attribute that the one operand names runs no code."""
        names = [each.value for each in operands if isinstance(each, Constant)]
        return len(names) == len(operands) == 1 and self._program.text.is_plain(names[0])

    def _of_method(self, flow: Flow, call: Call) -> Effect:
        assert call.receiver is not None
        kind = self._kind(flow, call.receiver)
        operands = (*call.args, *[operand for _, operand in call.keywords])
        plain = call.plain and not call.keywords
        if not plain or any(self._kind(flow, each) == UNKNOWN for each in operands):
            # `xs.append(obj)` only keeps what it is given.
            keeps = plain and (kind, call.method) in ((LIST, "append"), (LIST, "insert"))
            return Container(call.receiver) if keeps else ANYTHING
        keeps = call.method in _KEEPING or (kind, call.method) == (LIST, "pop")
        if not keeps and self._of_items(flow, (call.receiver, *operands), *_OF_ITEMS) != NOTHING:
            return ANYTHING
        if kind in (TEXT, NUMBER) or call.method in _READING.get(kind, ()):
            return NOTHING
        return Container(call.receiver) if kind in CONTAINERS else ANYTHING

    def _writes(self, flow: Flow) -> bool:
        """Whether a function that is followed, or one that it calls, may write anything."""
        if flow not in self._of_flows:
            self._of_flows[flow] = any(map(self._writes_itself, self._reached(flow)))
        return self._of_flows[flow]

    def _reached(self, flow: Flow) -> list[Flow]:
        """The function and all that are followed from it; functions may call each other."""
        found = [flow]
        for each in found:  # which grows meanwhile
            called = [self._followed(each, statement) for statement in each.statements]
            found += dict.fromkeys(one for one in called if one and one not in found)
        return found

    def _writes_itself(self, flow: Flow) -> bool:
        """Whether a function may write anything, those aside that are followed from it."""
        own = [each for each in flow.statements if self._followed(flow, each) is None]
        return bool(flow.gaps) or any(self.of(flow, each) != NOTHING for each in own)

    def _followed(self, flow: Flow, statement: Statement) -> Flow | None:
        """The function of the program that a call surely runs; None for any other statement."""
        if not isinstance(statement, Call):
            return None
        inner = self._program.callee(flow, statement)
        known = inner is not None and bound_arguments(inner, statement) is not None
        return inner if known else None

    def _is_built_in_error(self, flow: Flow, error: str | None) -> bool:
        """Whether making the exception runs no code of the program."""
        if error is None:
            return False
        known, value = self._program.resolve(flow, error)
        return known and isinstance(value, type) and not runs_python(value)


def is_in_place(operation: str) -> bool:
    """Whether this is the operation of `x += y` or its like."""
    return operation.startswith("i") and operation[1:] in IN_PLACE


def runs_python(kind: type) -> bool:
    """Whether making an object of a class runs code written in Python."""
    makers = (getattr(kind, name, None) for name in ("__init__", "__new__"))
    return any(isinstance(each, FunctionType) for each in makers) or type(kind) is not type


def _called_in(node: ast.expr) -> tuple[str, ...]:
    """The special methods of items that displays, subscripts and f-strings in a node call."""
    found: tuple[str, ...] = ()
    for each in ast.walk(node):
        if isinstance(each, ast.FormattedValue):
            found += _AS_TEXT
        by_key = isinstance(each, ast.Subscript) and not isinstance(each.slice, ast.Slice)
        if by_key or isinstance(each, ast.Set | ast.Dict):
            found += _LOOKED_FOR
    return found


def _names(operand: Operand) -> tuple[str, ...]:
    return (operand,) if isinstance(operand, str) else ()


def _among(function: Any, functions: frozenset[Any]) -> bool:
    try:
        return function is not None and function in functions
    except TypeError:  # cannot be hashed
        return False
