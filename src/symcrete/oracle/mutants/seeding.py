"""The small faults that are seeded into a function, one at a time.

Relations, arithmetic, constants off by one, connectives, swapped branches, dropped calls, returned
values, loops without a round, handlers that catch nothing: the operators that tools for mutation
testing share.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import cast

from symcrete.program.source.sites import functions
from symcrete.slotted import dataclass

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_RELATIONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    **{each: tuple([other for other in _ORDERS if other is not each]) for each in _ORDERS},
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    # besides the usual ones those that do the same with small numbers: 4 | 1 is 5, 1 & 1 is 1 * 1
    ast.Add: (ast.Sub, ast.Mult, ast.BitOr, ast.BitXor),
    ast.Sub: (ast.Add, ast.Mult, ast.BitXor, ast.Mod),
    ast.Mult: (ast.Add, ast.Sub, ast.FloorDiv, ast.BitAnd),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod, ast.Div, ast.RShift),
    ast.Mod: (ast.Mult, ast.FloorDiv, ast.Sub, ast.BitAnd),
    ast.Pow: (ast.Mult, ast.Add),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.And: "and",
    ast.Or: "or",
}
_SHORT = ast.Assign | ast.AugAssign | ast.Return | ast.Expr  # statements of one line
MOST_OF_A_FAULT = 50  # characters of source in the words for a mutant


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault."""

    number: int  # among those of its function, from 1
    line: int
    was: str  # the source before
    becomes: str  # and after
    shows: str  # what an input shows that tells the function from the fault: `a < b, not <=`

    @property
    def text(self) -> str:
        """The fault in words: `line 3: a < b becomes a <= b`."""
        return f"line {self.line}: {_short(self.was)} becomes {_short(self.becomes)}"


def mutants_of(tree: ast.Module, scope: str) -> list[Mutant]:
    """Every fault that can be seeded into a function."""
    seeding = _Seeding(lambda number: None)
    _in_function(tree, scope, seeding)
    return seeding.mutants


def mutated(tree: ast.Module, scope: str, number: int) -> ast.Module:
    """The module with one fault in it."""
    return _in_function(tree, scope, _Seeding(lambda each: _HERE if each == number else None))


def switched(tree: ast.Module, scope: str, asks: str, steps: str) -> ast.Module:
    """The module with every fault in it, each where the function called `asks` says so of its
    number; every round of a loop of the function calls `steps`.
    """
    seeding = _Seeding(lambda number: ast.Call(_name(asks), [ast.Constant(number)], []), steps)
    return _in_function(tree, scope, seeding)


_HERE = ast.Constant(True)  # what a Switch gives for a fault that replaces what was there

Switch = Callable[[int], ast.expr | None]  # by number: the test for a fault; None if it is left out


def _in_function(tree: ast.Module, scope: str, seeding: _Seeding) -> ast.Module:
    tree = copy.deepcopy(tree)
    for name, node in functions(tree):
        if name == scope and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = 1 if ast.get_docstring(node) is not None else 0
            # Decorators, defaults and annotations are no part of what a call does.
            node.body[first:] = seeding.block(node.body[first:])
    return ast.fix_missing_locations(tree)


class _Seeding(ast.NodeTransformer):
    """Numbers the faults of a body, and puts them there."""

    def __init__(self, switch: Switch, steps: str = "") -> None:
        self.mutants: list[Mutant] = []
        self._switch = switch
        self._steps = steps
        self._around: list[ast.AST] = []  # the nodes that the one at hand is in, outermost first

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with their faults."""
        return [cast(ast.stmt, self.visit(each)) for each in body]

    def visit(self, node: ast.AST) -> ast.AST:
        """The node with the faults in it and below it."""
        if isinstance(node, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
            return node
        if isinstance(
            node, ast.arguments | ast.pattern | ast.JoinedStr | ast.Slice | ast.AnnAssign
        ):
            return self._part(node)
        faults = list(_faults(node))
        numbered = [(self._number(node, each), each) for each in faults]
        empty = self._number(node, _emptied(node)) if _can_be_empty(node) else 0
        self._around.append(node)
        inner = self._inside(node)
        self._around.pop()
        if empty:
            inner = self._with_empty(inner, empty)
        for number, fault in reversed(numbered):
            test = self._switch(number)
            if test is _HERE:
                return ast.copy_location(fault, node)
            if test is not None:
                inner = _either(test, fault, inner)
        return inner

    def _part(self, node: ast.AST) -> ast.AST:
        """A node that gets no fault of its own, with faults in the expressions inside it."""
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            node.value = self.visit(node.value)  # type: ignore[assignment]
        if isinstance(node, ast.Slice):
            return self.generic_visit(node)
        return node

    def _inside(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = self.block(node.body)
            return node
        node = self.generic_visit(copy.copy(node))
        if self._steps and isinstance(node, ast.While | ast.For | ast.AsyncFor):
            node.body.insert(0, ast.Expr(ast.Call(_name(self._steps), [], [])))
        return node

    def _with_empty(self, node: ast.AST, number: int) -> ast.AST:
        """A loop that has no round, or a handler that catches nothing, if the fault is chosen."""
        test = self._switch(number)
        if test is _HERE:
            return _emptied(node)
        if test is not None:
            part = "iter" if isinstance(node, ast.For) else "type"
            setattr(node, part, ast.IfExp(test, _nothing(), getattr(node, part)))
        return node

    def _number(self, node: ast.AST, fault: ast.AST) -> int:
        line = getattr(node, "lineno", 0)
        around = self._around[-1] if self._around else None
        shown = _header(node), _header(fault)
        if isinstance(node, ast.Constant) and isinstance(around, ast.expr | _SHORT):
            # What a number becomes says little without what is done with it.
            larger = _header(around), _header(copy.deepcopy(around, {id(node): fault}))
            shown = larger if max(map(len, larger)) <= MOST_OF_A_FAULT else shown
        told = _told(node, fault, around if isinstance(around, ast.expr | _SHORT) else node)
        self.mutants.append(Mutant(len(self.mutants) + 1, line, *shown, told))
        return len(self.mutants)


def _can_be_empty(node: ast.AST) -> bool:
    return isinstance(node, ast.For) or (
        isinstance(node, ast.ExceptHandler) and node.type is not None
    )


def _emptied(node: ast.AST) -> ast.AST:
    """A loop that has no round, or a handler that catches nothing."""
    found = copy.copy(node)
    setattr(found, "iter" if isinstance(node, ast.For) else "type", _nothing())
    return found


def _nothing() -> ast.expr:
    return ast.Tuple([], ast.Load())


def _either(test: ast.expr, fault: ast.AST, inner: ast.AST) -> ast.AST:
    """The fault where the test says so, and what was there where not."""
    if isinstance(fault, ast.expr) and isinstance(inner, ast.expr):
        return ast.copy_location(ast.IfExp(test, fault, inner), inner)
    assert isinstance(fault, ast.stmt) and isinstance(inner, ast.stmt)
    return ast.copy_location(ast.If(test, [fault], [inner]), inner)


def _faults(node: ast.AST) -> Iterator[ast.AST]:
    """The faulty versions of a node, each wrong in one small way."""
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                for other in _RELATIONS.get(type(op), ()):
                    changed = copy.deepcopy(node)
                    changed.ops[index] = other()
                    yield changed
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _ARITHMETIC:
            if not _is_formatting(node):
                for operator in _ARITHMETIC[type(op)]:
                    yield _but(node, op=operator())
        case ast.BoolOp(op=op):
            yield _but(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield copy.deepcopy(operand)
        case ast.Constant(value=value):
            yield from _other_constants(value)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare):
            yield _but(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(test)))
        case ast.IfExp(body=body, orelse=orelse):
            yield _but(node, body=copy.deepcopy(orelse), orelse=copy.deepcopy(body))
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _but(node: ast.AST, **parts: ast.AST) -> ast.AST:
    """A copy of a node that has these parts instead of its own."""
    copied = copy.deepcopy(node)
    vars(copied).update(parts)
    return copied


def _other_constants(value: object) -> Iterator[ast.expr]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield _number(value - 1)
    elif isinstance(value, float):
        # Of a large number 1 more is the same number.
        yield from [ast.Constant(n) for n in (value + 1.0, value / 2) if n != value][:1]
    elif isinstance(value, str):
        yield ast.Constant(f"XX{value}XX")


def _number(value: int) -> ast.expr:
    """The number as source has it: a negative one is an operation."""
    if value >= 0:
        return ast.Constant(value)
    return ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _is_formatting(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether `%` or `+` puts texts together, as far as one can see: another operator would only
    raise TypeError, which any input shows.
    """
    return isinstance(node, ast.BinOp) and (
        isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _told(node: ast.AST, fault: ast.AST, around: ast.AST) -> str:
    """The fault as the name of a test that finds it: `a < b, not <=`."""
    shown = _header(node).removesuffix(":")
    match node, fault:
        case ast.Compare(ops=ops), ast.Compare(ops=others):
            pairs = [(one, other) for one, other in zip(ops, others, strict=True)]
            other = next(other for one, other in pairs if type(one) is not type(other))
            return shown if isinstance(other, ast.NotIn) else f"{shown}, not {_SIGNS[type(other)]}"
        case (
            (ast.BinOp() | ast.AugAssign() | ast.BoolOp()),
            (ast.BinOp(op=other) | ast.AugAssign(op=other) | ast.BoolOp(op=other)),
        ):
            assigns = "=" if isinstance(node, ast.AugAssign) else ""
            return f"{shown}, not {_SIGNS[type(other)]}{assigns}"
        case ast.Constant(value=str()), _:
            return f"{shown} in {_header(around)}" if around is not node else shown
        case ast.Constant(), _:
            larger = _header(around)
            return f"{larger if len(larger) <= MOST_OF_A_FAULT else shown}, not {_header(fault)}"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test), _:
            return _header(test)
        case ast.Return(value=ast.expr() as value), _:
            return f"returns {_header(value)}"
        case ast.Expr(value=ast.Call(func=called)), _:
            return f"calls {_header(called)}"
        case ast.For(iter=every), _:
            return f"goes through {_header(every)}"
        case ast.ExceptHandler(type=ast.expr() as caught), _:
            return f"catches {_header(caught)}"
        case ((ast.Break() | ast.Continue()), _):
            return f"{shown}, not {_header(fault)}"
        case _:
            return shown


def _header(node: ast.AST) -> str:
    """The first line of a node's source."""
    shown = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))
    return shown.strip().partition("\n")[0]


def _short(text: str) -> str:
    return text if len(text) <= MOST_OF_A_FAULT else text[: MOST_OF_A_FAULT - len("...")] + "..."
