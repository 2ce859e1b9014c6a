"""Strategies that look at nothing but the order in which branches were found."""

from __future__ import annotations

import heapq
from collections import deque

from symcrete.search.strategy import Feedback, Flip, Guide, Sample, Step, new_nodes, untried
from symcrete.tree.coverage import outcomes
from symcrete.tree.tree import ExecutionTree, Node


class DepthFirst:
    """The last branch of the newest path first (IPPC's Algorithm 1), or the earliest (CREST's
    order).
    """

    def __init__(self, guide: Guide) -> None:
        self._earliest = guide.order == "earliest"
        self._deepest = int(guide.parameters.get("depth", 1_000_000))
        self._stack: list[Node] = []

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._stack:
            flip = untried(self._stack[-1])
            if flip is not None:
                return flip
            self._stack.pop()
        return None

    def learn(self, feedback: Feedback) -> None:
        nodes = [node for node in new_nodes(feedback) if node.depth < self._deepest]
        self._stack += reversed(nodes) if self._earliest else nodes


class BreadthFirst:
    """The branch nearest the root first; older before newer."""

    def __init__(self, guide: Guide) -> None:
        self._heap: list[tuple[int, int, Node]] = []
        self._count = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._heap:
            flip = untried(self._heap[0][2])
            if flip is not None:
                return flip
            heapq.heappop(self._heap)
        return None

    def learn(self, feedback: Feedback) -> None:
        for node in new_nodes(feedback):
            self._count += 1
            heapq.heappush(self._heap, (node.depth, self._count, node))


class RandomBranch:
    """Any open branch, all alike."""

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._open: list[Node] = []

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._open:
            position = self._random.randrange(len(self._open))
            flip = untried(self._open[position])
            if flip is not None:
                return flip
            self._open[position] = self._open[-1]
            self._open.pop()
        return None

    def learn(self, feedback: Feedback) -> None:
        self._open += new_nodes(feedback)


class Uniform:
    """Walk down the current path and flip each open branch with probability one half (CREST)."""

    def __init__(self, guide: Guide) -> None:
        self._random = guide.random
        self._path: list[Node] = []
        self._position = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        if not tree.open_sides:
            return None
        for _ in range(2):  # on from here, then once more from the top
            while self._position < len(self._path):
                flip = untried(self._path[self._position])
                self._position += 1
                if flip is not None and self._random.random() < 0.5:
                    return flip
            self._position = 0
        return Sample()

    def learn(self, feedback: Feedback) -> None:
        if feedback.trace is None or feedback.grown is None:
            return
        path = list(feedback.grown.nodes)
        first = path[0] if path else None
        above = list(first.ancestors()) if first is not None else []
        self._path = [*reversed(above), *path]
        if isinstance(feedback.step, Sample):
            self._position = 0


class RandomInput:
    """No solving at all."""

    def __init__(self, guide: Guide) -> None:
        pass

    def choose(self, tree: ExecutionTree) -> Step:
        return Sample()

    def learn(self, feedback: Feedback) -> None:
        pass


class Generational:
    """Flip every new branch of a run before going on; runs that covered more come first (SAGE)."""

    def __init__(self, guide: Guide) -> None:
        self._heap: list[tuple[int, int, deque[Node]]] = []
        self._count = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        while self._heap:
            nodes = self._heap[0][2]
            while nodes:
                flip = untried(nodes[0])
                if flip is not None:
                    return flip
                nodes.popleft()
            heapq.heappop(self._heap)
        return None

    def learn(self, feedback: Feedback) -> None:
        nodes = new_nodes(feedback)
        if nodes:
            self._count += 1
            score = sum(1 for _ in outcomes(feedback.new))
            heapq.heappush(self._heap, (-score, self._count, deque(nodes)))
