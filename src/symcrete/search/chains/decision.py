"""Random testing or symbolic execution: the choice that brings most new coverage per cost.

Algorithms 1 and 2 of "Towards Optimal Concolic Testing" (ICSE 2018). The probabilities are
estimated from the runs so far; what solving a path costs is the caller's knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Generic, TypeAlias

from symcrete.search.chains.knowledge import Knowledge
from symcrete.search.chains.markov import Estimator, State
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class RandomTesting:
    """Run the program on a random input."""

    reward: float
    cost: float = 1.0
    times: int = 1  # this many runs may follow before it is worth thinking again

    @property
    def worth(self) -> float:
        """The expected reward per cost."""
        return self.reward / self.cost


@dataclass(frozen=True, slots=True)
class SymbolicExecution(Generic[State]):
    """Solve for an input that follows this path and run it."""

    path: tuple[State, ...]
    reward: float
    cost: float

    @property
    def worth(self) -> float:
        """The expected reward per cost; infinite where it costs nothing."""
        return self.reward / self.cost if self.cost > 0 else inf


Choice: TypeAlias = RandomTesting | SymbolicExecution[State]


def local_optimal(
    random: RandomTesting, executions: Iterable[SymbolicExecution[State]]
) -> Choice[State]:
    """The choice with the largest reward per cost (Algorithm 2); random testing where it ties."""
    best: Choice[State] = random
    for execution in executions:
        if execution.worth > best.worth:
            best = execution
    return best


class Greedy(Knowledge[State]):
    """The greedy algorithm's choices for one program."""

    def __init__(
        self,
        initial: State,
        successors: Mapping[State, Iterable[State]],
        *,
        edge_cost: Callable[[State, State], float] | None = None,
        random_cost: float = 1.0,
        estimator: Estimator | None = None,
        once: bool = False,
    ) -> None:
        super().__init__(
            initial,
            successors,
            edge_cost=edge_cost,
            random_cost=random_cost,
            estimator=estimator,
            once=once,
        )

    def expected_reward(self, state: State | None = None) -> float:
        """R of a state; without one, that of the initial state: the expected reward of random
        testing.
        """
        number = self.chain.initial if state is None else self.chain.number[state]
        return self.rewards.of(number)

    def random_testing(self) -> RandomTesting:
        """One random run, with what it is expected to cover and to cost."""
        return RandomTesting(self.expected_reward(), self.random_cost)

    def choose(self) -> Choice[State]:
        """Algorithm 2 over all candidate paths, where transitions have costs (`edge_cost`).

        The reward of a path depends on its last state only, so the cheapest path to each uncovered
        state stands for all of them.
        """
        random = self.random_testing()
        best, last = random.worth, None
        for state in sorted(self.cheapest.frontier):
            cost = self.cheapest.distance[state]
            if self.wanted(state) and self.rewards.of(state) > best * cost:
                best, last = self.rewards.of(state) / cost if cost else inf, state
        if last is None or not self.chain.runs:
            return random
        path = self.named(self.cheapest.path(last))
        return SymbolicExecution(path, self.rewards.of(last), self.cheapest.distance[last])

    def choose_among(self, paths: Iterable[tuple[Sequence[State], float]]) -> Choice[State]:
        """Algorithm 2 over the caller's paths and what each costs."""
        return local_optimal(
            self.random_testing(),
            (
                SymbolicExecution(tuple(path), self.expected_reward(path[-1]), cost)
                for path, cost in paths
            ),
        )


def greedy(
    model: Greedy[State],
    test: Callable[[], Sequence[State]],
    execute: Callable[[tuple[State, ...]], Sequence[State] | None],
    cost: Callable[[tuple[State, ...]], float],
    *,
    loop_bound: int = 1,
    rounds: int | None = None,
) -> list[Sequence[State]]:
    """Algorithm 1: test and solve until everything is covered; returns the runs it took.

    `test` runs a random input; `execute` solves a path and runs the input, or gives None where
    there is none. A path that has no input, or whose input takes another way, is not tried again.
    """
    runs: list[Sequence[State]] = []
    ignored: set[tuple[State, ...]] = set()
    while not model.done and (rounds is None or len(runs) + len(ignored) < rounds):
        paths = (path for path in model.candidates(loop_bound=loop_bound) if path not in ignored)
        if model.chain.runs == 0:
            choice: Choice[State] = model.random_testing()
        else:
            choice = model.choose_among((path, cost(path)) for path in paths)
        if isinstance(choice, RandomTesting):
            run: Sequence[State] | None = test()
        else:
            run = execute(choice.path)
            if run is None or tuple(run[: len(choice.path)]) != choice.path:
                ignored.add(choice.path)
        if run is not None:
            runs.append(run)
            model.observe(run)
    return runs
