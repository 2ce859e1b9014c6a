"""The syntax tree of a module rewritten so that every condition reports the side it takes.

What is rewritten stays as it was but for calls of hooks around it: `branch(site, value)` where a
condition is only asked for its truth, `test(site, value)` and `kept()` where `and` and `or` also
give a value, `link` and `kept` in `a < b < c`, `step` and `done` in loops, `matched` and `no_case`
in `match`, `reached` and `passing` at handlers of exceptions and at the end of `try` blocks. The
hooks belong to whoever runs the code: `hooks` has those of the engine,
`conditions` those of a replay.
"""

from __future__ import annotations

import ast
from typing import TypeVar, cast

from symcrete.instrument.matching import rewrite_match
from symcrete.instrument.naming import call
from symcrete.instrument.places import mark_places
from symcrete.program.source.sites import ModuleSites

N = TypeVar("N", bound=ast.AST)
COMPARISON_NAMES: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is_",
    ast.IsNot: "is_not",
    ast.In: "in_",
    ast.NotIn: "not_in",
}


class ReportingConditions(ast.NodeTransformer):
    """Rewrites conditions and nothing else."""

    def __init__(self, sites: ModuleSites) -> None:
        self._sites = sites

    # -- conditions

    def condition(self, test: ast.expr, how: str = "branch") -> ast.expr:
        """An expression that is a plain bool and reports every leaf of the condition."""
        match test:
            case ast.BoolOp(op=op, values=values):
                return at(test, ast.BoolOp(op, [self.condition(v, how) for v in values]))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return at(test, ast.UnaryOp(ast.Not(), self.condition(operand, how)))
            case ast.Constant():
                return test
            case ast.Compare(ops=ops) if len(ops) > 1:
                return self._chain(test, as_value=False)
            case _:
                return self.leaf(test, how)

    def leaf(self, test: ast.expr, how: str) -> ast.expr:
        """The report of a condition that is not made of others."""
        return call(test, how, site(self._sites.of(test)), self.expression(test))

    def _chain(self, node: ast.Compare, *, as_value: bool) -> ast.expr:
        """`a < b < c` rewritten: each link compares what the last one kept with the next
        operand.
        """
        count = len(node.ops)
        left: ast.expr = self.expression(node.left)
        links: list[ast.expr] = []
        for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            operand, last = self.expression(right), i == count - 1
            name = COMPARISON_NAMES[type(op)]
            if last and as_value:
                links.append(call(node, name, left, operand))
            else:
                how = "link" if as_value or not last else "last_link"
                number = site(self._sites.of(node, i))
                links.append(call(node, how, number, ast.Constant(name), left, operand))
            left = call(node, "kept")
        if not as_value:
            return at(node, ast.BoolOp(ast.And(), links))
        value = links.pop()
        while links:
            value = at(node, ast.IfExp(links.pop(), value, call(node, "kept")))
        return value

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) > 1:
            return self._chain(node, as_value=True)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self.condition(node.test)
        self._block(node.body)
        self._block(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self.condition(node.test)
        self._block(node.body)
        self._block(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self.condition(node.test)
        node.body, node.orelse = self.expression(node.body), self.expression(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self.condition(node.test)
        node.msg = node.msg and self.expression(node.msg)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`a and b` as a value: b where a is true, else the very object that a gave."""
        *tested, last = node.values
        value = self.expression(last)
        for operand in reversed(tested):
            number = site(self._sites.of(operand))
            test = call(operand, "test", number, self.expression(operand))
            parts = (value, call(operand, "kept"))
            body, orelse = parts if isinstance(node.op, ast.And) else parts[::-1]
            value = at(node, ast.IfExp(test, body, orelse))
        return value

    # -- loops and cases

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        number = site(self._sites.of(node))
        node.target = self.expression(node.target)
        node.iter = self.iterated(node, number)
        self._block(node.body)
        self._block(node.orelse)
        node.body.insert(0, do(node, "step", number))
        node.orelse.insert(0, do(node, "done", number))
        return node

    visit_AsyncFor = visit_For

    def iterated(self, node: ast.For | ast.AsyncFor, number: ast.expr) -> ast.expr:
        """The rewritten expression that a loop goes over."""
        return self.expression(node.iter)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        number = site(self._sites.of(node))
        node.target = self.expression(node.target)
        how = "async_steps" if node.is_async else "steps"
        node.iter = call(node.iter, how, number, self.expression(node.iter))
        node.ifs = [self.condition(test) for test in node.ifs]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        for case in node.cases:
            self._case(case)
        node.subject = self.subject(node.subject)
        return rewrite_match(node, self._sites)

    def _case(self, case: ast.match_case) -> None:
        if case.guard is not None:
            case.guard = self.condition(case.guard)
        self._block(case.body)
        case.pattern = self.pattern(case.pattern)

    def subject(self, node: ast.expr) -> ast.expr:
        """The rewritten expression that a `match` looks at."""
        return self.expression(node)

    def pattern(self, node: ast.pattern) -> ast.pattern:
        """The rewritten pattern of a `case`; here it stays as it is."""
        return node

    # -- places

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.AST:
        self.generic_visit(node)
        mark_places(node, self._sites)
        return node

    visit_TryStar = visit_Try

    # -- what is left alone: annotations, which may be looked at as they are

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.decorator_list = [self.expression(each) for each in node.decorator_list]
        self._defaults(node.args)
        self._block(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = cast("ast.Name", self.expression(node.target))
        node.value = node.value and self.expression(node.value)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    # -- plumbing

    def expression(self, node: ast.expr) -> ast.expr:
        """The rewritten expression."""
        return cast(ast.expr, self.visit(node))

    def _block(self, body: list[ast.stmt]) -> None:
        body[:] = [cast(ast.stmt, self.visit(statement)) for statement in body]

    def _defaults(self, args: ast.arguments) -> None:
        args.defaults = [self.expression(each) for each in args.defaults]
        args.kw_defaults = [each and self.expression(each) for each in args.kw_defaults]


def site(number: int) -> ast.expr:
    """The number of a condition as the hooks take it: twice, so that they can add the side."""
    return ast.Constant(2 * number)


def at(place: ast.AST, node: N) -> N:
    """The node, given the place of the code that it stands for."""
    return ast.copy_location(node, place)


def do(place: ast.AST, name: str, *args: ast.expr) -> ast.stmt:
    """A call of a hook as a statement."""
    return at(place, ast.Expr(call(place, name, *args)))
