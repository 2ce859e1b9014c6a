"""How many branches lie between a place and the nearest uncovered outcome.

Each branch on the way weighs one, everything else nothing. As coverage grows, only the nodes whose
shortest way led to what is now covered are looked at again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from symcrete.program.icfg import ProgramGraph
from symcrete.program.sites import Outcome

FAR = 10_000  # no way at all, as in CREST and KLEE


class Distances:
    """Distances over a whole program, calls entered and returned from."""

    def __init__(self, graph: ProgramGraph, uncovered: Iterable[Outcome]) -> None:
        self._graph = graph
        self._after = [
            [*within, *calls, *returns]
            for within, calls, returns in zip(graph.after, graph.calls, graph.returns, strict=True)
        ]
        self._before: list[list[int]] = [[] for _ in self._after]
        for node, targets in enumerate(self._after):
            for target in targets:
                self._before[target].append(node)
        self.reset(uncovered)

    def reset(self, uncovered: Iterable[Outcome]) -> None:
        """Start over with these outcomes to be covered."""
        self._distance = [FAR] * len(self._after)
        self._toward = [-1] * len(self._after)  # the next node on a shortest way; a goal has itself
        goals = [node for node in map(self._graph.node, uncovered) if node is not None]
        for goal in goals:
            self._distance[goal] = 0
            self._toward[goal] = goal
        self._spread(goals)

    def of(self, outcome: Outcome) -> int:
        """0 where the outcome itself is uncovered, `FAR` where nothing uncovered can follow."""
        node = self._graph.node(outcome)
        return FAR if node is None else self._distance[node]

    def cover(self, outcomes: Iterable[Outcome]) -> None:
        """These are covered now."""
        lost: list[int] = []
        for outcome in outcomes:
            node = self._graph.node(outcome)
            if node is not None and self._toward[node] == node:
                self._toward[node] = -1
                lost.append(node)
        if lost:
            self._find_again(self._led_by(lost))

    def _led_by(self, goals: list[int]) -> list[int]:
        """Everything whose shortest way ends in one of these."""
        found = list(goals)
        seen = set(goals)
        for node in found:
            for source in self._before[node]:
                if self._toward[source] == node and source not in seen:
                    seen.add(source)
                    found.append(source)
        return found

    def _find_again(self, lost: list[int]) -> None:
        """Dijkstra from the nodes around them, whose distances stand."""
        for node in lost:
            self._distance[node] = FAR
            self._toward[node] = -1
        border = {
            target for node in lost for target in self._after[node] if self._distance[target] < FAR
        }
        self._spread(sorted(border, key=self._distance.__getitem__))

    def _spread(self, known: list[int]) -> None:
        """Shorten the ways of what leads to these; they come nearest first."""
        weighs, distance = self._graph.weighs, self._distance
        buckets: dict[int, deque[int]] = {}
        for node in known:
            buckets.setdefault(distance[node], deque()).append(node)
        while buckets:
            nearest = min(buckets)
            here = buckets[nearest]
            while here:
                node = here.popleft()
                if distance[node] != nearest:
                    continue
                through = nearest + weighs[node]
                for source in self._before[node]:
                    if through < distance[source]:
                        distance[source] = through
                        self._toward[source] = node
                        buckets.setdefault(through, deque()).append(source)
            del buckets[nearest]
