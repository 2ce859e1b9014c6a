"""The small faults that are seeded into a function, one at a time.

Relations, arithmetic, constants off by one, connectives, swapped branches, dropped calls, returned
values: the operators that tools for mutation testing share.
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
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Mult),
    ast.Mult: (ast.Add, ast.Sub, ast.FloorDiv),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.Mult, ast.FloorDiv),
    ast.Pow: (ast.Mult, ast.Add),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_NO_FAULTS = (ast.arguments, ast.pattern, ast.JoinedStr, ast.Slice, ast.AnnAssign)
MOST_OF_A_FAULT = 50  # characters of source in the words for a mutant


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault."""

    number: int  # among those of its function, from 1
    line: int
    was: str  # the source before
    becomes: str  # and after

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


_HERE = ast.Constant(True)  # the fault is put in place of what was there

Switch = Callable[[int], ast.expr | None]  # when a fault is there; None if never


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
        inner = self._inside(node)
        for number, fault in reversed(numbered):
            test = self._switch(number)
            if test is _HERE:
                return ast.copy_location(fault, node)
            if test is not None:
                inner = _either(test, fault, inner)
        return inner

    def _part(self, node: ast.AST) -> ast.AST:
        """Of what is no place for a fault only the expressions that are."""
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

    def _number(self, node: ast.AST, fault: ast.AST) -> int:
        line = getattr(node, "lineno", 0)
        shown = _header(node), _header(fault)
        self.mutants.append(Mutant(len(self.mutants) + 1, line, *shown))
        return len(self.mutants)


def _either(test: ast.expr, fault: ast.AST, inner: ast.AST) -> ast.AST:
    """The fault where the test says so, and what was there where not."""
    if isinstance(fault, ast.expr) and isinstance(inner, ast.expr):
        return ast.copy_location(ast.IfExp(test, fault, inner), inner)
    assert isinstance(fault, ast.stmt) and isinstance(inner, ast.stmt)
    return ast.copy_location(ast.If(test, [fault], [inner]), inner)


def _faults(node: ast.AST) -> Iterator[ast.AST]:
    """What can stand in place of a node that is a little wrong."""
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
                    changed_operation = copy.deepcopy(node)
                    changed_operation.op = operator()
                    yield changed_operation
        case ast.BoolOp(op=op):
            joined = copy.deepcopy(node)
            joined.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield joined
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield copy.deepcopy(operand)
        case ast.Constant(value=value):
            yield from _other_constants(value)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare):
            turned = copy.deepcopy(node)
            turned.test = ast.UnaryOp(ast.Not(), turned.test)
            yield turned
        case ast.IfExp(body=body, orelse=orelse):
            swapped = copy.deepcopy(node)
            swapped.body, swapped.orelse = copy.deepcopy(orelse), copy.deepcopy(body)
            yield swapped
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _other_constants(value: object) -> Iterator[ast.expr]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield _number(value - 1)
    elif isinstance(value, float):
        yield ast.Constant(value + 1.0)
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


def _header(node: ast.AST) -> str:
    """The first line of a node's source."""
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).partition("\n")[0]


def _short(text: str) -> str:
    return text if len(text) <= MOST_OF_A_FAULT else text[: MOST_OF_A_FAULT - 3] + "..."
