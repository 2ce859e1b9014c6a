"""Strategies that look at nothing but the order in which branches were found."""

from __future__ import annotations

import heapq
from collections import deque

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
from symcrete.tree.coverage import outcomes
from symcrete.tree.tree import ExecutionTree, Node


class DepthFirst:
    """The last branch of the newest path first (IPPC's Algorithm 1), or the earliest (CREST).

    Branches below the depth bound are never chosen; with `errors=no` neither are the sides on which
    an operation fails, which programs in C or Java do not have.
    """

    def __init__(self, guide: Guide) -> None:
        self._earliest = guide.order == "earliest"
        self._deepest = guide.parameter("depth", 1_000_000)  # branches: no limit
        self._errors = bool(guide.parameters.get("errors", True))
        self._sites = guide.coverage.sites
        self._stack: list[Node] = []

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._stack:
            flip = untried(self._stack[-1])
            if flip is not None and (self._errors or not self._fails(flip)):
                return flip
            self._stack.pop()
        return None

    def _fails(self, flip: Flip) -> bool:
        return self._sites[flip.node.site].implicit and not flip.side

    def learn(self, feedback: Feedback) -> None:
        nodes = [node for node in new_nodes(feedback) if node.depth < self._deepest]
        self._stack += reversed(nodes) if self._earliest else nodes


class Dart(DepthFirst):
    """Depth-first from a random input, and again from another when a run strays from its path.

    The directed search of DART (Godefroid, Klarlund and Sen, PLDI 2005); once it is exhausted it
    goes on with random inputs for as long as there is budget.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__(guide)
        self._restart = False

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        if self._restart:
            self._restart = False
            return Sample()
        return super().choose(tree) or Sample()

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        self._restart = feedback.result == "diverged"


class BreadthFirst:
    """The branch nearest the root first; older before newer."""

    def __init__(self, guide: Guide) -> None:
        self._levels: list[deque[Node]] = []
        self._top = 0  # the least depth at which something may be left

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._top < len(self._levels):
            level = self._levels[self._top]
            while level:
                flip = untried(level[0])
                if flip is not None:
                    return flip
                level.popleft()
            self._top += 1
        return None

    def learn(self, feedback: Feedback) -> None:
        for node in new_nodes(feedback):
            while len(self._levels) <= node.depth:
                self._levels.append(deque())
            self._levels[node.depth].append(node)
            self._top = min(self._top, node.depth)


class Generational(Scripted):
    """Flip every new branch of a run, then those of the waiting run with the best score.

    SAGE (Godefroid, Levin and Molnar, NDSS 2008): the children of a run form a generation, and a
    run's score is the number of outcomes it was first to cover.
    """

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._runs: list[tuple[int, int, tuple[Node, ...]]] = []
        self._count = 0

    def procedure(self) -> Procedure:
        while True:
            if not self._runs:
                yield None
                continue
            _, _, path = heapq.heappop(self._runs)
            for node in path:
                flip = untried(node)
                if flip is not None:
                    yield flip

    def learn(self, feedback: Feedback) -> None:
        super().learn(feedback)
        nodes = new_nodes(feedback)
        if nodes:
            self._count += 1
            score = sum(1 for _ in outcomes(feedback.new))
            heapq.heappush(self._runs, (-score, self._count, nodes))
