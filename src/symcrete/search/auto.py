"""The default strategy: cheap inputs while they bring something, then branches that nobody covered.

Random runs cost tens of microseconds and a query hundreds, so the search starts with draws and
returns to a few of them whenever solving stalls. Among flips, one that leads straight to an
uncovered outcome comes first, those tried least before; the rest follows by depth, where a branch
with fewer visits goes before one with many.
"""

from __future__ import annotations

import heapq
from collections import deque

from symcrete.search.strategy import Feedback, Flip, Guide, Sample, new_nodes, untried
from symcrete.tree.tree import ExecutionTree, Node, Side

FIRST_DRAWS = 24
DRAWS_WHEN_STUCK = 8
FLIPS_WITHOUT_NEWS = 40


class Auto:
    def __init__(self, guide: Guide) -> None:
        self._coverage = guide.coverage
        self._draws = int(guide.parameters.get("draws", FIRST_DRAWS))
        self._promising: dict[tuple[int, bool], deque[Node]] = {}
        self._tries: dict[tuple[int, bool], int] = {}
        self._rest: list[tuple[int, int, Node]] = []
        self._visits: dict[tuple[int, bool], int] = {}
        self._count = 0
        self._quiet = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        if self._draws > 0:
            self._draws -= 1
            return Sample()
        if self._quiet > FLIPS_WITHOUT_NEWS and self._coverage.wanted:
            self._quiet = 0
            self._draws = DRAWS_WHEN_STUCK
        return self._uncovered() or self._other()

    def _uncovered(self) -> Flip | None:
        """A flip whose outcome nobody has covered: the outcome tried least, its oldest branch."""
        while self._promising:
            outcome = min(self._promising, key=lambda each: self._tries[each])
            nodes = self._promising[outcome]
            while nodes and nodes[0].state[outcome[1]] is not Side.OPEN:
                nodes.popleft()
            if not nodes or self._coverage.has(*outcome):
                del self._promising[outcome]
                continue
            self._tries[outcome] += 1
            return Flip(nodes.popleft(), outcome[1])
        return None

    def _other(self) -> Flip | None:
        while self._rest:
            flip = untried(self._rest[0][2])
            if flip is not None:
                return flip
            heapq.heappop(self._rest)
        return None

    def learn(self, feedback: Feedback) -> None:
        self._quiet = 0 if feedback.new else self._quiet + isinstance(feedback.step, Flip)
        for node in new_nodes(feedback):
            for side in (False, True):
                if node.state[side] is not Side.OPEN:
                    continue
                outcome = (node.site, side)
                if not self._coverage.has(*outcome):
                    self._promising.setdefault(outcome, deque()).append(node)
                    self._tries.setdefault(outcome, 0)
                seen = self._visits[outcome] = self._visits.get(outcome, 0) + 1
                self._count += 1
                heapq.heappush(self._rest, (node.depth + 2 * seen, self._count, node))
