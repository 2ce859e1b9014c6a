"""Number the branching points of a program.

A site is one condition that can go two ways: an operand of `and`/`or`, the test of an `if`,
`while`, ternary, `assert` or comprehension filter, one link of `a < b < c`, one step of a `for`,
one `case`. The instrumenter, the coverage counts, the control-flow graph and the backward phase all
use these numbers. A handler of exceptions and the end of a `try` block are numbered too: no
condition leads there, but whoever wants every line executed wants an input that comes by.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Iterator
from dataclasses import field
from typing import TypeAlias

from symcrete.program.source.module import SHARED_TREES, child_nodes, text_of
from symcrete.slotted import dataclass

Outcome: TypeAlias = tuple[int, bool]  # (site number, side)
FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Site:
    """One condition, and where a reader finds it."""

    number: int
    kind: str  # "if", "while", "for", "case", ..., or the exception of an implicit branch
    file: str
    line: int
    column: int
    scope: str  # the function it belongs to, "Class.method.inner"; "" at module level
    text: str = ""
    implicit: bool = False  # found while running: a division, a subscript, a conversion
    sides: tuple[bool, ...] = (False, True)  # the sides that have to be covered
    place: bool = False  # no condition, but code that only exceptions lead to or keep away from


@dataclass(frozen=True, slots=True)
class Branch:
    """One arc between lines as coverage.py counts them, and the outcomes that each imply it."""

    line: int
    column: int
    side: bool
    scope: str
    outcomes: frozenset[Outcome]


@dataclass(slots=True)
class SiteTable:
    """All sites of all rewritten modules; numbers are positions."""

    sites: list[Site] = field(default_factory=list)

    def add(
        self,
        kind: str,
        file: str,
        line: int,
        column: int,
        scope: str,
        text: str = "",
        *,
        implicit: bool = False,
        sides: tuple[bool, ...] = (False, True),
        place: bool = False,
    ) -> int:
        """Add a site and return its number."""
        number = len(self.sites)
        site = Site(number, kind, file, line, column, scope, text, implicit, sides, place)
        self.sites.append(site)
        return number

    def __getitem__(self, number: int) -> Site:
        return self.sites[number]

    def __len__(self) -> int:
        return len(self.sites)


# Nodes in which nothing can be numbered, so that they need not be compared with all the patterns:
# 1 % of the instructions of a small exploration (benchmarks/paths.py, triangle).
_WITHOUT_SITES = (
    ast.Name,
    ast.Constant,
    ast.expr_context,
    ast.operator,
    ast.cmpop,
    ast.unaryop,
    ast.boolop,
)


class ModuleSites:
    """The numbers of one module's syntax tree, looked up by node."""

    def __init__(self, tree: ast.Module, file: str, table: SiteTable) -> None:
        self.file = file
        self.branches: list[Branch] = []
        self.first = len(table)
        self._table = table
        self._numbers: dict[object, int] = {}
        self._scope: list[str] = []
        self._decomposed: set[ast.AST] = set()  # `and`/`or` numbered as part of a condition
        self._dead = 0  # inside `if False:` nothing can be covered
        self._visit(tree)
        self.last = len(table)

    def within(self, table: SiteTable) -> ModuleSites:
        """The same sites as part of a table that has them at the same numbers. The syntax tree is
        not kept: whoever asks by node asks the one that numbered it.
        """
        found = copy.copy(self)
        found._table, found._numbers, found._decomposed = table, {}, set()
        return found

    def of(self, node: ast.AST, link: int | None = None) -> int:
        """The number of a condition; `link` picks a part of a chained comparison."""
        return self._numbers[node if link is None else (node, link)]

    def own(self, scope: str) -> list[Site]:
        """The sites of a function and of what is defined inside it; "" is the whole module."""
        if not scope:
            return self._table.sites[self.first : self.last]
        sites, _ = self._below.get(scope.partition(".")[0], ((), ()))
        return [site for site in sites if is_within(site.scope, scope)]

    def own_branches(self, scope: str) -> list[Branch]:
        """The branches of a function and of what is defined inside it; "" is the whole module."""
        if not scope:
            return list(self.branches)
        _, branches = self._below.get(scope.partition(".")[0], ((), ()))
        return [branch for branch in branches if is_within(branch.scope, scope)]

    @functools.cached_property
    def _below(self) -> dict[str, tuple[list[Site], list[Branch]]]:
        """Sites and branches by the definition at the top of the module that they are below."""
        found: dict[str, tuple[list[Site], list[Branch]]] = {}
        for site in self._table.sites[self.first : self.last]:
            found.setdefault(site.scope.partition(".")[0], ([], []))[0].append(site)
        for branch in self.branches:
            found.setdefault(branch.scope.partition(".")[0], ([], []))[1].append(branch)
        return found

    # -- numbering

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, _WITHOUT_SITES):
            return
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
                return
            case ast.ClassDef():
                for each in [*node.decorator_list, *node.bases, *node.keywords]:
                    self._visit(each)
                self._scope.append(node.name)
                for statement in node.body:
                    self._visit(statement)
                self._scope.pop()
                return
            case ast.Lambda():
                self._visit(node.args)
                self._scope.append("<lambda>")
                self._visit(node.body)
                self._scope.pop()
                return
            case ast.AnnAssign():
                self._visit(node.target)
                if node.value is not None:
                    self._visit(node.value)
                return
            case ast.If() | ast.While():
                self._statement(node)
                return
            case ast.IfExp():
                self._condition(node.test, "ternary")
            case ast.Assert():
                self._condition(node.test, "assert")
            case ast.For() | ast.AsyncFor():
                number = self._number(node, node, "for", text_of(node.target))
                if not _on_one_line(node, node.iter):
                    self._arcs(node, [(number, True)], [(number, False)])
            case ast.comprehension():
                self._number(node, node.target, "for", text_of(node.target))
                for test in node.ifs:
                    self._condition(test, "filter")
            case ast.Match():
                self._match(node)
            case ast.Try() | ast.TryStar():
                self._try(node)
            case ast.BoolOp() if node not in self._decomposed:
                # As a value the operands keep theirs; each but the last is asked for its truth.
                for operand in node.values[:-1]:
                    kind = "and" if isinstance(node.op, ast.And) else "or"
                    self._number(operand, operand, kind, text_of(operand))
            case ast.Compare() if len(node.ops) > 1 and (node, 0) not in self._numbers:
                for link in range(len(node.ops) - 1):
                    self._number((node, link), node, "comparison", _link_text(node, link))
            case _:
                pass
        for child in child_nodes(node):
            self._visit(child)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        # Defaults and decorators run in the scope around the function; annotations are left alone.
        for each in [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]:
            if each is not None:
                self._visit(each)
        self._scope.append(node.name)
        for statement in node.body:
            self._visit(statement)
        self._scope.pop()

    def _statement(self, node: ast.If | ast.While) -> None:
        true, false = self._condition(node.test, "if" if isinstance(node, ast.If) else "while")
        always = constant_truth(node.test)
        if always is None and not _on_one_line(node, node.test):
            self._arcs(node, true, false)
        self._visit(node.test)
        for body, dead in ((node.body, always is False), (node.orelse, always is True)):
            self._dead += dead
            for statement in body:
                self._visit(statement)
            self._dead -= dead

    def _condition(self, test: ast.expr, kind: str) -> tuple[list[Outcome], list[Outcome]]:
        """Number the leaves of a condition; returns the outcomes that make the whole true, and
        those that make it false.
        """
        match test:
            case ast.BoolOp(op=op, values=values):
                self._decomposed.add(test)
                parts = [self._condition(value, kind) for value in values]
                true_parts, false_parts = [p[0] for p in parts], [p[1] for p in parts]
                if isinstance(op, ast.And):
                    return true_parts[-1], [each for part in false_parts for each in part]
                return [each for part in true_parts for each in part], false_parts[-1]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                true, false = self._condition(operand, kind)
                return false, true
            case ast.Compare(ops=ops) if len(ops) > 1:
                links = [
                    self._number((test, i), test, kind, _link_text(test, i))
                    for i in range(len(ops))
                ]
                return [(links[-1], True)], [(link, False) for link in links]
            case ast.Constant():
                return [], []  # `while True` goes one way only
            case _:
                number = self._number(test, test, kind, text_of(test))
                return [(number, True)], [(number, False)]

    def _match(self, node: ast.Match) -> None:
        for case in node.cases:
            irrefutable = case.guard is None and is_irrefutable(case.pattern)
            if irrefutable:
                continue
            number = self._number(case, case.pattern, "case", text_of(case.pattern))
            true, false = [(number, True)], [(number, False)]
            if case.guard is not None:
                guard_true, guard_false = self._condition(case.guard, "guard")
                true, false = guard_true or true, false + guard_false
            self._arcs(case.pattern, true, false)

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        """Number the handlers, and the end of the block if something may keep runs away from it."""
        for handler in node.handlers:
            caught = "" if handler.type is None else text_of(handler.type)
            self._place(handler, handler, "except", caught)
        last = last_of(node.body)
        if node.handlers and last is not None:
            self._place(node, last, "try", "")

    def _place(self, key: ast.AST, place: ast.AST, kind: str, text: str) -> None:
        self._number(key, place, kind, text, place_only=True)

    def _number(
        self, key: object, place: ast.AST, kind: str, text: str, *, place_only: bool = False
    ) -> int:
        line, column = getattr(place, "lineno", 0), getattr(place, "col_offset", 0)
        scope = ".".join(self._scope)
        sides = () if self._dead or place_only else (False, True)
        is_place = place_only and not self._dead
        number = self._table.add(
            kind, self.file, line, column, scope, text, sides=sides, place=is_place
        )
        self._numbers[key] = number
        return number

    def _arcs(self, place: ast.AST, true: list[Outcome], false: list[Outcome]) -> None:
        scope = ".".join(self._scope)
        for side, outcomes in ((True, true), (False, false)):
            if outcomes and not self._dead:
                line, column = getattr(place, "lineno", 0), getattr(place, "col_offset", 0)
                self.branches.append(Branch(line, column, side, scope, frozenset(outcomes)))


@functools.lru_cache(maxsize=SHARED_TREES)
def numbered(tree: ast.Module, file: str) -> ModuleSites:
    """The sites of a module by itself, whose tree is only read; remembered, since numbering one
    takes 3 ms per 100 lines, for each question about it.
    """
    return ModuleSites(tree, file, SiteTable())


def constant_truth(test: ast.expr) -> bool | None:
    """What a condition of constants always is, as in `while True`; None where it depends."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            always = constant_truth(operand)
            return None if always is None else not always
        case ast.BoolOp(op=op, values=values):
            parts = [constant_truth(value) for value in values]
            decisive = isinstance(op, ast.Or)
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        case _:
            return None


def _on_one_line(node: ast.If | ast.While | ast.For | ast.AsyncFor, header: ast.expr) -> bool:
    """Whether a statement and its body are on one line: coverage.py, which sees lines only, sees
    no branch there.
    """
    same_line = node.body[0].lineno == header.end_lineno
    return same_line and not node.orelse and not isinstance(node.body[-1], _JUMPS)


_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def last_of(block: list[ast.stmt]) -> ast.stmt | None:
    """The statement that is executed last where a block runs to its end or returns a value there;
    None if it always leaves in another way.
    """
    last = block[-1]
    match last:
        case ast.With() | ast.AsyncWith():
            return last_of(last.body)
        case ast.Return(value=value):
            return last if value is not None else None
        case _:
            return last if _can_end(last) else None


def _can_end(statement: ast.stmt) -> bool:
    """Whether the statement after this one may be next, as far as its form tells."""
    match statement:
        case ast.If(body=body, orelse=orelse):
            return not orelse or _can_end(body[-1]) or _can_end(orelse[-1])
        case ast.While(test=test):
            leaves = any(isinstance(each, ast.Break) for each in ast.walk(statement))
            return constant_truth(test) is not True or leaves
        case ast.Try(body=body, handlers=handlers, finalbody=finalbody):
            blocks = [body, *(handler.body for handler in handlers)]
            over = not finalbody or _can_end(finalbody[-1])
            return over and any(_can_end(block[-1]) for block in blocks)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return _can_end(body[-1])
        case _:
            return not isinstance(statement, _JUMPS)


def is_within(inner: str, scope: str) -> bool:
    """Whether a scope is another one, or inside it."""
    return not scope or inner == scope or inner.startswith(scope + ".")


def is_irrefutable(pattern: ast.pattern) -> bool:
    """Whether a pattern matches whatever comes: `_`, a name, or an alternative that ends in one."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=inner) if inner is not None:
            return is_irrefutable(inner)
        case ast.MatchOr(patterns=patterns):
            return is_irrefutable(patterns[-1])
        case _:
            return False


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function with its scope name, classes and nested functions included. The tree is one
    that is only read: what was found in it is remembered.
    """
    return iter(_functions(tree))


@functools.lru_cache(maxsize=SHARED_TREES)
def _functions(
    tree: ast.Module,
) -> tuple[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef], ...]:
    def below(
        node: ast.AST, scope: str
    ) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for child in child_nodes(node):
            inner = scope
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{scope}.{child.name}" if scope else child.name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield inner, child
            if not isinstance(child, ast.expr):  # no statement is inside one
                yield from below(child, inner)

    return tuple(below(tree, ""))


def _link_text(node: ast.Compare, link: int) -> str:
    left = node.left if link == 0 else node.comparators[link - 1]
    pair = ast.Compare(left=left, ops=[node.ops[link]], comparators=[node.comparators[link]])
    return text_of(pair)
