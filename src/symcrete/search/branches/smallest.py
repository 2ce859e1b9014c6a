"""Smallest first: flip the branches of the shortest runs, those nearest to the start first.

What a program does with three elements it mostly does with thirty: where the number of elements
itself is asked for, the small ones are many steps away from a long run and few from a short one.
"""

from __future__ import annotations

import heapq

from symcrete.search.strategy import Flip, untried
from symcrete.tree.tree import Node


class SmallestFirst:
    """Untried branches by the length of the run that met them first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Node]] = []
        self._count = 0

    def add(self, nodes: tuple[Node, ...]) -> None:
        for node in nodes:
            self._count += 1
            entry = (len(node.trace.events), node.depth, self._count, node)
            heapq.heappush(self._heap, entry)

    def choose(self) -> Flip | None:
        """A flip at the branch of the shortest run that is nearest to its start; None if no branch
        is open.
        """
        while self._heap:
            flip = untried(heapq.heappop(self._heap)[-1])
            if flip is not None:
                return flip
        return None
