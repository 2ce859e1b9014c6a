"""The nodes of a shared tree: gone through once, in the order of the standard library."""

from __future__ import annotations

import ast
import inspect

import pytest

from symcrete.program.source import sites
from symcrete.program.source.module import child_nodes, locate, walked

TEXT = '''
import a.b as c
@d(e=1)
class F(g):
    """h"""
    async def i(self, j: int = 2, *k, l=None, **m) -> "n":
        async with o as p, q:
            yield [r for s in t if u async for v in w], {**x}, f"{y!r:>{z}}"
        match self:
            case {"a": 1, **rest} | [_, *others] if (b := lambda: c[1:2]):
                del self.d
            case F(e=None):
                raise ValueError from None
'''


@pytest.mark.parametrize("text", [TEXT, inspect.getsource(sites), ""], ids=["all", "ours", "none"])
def test_nodes_come_in_the_order_of_the_standard_library(text: str) -> None:
    tree = ast.parse(text)

    assert walked(tree) == list(ast.walk(tree))


def test_a_tree_is_gone_through_once() -> None:
    tree = ast.parse(TEXT)

    assert walked(tree) is walked(tree)


def test_a_part_of_a_tree_has_its_own_nodes() -> None:
    tree = ast.parse(TEXT)
    whole, part = walked(tree), walked(tree.body[1])

    assert part[0] is tree.body[1]
    assert set(part) < set(whole)


def test_the_nodes_below_one_come_in_the_order_of_the_standard_library() -> None:
    for node in ast.walk(ast.parse(TEXT)):
        assert child_nodes(node) == list(ast.iter_child_nodes(node))


@pytest.mark.parametrize("text", [TEXT, inspect.getsource(sites), ""], ids=["all", "ours", "none"])
def test_nodes_without_a_place_get_the_one_that_the_standard_library_gives(text: str) -> None:
    ours, theirs = ast.parse(text), ast.parse(text)
    for tree in (ours, theirs):
        nodes = list(ast.walk(tree))
        for step, name in (
            (3, "lineno"),
            (3, "col_offset"),
            (4, "end_lineno"),
            (5, "end_col_offset"),
        ):
            for node in nodes[1::step]:
                vars(node).pop(name, None)
        shared = ast.Name("shared", ast.Load())  # as rewriting puts one node in two places
        tree.body += [ast.Expr(ast.Call(shared, [shared], [])), ast.Expr(shared)]

    locate(ours)
    ast.fix_missing_locations(theirs)

    assert ast.dump(ours, include_attributes=True) == ast.dump(theirs, include_attributes=True)
