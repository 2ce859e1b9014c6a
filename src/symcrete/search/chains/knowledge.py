"""What is known about a program for choosing between random testing and solving, run after run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic

from symcrete.search.chains.candidates import CheapestPaths, candidate_paths
from symcrete.search.chains.markov import EstimatedChain, Estimator, State
from symcrete.search.chains.rewards import ExpectedReward


class Knowledge(Generic[State]):
    """The estimated chain of a program, the rewards in it and the paths to what is uncovered."""

    def __init__(
        self,
        initial: State,
        successors: Mapping[State, Iterable[State]],
        *,
        edge_cost: Callable[[State, State], float] | None = None,
        random_cost: float = 1.0,
        estimator: Estimator | None = None,
        once: bool = False,
        beyond: bool = False,
    ) -> None:
        """`edge_cost`: solving a path costs the sum over its transitions; needed for `cheapest`.

        `random_cost` is what a random run costs, in the same unit;
        `once` is for `ExpectedReward`, `beyond` for `CheapestPaths`.
        """
        self.chain = EstimatedChain(initial, successors, estimator=estimator)
        self.random_cost = random_cost
        self._edge_cost = edge_cost
        self._once = once
        self._beyond = beyond
        self._given_up: set[int] = set()
        self._begin()

    def price_draws(self, cost: float) -> None:
        """Take in what a random run costs, by what the last ones did."""
        self.random_cost = cost

    def _begin(self) -> None:
        chain = self.chain
        covered = [state for state, is_covered in enumerate(chain.covered) if is_covered]
        self.rewards = ExpectedReward(
            chain.targets, chain.row, {*covered, *self._given_up}, once=self._once
        )
        self.cheapest = CheapestPaths(chain.initial, chain.targets, self._cost, beyond=self._beyond)
        if self._edge_cost is not None:
            self.cheapest.cover(covered)

    def _cost(self, source: int, target: int) -> float:
        if self._edge_cost is None:
            return 0.0
        return self._edge_cost(self.chain.states[source], self.chain.states[target])

    def observe(self, run: Sequence[State], *, forced: int = 0) -> list[State]:
        """Take in a run, given as the states it went through; returns those it was the first to
        cover.

        `forced` is how many transitions were solved for; see `EstimatedChain.observe`.
        """
        return self.observe_all([(run, 1)], forced=forced)

    def observe_all(
        self, runs: Iterable[tuple[Sequence[State], int]], *, forced: int = 0
    ) -> list[State]:
        """Take in several runs, each with how often there was one like it; returns the states they
        were the first to cover.
        """
        rows: set[int] = set()
        newly_covered: list[int] = []
        grown = False
        for run, times in runs:
            seen = self.chain.observe(run, forced=forced, times=times)
            rows.update(seen.rows)
            newly_covered += seen.newly_covered
            grown |= seen.grown
        self._given_up.difference_update(newly_covered)
        if grown:
            self._begin()
        else:
            self.rewards.update(rows, newly_covered)
            if self._edge_cost is not None:
                self.cheapest.cover(newly_covered)
        return [self.chain.states[state] for state in newly_covered]

    def give_up(self, states: Iterable[State]) -> None:
        """Expect nothing more of these states: they are infeasible, or not worth it."""
        numbers = [self.chain.number[state] for state in states]
        given_up = [number for number in numbers if not self.chain.covered[number]]
        self._given_up.update(given_up)
        self.rewards.update((), given_up)

    @property
    def done(self) -> bool:
        """Whether every state is covered or given up."""
        return self.chain.uncovered == len(self._given_up)

    def wanted(self, state: int) -> bool:
        """Whether a state, by its number, is neither covered nor given up."""
        return not self.chain.covered[state] and state not in self._given_up

    def candidates(self, *, loop_bound: int = 1) -> Iterator[tuple[State, ...]]:
        """Paths whose only uncovered state is the last one; see `candidate_paths`."""
        chain = self.chain
        for path in candidate_paths(
            chain.initial, chain.targets, chain.covered, loop_bound=loop_bound
        ):
            if path[-1] not in self._given_up:
                yield self.named(path)

    def named(self, path: Iterable[int]) -> tuple[State, ...]:
        return tuple(self.chain.states[state] for state in path)
