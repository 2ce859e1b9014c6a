"""Rewrite nothing but the conditions of one module, so that it tells which sides a call takes.

The values are plain ones and everything else stays as its author wrote it; this needs no engine.
The numbers of the conditions are those of `program.source.sites`, as everywhere.
"""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import operator
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from types import CodeType, ModuleType
from typing import Any, TypeVar, cast

from symcrete.instrument.matching import rewrite_match
from symcrete.instrument.naming import PREFIX, call
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable

_COMPARE: dict[type[ast.cmpop], str] = {
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
_FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "is_": operator.is_,
    "is_not": operator.is_not,
    "in_": lambda left, right: left in right,
    "not_in": lambda left, right: left not in right,
}
N = TypeVar("N", bound=ast.AST)


class Watched(importlib.abc.MetaPathFinder):
    """Finds modules as Python does, and has the conditions of one file tell their sides."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.sites: ModuleSites | None = None  # once the file is imported
        self._covered = bytearray()

    def start(self) -> None:
        """From here on a new call."""
        self._covered[:] = bytes(len(self._covered))

    def taken(self) -> Iterator[Outcome]:
        """The outcomes since the start, lowest number first."""
        for index, seen in enumerate(self._covered):
            if seen:
                yield index >> 1, bool(index & 1)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin != self.file:
            return None
        if not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        spec.loader = _Loader(name, self.file, self)
        return spec

    def compile(self, source: bytes) -> CodeType:
        """The code of the file; its conditions report here."""
        tree = ast.parse(source, self.file)
        table = SiteTable()
        self.sites = ModuleSites(tree, self.file, table)
        self._covered.extend(bytes(2 * len(table) - len(self._covered)))
        for hook in _hooks(self._covered):
            setattr(builtins, PREFIX + hook.__name__, hook)
        rewritten = ast.fix_missing_locations(_Conditions(self.sites).visit(tree))
        code: CodeType = compile(rewritten, self.file, "exec", dont_inherit=True)
        return code


class _Loader(importlib.machinery.SourceFileLoader):
    """Never from or to a cache."""

    def __init__(self, name: str, path: str, watched: Watched) -> None:
        super().__init__(name, path)
        self._watched = watched

    def get_code(self, fullname: str) -> CodeType:
        return self._watched.compile(self.get_data(self.get_filename(fullname)))


def _hooks(covered: bytearray) -> list[Callable[..., Any]]:
    """What rewritten conditions call; a site is twice its number, the side is added."""
    slot = threading.local()  # the operand that `and`, `or` and `a < b < c` still need
    matched_cases: set[int] = set()

    def branch(site: int, value: Any) -> bool:
        taken = bool(value)
        covered[site + taken] = 1
        return taken

    def step(site: int) -> None:
        covered[site + 1] = 1

    def done(site: int) -> None:
        covered[site] = 1

    def steps(site: int, iterable: Any) -> Iterator[Any]:
        return stepping(site, iter(iterable))

    def stepping(site: int, items: Iterable[Any]) -> Iterator[Any]:
        for each in items:
            covered[site + 1] = 1
            yield each
        covered[site] = 1

    async def async_steps(site: int, iterable: Any) -> AsyncIterator[Any]:
        async for each in iterable:
            covered[site + 1] = 1
            yield each
        covered[site] = 1

    def test(site: int, value: Any) -> bool:
        taken = branch(site, value)
        slot.kept = value
        return taken

    def link(site: int, name: str, left: Any, right: Any) -> bool:
        value = _FUNCTIONS[name](left, right)
        taken = branch(site, value)
        slot.kept = right if taken else value
        return taken

    def last_link(name: str, left: Any, right: Any) -> Any:
        return _FUNCTIONS[name](left, right)

    def kept() -> Any:
        return slot.kept

    def matched(site: int) -> bool:
        covered[site + 1] = 1
        matched_cases.add(site)
        return True

    def no_case(sites: tuple[int, ...]) -> None:
        for site in sites:
            if site in matched_cases:
                matched_cases.discard(site)  # its guard said no
            else:
                covered[site] = 1

    hooks: list[Callable[..., Any]] = [branch, step, done, steps, async_steps, test]
    return [*hooks, link, last_link, kept, matched, no_case]


class _Conditions(ast.NodeTransformer):
    def __init__(self, sites: ModuleSites) -> None:
        self._sites = sites

    def condition(self, test: ast.expr) -> ast.expr:
        """The same condition, every leaf of which reports its side."""
        match test:
            case ast.BoolOp(op=op, values=values):
                return _at(test, ast.BoolOp(op, [self.condition(each) for each in values]))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _at(test, ast.UnaryOp(ast.Not(), self.condition(operand)))
            case ast.Constant():
                return test
            case ast.Compare(ops=ops) if len(ops) > 1:
                *links, value = self._links(test)
                site = _site(self._sites.of(test, len(links)))
                return _at(test, ast.BoolOp(ast.And(), [*links, call(test, "branch", site, value)]))
            case _:
                site = _site(self._sites.of(test))
                return call(test, "branch", site, self._visited(test))

    def _links(self, node: ast.Compare) -> list[ast.expr]:
        """a < b < c: each link compares what the last one kept with the next operand."""
        left = self._visited(node.left)
        links: list[ast.expr] = []
        for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            name, operand = ast.Constant(_COMPARE[type(op)]), self._visited(right)
            if i == len(node.ops) - 1:
                links.append(call(node, "last_link", name, left, operand))
            else:
                links.append(
                    call(node, "link", _site(self._sites.of(node, i)), name, left, operand)
                )
            left = call(node, "kept")
        return links

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1:
            return self.generic_visit(node)
        *links, value = self._links(node)
        while links:
            value = _at(node, ast.IfExp(links.pop(), value, call(node, "kept")))
        return value

    def visit_If(self, node: ast.If | ast.While) -> ast.AST:
        node.test = self.condition(node.test)
        self._block(node.body)
        self._block(node.orelse)
        return node

    visit_While = visit_If

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self.condition(node.test)
        node.body, node.orelse = self._visited(node.body), self._visited(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self.condition(node.test)
        node.msg = node.msg and self._visited(node.msg)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`a and b` as a value: b where a is true, else the very object that a was."""
        *tested, last = node.values
        value = self._visited(last)
        for operand in reversed(tested):
            site = _site(self._sites.of(operand))
            test = call(operand, "test", site, self._visited(operand))
            parts = (value, call(operand, "kept"))
            body, orelse = parts if isinstance(node.op, ast.And) else parts[::-1]
            value = _at(node, ast.IfExp(test, body, orelse))
        return value

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        site = _site(self._sites.of(node))
        self.generic_visit(node)
        node.body.insert(0, _at(node, ast.Expr(call(node, "step", site))))
        node.orelse.insert(0, _at(node, ast.Expr(call(node, "done", site))))
        return node

    visit_AsyncFor = visit_For

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        site = _site(self._sites.of(node))
        node.target = self._visited(node.target)
        how = "async_steps" if node.is_async else "steps"
        node.iter = call(node.iter, how, site, self._visited(node.iter))
        node.ifs = [self.condition(test) for test in node.ifs]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        node.subject = self._visited(node.subject)
        for case in node.cases:
            if case.guard is not None:
                case.guard = self.condition(case.guard)
            self._block(case.body)
        return rewrite_match(node, self._sites)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.decorator_list = [self._visited(each) for each in node.decorator_list]
        node.args.defaults = [self._visited(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self._visited(each) for each in node.args.kw_defaults]
        self._block(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are left alone."""
        node.value = node.value and self._visited(node.value)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    def _visited(self, node: ast.expr) -> ast.expr:
        return cast(ast.expr, self.visit(node))

    def _block(self, body: list[ast.stmt]) -> None:
        body[:] = [cast(ast.stmt, self.visit(statement)) for statement in body]


def _site(number: int) -> ast.expr:
    return ast.Constant(2 * number)  # the hooks add the side


def _at(place: ast.AST, node: N) -> N:
    return ast.copy_location(node, place)
