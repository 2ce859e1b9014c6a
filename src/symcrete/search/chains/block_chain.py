"""The chain of a program over its basic blocks: the states of "Towards Optimal Concolic Testing".

A block is a straight piece of the inter-procedural graph: it begins at the entry, at a side of a
branch, or where ways meet. A side begins a block also where it leads straight to such a meeting and
the block is empty: branches are what is to be covered, so each is a state of its own. An outcome is
the name of its block; the others have names of their own. Exceptions that nobody wrote down are no
transitions.
"""

from __future__ import annotations

from collections import deque

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain


class BlockChain:
    """Which block can follow which, and the blocks that a run passed."""

    def __init__(self, graph: ProgramGraph, outcomes: OutcomeChain) -> None:
        self._graph = graph
        self._outcomes = outcomes
        sides = outcomes.outcome_at
        self._after = [
            [node for node in targets if node in sides or not graph.weighs[node]]
            for targets in outcomes.after
        ]
        self._first = _first_nodes(self._after, graph.root, set(sides))
        self.successors: dict[Outcome, list[Outcome]] = {}
        for node in self._from(graph.root, *map(graph.node, outcomes.successors)):
            here = self._block(node)
            following = self.successors.setdefault(here, [])
            for target in self._after[node]:
                block = self._block(target)
                if target == self._first[target] and block not in following:
                    following.append(block)
        self._ways: dict[tuple[Outcome, Outcome], list[Outcome]] = {}

    def behind(self, outcome: Outcome) -> list[Outcome]:
        """The blocks that can come next after an outcome, or after an operation's error, which is
        no block.
        """
        if outcome in self.successors:
            return self.successors[outcome]
        return [each for each in self._outcomes.behind(outcome) if each in self.successors]

    def way(self, trace: Trace, aimed: int | None) -> tuple[list[Outcome], int]:
        """The blocks of a run, and the position among them of its branch at the depth `aimed`; 0
        without one.
        """
        sides, place = self._outcomes.way(trace, aimed)
        blocks = [BEFORE_ALL]
        position = 0
        for number, side in enumerate(sides):
            if number:
                blocks += self._between(sides[number - 1], side)
                blocks.append(side)
            if number == place:
                position = len(blocks) - 1
        return blocks, position

    def _block(self, node: int) -> Outcome:
        """The name of the block that a node of the graph belongs to."""
        first = self._first[node]
        if first == self._graph.root:
            return BEFORE_ALL
        return self._outcomes.outcome_at.get(first, (-2 - first, True))

    def _from(self, *starts: int | None) -> list[int]:
        """All nodes that the starts lead to."""
        found = dict.fromkeys([start for start in starts if start is not None])
        work = list(found)
        while work:
            for target in self._after[work.pop()]:
                if target not in found:
                    found[target] = None
                    work.append(target)
        return list(found)

    def _between(self, source: Outcome, target: Outcome) -> list[Outcome]:
        """The blocks passed between two sides, with no side of a branch between them."""
        if (source, target) not in self._ways:
            self._ways[source, target] = self._shortest(source, target)
        return self._ways[source, target]

    def _shortest(self, source: Outcome, target: Outcome) -> list[Outcome]:
        start = self._graph.root if source == BEFORE_ALL else self._graph.node(source)
        end = self._graph.node(target)
        assert start is not None
        came_from = {start: start}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for node in self._after[here]:
                if node == end:
                    return self._way_back(here, start, came_from)
                if node not in came_from and node not in self._outcomes.outcome_at:
                    came_from[node] = here
                    waiting.append(node)
        return []  # the run shows a way that the text does not

    def _way_back(self, here: int, start: int, came_from: dict[int, int]) -> list[Outcome]:
        way = []
        while here != start:
            if self._first[here] == here:
                way.append(self._block(here))
            here = came_from[here]
        return way[::-1]


def _first_nodes(after: list[list[int]], root: int, sides: set[int]) -> list[int]:
    """For each node the first one of its block."""
    before: list[list[int]] = [[] for _ in after]
    for node, targets in enumerate(after):
        for target in set(targets):
            before[target].append(node)
    first = list(range(len(after)))
    for node in range(len(after)):
        seen = {node}
        here = node
        while here != root and here not in sides and len(before[here]) == 1:
            above = before[here][0]
            if len(set(after[above])) > 1 or above in seen:
                break
            seen.add(above)
            here = above
        first[node] = here
    return first
