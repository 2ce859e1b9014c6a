"""Search toward a goal: flip the branches from which the fewest others lie before it.

Distances count branches in the inter-procedural graph. A branch waits a little longer for each one
met before it whose open side has the same outcome; every so often an input is drawn instead.
"""

from __future__ import annotations

import heapq

from symcrete.program.graph.distances import FAR, DistancesTo
from symcrete.program.source.sites import Outcome
from symcrete.search.strategy import Feedback, Flip, Sample, new_nodes
from symcrete.tree.tree import ExecutionTree, Node, Side

# random runs: many lines are reached by chance, which costs least; chosen, not measured
DRAWS_BEFORE_FLIPS = 20
# flips after which inputs are drawn again, in case the distances mislead; chosen, not measured
FLIPS_BETWEEN_DRAWS = 12


class Toward:
    """The strategy that goes toward the goal of these distances."""

    def __init__(self, distances: DistancesTo) -> None:
        self._distances = distances
        self._heap: list[tuple[int, int, int, Node, bool]] = []
        self._visits: dict[Outcome, int] = {}
        self._count = 0
        self._draws = DRAWS_BEFORE_FLIPS
        self._flips = 0

    def choose(self, tree: ExecutionTree) -> Flip | Sample:
        if self._draws > 0:
            self._draws -= 1
            return Sample()
        while self._heap:
            *_, node, side = heapq.heappop(self._heap)
            if node.state[side] is Side.OPEN:
                self._flips += 1
                if self._flips % FLIPS_BETWEEN_DRAWS == 0:
                    self._draws = 2
                return Flip(node, side)
        return Sample()

    def learn(self, feedback: Feedback) -> None:
        nearest: int | None = None
        for node in new_nodes(feedback):
            for side in (False, True):
                if node.state[side] is not Side.OPEN:
                    continue
                outcome = (node.site, side)
                seen = self._visits[outcome] = self._visits.get(outcome, 0) + 1
                distance = min(self._distances.of(outcome), FAR)
                if distance == FAR and not self._distances.knows(outcome):
                    # A choice of the input's shape is as near as the run that met it came.
                    if nearest is None:
                        nearest = self._nearest(feedback)
                    distance = nearest
                self._count += 1
                rank = distance + seen
                heapq.heappush(self._heap, (rank, node.depth, self._count, node, side))

    def _nearest(self, feedback: Feedback) -> int:
        """The least distance of the outcomes that a run took."""
        trace = feedback.trace
        taken = {(code >> 1, bool(code & 1)) for code, _ in trace.events} if trace else set()
        return min(map(self._distances.of, taken), default=FAR)
