"""A better approximation of the optimal strategy than the greedy one: weigh states by their price.

The greedy algorithm counts every uncovered state as 1, and so solves for what random testing is
about to find anyway, and solves step by step towards what it could have solved for at once. Here
an uncovered state is worth what it would cost to cover it: its *price*, the least expected cost
over all ways that solve some path, or none, and leave the rest to chance. Three more things differ:

- The estimate adds 1/2 instead of 1 to every count. Random testing is then given up for a state
  after about half of what solving costs, which is never dearer than 1.5 times the better of the
  two, whatever the probability; with 1 the bound is 2.
- Transitions that were solved for are not counted as if they had been random.
- A decision for random testing holds until something new is covered or the number of runs has
  grown by a twentieth, so that decisions stay few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import inf

from symcrete.search.chains.decision import Choice, RandomTesting, SymbolicExecution, local_optimal
from symcrete.search.chains.knowledge import Knowledge
from symcrete.search.chains.markov import Estimator, Laplace, State

# added to every count; it bounds the cost at 1.5 times the least, and 0.47 would have the least
# bound, 1.47
PSEUDO_COUNT = 0.5
# a decision for random testing holds until runs have grown by one in this many; chosen, not
# measured
RECONSIDER = 20


class LookAhead(Knowledge[State]):
    """The look-ahead strategy's choices for one program."""

    def __init__(
        self,
        initial: State,
        successors: Mapping[State, Iterable[State]],
        *,
        edge_cost: Callable[[State, State], float] | None = None,
        random_cost: float = 1.0,
        estimator: Estimator | None = None,
        beyond: bool = True,
        once: bool = False,
    ) -> None:
        """`beyond` says whether paths through code no run has covered can be solved, too.

        `once` is for `ExpectedReward`.
        """
        super().__init__(
            initial,
            successors,
            edge_cost=edge_cost,
            random_cost=random_cost,
            estimator=estimator or Laplace(weight=PSEUDO_COUNT),
            once=once,
            beyond=beyond and edge_cost is not None,
        )

    def prices(self) -> dict[State, float]:
        """The least expected cost of a run through each state, by solving, by chance or by both."""
        return dict(zip(self.chain.states, self._prices(self._solving_costs()), strict=True))

    def choose(self) -> Choice[State]:
        """The choice that is expected to save the most, where transitions have costs."""
        solving = self._solving_costs()
        worth = self._weigh(solving)
        before = self._worth_before(worth)
        random = self._random_testing()
        best, last = random.worth, None
        for state, cost in enumerate(solving):
            if cost < inf:
                saved = self.rewards.of(state) + before[state]
                if saved > best * cost:
                    best, last = saved / cost if cost else inf, state
        if last is None or not self.chain.random_runs:
            return random
        path = self.named(self.cheapest.path(last))
        return SymbolicExecution(path, self.rewards.of(last) + before[last], solving[last])

    def choose_among(self, paths: Iterable[tuple[Sequence[State], float]]) -> Choice[State]:
        """The choice that is expected to save the most, given paths and what solving them costs."""
        number = self.chain.number
        options = [(tuple(path), number[path[-1]], cost) for path, cost in paths]
        solving = [inf] * len(self.chain.states)
        for _, last, cost in options:
            solving[last] = min(solving[last], cost)
        worth = self._weigh(solving)
        return local_optimal(
            self._random_testing(),
            (
                SymbolicExecution(
                    path,
                    self.rewards.of(last) + sum(worth[s] for s in {number[t] for t in path[:-1]}),
                    cost,
                )
                for path, last, cost in options
            ),
        )

    def _random_testing(self) -> RandomTesting:
        return RandomTesting(
            self.rewards.of(self.chain.initial),
            self.random_cost,
            times=max(1, self.chain.random_runs // RECONSIDER),
        )

    def _weigh(self, solving: Sequence[float]) -> list[float]:
        """Make every state's reward what it is worth: its price while it is wanted, 0 after."""
        worth = [
            price if self.wanted(state) and price < inf else 0.0
            for state, price in enumerate(self._prices(solving))
        ]
        self.rewards.weigh(dict(enumerate(worth)))
        return worth

    def _solving_costs(self) -> list[float]:
        """What the cheapest path to each state costs; infinite where there is none, or where its
        last transition is the only one.
        """
        costs = [inf] * len(self.chain.targets)
        for state, parent in enumerate(self.cheapest.parent):
            if parent is not None and len(self.chain.targets[parent]) > 1:
                costs[state] = self.cheapest.distance[state]
        return costs

    def _prices(self, solving: Sequence[float]) -> list[float]:
        """For each state the least expected cost of a run through it.

        Being in s at the price A leads to t at the price A / Pr(s,t), along one path. Many paths
        may lead to a state, each of them unlikely; but random runs come through a covered state as
        often as they did so far.
        """
        chain = self.chain
        price = list(solving)
        price[chain.initial] = self.random_cost
        for state, through in enumerate(chain.random_runs_through):
            if through:
                price[state] = min(price[state], self.random_cost * chain.random_runs / through)
        heap = [(cost, state) for state, cost in enumerate(price) if cost < inf]
        heapify(heap)
        while heap:
            cost, state = heappop(heap)
            if cost > price[state]:
                continue
            for target, probability in zip(chain.targets[state], chain.row(state), strict=True):
                if probability > 0 and cost / probability < price[target]:
                    price[target] = cost / probability
                    heappush(heap, (price[target], target))
        return price

    def _worth_before(self, worth: Sequence[float]) -> dict[int, float]:
        """For every state with a path, what the states on its path before it are worth."""
        extensions: list[list[int]] = [[] for _ in worth]
        for state, parent in enumerate(self.cheapest.parent):
            if parent is not None:
                extensions[parent].append(state)
        before = {self.chain.initial: 0.0}
        work = [self.chain.initial]
        while work:
            state = work.pop()
            for longer in extensions[state]:
                before[longer] = before[state] + worth[state]
                work.append(longer)
        return before
