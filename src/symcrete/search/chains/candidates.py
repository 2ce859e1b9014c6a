"""Which paths are worth solving: those whose only uncovered state is the last one.

Solving such a path is certain to cover something ("Towards Optimal Concolic Testing", section 4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf


def candidate_paths(
    initial: int, targets: Sequence[Sequence[int]], covered: Sequence[bool], *, loop_bound: int = 1
) -> Iterator[tuple[int, ...]]:
    """All paths through covered states to an uncovered one; they pass no state more than
    `loop_bound` times.

    There can be exponentially many. They come one at a time, and the search enters no part of the
    graph from which no uncovered state can be reached through covered ones.
    """
    if not covered[initial]:
        yield (initial,)
        return
    useful = _leading_to_uncovered(targets, covered)
    times = [0] * len(targets)
    times[initial] = 1
    path = [initial]
    work = [iter(targets[initial])]
    while work:
        target = next(work[-1], None)
        if target is None:
            work.pop()
            times[path.pop()] -= 1
        elif not covered[target]:
            yield (*path, target)
        elif useful[target] and times[target] < loop_bound:
            times[target] += 1
            path.append(target)
            work.append(iter(targets[target]))


def _leading_to_uncovered(
    targets: Sequence[Sequence[int]], covered: Sequence[bool]
) -> Sequence[bool]:
    sources: list[list[int]] = [[] for _ in targets]
    for source, following in enumerate(targets):
        if covered[source]:
            for target in following:
                sources[target].append(source)
    useful = [not state_covered for state_covered in covered]
    work = [state for state, uncovered in enumerate(useful) if uncovered]
    while work:
        for source in sources[work.pop()]:
            if not useful[source]:
                useful[source] = True
                work.append(source)
    return useful


class CheapestPaths:
    """The cheapest path to every state where a path costs the sum of its transitions.

    Paths lead through covered states only, unless `beyond` is set. As coverage grows, paths only
    become cheaper: to take in a new state, only the paths that it makes cheaper are looked at.
    """

    def __init__(
        self,
        initial: int,
        targets: Sequence[Sequence[int]],
        cost: Callable[[int, int], float],
        *,
        beyond: bool = False,
    ) -> None:
        self._targets = targets
        self._cost = cost
        self._open = [beyond] * len(targets)  # by state, whether paths may lead through it
        self.distance = [inf] * len(targets)
        self.parent: list[int | None] = [None] * len(targets)
        self.frontier: set[int] = {initial}  # uncovered states with a path
        self.distance[initial] = 0.0
        if beyond:
            self._relax([initial])

    def cover(self, states: Iterable[int]) -> None:
        """Take in that paths may lead through these states now."""
        fresh = [state for state in states if not self._open[state]]
        for state in fresh:
            self._open[state] = True
            self.frontier.discard(state)
        self._relax([state for state in fresh if self.distance[state] < inf])

    def path(self, state: int) -> tuple[int, ...]:
        """The cheapest path that ends in this state."""
        found = [state]
        before = self.parent[state]
        while before is not None:
            found.append(before)
            before = self.parent[before]
        return tuple(reversed(found))

    def _relax(self, states: Iterable[int]) -> None:
        heap = [(self.distance[state], state) for state in states]
        heap.sort()
        while heap:
            distance, state = heappop(heap)
            if distance > self.distance[state]:
                continue
            for target in self._targets[state]:
                further = distance + self._cost(state, target)
                if further < self.distance[target]:
                    self.distance[target] = further
                    self.parent[target] = state
                    if self._open[target]:
                        heappush(heap, (further, target))
                    else:
                        self.frontier.add(target)
