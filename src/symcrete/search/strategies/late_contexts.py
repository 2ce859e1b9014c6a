"""Context-guided search, begun late: it needs the graph of the program, which takes time to build.

A small exploration ends before it asks for contexts and never pays for the graph. Until it does ask
for them, or its tree is large, the branches that are seen are kept here.
"""

from __future__ import annotations

from symcrete.search.branches.smallest import SmallestFirst
from symcrete.search.strategies.context import ContextGuided
from symcrete.search.strategy import Flip, Guide, Sample
from symcrete.tree.tree import ExecutionTree, Node

# branches in the tree, by which time building the graph costs little beside the runs; chosen, not
# measured
LARGE_TREE = 5000


class LateContexts:
    """The branches of a tree, by context-guided search or those of short runs first."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._contexts: ContextGuided | None = None
        self._smallest = SmallestFirst()
        self._waiting: list[tuple[Node, ...]] = []  # branches of runs, until there are contexts
        self._count = 0  # how many branches wait

    def add(self, nodes: tuple[Node, ...]) -> None:
        """Take in the branches that a run was the first to see."""
        if self._contexts is not None:
            self._contexts.add(nodes)
            self._smallest.add(nodes)
        elif nodes:
            self._waiting.append(nodes)
            self._count += len(nodes)
            if self._count > LARGE_TREE:
                self._made()

    def in_context(self, tree: ExecutionTree) -> Flip | Sample | None:
        """The next step of context-guided search."""
        return (self._contexts or self._made()).choose(tree)

    def of_short_runs(self) -> Flip | None:
        """The next flip where the branches of short runs come first."""
        if self._contexts is None:
            self._made()
        return self._smallest.choose()

    def _made(self) -> ContextGuided:
        made = self._contexts = ContextGuided(self._guide)
        for nodes in self._waiting:
            made.add(nodes)
            self._smallest.add(nodes)
        self._waiting.clear()
        return made
