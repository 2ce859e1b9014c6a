"""How many basic blocks of a program the covered outcomes of its conditions stand for.

A block is reached if a way leads to it from the target's entry, through calls too, on which every
side of a condition has been taken. Ways that only an error inside an expression opens do not count,
neither as reached nor as blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome


class Blocks:
    def __init__(self, graph: ProgramGraph, outcomes: Iterable[Outcome]) -> None:
        self._root = graph.root
        points = sum(len(each.points) for each in graph.graphs)
        sides = {graph.node(outcome): outcome for outcome in outcomes}
        self._within: list[list[tuple[int, Outcome | None]]] = [[] for _ in range(points)]
        self._calls = graph.calls
        for point in range(points):
            for node in graph.after[point]:
                if node < points:
                    self._within[point].append((node, None))
                elif node in sides or not graph.weighs[node]:  # else by an error
                    (target,) = graph.after[node]
                    self._within[point].append((target, sides.get(node)))
        self._leaders = self._first_points(self._reached(lambda outcome: True))

    def __len__(self) -> int:
        return len(self._leaders)

    def covered(self, has: Callable[[Outcome], bool]) -> int:
        return len(self._leaders & self._reached(has))

    def _reached(self, has: Callable[[Outcome], bool]) -> set[int]:
        found, ahead = {self._root}, [self._root]
        while ahead:
            here = ahead.pop()
            new = set(self._after(here, has)) - found
            found |= new
            ahead += new
        return found

    def _after(self, point: int, has: Callable[[Outcome], bool]) -> Iterator[int]:
        yield from self._calls[point]
        for target, outcome in self._within[point]:
            if outcome is None or has(outcome):
                yield target

    def _first_points(self, reached: set[int]) -> set[int]:
        """Where blocks begin: at entries, where ways part and where they meet."""
        ways = Counter(target for point in reached for target, _ in self._within[point])
        leaders = {self._root}
        for point in reached:
            leaders.update(self._calls[point])
            targets = [target for target, _ in self._within[point]]
            leaders.update(t for t in targets if len(targets) > 1 or ways[t] > 1)
        return leaders
