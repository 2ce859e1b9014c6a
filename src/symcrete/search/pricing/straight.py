"""Flips straight to an outcome that nobody has covered, each with its own worth."""

from __future__ import annotations

import heapq
from collections import deque

from symcrete.constraint.theory import theory
from symcrete.program.source.sites import Outcome
from symcrete.search.pricing.prices import TOLD_APART, Prices
from symcrete.search.strategy import RUN_SECONDS, Feedback, Flip
from symcrete.slotted import dataclass
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import Node, Side

ROUNDING_OF_WORTH = 1e-9  # part by which equal worths may differ, computed in another order
# What an outcome is worth beside one of the target's own conditions: an error that one of its
# operations raises or an outcome proved infeasible, and a condition in a function that it calls;
# chosen, not measured.
OF_AN_ERROR = 1 / 3
OF_A_CALLEE = 1 / 5


@dataclass(slots=True)
class Wanted:
    """The open branches that lead to one outcome, the oldest first, and what was tried for it."""

    nodes: deque[Node]
    tries: int = 0
    seconds: float = 0.0


class Straight:
    """The best flip to an uncovered outcome: likely, cheap, and not often tried before."""

    def __init__(self, coverage: Coverage, prices: Prices) -> None:
        self._coverage = coverage
        self._prices = prices
        self._wanted: dict[Outcome, Wanted] = {}
        self._tried: dict[Outcome, Wanted] = {}  # also those that have no branch just now
        self._ranked: list[tuple[float, int, Outcome]] = []  # minus the worth when it was ranked
        self._count = 0
        self._chosen: Flip | None = None
        self._run_seconds = RUN_SECONDS

    def price_runs(self, seconds: float) -> None:
        """Take in what a run takes, on average so far."""
        self._run_seconds = seconds

    def add(self, node: Node, side: bool) -> None:
        """Take in a branch whose side is open."""
        outcome = node.site, side
        if self._coverage.has(*outcome):
            return
        found = self._wanted.get(outcome)
        if found is None:
            found = self._tried.setdefault(outcome, Wanted(deque()))
            found.nodes = deque([node])
            self._wanted[outcome] = found
            self._rank(outcome)
        else:
            found.nodes.append(node)

    def worth(self) -> float:
        """Outcomes per second that the best flip is expected to cover; 0 if there is none."""
        while self._ranked:
            before, _, outcome = self._ranked[0]
            if not self._is_open(outcome):
                heapq.heappop(self._ranked)
                self._wanted.pop(outcome, None)
                continue
            now = self._worth(outcome)
            if now >= -before * (1 - ROUNDING_OF_WORTH) or len(self._ranked) == 1:
                return now
            heapq.heappop(self._ranked)  # it was worth more when it was ranked
            self._rank(outcome)
        return 0.0

    def choose(self) -> Flip:
        """The best flip, of which `worth` has just told."""
        _, _, outcome = heapq.heappop(self._ranked)
        found = self._wanted[outcome]
        found.tries += 1
        node = found.nodes.popleft()
        if found.nodes:
            self._rank(outcome)
        else:
            del self._wanted[outcome]
        self._chosen = Flip(node, outcome[1])
        return self._chosen

    def learn(self, feedback: Feedback) -> None:
        """Add the seconds of a query to those of its outcome, since time-outs come again where they
        came once; of a flip that was chosen here note also whether it came to its outcome.
        """
        step = feedback.step
        if not isinstance(step, Flip):
            return
        found = self._tried.get((step.node.site, step.side))
        if found is not None:
            found.seconds += feedback.solving
            if step is self._chosen:
                chances = self._prices.chances(theory(step.node.term), found.tries - 1)
                chances.learn(success=feedback.result == "ran")
        self._chosen = None

    def value(self, outcome: Outcome) -> float:
        """What covering an outcome counts beside one of the target's own conditions."""
        coverage = self._coverage
        if not coverage.counts(bit(*outcome)):
            return OF_A_CALLEE
        is_error = outcome[0] in coverage.errors
        return OF_AN_ERROR if is_error or outcome in coverage.proofs else 1.0

    def _is_open(self, outcome: Outcome) -> bool:
        found = self._wanted.get(outcome)
        if found is None or self._coverage.has(*outcome):
            return False
        while found.nodes and found.nodes[0].state[outcome[1]] is not Side.OPEN:
            found.nodes.popleft()
        return bool(found.nodes)

    def _worth(self, outcome: Outcome) -> float:
        found = self._wanted[outcome]
        kind, tries = theory(found.nodes[0].term), found.tries
        chance = self._prices.chances(kind, tries).chance / max(1, tries - TOLD_APART)
        seconds = (self._prices.of(kind).mean + found.seconds) / (1 + tries) + self._run_seconds
        return self.value(outcome) * chance / seconds

    def _rank(self, outcome: Outcome) -> None:
        self._count += 1
        heapq.heappush(self._ranked, (-self._worth(outcome), self._count, outcome))
