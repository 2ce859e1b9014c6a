"""How many branches lie between a place and the nearest uncovered outcome.

Each branch on the way weighs one, everything else nothing. As coverage grows, only the nodes whose
shortest way led to what is now covered are looked at again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome

FAR = 10_000  # the distance where no way leads there, as in CREST and KLEE


class Distances:
    """Distances over a whole program, calls entered and returned from, to the uncovered goals."""

    def __init__(self, graph: ProgramGraph, goals: Iterable[Outcome]) -> None:
        self._graph = graph
        self._places: dict[Outcome, int] = {}  # in the thinned graph; -1 where no goal is in reach
        self._goals = [goal for goal in goals if graph.node(goal) is not None]
        self._thin_out()
        self._distance = [FAR] * len(self._after)
        self._toward = [-1] * len(self._after)  # next on a shortest way; a goal has itself
        for goal in self._goals:
            place = self._place(goal)
            self._distance[place] = 0
            self._toward[place] = place
        self._spread([self._place(goal) for goal in self._goals])
        self._at_first = self._distance, self._toward
        self.reset()

    def reset(self) -> None:
        """Start over with nothing covered."""
        self._distance, self._toward = self._at_first[0].copy(), self._at_first[1].copy()

    def of(self, outcome: Outcome) -> int:
        """The branches between an outcome and the nearest uncovered one: 0 where it is uncovered
        itself, `FAR` where none can follow.
        """
        place = self._places.get(outcome)
        if place is None:
            place = self._place(outcome)
        return FAR if place < 0 else self._distance[place]

    def cover(self, outcomes: Iterable[Outcome]) -> None:
        """Take note that these outcomes are covered: distances to them do not count any more."""
        lost: list[int] = []
        for outcome in outcomes:
            place = self._place(outcome)
            if place >= 0 and self._toward[place] == place:
                lost.append(place)
        if not lost:
            return
        self._follow(lost)
        for place in lost:
            self._distance[place] = FAR
            self._toward[place] = -1
        distance = self._distance
        border = {after for place in lost for after in self._after[place] if distance[after] < FAR}
        self._spread(list(border))

    def _follow(self, lost: list[int]) -> None:
        """Add to `lost` all places whose shortest way ends in one of these."""
        seen = set(lost)
        for place in lost:
            for source in self._before[place]:
                if self._toward[source] == place and source not in seen:
                    seen.add(source)
                    lost.append(source)

    def _spread(self, known: list[int]) -> None:
        """Shorten the ways of all places that lead to these, by Dijkstra's algorithm with
        buckets.
        """
        weighs, distance = self._weighs, self._distance
        buckets: dict[int, list[int]] = {}
        for place in known:
            buckets.setdefault(distance[place], []).append(place)
        while buckets:
            nearest = min(buckets)
            for place in buckets[nearest]:  # grows while ways of weight nothing are found
                if distance[place] != nearest:
                    continue
                through = nearest + weighs[place]
                for source in self._before[place]:
                    if through < distance[source]:
                        distance[source] = through
                        self._toward[source] = place
                        buckets.setdefault(through, []).append(source)
            del buckets[nearest]

    # -- a smaller graph with the same distances

    def _thin_out(self) -> None:
        """Make the graph without what leads to no goal, and without plain points that lead to one
        other only.
        """
        graph = self._graph
        after = [
            [*within, *calls, *returns]
            for within, calls, returns in zip(graph.after, graph.calls, graph.returns, strict=True)
        ]
        useful = self._useful(after)
        after = [[each for each in targets if useful[each]] for targets in after]
        kept = [
            node
            for node in range(len(after))
            if useful[node] and (graph.weighs[node] or len(set(after[node])) != 1)
        ]
        number = {node: place for place, node in enumerate(kept)}
        self._stands_for = [-1] * len(after)
        for node in range(len(after)):
            if useful[node]:
                here = node
                while here not in number:
                    here = after[here][0]
                self._stands_for[node] = number[here]
        self._weighs = [graph.weighs[node] for node in kept]
        self._after = [list({self._stands_for[each] for each in after[node]}) for node in kept]
        self._before: list[list[int]] = [[] for _ in kept]
        for place, targets in enumerate(self._after):
            for target in targets:
                self._before[target].append(place)

    def _useful(self, after: list[list[int]]) -> bytearray:
        """Which nodes lead to a goal, as 1 or 0 by node."""
        before: list[list[int]] = [[] for _ in after]
        for node, targets in enumerate(after):
            for target in targets:
                before[target].append(node)
        ahead = [node for node in map(self._graph.node, self._goals) if node is not None]
        found = bytearray(len(after))
        for node in ahead:
            found[node] = 1
        for node in ahead:
            for source in before[node]:
                if not found[source]:
                    found[source] = 1
                    ahead.append(source)
        return found

    def _place(self, outcome: Outcome) -> int:
        place = self._places.get(outcome)
        if place is None:
            node = self._graph.node(outcome)
            place = -1 if node is None else self._stands_for[node]
            self._places[outcome] = place
        return place


class DistancesTo:
    """Distances to a few fixed nodes of the graph, such as those of one line."""

    def __init__(self, graph: ProgramGraph, goals: list[int]) -> None:
        self._graph = graph
        before: list[list[int]] = [[] for _ in graph.after]
        for rows in (graph.after, graph.calls, graph.returns):
            for node, targets in enumerate(rows):
                for target in targets:
                    before[target].append(node)
        self._distance = [FAR] * len(before)
        for goal in goals:
            self._distance[goal] = 0
        waiting = deque(goals)
        while waiting:
            node = waiting.popleft()
            through = self._distance[node] + graph.weighs[node]
            for source in before[node]:
                if through < self._distance[source]:
                    self._distance[source] = through
                    # A node without weight goes on at once, so that the nearest come first.
                    waiting.append(source) if graph.weighs[node] else waiting.appendleft(source)

    def of(self, outcome: Outcome) -> int:
        """The branches between an outcome and the nearest goal; `FAR` where no way leads there."""
        node = self._graph.node(outcome)
        return FAR if node is None else self._distance[node]

    def knows(self, outcome: Outcome) -> bool:
        """Whether an outcome is a place in the program; choices in the shape of an input are
        not.
        """
        return self._graph.node(outcome) is not None
