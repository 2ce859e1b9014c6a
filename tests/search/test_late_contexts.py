"""Context-guided search that waits: it is not begun before somebody needs it."""

from __future__ import annotations

from random import Random

import pytest

from symcrete.program.source.sites import SiteTable
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategies import late_contexts
from symcrete.search.strategies.late_contexts import LateContexts
from symcrete.search.strategy import Flip, Guide
from symcrete.terms.term import Sort, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Node

MADE: list[InOrder] = []  # every one that was begun


class InOrder:
    """In place of context-guided search: the branches in the order in which it was told of them."""

    def __init__(self, guide: Guide) -> None:
        self.nodes: list[Node] = []
        MADE.append(self)

    def add(self, nodes: tuple[Node, ...]) -> None:
        self.nodes += nodes

    def choose(self, tree: ExecutionTree) -> Flip | None:
        return Flip(self.nodes.pop(0), True) if self.nodes else None


@pytest.fixture(autouse=True)
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    MADE.clear()
    monkeypatch.setattr(late_contexts, "ContextGuided", InOrder)


def grown(tree: ExecutionTree, sites: SiteTable, conditions: int) -> tuple[Node, ...]:
    """The branches of a run that takes the false side of so many new conditions."""
    numbers = [sites.add("if", "program.py", line, 0, "f", "x") for line in range(conditions)]
    names = [f"x{number}" for number in numbers]
    events = tuple((2 * n, var(name, Sort.BOOL)) for n, name in zip(numbers, names, strict=True))
    covered = sum(bit(number, False) for number in numbers)
    given: dict[str, object] = dict.fromkeys(names, False)
    return tree.add(Trace(given, events, (), covered, Ending.RETURNED, None, (), 0, 0.0)).nodes


def late() -> tuple[LateContexts, ExecutionTree, SiteTable]:
    sites = SiteTable()
    guide = Guide(Random(0), Coverage(sites, (), ()))
    return LateContexts(guide), ExecutionTree(), sites


def test_contexts_are_begun_by_the_first_question_with_all_that_waited() -> None:
    contexts, tree, sites = late()
    nodes = grown(tree, sites, 3)

    contexts.add(nodes[:1])
    contexts.add(nodes[1:])
    assert MADE == []

    assert contexts.in_context(tree) == Flip(nodes[0], True)
    assert len(MADE) == 1
    assert MADE[0].nodes == list(nodes[1:])


def test_a_large_tree_begins_them_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_contexts, "LARGE_TREE", 2)
    contexts, tree, sites = late()
    nodes = grown(tree, sites, 4)

    contexts.add(nodes[:2])
    assert MADE == []
    contexts.add(nodes[2:3])
    contexts.add(nodes[3:])

    assert [made.nodes for made in MADE] == [list(nodes)]


def test_branches_of_short_runs_know_what_waited_too() -> None:
    contexts, tree, sites = late()
    nodes = grown(tree, sites, 1)
    contexts.add(nodes)

    assert contexts.of_short_runs() == Flip(nodes[0], True)
