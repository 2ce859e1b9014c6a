"""Loops over iterators that a variable holds, as loops over what the iterators go through."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

# Functions that make an iterator of its arguments, which a loop then goes through.
_MAKING_ITERATORS = frozenset({"enumerate", "zip", "iter"})


def with_iterators_in_loops(tree: ast.Module) -> ast.Module:
    """The tree with `for x in enumerate(xs)` in place of `pairs = enumerate(xs)` and `for x in
    pairs`, where this is all that the variable is ever made. A parameter that is made so is left
    alone if it is used for something else afterwards, which would tell of what it was before.
    """
    bound, loops, loads = Counter[str](), Counter[str](), list[ast.Name]()
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    made: dict[str, ast.Assign] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))):
                if called in _MAKING_ITERATORS:
                    made[name] = node
            case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)):
                loops[name] += 1
            case ast.Name(ctx=ast.Load()):
                loads.append(node)
            case ast.Name(id=name):
                bound[name] += 1
            case _:
                pass
    later = Counter(
        [each.id for each in loads if each.id in made and each.lineno > made[each.id].lineno]
    )
    only = {
        name: node.value
        for name, node in made.items()
        if bound[name] == 1
        and loops[name]
        and (later[name] == loops[name] or name not in parameters)
    }
    changed: ast.Module = _InLoops(only).visit(tree) if only else tree
    return changed


class _InLoops(ast.NodeTransformer):
    """Puts what a variable is made in its place in loops, and drops where it is made."""

    def __init__(self, made: Mapping[str, ast.expr]) -> None:
        self._made = made

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        if any(node.value is each for each in self._made.values()):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._iterated(node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self._iterated(node.iter)
        return self.generic_visit(node)

    def _iterated(self, node: ast.expr) -> ast.expr:
        match self._made.get(node.id) if isinstance(node, ast.Name) else None:
            case None:
                return node
            case ast.Call(func=ast.Name(id="iter"), args=[only]):
                return only
            case made:
                return made
