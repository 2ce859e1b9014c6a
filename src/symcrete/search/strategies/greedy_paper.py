"""The greedy strategy of "Towards Optimal Concolic Testing" as it is printed (ICSE 2018).

Algorithm 1 decides after every single test. The states are basic blocks, of callees too; every
transition of every run counts (Definition 4.1), also of those that were solved for; a state of a
loop is rewarded at every visit, as the printed equations have it; solving costs what the weights of
its operations say. A path that has no input is not tried again. When no candidate is left, random
testing goes on. `greedy` differs in all of these, and in what it does then.
"""

from __future__ import annotations

from functools import cached_property

from symcrete.program.source.sites import Outcome
from symcrete.search.chains.block_chain import BlockChain
from symcrete.search.chains.decision import Greedy, SymbolicExecution
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain
from symcrete.search.strategies.optimal import Optimal, estimator_of
from symcrete.search.strategy import Feedback, Flip, Sample, new_nodes
from symcrete.tree.tree import ExecutionTree, Node


class GreedyAsPublished(Optimal):
    """Algorithms 1 and 2 as they are printed."""

    @cached_property
    def chain(self) -> BlockChain:  # type: ignore[override]
        graph = self._guide.graph()
        return BlockChain(graph, OutcomeChain(graph, self._guide.goals))

    @cached_property
    def model(self) -> Greedy[Outcome]:
        return Greedy(BEFORE_ALL, self.chain.successors, estimator=estimator_of(self._guide))

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        model = self.model
        run = self._run_cost
        model.price_draws(run)
        offers: dict[Outcome, tuple[Node, float]] = {}
        for outcome, candidates in list(self._wanted.items()):
            best = candidates.best()
            if best is None or candidates.beyond_bound:
                del self._wanted[outcome]
            elif outcome in model.chain.number:
                offers[outcome] = best
        choice = self.decide(offers, run)
        if not isinstance(choice, SymbolicExecution):
            return Sample()
        outcome = choice.path[-1]
        return self._flip(outcome, *offers[outcome])

    def cost(self, outcome: Outcome, price: float) -> float:
        """The predicted cost as it is, whatever solving took so far."""
        return price

    def learn(self, feedback: Feedback) -> None:
        if feedback.trace is None:
            return
        self._runs += 1
        self._running += feedback.running
        self._offer(new_nodes(feedback))
        way, _ = self.chain.way(feedback.trace, None)
        self.model.observe(way)
        if feedback.new:
            self._cover(feedback.new)
