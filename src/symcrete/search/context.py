"""Strategies that look at how an execution came to a branch."""

from __future__ import annotations

import heapq
from functools import cached_property

from symcrete.program.icfg import ProgramGraph
from symcrete.search.frontier import Frontier
from symcrete.search.strategy import (
    Feedback,
    Flip,
    Guide,
    Procedure,
    Sample,
    Scripted,
    new_nodes,
    untried,
)
from symcrete.tree.tree import ExecutionTree, Node


class ContextGuided(Scripted):
    """Flip a branch in the contexts in which it has not been flipped: context-guided search.

    Algorithm 2 of Seo and Kim (FSE 2014). The k-context of a branch is the branch and the k-1
    before it that do not dominate it. The tree is walked from the top, depth by depth and at random
    within a depth; a branch whose k-context was selected before is skipped; then k grows.
    """

    first_k = 1
    increasing = True
    without_dominators = True

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide
        self._levels: list[list[Examined]] = []  # by depth
        self._cache: set[tuple[int, ...]] = set()
        self._irrelevant: dict[tuple[int, int], bool] = {}

    @cached_property
    def _graph(self) -> ProgramGraph:
        return self._guide.graph()

    def procedure(self) -> Procedure:
        k = self._guide.parameter("k", self.first_k)
        while True:
            self._selected = self._undecided = 0
            yield from self._walk(k)
            if not any(self._levels):
                yield None
            elif self.increasing and self._undecided:
                k += 1
            elif not self._selected:
                # No longer context tells the branches left apart: the rest is breadth-first.
                yield from self._walk(None)

    def _walk(self, k: int | None) -> Procedure:
        """One traversal; what it skips is there for the next."""
        depth = 0
        while depth < len(self._levels):
            branches, self._levels[depth] = self._levels[depth], []
            self._guide.random.shuffle(branches)
            for branch in branches:
                flip = untried(branch.node)
                if flip is None:
                    continue
                if k is not None and not self._is_new(branch, k):
                    self._levels[depth].append(branch)
                    continue
                self._selected += 1
                yield flip
            depth += 1

    def _is_new(self, branch: Examined, k: int) -> bool:
        """Whether nothing was selected in this k-context; then this is."""
        branch.lengthen(k, self)
        if branch.context in self._cache:
            self._undecided += branch.oldest.parent is not None
            return False
        self._cache.add(branch.context)
        return True

    def is_irrelevant(self, above: int, branch: int) -> bool:
        """Whether every path to the branch passes the one above."""
        pair = (above, branch)
        found = self._irrelevant.get(pair)
        if found is None:
            found = self.without_dominators and self._graph.dominates(
                (above >> 1, bool(above & 1)), (branch >> 1, bool(branch & 1))
            )
            self._irrelevant[pair] = found
        return found

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is not None:
                while len(self._levels) <= node.depth:
                    self._levels.append([])
                self._levels[node.depth].append(Examined(node, taken=not flip.side))


class Examined:
    """A branch of the tree and as much of its context as has been asked for."""

    __slots__ = ("context", "node", "oldest")

    def __init__(self, node: Node, *, taken: bool) -> None:
        self.node = node
        self.context: tuple[int, ...] = (2 * node.site + taken,)  # the branch, then backwards
        self.oldest = node  # everything from here on is in the context or irrelevant

    def lengthen(self, k: int, search: ContextGuided) -> None:
        while len(self.context) < k and self.oldest.parent is not None:
            above = 2 * self.oldest.parent.site + self.oldest.taken
            self.oldest = self.oldest.parent
            if not search.is_irrelevant(above, self.context[0]):
                self.context += (above,)


class FixedContext(ContextGuided):
    """Context-guided search with k = 5 from the start (the paper's section on fixed k)."""

    first_k = 5
    increasing = False


class ContextWithDominators(ContextGuided):
    """Context-guided search that keeps dominating branches in the context (CGS-nodom)."""

    without_dominators = False


class Subpath:
    """The open branch at the end of the least travelled subpath.

    Li, Su, Wang and Li, "Steering symbolic execution to less traveled paths" (OOPSLA 2013): of the
    last n branches before each way on it is counted how often they have been travelled.
    """

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._length = guide.parameter("length", 4)
        self._travelled: dict[tuple[int, ...], int] = {}
        self._waiting: dict[tuple[int, ...], Frontier] = {}
        self._ranked: list[tuple[int, float, tuple[int, ...]]] = []

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._ranked:
            count, _, subpath = self._ranked[0]
            now = self._travelled.get(subpath, 0)
            flip = self._waiting[subpath].draw(self._random) if now == count else None
            if flip is not None:
                return flip
            heapq.heappop(self._ranked)
            if now == count:
                del self._waiting[subpath]
            else:
                self._rank(subpath)
        return None

    def _rank(self, subpath: tuple[int, ...]) -> None:
        entry = (self._travelled.get(subpath, 0), self._random.random(), subpath)
        heapq.heappush(self._ranked, entry)

    def learn(self, feedback: Feedback) -> None:
        if isinstance(feedback.step, Flip):
            tried = self._before(feedback.step.node, feedback.step.side)
            self._travelled[tried] = self._travelled.get(tried, 0) + 1
        for node in new_nodes(feedback):
            flip = untried(node)
            if flip is None:
                continue
            taken = self._before(node, not flip.side)
            self._travelled[taken] = self._travelled.get(taken, 0) + 1
            subpath = (2 * node.site + flip.side, *taken[1:])
            if subpath not in self._waiting:
                self._waiting[subpath] = Frontier()
                self._rank(subpath)
            self._waiting[subpath].add([node])

    def _before(self, node: Node, side: bool) -> tuple[int, ...]:
        """The branch with this side and those before it, nearest first."""
        found = [2 * node.site + side]
        while len(found) < self._length and node.parent is not None:
            found.append(2 * node.parent.site + node.taken)
            node = node.parent
        return tuple(found)
