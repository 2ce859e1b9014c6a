"""The chain of a program as strategies can observe it: its states are the outcomes of conditions.

An outcome leads to those that can be the next to pass in the inter-procedural graph. A run is seen
as the sequence of the symbolic branches that it passed. Conditions that no input decides leave no
event, only a bit that says whether the run passed them; between two symbolic branches they are put
back by taking the shortest way in the graph through outcomes that the run did pass. What lies
after the last symbolic branch has no order and is known as covered only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.tree.coverage import bit

BEFORE_ALL: Outcome = (-1, True)  # the state before the first condition


class OutcomeChain:
    """Which outcome can follow which, and the outcomes that a run passed."""

    def __init__(self, graph: ProgramGraph, goals: Iterable[Outcome] = ()) -> None:
        """`goals` are states even where the text does not show how they are reached."""
        self._graph = graph
        aims = [(goal, node) for goal in goals if (node := graph.node(goal)) is not None]
        callable_from_here = _closure(graph, [graph.root, *(node for _, node in aims)])
        # A function returns to all its callers; those that the target never calls are left out.
        self.after = [  # within functions, into calls and back
            [*within, *calls, *(each for each in returns if each in callable_from_here)]
            for within, calls, returns in zip(graph.after, graph.calls, graph.returns, strict=True)
        ]
        self.outcome_at: dict[int, Outcome] = {}
        for each in graph.graphs:
            for outcome in each.branches:
                node = graph.node(outcome)
                if node is not None:
                    self.outcome_at[node] = outcome
        self.successors: dict[Outcome, list[Outcome]] = {BEFORE_ALL: self._next(graph.root)}
        for goal, node in aims:
            self.successors[goal] = self._next(node)
        work = list(self.successors)
        while work:
            for outcome in self.successors[work.pop()]:
                if outcome not in self.successors:
                    node = graph.node(outcome)
                    assert node is not None
                    self.successors[outcome] = self._next(node)
                    work.append(outcome)
        # Between two branches: ways found so far, with the outcomes on them as bits.
        self._ways: dict[tuple[Outcome, Outcome], list[tuple[int, list[Outcome]]]] = {}

    def behind(self, outcome: Outcome) -> list[Outcome]:
        """The outcomes that can come next after one, or after an operation's error, which is no
        state of the chain.
        """
        if outcome in self.successors:
            return self.successors[outcome]
        node = self._graph.node(outcome)
        return [] if node is None else [o for o in self._next(node) if o in self.successors]

    def way(self, trace: Trace, aimed: int | None) -> tuple[list[Outcome], int]:
        """The states of a run, and the position among them of its branch at the depth `aimed`; 0
        without one.
        """
        states = [BEFORE_ALL]
        position = 0
        for depth, (code, _) in enumerate(trace.events):
            outcome = (code >> 1, bool(code & 1))
            if outcome in self.successors:
                if outcome not in self.successors[states[-1]]:
                    states += self._between(states[-1], outcome, trace.covered)
                states.append(outcome)
            if depth == aimed:
                position = len(states) - 1
        return states, position

    def _next(self, start: int) -> list[Outcome]:
        """The first outcomes after a node of the graph."""
        found: dict[Outcome, None] = {}
        seen = {start}
        work = [start]
        while work:
            for node in self.after[work.pop()]:
                if node in seen:
                    continue
                seen.add(node)
                outcome = self.outcome_at.get(node)
                if outcome is None:
                    work.append(node)
                else:
                    found[outcome] = None
        return sorted(found)

    def _between(self, source: Outcome, target: Outcome, covered: int) -> list[Outcome]:
        known = self._ways.setdefault((source, target), [])
        for bits, way in known:
            if bits & covered == bits:
                return way
        way = self._shortest(source, target, covered)
        bits = 0
        for outcome in way:
            bits |= bit(*outcome)
        known.append((bits, way))
        return way

    def _shortest(self, source: Outcome, target: Outcome, covered: int) -> list[Outcome]:
        """The outcomes on the shortest way between two that the run passed; empty where the graph
        has no such way.
        """
        came_from: dict[Outcome, Outcome] = {source: source}
        waiting = deque([source])
        while waiting:
            here = waiting.popleft()
            for outcome in self.successors[here]:
                if outcome == target and here != source:
                    way = []
                    while here != source:
                        way.append(here)
                        here = came_from[here]
                    return way[::-1]
                if outcome not in came_from and covered & bit(*outcome):
                    came_from[outcome] = here
                    waiting.append(outcome)
        return []


def _closure(graph: ProgramGraph, nodes: list[int]) -> set[int]:
    """All nodes that can run after these before their functions return, those of callees too."""
    found = set(nodes)
    work = list(found)
    while work:
        node = work.pop()
        for after in (*graph.after[node], *graph.calls[node]):
            if after not in found:
                found.add(after)
                work.append(after)
    return found
