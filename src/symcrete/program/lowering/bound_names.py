"""Locals that may be unbound where they are read: such a read raises UnboundLocalError.

A walk over the statements with the set of names that surely hold a value, as a compiler checks
definite assignment. Where it is not sure, a name counts as one that may be unbound.
"""

from __future__ import annotations

import ast
from dataclasses import field
from typing import TypeAlias

from symcrete.program.lowering.local_names import own_nodes, written_names
from symcrete.slotted import dataclass

Bound: TypeAlias = frozenset[str] | None  # None behind a statement that never completes

_LEAVES = ast.Return | ast.Raise | ast.Break | ast.Continue


def risky_names(
    node: ast.FunctionDef | ast.AsyncFunctionDef, given: frozenset[str], names: frozenset[str]
) -> frozenset[str]:
    """Those of the locals `names` that some read may find unbound; `given` are the parameters."""
    check = _Check(names)
    check.after(node.body, given)
    return frozenset(check.risky)


@dataclass(slots=True)
class _Check:
    names: frozenset[str]
    risky: set[str] = field(default_factory=set)

    def after(self, body: list[ast.stmt], bound: frozenset[str]) -> Bound:
        """The names that are surely bound when the last statement has completed; None if it never
        does.
        """
        held: Bound = bound
        for statement in body:
            if held is None:
                held = self.names  # dead code: no read in it is ever executed
            held = self._one(statement, held)
        return held

    def _one(self, node: ast.stmt, bound: frozenset[str]) -> Bound:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                bound = self._read(test, bound)
                return _both(self.after(body, bound), self.after(orelse, bound))
            case ast.While(test=test, body=body, orelse=orelse):
                bound = self._read(test, bound)
                self.after(body, bound)
                self.after(orelse, bound)
                return bound
            case (
                ast.For(target=target, iter=items, body=body, orelse=orelse)
                | ast.AsyncFor(target=target, iter=items, body=body, orelse=orelse)
            ):
                bound = self._read(items, bound)
                self.after(body, bound | written_names(target))
                self.after(orelse, bound)
                return bound
            case ast.With(items=opened, body=body) | ast.AsyncWith(items=opened, body=body):
                for item in opened:
                    bound = self._read(item, bound)
                self.after(body, bound)
                return bound  # the body may have been left by an exception that was swallowed
            case ast.Try() | ast.TryStar():
                return self._try(node, bound)
            case ast.Match(subject=subject, cases=cases):
                bound = self._read(subject, bound)
                for case in cases:
                    inside = bound | written_names(case.pattern)
                    if case.guard is not None:
                        inside = self._read(case.guard, inside)
                    self.after(case.body, inside)
                return bound
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return bound | {node.name}
            case ast.Delete():
                bound = self._read(node, bound)
                self.risky |= written_names(node) & self.names
                return bound - written_names(node)
            case ast.AugAssign(target=ast.Name(id=name)):
                if name not in bound and name in self.names:
                    self.risky.add(name)
                return self._read(node, bound)
            case _:
                bound = self._read(node, bound)
                return None if isinstance(node, _LEAVES) else bound

    def _try(self, node: ast.Try | ast.TryStar, bound: frozenset[str]) -> Bound:
        whole = self.after(node.body, bound)
        found: Bound = None if whole is None else self.after(node.orelse, whole)
        for handler in node.handlers:
            named = frozenset({handler.name} if handler.name else ())
            end = self.after(handler.body, bound | named)
            found = _both(found, None if end is None else end - named)
            self.risky |= named & self.names  # behind its handler it is gone
        self.after(node.finalbody, bound)
        if found is None or not node.finalbody:
            return found
        return self.after(node.finalbody, found)

    def _read(self, node: ast.AST, bound: frozenset[str]) -> frozenset[str]:
        """Note what an expression or a simple statement reads; returns the names that are bound
        after it.
        """
        for each in (node, *own_nodes(node)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                if each.id in self.names and each.id not in bound:
                    self.risky.add(each.id)
        always = set() if _binds_sometimes(node) else written_names(node)
        return bound | always


def _binds_sometimes(node: ast.AST) -> bool:
    """Whether an expression may leave out what it binds: `a and (y := 1)`."""
    return any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))


def _both(one: Bound, other: Bound) -> Bound:
    if one is None or other is None:
        return other if one is None else one
    return one & other
